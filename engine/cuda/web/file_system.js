// The files of a user's program, in memory: folders, files, open files, and the three standard streams. Numbers of errors and
// flags are those of emscripten's C library. Functions return a number below zero, an error negated, where Linux fails.

const error = {
  exists: 20, badFile: 8, invalid: 28, isFolder: 31, noFile: 44, noSpace: 51, notFolder: 54, notEmpty: 55, noSeek: 70, busy: 10,
};
const openFlags = { access: 3, create: 64, exclusive: 128, truncate: 512, append: 1024, folder: 65536 };
const currentFolder = -100;  // AT_FDCWD

const mostBytes = 2 ** 28;  // in all files

/// A file or folder.
class Node {
  constructor(number, isFolder, bytes = new Uint8Array()) {
    this.number = number;
    this.isFolder = isFolder;
    this.buffer = bytes;
    this.size = bytes.length;
    this.changed = Date.now() / 1000;
  }
  get bytes() { return this.buffer.subarray(0, this.size); }
  resize(size) {
    if (size > this.buffer.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.buffer.length));
      larger.set(this.bytes);
      this.buffer = larger;
    } else if (size < this.size) this.buffer.fill(0, size, this.size);
    this.size = size;
    this.changed = Date.now() / 1000;
  }
}

export class FileSystem {
  /// `files`: bytes by path; those of relative paths lie in the current folder, which is `folder`. `stdin`: the bytes of standard input.
  /// `output(stream, bytes)` takes what is written to stream 1 and 2.
  constructor({ files = {}, folder = '/', stdin = new Uint8Array(), output = () => {} } = {}) {
    this.output = output;
    this.nodes = new Map();
    this.numbers = 0;
    this.folder = '/';
    for (const path of ['/', '/tmp', '/dev']) this.add(path, true);
    this.null = this.add('/dev/null', false);
    this.addParents(`${folder}/.`);
    this.folder = folder;
    for (const [path, bytes] of Object.entries(files)) {
      const whole = this.resolved(path);
      this.addParents(whole);
      this.add(whole, false, bytes.slice());
    }
    this.given = new Set(this.nodes.values());
    this.written = new Set();
    const input = new Node(++this.numbers, false, stdin);
    this.open_ = new Map([[0, { node: input, place: 0, isStream: true, reads: true }],
      [1, { stream: 1, isStream: true, writes: true }], [2, { stream: 2, isStream: true, writes: true }]]);
  }

  /// The files that the program has written or created: path and bytes.
  *changes() {
    for (const [path, node] of this.nodes) if (!node.isFolder && this.written.has(node)) yield [path, node.bytes];
  }

