// Another process of the program, for runs that take long: it opens no page, and makes what it is asked for
// (app/web/elsewhere.cpp).
'use strict';
let pieces = [];
const waiting = [];
let ready = false;
function make(asked) {
  pieces = [];
  for (const [path, bytes] of asked.files) {
    if (path.includes('/')) FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    if (bytes) FS.writeFile(path, bytes);
    else if (FS.analyzePath(path).exists) FS.unlink(path);
  }
  const what = allocateUTF8(asked.what);
  try { Module._page_make(what); } finally { _free(what); }
}
const page = {
  tell: (events, expected, lookedAt) => postMessage({ events, expected, lookedAt }),
  give: bytes => pieces.push(bytes),
  isMade(memory) { const made = pieces; pieces = []; postMessage({ made, memory }, made.map(p => p.buffer)); },
  isNotMade: (sentence, program) => { pieces = []; postMessage({ failed: sentence, program, memory: HEAPU8.length }); },
};
onmessage = message => {
  const asked = message.data;
  if (!asked.program) { if (ready) make(asked); else waiting.push(asked); return; }
  self.Module = {
    page, noInitialRun: true,
    print: s => console.log(s), printErr: s => console.warn(s),
    instantiateWasm: (imports, done) => {
      // a promise that fails is no error of the worker's: it would never be heard of
      WebAssembly.instantiate(asked.module, imports).then(instance => done(instance, asked.module), e => setTimeout(() => { throw e; }));
      return {};
    },
    onRuntimeInitialized() { ready = true; for (const each of waiting.splice(0)) make(each); },
  };
  importScripts(asked.program);
};
