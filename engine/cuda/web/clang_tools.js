// Runs the page's clang and wasm-ld (third_party/web/clang): one compiled module, and a fresh instance of it for each run,
// because LLVM's programs end with what they hold. For a worker of a browser, and for node.
import { message } from './program.js';

const exitCodes = { failed: 1, outOfMemory: 71, crashed: 70 };
const workFolder = '/barrierscope/work', systemFolders = ['/dev', '/proc'];
const readOnly = 0o100444;

/// How a run ended that no exit code tells.
function sentenceOf(error, tool) {
  if (error instanceof RangeError)  // the browser's stack
    return [exitCodes.crashed, message('{} cannot read this program: it nests too deeply.', tool)];
  if (/memory|bad_alloc|OOM/i.test(String(error?.message ?? error)))
    return [exitCodes.outOfMemory, message('{} needs more memory than a page has.', tool)];
  return [exitCodes.crashed, message('{} has failed: this is a mistake of it, and not of the program.', tool)];
}

export class ClangTools {
  /// `factory`: what clang.js exports; `module`: a WebAssembly.Module of clang.wasm. `files`: bytes by path that each run can
  /// read (headers, libraries). They are never copied and must not change.
  constructor({ factory, module, files = new Map() }) {
    this.factory = factory;
    this.module = module;
    this.files = files;
  }

  /// `words`: ["clang", "-cc1", ...] or ["wasm-ld", ...]; `files`: a Map of path and bytes, besides those of the constructor.
  /// Returns { exit, output, files, message }: the exit code, what it said, the files that it wrote, and a message() where it
  /// ended otherwise than by an exit code.
  run({ words, files = new Map() }) {
    const said = [];
    const tool = this.instance(words[0], said);
    tool.FS.mkdirTree(workFolder);
    tool.FS.chdir(workFolder);
    const given = new Set();
    for (const [path, bytes] of [...this.files, ...files]) given.add(mount(tool.FS, path, bytes));
    let exit, sentence;
    try {
      exit = tool.callMain(words.slice(1));
    } catch (error) {
      [exit, sentence] = sentenceOf(error, words[0]);
    }
    const output = new TextDecoder().decode(new Uint8Array(said));
    return { exit, output, files: new Map(written(tool.FS, given)), message: sentence };
  }

  /// A fresh instance. The factory does all it does at once where it is given a module that is compiled.
  instance(name, said) {
    const tool = {
      noInitialRun: true,
      thisProgram: name,
      stdin: () => null,
      stdout: byte => said.push(byte),
      stderr: byte => said.push(byte),
      print: () => {},
      printErr: () => {},  // the words of emscripten's own about a failure
      instantiateWasm: (imports, take) => {
        const instance = new WebAssembly.Instance(this.module, imports);
        take(instance, this.module);
        return instance.exports;
      },
    };
    this.factory(tool).catch?.(() => {});  // run() is told of a failure
    return tool;
  }
}

/// Makes a file of the bytes, which are not copied. Returns its node.
function mount(fs, path, bytes) {
  fs.mkdirTree(path.slice(0, path.lastIndexOf('/')) || '/');
  const node = fs.analyzePath(path).exists ? fs.lookupPath(path).node : fs.mknod(path, readOnly, 0);
  node.contents = bytes;
  node.usedBytes = bytes.length;
  node.timestamp = 0;  // a precompiled header names the times of what it was made of
  return node;
}

/// The files below a folder that are none of the given nodes: path and bytes.
function* written(fs, given, node = fs.lookupPath('/').node, path = '') {
  for (const [name, below] of Object.entries(node.contents)) {
    const whole = `${path}/${name}`;
    if (fs.isDir(below.mode) && !systemFolders.includes(whole)) yield* written(fs, given, below, whole);
    else if (fs.isFile(below.mode) && !given.has(below)) yield [whole, fs.readFile(whole)];
  }
}
