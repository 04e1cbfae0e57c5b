// Compiled ahead: what a page's clang and linker (the interface tools.run) have made of programs is recorded when the page is
// built, and taken from there. A run is known by its words and by the bytes of all files that it was given; the user's other files
// do not matter unless one of those includes a file of such a name.
//
// A record is a line of JSON and bytes:
//   { "blobs": [size, ...], "runs": [{ "words": [...], "files": [[path, blob], ...], "exit": 0, "output": "",
//     "written": [[path, blob], ...] }, ...] }

const nameOf = path => path.slice(path.lastIndexOf('/') + 1);
/// The names of the files that a text includes, without folders.
const includedIn = bytes => [...new TextDecoder().decode(bytes).matchAll(/#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]/g)].map(([, path]) => nameOf(path));
const isSame = (a, b) => a.length === b.length && a.every((byte, k) => byte === b[k]);

/// Thrown where a run was not recorded: a compiler has to do it.
export class NotCompiledAhead extends Error {
  constructor() { super('this program was not compiled ahead'); }
}

export class AheadTools {
  constructor(record) {
    const end = record.indexOf(10), { blobs, runs } = JSON.parse(new TextDecoder().decode(record.subarray(0, end)));
    let at = end + 1;
    this.blobs = blobs.map(size => record.subarray(at, at += size));
    this.runs = new Map();  // by their words, as JSON
    for (const run of runs) {
      const words = JSON.stringify(run.words);
      this.runs.set(words, [...this.runs.get(words) ?? [], run]);
    }
  }

  /// As native_tools.js has it. Throws NotCompiledAhead.
  run({ words, files }) {
    const run = this.runs.get(JSON.stringify(words))?.find(each => this.isOf(each, files));
    if (!run) throw new NotCompiledAhead();
    return { exit: run.exit, output: run.output, files: new Map(run.written.map(([path, blob]) => [path, this.blobs[blob]])) };
  }
  isOf(run, files) {
    if (!run.files.every(([path, blob]) => files.has(path) && isSame(files.get(path), this.blobs[blob]))) return false;
    const given = new Set(run.files.map(([path]) => path)), more = [...files.keys()].filter(path => !given.has(path));
    if (!more.length) return true;
    const included = new Set(run.files.flatMap(([, blob]) => includedIn(this.blobs[blob])));
    return !run.exit && !more.some(path => included.has(nameOf(path)));
  }
}

/// Runs other tools, and records what they make.
export class RecordingTools {
  constructor(tools) {
    this.tools = tools;
    this.runs = [];
    this.blobs = [];
  }

  run({ words, files }) {
    const given = [...files].map(([path, bytes]) => [path, this.blob(bytes)]);
    const { exit, output, files: written } = this.tools.run({ words, files });
    this.runs.push({ words, files: given, exit, output, written: [...written].map(([path, bytes]) => [path, this.blob(bytes)]) });
    return { exit, output, files: written };
  }
  blob(bytes) {
    const known = this.blobs.findIndex(each => isSame(each, bytes));
    return known >= 0 ? known : this.blobs.push(bytes.slice()) - 1;
  }
  record() {
    const head = new TextEncoder().encode(JSON.stringify({ blobs: this.blobs.map(b => b.length), runs: this.runs }) + '\n');
    const all = new Uint8Array(this.blobs.reduce((size, b) => size + b.length, head.length));
    all.set(head);
    let at = head.length;
    for (const bytes of this.blobs) {
      all.set(bytes, at);
      at += bytes.length;
    }
    return all;
  }
}
