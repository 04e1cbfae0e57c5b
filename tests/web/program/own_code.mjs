// node own_code.mjs REQUESTS.json: runs users' programs by own_code.wasm, with the native clang and wasm-ld in the place of the
// page's, and prints what became of each as a line of JSON. REQUESTS: { build, program, headers, clang, requests }: the folders of
// the web build, of the C and C++ libraries (build/program), of CUDA's headers and of clang's own; each request has the options of
// OwnCode.run, and
//   on_disk      the user's files: paths on the disk by their paths in the page
//   keep         a folder for what the tools make: device code, objects, programs
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { NativeTools } from '../../../engine/cuda/web/native_tools.js';
import { OwnCode } from '../../../engine/cuda/worker/own_code.js';

const { build, program = `${build}/program`, headers, clang, requests } = JSON.parse(fs.readFileSync(process.argv[2]));
const tools = new NativeTools({ packs: { '/barrierscope/include': headers, '/barrierscope/program': program, '/barrierscope/clang': clang } });

/// The same tools. They note their commands and keep what they have made, where there is a folder for it.
function noting(commands, folder) {
  return {
    run(command) {
      const ended = tools.run(command);
      commands.push(command.words);
      if (folder) for (const [name, bytes] of ended.files) fs.writeFileSync(path.join(folder, path.basename(name)), bytes);
      return ended;
    },
  };
}

try {
  const make = createRequire(import.meta.url)(`${build}/own_code.js`), wasmBinary = fs.readFileSync(`${build}/own_code.wasm`);
  for (const { on_disk: onDisk, keep, ...request } of requests) {
    const module = await make({ wasmBinary }), commands = [];
    const ownCode = new OwnCode({ module, tools: noting(commands, keep) });
    const files = new Map(Object.entries(onDisk).map(([name, real]) => [name, new Uint8Array(fs.readFileSync(real))]));
    const began = performance.now();
    const { trace, run, error } = ownCode.run({ ...request, files });
    const made = { run, error, commands, trace: trace && Buffer.from(trace).toString('base64'), seconds: (performance.now() - began) / 1000 };
    process.stdout.write(JSON.stringify(made) + '\n');
  }
} finally { tools.end(); }
