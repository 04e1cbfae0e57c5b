// A user's program as files: from a drop, from a zip, and in a link. Files are [path, bytes], as everywhere in the page.

const mostFiles = 200, mostBytes = 1 << 23;
/// The most that a link holds: bytes of sources, and of these compressed.
const mostInLink = 1 << 17, mostCompressed = 1 << 16;
const mark = '#program=';

/// A mistake of the user's. Its message is English; `chinese` says the same.
class FilesError extends Error {
  constructor(english, chinese) {
    super(english);
    this.chinese = chinese;
  }
}
const tooMany = () => new FilesError(`A program may have ${mostFiles} files of 8 MB in all here: leave out what it does not need.`,
  `此处一个程序最多可有 ${mostFiles} 个文件，共 8 MB：请去掉不需要的文件。`);

/// Whether programs may read a file of this name: none that leaves the folder, and none that is hidden.
const isSafe = path => !/[\\\0]/.test(path) && path.split('/').every(part => part && !part.startsWith('.'));
export const isRecording = path => path.endsWith('.bscope');
export const isSource = path => /\.(cu|cpp|cc|cxx|c)$/i.test(path);

function checked(files) {
  if (files.length > mostFiles || files.reduce((sum, [, bytes]) => sum + bytes.length, 0) > mostBytes) throw tooMany();
  return files;
}

/// The file to open of these: the one that has main, a .cu file first; undefined: none is a program's.
export function mainFile(files) {
  const sources = files.filter(([path]) => isSource(path)).sort(([a], [b]) => b.endsWith('.cu') - a.endsWith('.cu') || a.length - b.length);
  const hasMain = ([, bytes]) => /\bmain\s*\(/.test(new TextDecoder().decode(bytes));
  return (sources.find(hasMain) ?? sources[0])?.[0];
}

/// Without the folder that holds all of them.
function withoutRoot(files) {
  const root = files.length ? files[0][0].split('/')[0] + '/' : '';
  return files.length && files.every(([path]) => path.startsWith(root)) ? files.map(([path, bytes]) => [path.slice(root.length), bytes]) : files;
}

// ---- a drop

/// All files of a drop, those of folders too: of its entries, or where the browser has none, of its files.
export async function filesOfDrop(entries, files) {
  if (!entries.length) return filesOf(files.map(file => [file.name, file]));
  const found = [];
  const walk = async (entry, path) => {
    if (!isSafe(path)) return;
    if (entry.isFile) {
      found.push([path, await new Promise((done, fail) => entry.file(done, fail))]);
      if (found.length > mostFiles) throw tooMany();
      return;
    }
    const reader = entry.createReader();
    for (let some; (some = await new Promise((done, fail) => reader.readEntries(done, fail))).length;)
      for (const each of some) await walk(each, `${path}/${each.name}`);
  };
  for (const entry of entries) await walk(entry, entry.name);
  return filesOf(entries.length === 1 && entries[0].isDirectory ? withoutRoot(found) : found);
}

/// The same of files that were chosen: [[name, File], ...].
export async function filesOf(chosen) {
  const all = [];
  for (const [name, file] of chosen) {
    const isZip = /\.zip$/i.test(name);
    if (file.size > mostBytes && !isRecording(name)) throw tooMany();
    const bytes = new Uint8Array(await file.arrayBuffer());
    all.push(...(isZip ? await filesOfZip(bytes) : [[name.replaceAll('\\', '_'), bytes]]));
  }
  return all.some(([path]) => isRecording(path)) ? all : checked(all);
}

// ---- a zip: its central directory and the two ways of storing that programs write (PKWARE's APPNOTE.TXT)

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
/// The decompressed bytes; at most so many.
async function inflated(bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader(), pieces = [];
  let size = 0;
  for (let piece; !(piece = await reader.read()).done; pieces.push(piece.value)) if ((size += piece.value.length) > most) throw tooMany();
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

async function filesOfZip(bytes) {
  const broken = new FilesError('This is no zip file, or it is broken.', '这不是 zip 文件，或文件已损坏。');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), files = [];
  const endSignature = 0x06054b50, entrySignature = 0x02014b50;
  try {
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== endSignature) --end;
    for (let at = view.getUint32(end + 16, true), left = view.getUint16(end + 10, true); left--;) {
      if (view.getUint32(at, true) !== entrySignature) throw broken;
      const [flags, method] = [8, 10].map(k => view.getUint16(at + k, true)), [compressed, size] = [20, 24].map(k => view.getUint32(at + k, true));
      const [nameSize, extraSize, commentSize] = [28, 30, 32].map(k => view.getUint16(at + k, true)), header = view.getUint32(at + 42, true);
      const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameSize));
      at += 46 + nameSize + extraSize + commentSize;
      if (path.endsWith('/') || !isSafe(path) || path.startsWith('__MACOSX/')) continue;
      if (flags & 1 || (method !== 0 && method !== 8))
        throw new FilesError(`${path} is encrypted or packed in a way that browsers do not know: pack it anew.`, `${path} 已加密，或其压缩方式不受浏览器支持：请重新打包。`);
      if (files.length >= mostFiles || size > mostBytes) throw tooMany();
      const begin = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
      const packed = bytes.subarray(begin, begin + compressed);
      files.push([path, method ? await inflated(packed, mostBytes) : packed.slice()]);
    }
  } catch (e) { throw e instanceof FilesError ? e : broken; }
  return withoutRoot(files);
}

// ---- a link: [[path, text], ...] as JSON, compressed, behind the #, which browsers send nowhere

const latin1 = bytes => Array.from(bytes, b => String.fromCharCode(b)).join('');
const bytesOf = text => Uint8Array.from(text, c => c.charCodeAt(0));

export const holdsProgram = hash => hash.startsWith(mark);

/// What stands behind the address of a page that shows these files; '': they are too long for that.
export async function linkOf(files) {
  const sources = files.filter(([path]) => !isRecording(path));
  if (sources.reduce((sum, [, bytes]) => sum + bytes.length, 0) > mostInLink) return '';
  const text = JSON.stringify(sources.map(([path, bytes]) => [path, latin1(bytes)]));
  const small = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  if (small.length > mostCompressed) return '';
  return mark + btoa(latin1(small)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/// The files that such a link holds. It is trusted in nothing.
export async function filesOfLink(hash) {
  try {
    const small = bytesOf(atob(hash.slice(mark.length).replaceAll('-', '+').replaceAll('_', '/')));
    const all = JSON.parse(new TextDecoder().decode(await inflated(small, 8 * mostInLink)));
    const files = all.map(([path, text]) => [path, bytesOf(text)]);
    if (!files.every(([path]) => typeof path === 'string' && isSafe(path))) throw new Error('a path');
    return checked(files);
  } catch (e) {
    throw new FilesError('The program in this link cannot be read: it may have been cut off when it was sent.', '无法读取此链接中的程序：它可能在发送时被截断。');
  }
}
