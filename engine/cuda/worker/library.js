// What own_code.wasm asks of the JavaScript around it: the OwnCode (own_code.js) that was made of the module.
mergeInto(LibraryManager.library, {
  own_code_start: function(command) { return Module['ownCode'].newText(Module['ownCode'].start(UTF8ToString(command))); },
  own_code_keep_trace: function(trace, size) { Module['ownCode'].trace = HEAPU8.slice(trace, trace + size); },
  own_code_tell: function(share) { Module['ownCode'].progress(share); },
});
