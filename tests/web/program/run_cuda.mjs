// node run_cuda.mjs OWN_CODE.js PROGRAM.wasm FOLDER OPTIONS: runs a linked CUDA program of a user's, whose machine is
// own_code.wasm. FOLDER has run.json; what a native run leaves there, this one does, too, and stdout and stderr. OPTIONS is JSON:
// arguments, files (paths on this machine that the program may read by the same path), seconds. Prints how the program ended, and the
// milliseconds of the parts, as JSON.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Machine } from '../../../engine/cuda/worker/machine.js';
import { OwnCode } from '../../../engine/cuda/worker/own_code.js';
import { machineImports } from '../../../engine/cuda/web/machine_imports.js';
import { english } from '../../../engine/cuda/web/message.js';
import { Program } from '../../../engine/cuda/web/program.js';

const [ownCodeFile, module, folder, optionsText = '{}'] = process.argv.slice(2);
const { files = [], ...options } = JSON.parse(optionsText);
const inPage = '/barrierscope/run';
const milliseconds = {};
let latest = performance.now();
const lap = name => {
  milliseconds[name] = Math.round(performance.now() - latest);
  latest = performance.now();
};

const ownCode = await createRequire(import.meta.url)(path.resolve(ownCodeFile))({ wasmBinary: fs.readFileSync(ownCodeFile.replace(/js$/, 'wasm')) });
new OwnCode({ module: ownCode, tools: { run() { return { exit: 1, output: '', files: new Map() }; } } });  // kernels are interpreted
const machine = new Machine(ownCode);
lap('machine');
const outputs = { 1: [], 2: [] };
const given = { [`${inPage}/run.json`]: new Uint8Array(fs.readFileSync(path.join(folder, 'run.json'))) };
for (const file of files) given[file] = new Uint8Array(fs.readFileSync(file));
const program = new Program(new Uint8Array(fs.readFileSync(module)), {
  ...options,
  files: given,
  output: (stream, piece) => outputs[stream].push(piece.slice()),
  imports: each => ({ machine: machineImports(each, machine) }),
});
const ending = program.runNow();
lap('run');
const keep = (name, bytes) => fs.writeFileSync(path.join(folder, name), bytes);
keep('stdout', Buffer.concat(outputs[1]));
keep('stderr', Buffer.concat(outputs[2]));
for (const [name, content] of program.files.changes()) if (name.startsWith(inPage)) keep(path.basename(name), content);
if (machine.trace) keep('trace.bscope', machine.trace);
machine.end();
process.stdout.write(JSON.stringify({ how: ending.how, exit: ending.exit, sentence: ending.message ? english(ending.message) : '', milliseconds }));
