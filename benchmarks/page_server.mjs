// What a class asks of `barrierscope serve` at once: every student compiles a program of their own, three requests one after the other
// (device code, host code, the link), all begin within some seconds. Prints how long they wait.
//
//   node benchmarks/page_server.mjs ADDRESS BUILD HEADERS PROGRAM.cu [STUDENTS [WITHIN]]
//
// ADDRESS: of the server; BUILD: build/web; HEADERS: build/release/cuda/include; WITHIN: seconds in which they begin (10).
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { NativeTools } from '../engine/cuda/web/native_tools.js';
import { answerOf, packetOf } from '../engine/cuda/web/server_tools.js';
import { OwnCode } from '../engine/cuda/worker/own_code.js';

const [address, build, headers, program, students = 200, within = 10] = process.argv.slice(2);
const clang = childProcess.execFileSync('clang-19', ['-print-resource-dir'], { encoding: 'utf8' }).trim();

/// The requests of one page for that program: words, and files by path.
async function requestsOf(file) {
  const native = new NativeTools({ packs: { '/barrierscope/include': headers, '/barrierscope/program': `${build}/program`, '/barrierscope/clang': clang } });
  const requests = [], tools = { run(command) { requests.push({ ...command, files: new Map([...command.files].map(([name, bytes]) => [name, bytes.slice()])) }); return native.run(command); } };
  try {
    const module = await createRequire(import.meta.url)(path.resolve(build, 'own_code.js'))({ wasmBinary: fs.readFileSync(`${build}/own_code.wasm`) });
    const name = path.basename(file), ownCode = new OwnCode({ module, tools });
    ownCode.run({ program: { files: [name] }, files: new Map([[name, new Uint8Array(fs.readFileSync(file))]]), until: 'program' });
  } finally { native.end(); }
  return requests;
}

async function post(words, files, student) {
  const response = await fetch(new URL('tools', address), { method: 'POST', headers: { 'X-Client': `${student}` }, body: packetOf({ words, files }) });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${response.status} ${new TextDecoder().decode(bytes)}`);
  return answerOf(bytes);
}

/// One student's program: the text is theirs alone, so no answer is known before. Returns the seconds.
async function compile(requests, student) {
  const own = new TextEncoder().encode(`\n// student ${student}, ${Date.now()}\n`), made = new Map(), began = performance.now();
  for (const { words, files } of requests) {
    const given = new Map([...files].map(([name, bytes]) => [name, name.endsWith('.cu') ? Buffer.concat([bytes, own]) : made.get(name) ?? bytes]));
    const answer = await post(words, given, student);
    if (answer.exit !== 0) throw new Error(answer.output);
    for (const [name, bytes] of answer.files) made.set(name, bytes);
  }
  return (performance.now() - began) / 1000;
}

const requests = await requestsOf(program), began = performance.now();
const ends = await Promise.allSettled(Array.from({ length: Number(students) }, async (_, k) => {
  await new Promise(done => setTimeout(done, 1000 * within * k / students));
  return compile(requests, k);
}));
const seconds = ends.filter(end => end.status === 'fulfilled').map(end => end.value).sort((a, b) => a - b);
const at = share => seconds[Math.min(seconds.length - 1, Math.floor(share * seconds.length))]?.toFixed(1);
console.log(`${requests.length} requests each, ${seconds.length} of ${students} programs compiled in ${((performance.now() - began) / 1000).toFixed(1)} s`);
console.log(`seconds that they waited: first ${at(0)}, median ${at(0.5)}, 95th percentile ${at(0.95)}, last ${at(1)}`);
for (const why of new Set(ends.filter(end => end.status === 'rejected').map(end => String(end.reason.message).slice(0, 200)))) console.log(`refused: ${why}`);
