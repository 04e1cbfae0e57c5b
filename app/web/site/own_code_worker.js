// Compiles and runs users' programs for the page (page.js): own_code.wasm, the compiler and the program, each with a memory
// of its own. What they need is fetched with the first program: the compiler, where the page has it, and headers by what
// the program includes.
'use strict';
let begun = null;  // a promise of what answers

/// A promise that fails is no error of a worker's: it would never be heard of.
onmessage = ({ data }) => answer(data).catch(e => setTimeout(() => { throw e; }));

async function answer({ base, compiler, what, folder, files }) {
  begun ??= begin(base, compiler);
  const { ownCode, prepare, ServerRefusal } = await begun;
  const { target, program } = JSON.parse(what), relative = path => path.startsWith(folder + '/') ? path.slice(folder.length + 1) : path;
  program.files = (program.files.length ? program.files : [target.file]).map(relative);
  try {
    await prepare(files);
    const { trace, run, error } = ownCode.run({ program, files: new Map(files), schedule: target.schedule,
      progress: share => postMessage({ part: 20 + 80 * share, of: 100 }) });
    if (error) postMessage({ failed: JSON.stringify(error.message) });
    else postMessage({ run: JSON.stringify(run), trace }, trace ? [trace.buffer] : []);
  } catch (e) {
    if (!(e instanceof ServerRefusal)) throw e;
    postMessage({ failed: e.reason });
  }
}

async function begin(base, compiler) {
  const [{ OwnCode }, { ServerTools, ServerRefusal }, { runProgram }] =
    await Promise.all(['worker/own_code.js', 'web/server_tools.js', 'worker/run_program.js'].map(name => import(base + name)));
  importScripts(base + 'module.js');  // of own_code.wasm
  const module = await self.OwnCode({ locateFile: name => base + name, print: s => console.log(s), printErr: s => console.warn(s) });
  const server = compiler === 'server' ? new ServerTools(new URL('../../tools', base).href) : null;
  const local = server ? null : await clangOfPage(base);
  const ownCode = new OwnCode({ module, tools: server ?? local.tools, runProgram });
  return { ownCode, ServerRefusal, prepare: local ? local.prepare : async () => {} };
}

/// The compiler in the page, and what fetches the headers that files need.
async function clangOfPage(base) {
  const [{ ClangTools }, { packsFor, filesOfPack }, index] = await Promise.all([
    import(base + 'web/clang_tools.js'), import(base + 'worker/header_packs.js'), fetched(base + 'packs/headers.json').then(r => r.json())]);
  const tools = await ClangTools.begin(base + 'clang.js', await fetchedWith(base + 'clang.wasm', index.clang.bytes));
  const here = new Set();
  const prepare = async files => {
    const decoder = new TextDecoder(), texts = files.filter(([path]) => /\.(cu|cuh|h|hpp|cpp|cc|cxx|c|inl)$/i.test(path)).map(([, bytes]) => decoder.decode(bytes));
    for (const name of packsFor(index, texts)) {
      if (here.has(name)) continue;
      tools.mount(filesOfPack(await fetchedWith(`${base}packs/${name}.pack`, index[name].bytes)));
      here.add(name);
    }
  };
  return { tools, prepare };
}

async function fetched(address) {
  let response;
  try { response = await fetch(address); } catch (e) { throw new Error('not fetched: ' + address); }
  if (!response.ok) throw new Error('not fetched: ' + address);
  return response;
}
/// The bytes. Meanwhile the page hears how many of `size` have come.
async function fetchedWith(address, size) {
  const reader = (await fetched(address)).body.getReader(), pieces = [];
  let come = 0;
  for (let piece; !(piece = await reader.read()).done; pieces.push(piece.value)) postMessage({ fetched: come += piece.value.length, of: size });
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
