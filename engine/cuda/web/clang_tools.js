// Runs the page's clang and wasm-ld (third_party/web/clang): one compiled module, and a fresh instance of it for each run,
// because LLVM's programs end with what they hold. For a worker of a browser, and for node.
import { english, message } from './message.js';

const workFolder = '/barrierscope/work', systemFolders = ['/dev', '/proc'];
const readOnly = 0o100444, writable = 0o100644;
const exitCodes = { crashed: 70, outOfMemory: 71 };  // those of sysexits.h

/// The exit code and the message() of a run that an error ended. `said`: what the tool had said. A number is an exception of the
/// C++ library, whose allocation failed: clang itself throws none.
function endingOf(error, tool, said) {
  if (typeof error === 'number' || /out of memory|could not allocate/i.test(`${error.message} ${said}`))
    return [exitCodes.outOfMemory, message('{} needs more memory than a page has for it: compile smaller files.', tool)];
  if (error instanceof RangeError)  // the stack
    return [exitCodes.crashed, message('{} cannot read this program: it nests too deeply.', tool)];
  return [exitCodes.crashed, message('{} failed on this program, by a mistake of its own: write the latest lines otherwise.', tool)];
}

export class ClangTools {
  /// `factory`: what clang.js defines as Clang; `bytes`: clang.wasm, or a WebAssembly.Module of it.
  static async begin(factory, bytes) {
    return new ClangTools(factory, bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes));
  }
  constructor(factory, module) {
    this.factory = factory;
    this.module = module;
    this.mounted = new Map();
  }

  /// Lets each later run read these files, bytes by path: headers, libraries. The bytes are not copied and must not change.
  mount(files) { for (const [path, bytes] of files) this.mounted.set(path, bytes); }

  /// `words`: ["clang", "-cc1", ...] or ["wasm-ld", ...]; `files`: further files that it may read, bytes by path. Returns
  /// { exit, output, files, message }: the exit code, what it said, a Map of the files that it wrote, and a message() where
  /// an error ended it. Then its English is the end of the output, too.
  run({ words, files = new Map() }) {
    const said = [], given = new Map();
    const output = () => new TextDecoder().decode(new Uint8Array(said));
    try {
      const tool = this.instance(words[0], said);
      for (const [path, bytes] of this.mounted) given.set(put(tool.FS, path, bytes, readOnly), bytes);
      for (const [path, bytes] of files) given.set(put(tool.FS, path, bytes, writable), bytes);
      const exit = tool.callMain(words.slice(1));
      return { exit, output: output(), files: new Map(written(tool.FS, given)) };
    } catch (error) {
      const [exit, sentence] = endingOf(error, words[0], output());
      return { exit, output: `${output()}fatal error: ${english(sentence)}\n`, files: new Map(), message: sentence };
    }
  }

  /// A fresh instance. The factory does all it does at once where the module is compiled already.
  instance(name, said) {
    const say = byte => said.push(byte);
    const tool = {
      noInitialRun: true,
      thisProgram: name,
      stdin: () => null,
      stdout: say,
      stderr: say,
      print: () => {},
      printErr: () => {},  // emscripten's own words about a failure, which run() notices itself
      instantiateWasm: (imports, take) => {
        const instance = new WebAssembly.Instance(this.module, imports);
        take(instance, this.module);
        return instance.exports;
      },
    };
    this.factory(tool);
    tool.FS.mkdirTree(workFolder);
    tool.FS.chdir(workFolder);
    return tool;
  }
}

/// Makes a file of the bytes, which are not copied. Returns its node.
function put(fs, path, bytes, mode) {
  fs.mkdirTree(path.slice(0, path.lastIndexOf('/')));
  const node = fs.analyzePath(path).exists ? fs.lookupPath(path).node : fs.mknod(path, mode, 0);
  node.contents = bytes;
  node.usedBytes = bytes.length;
  node.timestamp = 0;  // a precompiled header notes it, and is used by another instance
  return node;
}

/// The files below a folder that are other than the given ones (bytes by node): path and bytes.
function* written(fs, given, node = fs.lookupPath('/').node, path = '') {
  for (const [name, below] of Object.entries(node.contents)) {
    const whole = `${path}/${name}`;
    if (fs.isDir(below.mode) && !systemFolders.includes(whole)) yield* written(fs, given, below, whole);
    else if (fs.isFile(below.mode) && (!given.has(below) || given.get(below) !== below.contents)) yield [whole, fs.readFile(whole)];
  }
}
