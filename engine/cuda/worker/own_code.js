// Users' own CUDA programs in a page's worker, or under node: own_code.wasm compiles, runs and judges them. The compiler and
// the program are modules of their own, which it starts through here.
import { asNativeLinker } from '../web/linker_words.js';
import { NativeCode } from './native_code.js';
import { runInMachine } from './run_program.js';

const userFolder = '/barrierscope/files', workFolder = '/barrierscope/work', kernelFolder = '/barrierscope/kernels';

export class OwnCode {
  /// `module`: what the function of own_code.js has returned, once it is ready.
  /// `tools`: has run({ words, files }), which runs clang or wasm-ld: native_tools.js says what it returns.
  /// `headers`: the pack of /barrierscope/include, bytes by path, where libraries' headers may be parsed ahead.
  /// `runProgram`: runs a linked program (run_program.js).
  constructor({ module, tools, headers = new Map(), runProgram = command => runInMachine(module, command) }) {
    this.module = module;
    this.tools = tools;
    this.runProgram = runProgram;
    this.files = module.FS;
    module.ownCode = this;
    for (const folder of [userFolder, workFolder, kernelFolder]) this.files.mkdirTree(folder);
    for (const [path, bytes] of headers) this.put(path, bytes);
  }

  /// Runs a program. `program`, `terms`: members of engine/cuda/toolchain's Program and Terms; `schedule` as on the command
  /// line. `files`: the user's, bytes by path from their folder on. `until`: 'run', or 'program' and 'objects' to compile alone.
  /// `progress(share)` is called now and then. Returns { trace, run, error }: a trace file's bytes or null; the members of
  /// ProgramRun; or what refused the program, { kind, message }.
  run({ program, files = new Map(), stdin = new Uint8Array(), schedule = 'auto', terms = {}, until = 'run', progress = () => {} }) {
    this.empty(userFolder);
    for (const [path, bytes] of files) this.put(path.startsWith('/') ? path : `${userFolder}/${path}`, bytes);
    this.files.chdir(userFolder);
    this.stdin = stdin;
    this.progress = progress;
    this.trace = null;
    const answer = this.call('own_code_run', JSON.stringify({ program, schedule, terms, until }));
    return { trace: this.trace, run: null, error: null, ...JSON.parse(answer) };
  }

  /// Calls a function that takes and returns a text.
  call(name, text) {
    const { module } = this;
    const given = this.newText(text);
    const taken = module[`_${name}`](given);
    module._free(given);
    const answer = module.UTF8ToString(taken);
    module._free(taken);
    return answer;
  }
  /// A text in the module's memory, which is the taker's.
  newText(text) {
    const { module } = this;
    const bytes = module.lengthBytesUTF8(text) + 1, at = module._malloc(bytes);
    module.stringToUTF8(text, at, bytes);
    return at;
  }

  // ---- what the module asks for (library.js)

  /// Runs a tool or the program, as engine/cuda/toolchain/web/child.cpp says in JSON. Returns its answer's text.
  start(command) {
    const asked = JSON.parse(command);
    return JSON.stringify(asked.isTool ? this.startTool(asked) : this.startProgram(asked));
  }
  startTool({ words, where, mostOutput }) {
    if (where === kernelFolder) return this.startKernelTool(words);
    const files = this.below(workFolder, this.below(userFolder));
    const ended = this.tools.run({ words, files });
    for (const [path, bytes] of ended.files) this.put(path, bytes);
    const output = words[0] === 'wasm-ld' && ended.exit !== 0 ? this.linkerOutput(words, files, ended.output) : ended.output;
    return { exit: ended.exit, signal: 0, outOfTime: false, ...cut(new TextEncoder().encode(output), mostOutput) };
  }
  /// A kernel is interpreted where it cannot be compiled: no compiler is fetched for it.
  startKernelTool(words) {
    let exit = 1;
    try {
      const ended = this.tools.run({ words, files: this.below(kernelFolder) });
      for (const [path, bytes] of ended.files) this.put(path, bytes);
      exit = ended.exit;
      if (exit) console.warn(ended.output);
    } catch (e) { console.warn(e); }
    return { exit, signal: 0, outOfTime: false, output: '', cut: false };
  }
  linkerOutput(words, files, said) {
    const withoutNames = this.tools.run({ words: [...words, '--no-demangle'], files }).output;
    return asNativeLinker(said, withoutNames, path => files.get(path));
  }
  /// The machine's, in the memory and the table of functions of its module.
  nativeCode(memory, table) { return this.native ??= new NativeCode(this.module, memory, table); }
  startProgram({ program, words, where, environment, seconds, mostOutput }) {
    const pieces = [];
    let size = 0;
    const output = bytes => {
      if (size <= mostOutput) pieces.push(bytes.slice());
      size += bytes.length;
    };
    const files = this.below(workFolder, this.below(userFolder)), bytes = files.get(program);
    for (const path of files.keys()) if (path === program || path.endsWith('.o')) files.delete(path);
    const runFolder = environment.find(word => word.startsWith('BARRIERSCOPE_RUN=')).split('=')[1];
    const ended = this.runProgram({ bytes, words, folder: where, files, runFolder, seconds, stdin: this.stdin, output });
    // as natively, it writes into a folder of its own, and nothing that it was given
    for (const [path, content] of ended.files) if (path.startsWith(`${runFolder}/`) && !files.has(path) && !this.isLink(path)) this.put(path, content);
    return { exit: ended.exit, signal: ended.signal, outOfTime: ended.outOfTime, ...cut(joined(pieces), mostOutput) };
  }

  // ---- the files that the module and its tools share

  /// All files below a folder, through links to the user's, by path; added to `all`. Their bytes are the file system's own.
  below(folder, all = new Map()) {
    for (const name of this.files.readdir(folder)) {
      if (name === '.' || name === '..') continue;
      const path = `${folder}/${name}`, link = this.files.lookupPath(path).node.link;
      if (link && !link.startsWith(`${userFolder}/`)) continue;  // a program's folder has links to all that lies beside it
      const { node } = this.files.lookupPath(path, { follow: true });
      if (this.files.isDir(node.mode)) this.below(path, all);
      else if (this.files.isFile(node.mode)) all.set(path, bytesOf(node));
    }
    return all;
  }
  isLink(path) {
    const { node } = this.files.analyzePath(path, true).object ? this.files.lookupPath(path, { follow: false }) : {};
    return node !== undefined && this.files.isLink(node.mode);
  }
  put(path, bytes) {
    this.files.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    this.files.writeFile(path, bytes, { canOwn: true });
  }
  empty(folder) {
    for (const name of this.files.readdir(folder)) {
      if (name === '.' || name === '..') continue;
      const path = `${folder}/${name}`;
      if (this.files.isDir(this.files.lstat(path).mode)) {
        this.empty(path);
        this.files.rmdir(path);
      } else this.files.unlink(path);
    }
  }
}

/// A file's bytes, which are the file system's own. It has them as numbers of either kind.
function bytesOf({ contents, usedBytes }) {
  return ArrayBuffer.isView(contents) ? new Uint8Array(contents.buffer, contents.byteOffset, usedBytes) : new Uint8Array(contents ?? []);
}
function joined(pieces) {
  const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
function cut(bytes, most) { return { output: new TextDecoder().decode(bytes.subarray(0, most)), cut: bytes.length > most }; }
