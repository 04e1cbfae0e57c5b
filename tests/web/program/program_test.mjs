// Tests of program.js, file_system.js and debug_lines.js: node program_test.mjs. The environment names what the Python
// test has compiled: MACHINE_PROGRAM, LINES_PROGRAMS (modules with files of their lines beside them).
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { DebugFunctions } from '../../../engine/cuda/web/debug_functions.js';
import { DebugLines } from '../../../engine/cuda/web/debug_lines.js';
import { FileSystem } from '../../../engine/cuda/web/file_system.js';
import { english, message } from '../../../engine/cuda/web/message.js';
import { Program } from '../../../engine/cuda/web/program.js';

const read = path => new Uint8Array(fs.readFileSync(path));
const root = new URL('../../../', import.meta.url);
const machineProgram = read(process.env.MACHINE_PROGRAM);

async function run(options, launch = () => 0) {
  let stdout = '';
  const program = new Program(machineProgram, {
    output: (stream, bytes) => { stdout += new TextDecoder().decode(bytes); },
    imports: program => ({ machine: {
      twice: number => 2n * number,
      name: (to, most) => program.putText(to, most, 'a long name'),
      launch: () => launch(program),
    } }),
    ...options,
  });
  return { ...await program.run(), stdout, program };
}
const lineOf = words => fs.readFileSync(new URL('programs/machine.c', import.meta.url), 'utf8').split('\n').findIndex(line => line.includes(words)) + 1;
const lines = ended => ended.stack.map(offset => new DebugLines(machineProgram).at(offset)?.line).filter(Boolean);

test('further imports', async () => {
  const ended = await run({});
  assert.equal(ended.stdout, '2199023255552 8 a long \n');
  assert.deepEqual([ended.how, ended.exit, ended.message], ['returned', 0, undefined]);
});

test('an import ends the program', async () => {
  const ended = await run({ arguments: ['p', 'launch'] }, program => {
    program.end('stopped', 124, message('The program was stopped after {} s, in the middle of a launch: make the input smaller.', '3'));
    return 1;
  });
  assert.deepEqual([ended.how, ended.exit], ['stopped', 124]);
  assert.equal(english(ended.message), 'The program was stopped after 3 s, in the middle of a launch: make the input smaller.');
  assert.equal(lines(ended)[0], lineOf('line: launch'));
  assert.equal(ended.stdout, '2199023255552 8 a long \n');
});

test("an import's own error ends the run", async () => {
  await assert.rejects(run({ arguments: ['p', 'launch'] }, () => { throw new TypeError('of the import'); }), /of the import/);
});

test("a range that is not of its memory is the program's mistake", async () => {
  const ended = await run({ arguments: ['p', 'launch'] }, program => { program.view(2 ** 32 - 8, 2 ** 40); });
  assert.deepEqual([ended.how, ended.exit, english(ended.message)], ['crashed', 139, "The host reads memory that is not the program's."]);
  assert.equal(lines(ended)[0], lineOf('line: launch'));
});

test('a stack that is full in an import is full', async () => {
  const endless = n => endless(n + 1) + 1;
  const ended = await run({ arguments: ['p', 'launch'] }, () => endless(0));
  assert.match(english(ended.message), /^The host's stack is full/);
});

test('a program imports nothing that objects inherit', async () => {
  const offered = Object.create({ twice: number => number, name: () => 0, launch: () => 0 });
  await assert.rejects(new Program(machineProgram, { imports: () => ({ machine: offered }) }).run(), /imports \w+ of machine, which a page does not have/);
  assert.throws(() => new Program(machineProgram, { imports: () => ({ machine: offered }) }).runNow(), /imports \w+ of machine/);
});

test('an address of the device', async () => {
  const describeAddress = (address, writes) => message('The host {} {}.', writes ? 'writes' : 'reads', address.toString(16));
  const ended = await run({ arguments: ['p', 'read'], describeAddress });
  assert.deepEqual([ended.how, ended.exit, english(ended.message)], ['crashed', 139, 'The host reads 200000000010.']);
  assert.equal(lines(ended)[0], lineOf('line: read'));
});

test('what is wrong with a module is an error', async () => {
  await assert.rejects(new Program(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8])).run(), /no module/);
  await assert.rejects(new Program(machineProgram).run(), /machine/);
});

test('the header names what the page provides', () => {
  const header = fs.readFileSync(new URL('engine/cuda/web/system.h', root), 'utf8');
  const named = [...header.matchAll(/^SYSTEM\((\w+)\)/gm)].map(([, name]) => name).sort();
  assert.deepEqual(Object.keys(new Program(machineProgram).system()).sort(), named);
});

