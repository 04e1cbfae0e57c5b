// What the app asks of its browser (app/web/browser.hpp); the page does it (app/web/site/page.js).
mergeInto(LibraryManager.library, {
  page_wake: function() { Module.page.wake(); },
  page_begins: function() { Module.page.begins(); },
  page_opened_context: function() { Module.page.openedContext(Module.ctx); },
  page_fails: function(sentence) { Module.page.fails(UTF8ToString(sentence)); },
  page_cursor: function(shape) { Module.page.cursor(shape); },
  page_wants_text: function(wants) { Module.page.wantsText(wants); },
  page_copy: function(text) { Module.page.copy(UTF8ToString(text)); },
  page_pasted: function() { return allocateUTF8(Module.page.pasted); },
  page_pick: function() { Module.page.pick(); },
  page_picked: function() { return Module.page.picked === null ? 0 : allocateUTF8(Module.page.picked); },
  page_address: function() { return allocateUTF8(location.origin + location.pathname); },
  page_link: function(query) { Module.page.link(UTF8ToString(query)); },
  page_whole_app_at: function(x, y, w, h) { Module.page.wholeAppAt(x, y, w, h); },
  page_tell_host: function(json) { Module.page.tellHost(UTF8ToString(json)); },
  page_is_mac: function() { return /Mac|iPhone|iPad/.test(navigator.platform); },
});
