// A page's clang and linker (the interface tools.run) for node: the native ones of the same version, over a temporary folder
// that stands for /barrierscope. Paths are mapped in words, in texts that clang reads and writes, and in what it says.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ours = '/barrierscope';
const texts = new Set(['.yaml', '.d', '.ll', '.h']);  // that hold paths

export class NativeTools {
  /// `clang`, `linker`: programs. `packs`: real folders by their virtual ones, '/barrierscope/include' for example.
  constructor({ clang = 'clang-19', linker = 'wasm-ld-19', packs = {} } = {}) {
    this.programs = { clang, 'wasm-ld': linker };
    this.folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'barrierscope-')));
    this.root = this.folder + ours;
    fs.mkdirSync(this.root);
    this.real = [[this.root, ours]];  // a real folder and the virtual one, the longest first
    for (const [virtual, folder] of Object.entries(packs)) {
      const real = fs.realpathSync(folder);
      fs.symlinkSync(real, this.folder + virtual);
      this.real.push([real, virtual]);
    }
    this.real.sort((a, b) => b[0].length - a[0].length);
  }
  /// Removes the temporary folder.
  end() { fs.rmSync(this.folder, { recursive: true }); }

  toReal(text) { return text.replace(/(?<![\w/.])(-I|)\/barrierscope(?=\/|$)/g, `$1${this.root}`); }
  toVirtual(text) { return this.real.reduce((mapped, [real, virtual]) => mapped.replaceAll(real, virtual), text); }
  mapped(name, bytes, map) {
    if (!texts.has(path.extname(name))) return bytes;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    return new Uint8Array(Buffer.from(map(text), 'latin1'));
  }

  /// Runs a tool to its end: `words` begin with "clang", "-cc1" or "wasm-ld"; `files` are those that it may read beside the
  /// packs, by path. Returns { exit, output, files }: what it said, and the files that it wrote.
  run({ words, files }) {
    const there = new Map();
    for (const [name, bytes] of files) {
      const real = this.folder + name;
      fs.mkdirSync(path.dirname(real), { recursive: true });
      const content = this.mapped(name, bytes, text => this.toReal(text));
      fs.writeFileSync(real, content);
      there.set(real, content);
    }
    const [tool, ...rest] = words.map((word, at) => at ? this.toReal(word) : word);
    const made = rest[rest.indexOf('-o') + 1];
    fs.mkdirSync(path.dirname(made), { recursive: true });
    if (rest[0] === '-cc1') rest.push(`-fdebug-prefix-map=${this.root}=${ours}`, `-fmacro-prefix-map=${this.root}=${ours}`);
    const ended = childProcess.spawnSync(this.programs[tool], rest, { argv0: tool, cwd: '/', encoding: 'buffer', maxBuffer: 1 << 26, env: {} });
    if (ended.error) throw ended.error;
    const written = this.written(there);
    for (const real of [...there.keys(), ...[...written.keys()].map(name => this.folder + name)]) fs.rmSync(real, { force: true });
    const output = this.toVirtual(Buffer.concat([ended.stdout, ended.stderr]).toString());
    return { exit: ended.status ?? 128 + os.constants.signals[ended.signal], output, files: written };
  }
  /// The files below the folder, but for links, that are not those that were there.
  written(there) {
    const all = new Map();
    const look = folder => {
      for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const real = path.join(folder, entry.name);
        if (entry.isDirectory()) look(real);
        else if (entry.isFile()) {
          const bytes = new Uint8Array(fs.readFileSync(real));
          const before = there.get(real);
          if (!before || Buffer.compare(before, bytes) !== 0)
            all.set(real.slice(this.folder.length), this.mapped(real, bytes, text => this.toVirtual(text)));
        }
      }
    };
    look(this.root);
    return all;
  }
}
