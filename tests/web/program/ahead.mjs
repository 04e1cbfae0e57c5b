// node ahead.mjs OWN_CODE ASKED.json: asks a page's modules (the folder OWN_CODE of a site) for programs that were compiled ahead,
// without a compiler. ASKED.json lists { name, record, files, program }: the record, the real files by their paths in the page, and
// the program as the app asks for it. Prints a line of JSON for each: its name, and what is wrong or null.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const base = path.resolve(process.argv[2]), own = name => import(pathToFileURL(`${base}/${name}`));
const { OwnCode } = await own('worker/own_code.js'), { AheadTools } = await own('web/ahead_tools.js');
const make = createRequire(import.meta.url)(`${base}/module.js`), wasmBinary = fs.readFileSync(`${base}/own_code.wasm`);
for (const { name, record, files, program } of JSON.parse(fs.readFileSync(process.argv[3]))) {
  const ownCode = new OwnCode({ module: await make({ wasmBinary }), tools: new AheadTools(new Uint8Array(fs.readFileSync(record))) });
  const read = new Map(Object.entries(files).map(([file, real]) => [file, new Uint8Array(fs.readFileSync(real))]));
  let wrong = null;
  try {
    const { run, error } = ownCode.run({ program, until: 'program', files: read });
    wrong = error ? error.message : run.compiled ? null : run.diagnostics;
  } catch (e) { wrong = e.message; }
  console.log(JSON.stringify({ name, wrong }));
}
