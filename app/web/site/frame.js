// One view in a frame of somebody's page (embed=... in the link): runs only while it is seen, and talks with the page around
// it (docs/web.md). Without embed= in the link none of this does anything.
'use strict';
window.barrierscopeFrame = (() => {
const asked = new URLSearchParams(location.search), embed = asked.get('embed');
if (embed === null) return null;
let seen = false, started = false, sleeper = 0, waiting = [], onSeen = () => {}, begin;
const firstSeen = new Promise(done => { begin = done; });
const dark = asked.has('theme') ? asked.get('theme') === 'dark' : !matchMedia('(prefers-color-scheme: light)').matches;
document.documentElement.classList.add('embedded', dark ? 'dark' : 'light');

const frame = {
  firstSeen,
  sleepsAfter: 60000,  // ms out of sight: then its memory is given back
  get seen() { return seen && !document.hidden; },
  /// What the reader's browser prefers, where the link says no theme.
  words: asked.has('theme') || dark ? location.search : location.search + '&theme=light',
  wakes(f) { onSeen = f; },
  /// The app is there: what was asked for meanwhile is done.
  begins() {
    started = true;
    for (const message of waiting.splice(0)) hear(message);
  },
  link(query) { return '?embed=' + embed + (query ? '&' + query : ''); },
  tell(message) { if (parent !== window) parent.postMessage(message, '*'); },
  fails(sentence) { frame.tell({ barrierscope: 1, type: 'error', sentence }); },
};
function hear(message) {
  if (typeof message !== 'string') return page.opens(message.bytes);
  const size = lengthBytesUTF8(message) + 1, at = Module._malloc(size);
  stringToUTF8(message, at, size);
  try { Module._page_hear(at); } finally { Module._free(at); }
}
addEventListener('message', e => {
  // others, and messages that are not for us, are no concern of ours
  if (e.source !== parent || e.source === window || !e.data || typeof e.data !== 'object' || !('barrierscope' in e.data)) return;
  let message = '';
  const bytes = e.data.barrierscope === 1 && e.data.type === 'open' && e.data.bytes;
  if (bytes instanceof ArrayBuffer) message = { bytes: new Uint8Array(bytes) };
  else if (bytes instanceof Uint8Array) message = { bytes };
  else try { message = JSON.stringify(e.data) || ''; } catch (circular) { /* it is told that it is none */ }
  if (typeof message === 'string' && message.length > 20000) message = '';
  if (started) hear(message);
  else if (waiting.length < 1000) waiting.push(message);
});
function look(now) {
  seen = now;
  clearTimeout(sleeper);
  if (!seen) {
    // its address says all that is shown: from there it begins again when it is seen
    sleeper = setTimeout(() => { if (started && page.sleeps()) location.reload(); }, frame.sleepsAfter);
    return;
  }
  begin();
  onSeen();
}
let page = { sleeps: () => false };
frame.page = p => { page = p; };
new IntersectionObserver(entries => look(entries[entries.length - 1].isIntersecting)).observe(document.documentElement);
document.addEventListener('visibilitychange', () => { if (frame.seen) onSeen(); });
return frame;
})();