  add(path, isFolder, bytes) {
    const node = new Node(++this.numbers, isFolder, bytes);
    this.nodes.set(path, node);
    return node;
  }
  addParents(path) {
    for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1))
      if (!this.nodes.has(path.slice(0, end))) this.add(path.slice(0, end), true);
  }
  get size() {
    let size = 0;
    for (const node of this.nodes.values()) size += node.size;
    return size;
  }

  // ---- paths

  /// The path from the root, without . and .. in it.
  resolved(path, folder = currentFolder) {
    const base = folder === currentFolder ? this.folder : this.open_.get(folder)?.path ?? '/';
    const parts = [];
    for (const part of (path.startsWith('/') ? path : base + '/' + path).split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return '/' + parts.join('/');
  }
  parent(path) { return this.nodes.get(path.slice(0, path.lastIndexOf('/')) || '/'); }
  /// The names in a folder.
  names(path) {
    const begin = path === '/' ? '/' : path + '/';
    const names = [];
    for (const each of this.nodes.keys())
      if (each.startsWith(begin) && each !== begin && !each.includes('/', begin.length)) names.push(each.slice(begin.length));
    return names;
  }

  open(folder, path, flags) {
    if (path === '') return -error.noFile;
    const whole = this.resolved(path, folder);
    let node = this.nodes.get(whole);
    const writes = (flags & openFlags.access) !== 0;
    if (node && flags & openFlags.create && flags & openFlags.exclusive) return -error.exists;
    if (!node) {
      if (!(flags & openFlags.create) || !this.parent(whole)) return -error.noFile;
      if (!this.parent(whole).isFolder || path.endsWith('/')) return -error.notFolder;
      node = this.add(whole, false);
      this.written.add(node);
    }
    if (node.isFolder && writes) return -error.isFolder;
    if (!node.isFolder && (flags & openFlags.folder || path.endsWith('/'))) return -error.notFolder;
    if (writes && flags & openFlags.truncate) this.resizeNode(node, 0);
    const opened = { node, path: whole, place: 0, writes, reads: (flags & openFlags.access) !== 1, appends: (flags & openFlags.append) !== 0 };
    return this.put(opened);
  }
  /// The lowest number that is free, as on Linux.
  put(opened) {
    let file = 0;
    while (this.open_.has(file)) ++file;
    this.open_.set(file, opened);
    return file;
  }
  status(folder, path) {
    if (path === '') return -error.noFile;
    const node = this.nodes.get(this.resolved(path, folder));
    if (!node) return -error.noFile;
    return !node.isFolder && path.endsWith('/') ? -error.notFolder : node;
  }
  remove(folder, path, isFolder) {
    const whole = this.resolved(path, folder), node = this.nodes.get(whole);
    if (!node) return -error.noFile;
    if (node.isFolder && !isFolder) return -error.isFolder;
    if (!node.isFolder && isFolder) return -error.notFolder;
    if (whole === '/') return -error.busy;
    if (node.isFolder && this.names(whole).length) return -error.notEmpty;
    this.nodes.delete(whole);
    return 0;
  }
  rename(fromFolder, from, toFolder, to) {
    const source = this.resolved(from, fromFolder), target = this.resolved(to, toFolder);
    const node = this.nodes.get(source), there = this.nodes.get(target);
    if (!node || !this.parent(target)) return -error.noFile;
    if (source === target) return 0;
    if (target.startsWith(source + '/')) return -error.invalid;
    if (there && there.isFolder !== node.isFolder) return there.isFolder ? -error.isFolder : -error.notFolder;
    if (there?.isFolder && this.names(target).length) return -error.notEmpty;
    for (const [path, each] of [...this.nodes]) {
      if (path !== source && !path.startsWith(source + '/')) continue;
      this.nodes.delete(path);
      this.nodes.set(target + path.slice(source.length), each);
      if (!each.isFolder) this.written.add(each);
    }
    return 0;
  }
  makeFolder(folder, path) {
    const whole = this.resolved(path, folder);
    if (this.nodes.has(whole)) return -error.exists;
    if (!this.parent(whole)) return -error.noFile;
    if (!this.parent(whole).isFolder) return -error.notFolder;
    this.add(whole, true);
    return 0;
  }
  changeFolder(path) {
    const whole = this.resolved(path), node = this.nodes.get(whole);
    if (!node) return -error.noFile;
    if (!node.isFolder) return -error.notFolder;
    this.folder = whole;
    return 0;
  }

  // ---- open files

  /// What is open under a number, or undefined.
  opened(file) { return this.open_.get(file); }
  close(file) { return this.open_.delete(file) ? 0 : -error.badFile; }
  duplicate(file, as) {
    const opened = this.open_.get(file);
    if (!opened) return -error.badFile;
    if (as < 0) return this.put(opened);
    this.open_.set(as, opened);
    return as;
  }
  /// The bytes that are read next, at most `size`.
  read(file, size) {
    const opened = this.open_.get(file);
    if (!opened?.reads) return -error.badFile;
    if (opened.node.isFolder) return -error.isFolder;
    const bytes = opened.node.bytes.subarray(opened.place, opened.place + size);
    opened.place += bytes.length;
    return bytes;
  }
  write(file, bytes) {
    const opened = this.open_.get(file);
    if (!opened?.writes) return -error.badFile;
    if (opened.isStream) this.output(opened.stream, bytes.slice());
    else if (opened.node !== this.null) {
      const { node } = opened;
      if (opened.appends) opened.place = node.size;
      const end = opened.place + bytes.length;
      if (end > node.size) {
        const failed = this.resizeNode(node, end);
        if (failed) return failed;
      }
      node.buffer.set(bytes, opened.place);
      this.written.add(node);
      opened.place = end;
    }
    return bytes.length;
  }
  seek(file, offset, whence) {
    const opened = this.open_.get(file);
    if (!opened) return -error.badFile;
    if (opened.isStream) return -error.noSeek;
    const place = offset + [0, opened.place, opened.node.size][whence];
    if (!(place >= 0)) return -error.invalid;
    return opened.place = place;
  }
  resize(file, size) {
    const opened = this.open_.get(file);
    if (!opened) return -error.badFile;
    return !opened.writes || opened.isStream || size < 0 ? -error.invalid : this.resizeNode(opened.node, size);
  }
  resizeNode(node, size) {
    if (node === this.null) return 0;
    if (size > node.buffer.length && this.size - node.size + size > mostBytes) return -error.noSpace;
    node.resize(size);
    this.written.add(node);
    return 0;
  }
  /// The next [name, node] of an open folder, null behind the last one.
  nextName(file) {
    const opened = this.open_.get(file);
    if (!opened) return -error.badFile;
    if (!opened.node?.isFolder) return -error.notFolder;
    opened.names ??= ['.', '..', ...this.names(opened.path)];
    const name = opened.names[opened.place++];
    return name === undefined ? null : [name, this.nodes.get(this.resolved(opened.path + '/' + name)) ?? opened.node];
  }
}
export const badFile = -error.badFile;
