// node run.mjs FOLDER JOB: runs the built clang of a page (FOLDER holds clang.js and clang.wasm). JOB is a JSON file:
//   folders   real folders, whose files each run can read at the same paths
//   runs      { words, files } of each run; files: real paths by virtual ones. What a run writes, later runs can read
//   out       the real folder that what the runs write is put into, by the last part of its path
// Prints JSON: exit, output, sentence, seconds and files of each run, and how long the module took.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ClangTools } from '../../../engine/cuda/web/clang_tools.js';
import { english } from '../../../engine/cuda/web/message.js';

const [folder, name] = process.argv.slice(2);
const job = JSON.parse(fs.readFileSync(name, 'utf8'));
const bytesOf = file => new Uint8Array(fs.readFileSync(file));
const files = new Map();
for (const root of job.folders)
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) files.set(path.join(entry.path, entry.name), bytesOf(path.join(entry.path, entry.name)));

const seconds = since => Number(process.hrtime.bigint() - since) / 1e9;
const begin = process.hrtime.bigint();
const factory = createRequire(import.meta.url)(path.resolve(folder, 'clang.js'));
const tools = await ClangTools.begin(factory, bytesOf(path.join(folder, 'clang.wasm')));
const compiled = seconds(begin);
tools.mount(files);
const made = new Map();
const runs = job.runs.map(({ words, files: given = {} }) => {
  const before = process.hrtime.bigint();
  const run = tools.run({ words, files: new Map([...made, ...Object.entries(given).map(([at, file]) => [at, bytesOf(file)])]) });
  const took = seconds(before);
  for (const [at, bytes] of run.files) {
    made.set(at, bytes);
    fs.writeFileSync(path.join(job.out, path.basename(at)), bytes);
  }
  return { exit: run.exit, output: run.output, sentence: run.message ? english(run.message) : '', seconds: took, files: [...run.files.keys()] };
});
process.stdout.write(JSON.stringify({ compiled, runs, megabytes: process.memoryUsage().rss / 2 ** 20 }));
