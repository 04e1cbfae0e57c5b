// Random changes of a page's links and zip files: whatever stands behind #program= or is dropped as .zip, the page gets files with
// safe paths within its limits, or a sentence in both languages.
//
//   node tests/fuzz/page_links.mjs [COUNT [SEED]]     10,000 of each, by a printed seed
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { filesOf, filesOfLink, linkOf } from '../../app/web/site/program_files.js';

const [count = 10000, seed = Date.now() % 1e9] = process.argv.slice(2).map(Number);
const mark = '#program=', mostFiles = 200, mostBytes = 1 << 23, slow = 2000;  // ms of processor
console.log(`seed ${seed}`);

/// Numbers of a linear congruential generator (Numerical Recipes), below `end`.
let state = seed >>> 0;
const below = end => Math.floor((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 * end);
const one = list => list[below(list.length)];

const folder = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../cuda/homework');
const programs = fs.readdirSync(folder).filter(name => name.endsWith('.cu')).map(name => [name, new Uint8Array(fs.readFileSync(path.join(folder, name)))]);

/// Bytes with some of them changed, taken out, put in or cut off.
function changed(bytes) {
  const all = [...bytes];
  for (let k = below(4); k >= 0; --k) {
    const at = below(all.length + 1), kind = below(5);
    if (kind === 0) all[at] = below(256);
    else if (kind === 1) all.splice(at, 1 + below(20));
    else if (kind === 2) all.splice(at, 0, ...Array.from({ length: 1 + below(20) }, () => below(256)));
    else if (kind === 3) all.length = at;
    else all[at] = (all[at] ?? 0) ^ 1 << below(8);
  }
  return Uint8Array.from(all);
}

const base64 = bytes => Buffer.from(bytes).toString('base64url');
const paths = ['../a.cu', '/a.cu', 'a/../../b.cu', '.hidden', 'a//b.cu', 'a\0.cu', 'c:\\a.cu', '', 'a.cu', '__proto__', 'a/b/c.cuh'];
const values = [null, 1, '', 'x', [], {}, [[]], [['a.cu']], [['a.cu', null]], [[1, 'x']], 'x'.repeat(100000), { length: 3 }];

/// A link: of a changed address, of changed compressed bytes, or of another text.
async function link() {
  const good = await linkOf([one(programs), one(programs)]);
  switch (below(4)) {
    case 0: return mark + Buffer.from(changed(Buffer.from(good.slice(mark.length), 'latin1'))).toString('latin1');
    case 1: return mark + base64(changed(Buffer.from(good.slice(mark.length), 'base64url')));
    case 2: return mark + base64(zlib.deflateRawSync(JSON.stringify(below(2) ? one(values) : Array.from({ length: below(300) }, () => [one(paths), one(['', 'x', 'y'.repeat(50000)])]))));
    default: return mark + base64(zlib.deflateRawSync(Buffer.alloc(below(1 << 24), one([0, 32, 91]))));
  }
}

/// A zip file of some entries, stored or compressed, with wrong sizes and offsets now and then.
function zip() {
  const local = [], central = [], number = (value, bytes) => Array.from({ length: bytes }, (_, k) => Math.floor(value / 256 ** k) & 255);
  let at = 0, entries = 0;
  const wrong = value => below(12) ? value : one([0, 1, 65535, 2 ** 32 - 1, value + 1]);
  for (let k = below(below(10) ? 5 : 300); k >= 0; --k) {
    const name = Buffer.from(below(3) ? one(programs)[0] : one(paths)), bytes = below(20) ? one(programs)[1] : Buffer.alloc(below(1 << 24)), packed = below(2);
    const data = packed ? zlib.deflateRawSync(bytes) : bytes, method = packed ? 8 : wrong(0);
    const sizes = [...number(0, 4), ...number(wrong(data.length), 4), ...number(wrong(bytes.length), 4)];
    const head = [...number(0x04034b50, 4), ...number(20, 2), 0, 0, ...number(method, 2), ...number(0, 4), ...sizes, ...number(wrong(name.length), 2), 0, 0, ...name];
    central.push(...number(0x02014b50, 4), ...number(20, 4), wrong(0) & 255, 0, ...number(method, 2), ...number(0, 4), ...sizes, ...number(name.length, 2),
      ...number(wrong(0), 4), ...number(0, 8), ...number(wrong(at), 4), ...name);
    local.push(Buffer.from(head), Buffer.from(data));
    at += head.length + data.length;
    ++entries;
  }
  const end = [...number(0x06054b50, 4), ...number(0, 4), ...number(wrong(entries), 2), ...number(wrong(entries), 2), ...number(central.length, 4), ...number(wrong(at), 4), 0, 0];
  const whole = Buffer.concat([...local, Buffer.from(central), Buffer.from(end)]);
  return below(3) ? whole : changed(whole.subarray(Math.max(0, whole.length - 4096)));
}

let failures = 0, read = 0;
function fail(what, why) {
  console.error(`${what}: ${why}`);
  ++failures;
}
async function check(what, make) {
  const began = process.cpuUsage();
  try {
    const files = await make();
    ++read;
    if (files.length > mostFiles || files.reduce((sum, [, bytes]) => sum + bytes.length, 0) > mostBytes) fail(what, 'beyond the limits');
    for (const [name, bytes] of files)
      if (typeof name !== 'string' || !(bytes instanceof Uint8Array) || name.split('/').some(part => !part || part.startsWith('.')) || /[\\\0]/.test(name)) fail(what, `the path ${name}`);
  } catch (e) {
    if (!e.chinese || !/\.$/.test(e.message)) fail(what, e.stack);
  }
  const { user, system } = process.cpuUsage(began), took = Math.round((user + system) / 1000);
  if (took > slow) fail(what, `${took} ms`);
}

for (let k = 0; k < count; ++k) {
  const hash = await link(), archive = zip();
  await check(`link ${k}`, () => filesOfLink(hash));
  await check(`zip ${k}`, () => filesOf([['a.zip', new Blob([archive])]]));
}
console.log(`${count} links and ${count} zip files, ${read} of them were read, ${failures} failures`);
process.exitCode = failures ? 1 : 0;
