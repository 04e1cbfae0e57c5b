// Runs a linked program of a user's beside the machine of own_code.wasm.
import { machineImports } from '../web/machine_imports.js';
import { inFiles } from '../web/message.js';
import { NarrowError } from '../web/narrow.js';
import { Program } from '../web/program.js';
import { Machine } from './machine.js';

const folderOfRuntime = '/barrierscope/run';  // where CUDA's runtime in a program looks (engine/cuda/runtime/web/run_folder.cpp)

const exitOfRefused = 126;  // as shells say that a program cannot be run

/// `module`: own_code.wasm's. `bytes`: the program's; `words`: its name and arguments; `folder`: where it stands; `files`: those
/// that it may read, by path; `runFolder`: the one with run.json; `output(bytes)` takes what it writes to both streams.
/// Returns { exit, signal, outOfTime, files }: the files that it has left, by path, with its trace and report.
export function runInMachine(module, { bytes, words, folder, files, runFolder, seconds, stdin, output }) {
  const given = Object.fromEntries(files);
  for (const [path, content] of files) if (path.startsWith(`${runFolder}/`)) given[folderOfRuntime + path.slice(runFolder.length)] = content;
  const machine = new Machine(module);
  try {
    const program = new Program(bytes, {
      arguments: words, files: given, folder, stdin, seconds, output: (stream, piece) => output(piece),
      imports: each => ({ machine: machineImports(each, machine) }),
    });
    const { how, exit } = program.runNow(), left = new Map();
    for (const [path, content] of program.files.changes())
      left.set(path.startsWith(`${folderOfRuntime}/`) ? runFolder + path.slice(folderOfRuntime.length) : path, content);
    if (machine.trace) left.set(`${runFolder}/trace.bscope`, machine.trace);
    const signal = how === 'crashed' && exit > 128 ? exit - 128 : 0;
    return { exit: signal ? -1 : exit, signal, outOfTime: how === 'stopped', files: left };
  } catch (error) {
    if (!(error instanceof NarrowError)) throw error;
    const report = { format: 'barrierscope.run/1', ended: 'refused', exit: exitOfRefused, message: inFiles(error.reason) };
    return { exit: exitOfRefused, signal: 0, outOfTime: false, files: new Map([[`${runFolder}/report.json`, new TextEncoder().encode(JSON.stringify(report))]]) };
  } finally { machine.end(); }
}
