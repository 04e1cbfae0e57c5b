// node compile_ahead.mjs ASKED.json SAID.json: compiles programs for a page, as the page would, with the native clang and wasm-ld. It
// lies in the page's own_code folder. ASKED.json lists records: { record: FILE, programs }; into the file goes what the tools have
// made of the programs (web/ahead_tools.js). A program has
//   name, main, files   { path in the page: file }
//   constants           optional: changed ones, { name, value } each
//   device_model        optional: the GPU that is played, as its name is given to --device-model
//   trace               optional: a file for the trace of its run
// SAID.json gets, by name, a message about each program that does not compile.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { RecordingTools } from '../web/ahead_tools.js';
import { NativeTools } from '../web/native_tools.js';
import { filesOfPack } from './header_packs.js';
import { OwnCode } from './own_code.js';

const [askedFile, saidFile] = process.argv.slice(2);
const base = path.dirname(path.dirname(new URL(import.meta.url).pathname)), said = {};

/// Unpacks the page's headers and libraries, each below the folder that stands for /barrierscope.
function unpacked() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'barrierscope-packs-'));
  for (const name of fs.readdirSync(`${base}/packs`).filter(each => each.endsWith('.pack')))
    for (const [file, bytes] of filesOfPack(new Uint8Array(fs.readFileSync(`${base}/packs/${name}`)))) {
      fs.mkdirSync(path.dirname(folder + file), { recursive: true });
      fs.writeFileSync(folder + file, bytes);
    }
  return folder;
}

const packs = unpacked();
const folders = fs.readdirSync(`${packs}/barrierscope`).map(name => [`/barrierscope/${name}`, `${packs}/barrierscope/${name}`]);
const native = new NativeTools({ packs: Object.fromEntries(folders) });
const make = createRequire(import.meta.url)(`${base}/module.js`), wasmBinary = fs.readFileSync(`${base}/own_code.wasm`);
async function compile(tools, { name, main, files, constants = [], device_model = '', trace: traceFile }) {
  const ownCode = new OwnCode({ module: await make({ wasmBinary }), tools });
  const { run, error, trace } = ownCode.run({ program: { files: [main], constants, device_model }, until: traceFile ? 'run' : 'program',
    files: new Map(Object.entries(files).map(([file, real]) => [file, new Uint8Array(fs.readFileSync(real))])) });
  const wrong = run?.diagnostics.find(each => each.severity === 'error');
  if (error) said[name] = error.message;
  else if (!run.compiled) said[name] = wrong ? ['{}:{}: {}', wrong.file, String(wrong.line), wrong.text] : ['it does not compile'];
  if (traceFile && trace) fs.writeFileSync(traceFile, trace);
}
try {
  for (const { record, programs } of JSON.parse(fs.readFileSync(askedFile))) {
    const tools = new RecordingTools(native);
    for (const program of programs) await compile(tools, program);
    fs.writeFileSync(record, tools.record());
  }
} finally {
  native.end();
  fs.rmSync(packs, { recursive: true });
}
fs.writeFileSync(saidFile, JSON.stringify(said));
