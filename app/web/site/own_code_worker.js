// Compiles and runs users' programs for the page (page.js): own_code.wasm, the compiler and the program, each with a memory
// of its own. What they need is fetched when it is needed: what was compiled ahead with the page, else the compiler,
// where the page has it, and headers by what the program includes.
'use strict';
let begun = null;  // a promise of what answers
let hasCompiler = false;  // it has been fetched, or the server has been asked

/// A sentence for users (engine/trace/message.hpp), in JSON.
const message = (pattern, ...parameters) => JSON.stringify([pattern, ...parameters]);
/// What refuses a program.
class Refusal extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/// A promise that fails is no error of a worker's: it would never be heard of.
onmessage = ({ data }) => answer(data).catch(e => setTimeout(() => { throw e; }));

async function answer({ base, compiler, ahead, what, folder, files }) {
  begun ??= begin(base, compiler, ahead);
  const { ownCode, aheadFor, withCompiler, NotCompiledAhead } = await begun;
  const { target, program, terms } = JSON.parse(what);
  const relative = path => path.startsWith(folder + '/') ? path.slice(folder.length + 1) : path.replace(/^\//, '');
  program.files = (program.files.length ? program.files : [target.file]).map(relative);
  ownCode.tools = hasCompiler ? await withCompiler(files) : await aheadFor(program.files[0]);
  const request = { program, terms, files: new Map(files), schedule: target.schedule, progress: share => postMessage({ part: share, of: 1 }) };
  const run = () => {
    const { trace, run, error } = ownCode.run(request);
    if (error) postMessage({ failed: JSON.stringify(error.message), refused: error.kind === 'usage' });
    else postMessage({ run: JSON.stringify(run), trace, memory: ownCode.module.HEAPU8.length }, trace ? [trace.buffer] : []);
  };
  try {
    try { run(); }
    catch (e) {
      if (!(e instanceof NotCompiledAhead)) throw e;
      ownCode.tools = await withCompiler(files);
      hasCompiler = true;
      run();
    }
  } catch (e) {
    if (!e.reason) throw e;
    postMessage({ failed: e.reason });
  }
}

async function begin(base, compiler, ahead) {
  const [{ OwnCode }, { runProgram }, { ServerTools }, { AheadTools, NotCompiledAhead }] =
    await Promise.all(['worker/own_code.js', 'worker/run_program.js', 'web/server_tools.js', 'web/ahead_tools.js'].map(name => import(base + name)));
  importScripts(base + 'module.js');  // of own_code.wasm
  const module = await self.OwnCode({ locateFile: name => base + name, print: s => console.log(s), printErr: s => console.warn(s) });
  const nothingAhead = { run() { throw new NotCompiledAhead(); } };
  const records = new Map();  // by their addresses, promises
  const aheadFor = async main => {
    const address = ahead[main] ?? ahead[''];
    if (!address) return nothingAhead;
    if (!records.has(address)) records.set(address, fetchedWith(address).then(record => new AheadTools(record)));
    return records.get(address);
  };
  const noCompiler = () => { throw new Refusal(message('this page has no compiler, and runs only the programs that came with it, unchanged: open the trace that `barrierscope trace FILE.cu -o FILE.bscope` makes on a computer with Barrierscope')); };
  const server = new ServerTools(new URL('../../tools', base).href);
  const withCompiler = { page: clangOfPage(base), server: async () => server, none: noCompiler }[compiler];
  return { ownCode: new OwnCode({ module, tools: nothingAhead, runProgram }), aheadFor, withCompiler, NotCompiledAhead };
}

/// The compiler in the page with the headers that files need: a function that gives it.
function clangOfPage(base) {
  let index = null, clang = null;
  const here = new Set(), decoder = new TextDecoder(), isText = path => /\.(cu|cuh|h|hpp|cpp|cc|cxx|c|inl)$/i.test(path);
  const start = async come => {
    const { ClangTools } = await import(base + 'web/clang_tools.js');
    importScripts(base + 'clang.js');
    return ClangTools.begin(self.Clang, await fetchedWith(base + 'clang.wasm', come));
  };
  return async files => {
    const { packsFor, filesOfPack } = await import(base + 'worker/header_packs.js');
    index ??= await fetched(base + 'packs/headers.json').then(r => r.json());
    const packs = packsFor(index, files.filter(([path]) => isText(path)).map(([, bytes]) => decoder.decode(bytes))).filter(name => !here.has(name));
    const come = counterOf([...clang ? [] : ['clang'], ...packs].reduce((sum, name) => sum + index[name].bytes, 0));
    const tools = await (clang ??= start(come));
    for (const name of packs) {
      tools.mount(filesOfPack(await fetchedWith(`${base}packs/${name}.pack`, come)));
      here.add(name);
    }
    return tools;
  };
}

async function fetched(address) {
  let response;
  try { response = await fetch(address); } catch (e) { throw new Error('not fetched: ' + address); }
  if (!response.ok) throw new Error('not fetched: ' + address);
  return response;
}
/// A function that counts bytes that come, and says to the page what share of `size` is here.
function counterOf(size) {
  let here = 0;
  return bytes => postMessage({ fetched: Math.min(1, (here += bytes) / size) });
}
/// The bytes. Meanwhile `come` hears how many more have come.
async function fetchedWith(address, come = () => {}) {
  const reader = (await fetched(address)).body.getReader(), pieces = [];
  for (let piece; !(piece = await reader.read()).done; pieces.push(piece.value)) come(piece.value.length);
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
