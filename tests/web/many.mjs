// many.mjs PROGRAM.js: the command line in WebAssembly, many times in one process. A JSON list of words a line on standard
// input; for each a line: {"exit": ..., "out": ..., "err": ...}. The program is compiled once and begins anew each time.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { createRequire } from 'node:module';

const program = path.resolve(process.argv[2]), folder = path.dirname(program);
const glue = new Function('Module', 'require', '__dirname', '__filename', 'process', 'fetch', fs.readFileSync(program, 'utf8'));
const code = await WebAssembly.compile(fs.readFileSync(program.replace(/\.js$/, '.wasm')));

class Ended extends Error {}

function run(words) {
  return new Promise(answer => {
    const said = { out: [], err: [] };
    // what it writes to its terminal is caught, and it reads nothing there
    const its_fs = { ...fs,
      writeSync: (fd, bytes, at, length, position) => {
        if (fd !== 1 && fd !== 2) return fs.writeSync(fd, bytes, at, length, position);
        said[fd === 1 ? 'out' : 'err'].push(Buffer.from(bytes.slice(at, at + length)));
        return length;
      },
      readSync: (fd, ...rest) => fd === 0 ? 0 : fs.readSync(fd, ...rest),
      closeSync: fd => { if (fd > 2) fs.closeSync(fd); } };
    const own = createRequire(program), its_require = name => name === 'fs' ? its_fs : own(name);
    const text = pieces => Buffer.concat(pieces).toString('utf8');
    const end = exit => answer({ exit, out: text(said.out), err: text(said.err) });
    // The program ends by process.exit and listens to the process: it is given one that ends nothing.
    const its = Object.create(process, {
      exit: { value: code => { end(code); throw new Ended(); } }, on: { value: () => its }, exitCode: { value: 0, writable: true },
      argv: { value: [process.argv[0], program, ...words] } });
    const Module = {
      arguments: words, thisProgram: program, noInitialRun: false,
      instantiateWasm: (imports, done) => { WebAssembly.instantiate(code, imports).then(i => done(i)); return {}; },
      quit: (status, thrown) => { end(status); throw thrown; },
      onAbort: what => end('aborted: ' + what),
    };
    try {
      glue(Module, its_require, folder, program, its, undefined);
    } catch (e) {
      if (!(e instanceof Ended)) end('threw: ' + e);
    }
  });
}

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
for await (const line of readline.createInterface({ input: process.stdin }))
  process.stdout.write(JSON.stringify(await run(JSON.parse(line))) + '\n');
