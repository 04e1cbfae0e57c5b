// node run.mjs PROGRAM.wasm [OPTIONS]: runs a linked program of a user's and prints how it ended as JSON. OPTIONS is JSON:
// arguments, stdin, files (texts by path), seconds, checks, ticks, maximumPages. Lines are named where the module has them.
import fs from 'node:fs';
import { DebugLines } from '../../../engine/cuda/web/debug_lines.js';
import { english } from '../../../engine/cuda/web/message.js';
import { Program } from '../../../engine/cuda/web/program.js';

const bytes = new Uint8Array(fs.readFileSync(process.argv[2]));
const { files = {}, ...options } = JSON.parse(process.argv[3] ?? '{}');
const outputs = { 1: [], 2: [] };
const encoder = new TextEncoder(), text = pieces => Buffer.concat(pieces).toString();
const program = new Program(bytes, {
  ...options,
  files: Object.fromEntries(Object.entries(files).map(([path, words]) => [path, encoder.encode(words)])),
  output: (stream, piece) => outputs[stream].push(piece),
});
const before = process.cpuUsage().user;
const { how, exit, message, stack } = await program.run();
const lines = new DebugLines(bytes);
process.stdout.write(JSON.stringify({
  how, exit, sentence: message ? english(message) : '',
  lines: stack.map(offset => lines.at(offset)).filter(Boolean).map(({ file, line }) => `${file.slice(file.lastIndexOf('/') + 1)}:${line}`),
  stdout: text(outputs[1]), stderr: text(outputs[2]),
  files: Object.fromEntries([...program.files.changes()].map(([path, content]) => [path, Buffer.from(content).toString()])),
  seconds: (process.cpuUsage().user - before) / 1e6,
}));