test('files', () => {
  const text = bytes => new TextDecoder().decode(bytes), bytes = words => new TextEncoder().encode(words);
  const files = new FileSystem({ files: { 'given/a.txt': bytes('abc') } });
  const [read_, write, create, truncate, append] = [0, 1, 64, 512, 1024];
  assert.equal(files.open(-100, 'no.txt', read_), -44);
  assert.equal(files.open(-100, 'no/file.txt', write | create), -44);
  assert.equal(files.open(-100, 'given/a.txt/b', write | create), -54);
  assert.equal(files.open(-100, 'given', write), -31);
  const file = files.open(-100, '/given/../given/./a.txt', 2);
  assert.equal(file, 3);
  assert.equal(text(files.read(file, 2)), 'ab');
  assert.equal(files.write(file, bytes('xyz')), 3);
  assert.equal(files.seek(file, 0, 0), 0);
  assert.equal(text(files.read(file, 100)), 'abxyz');
  assert.equal(files.seek(file, -6, 1), -28);
  assert.equal(files.seek(file, 10, 0), 10);
  assert.equal(files.write(file, bytes('!')), 1);
  assert.deepEqual([...files.changes()].map(([path, content]) => [path, text(content)]), [['/given/a.txt', 'abxyz\0\0\0\0\0!']]);
  const more = files.open(-100, 'given/a.txt', write | append);
  files.write(more, bytes('?'));
  assert.equal(files.status(-100, 'given/a.txt').size, 12);
  assert.equal(files.read(more, 1), -8);
  assert.equal(files.write(files.open(-100, 'given/a.txt', read_), bytes('?')), -8);
  files.open(-100, 'given/a.txt', write | truncate);
  assert.equal(files.status(-100, 'given/a.txt').size, 0);
  assert.equal(files.makeFolder(-100, 'b'), 0);
  assert.equal(files.makeFolder(-100, 'b'), -20);
  assert.equal(files.rename(-100, 'given', -100, 'b/c'), 0);
  assert.equal(files.rename(-100, 'b', -100, 'b/c/d'), -28);
  assert.deepEqual(files.names('/b/c'), ['a.txt']);
  assert.equal(files.remove(-100, 'b/c', true), -55);
  assert.equal(files.remove(-100, 'b/c/a.txt', false), 0);
  assert.equal(files.remove(-100, 'b/c', false), -31);
  assert.equal(files.remove(-100, 'b/c', true), 0);
  assert.equal(files.changeFolder('b'), 0);
  assert.equal(files.resolved('x'), '/b/x');
  assert.equal(files.resolved('../../..'), '/');
  const large = files.open(-100, 'large', write | create);
  assert.equal(files.resize(large, 2 ** 40), -51);
  assert.equal(files.seek(large, 2 ** 40, 0), 2 ** 40);
  assert.equal(files.write(large, bytes('x')), -51);
  const nothing = files.open(-100, '/dev/null', 2);
  assert.equal(files.write(nothing, bytes('x')), 1);
  assert.equal(files.read(nothing, 1).length, 0);
  assert.equal(files.close(77), -8);
});

test('lines as llvm-dwarfdump prints them', () => {
  for (const path of process.env.LINES_PROGRAMS.split(' ')) {
    const debugLines = new DebugLines(read(path));
    const expected = JSON.parse(fs.readFileSync(path + '.lines', 'utf8'));
    assert.ok(expected.length > 10);
    for (const [address, file, line] of expected) {
      const found = debugLines.at(address);
      assert.deepEqual([found?.file.split('/').pop(), found?.line ?? 0], line ? [file, line] : [undefined, 0], `${path} ${address}`);
    }
  }
});

test('broken debug information', () => {
  const whole = read(process.env.LINES_PROGRAMS.split(' ')[0]);
  for (let round = 0; round < 300; ++round) {
    const broken = whole.slice();
    const begin = Math.floor(broken.length / 3);
    for (let k = 0; k < 20; ++k) broken[begin + (round * 7919 + k * 104729) % (broken.length - begin)] = round * 31 + k * 17;
    new DebugLines(broken).at(200);
    const functions = new DebugFunctions(broken);
    for (let at = 0; at < 2000; at += 50) functions.at(at);
  }
  // Without their texts, functions have no names.
  const nameless = whole.slice();
  nameless[Buffer.from(whole.buffer).lastIndexOf('.debug_str') + 1] = 0;
  const [address] = JSON.parse(fs.readFileSync(process.env.LINES_PROGRAMS.split(' ')[0] + '.lines', 'utf8'))[0];
  const nameAt = module => new DebugFunctions(module).at(address)[0]?.name;
  assert.ok(nameAt(whole));
  assert.equal(nameAt(nameless), '');
});
