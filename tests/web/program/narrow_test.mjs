// Tests of narrow.js by modules that are made here: node narrow_test.mjs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { NarrowError, narrow } from '../../../engine/cuda/web/narrow.js';
import { f32, f64, i32, i64, list, longConstant, module, padded, signed, unsigned } from './modules.mjs';

const types = { [i32]: 'i32', [i64]: 'i64', [f32]: 'f32', [f64]: 'f64' };

/// Runs a narrowed module. `events` then holds what it called.
function run(options, narrowing = {}) {
  const events = [];
  const { bytes } = narrow(module(options), narrowing);
  const imports = { test: {
    bad: (address, writes) => {
      events.push(`${writes ? 'writes' : 'reads'} ${BigInt.asUintN(64, address).toString(16)}`);
      throw new Error('bad');
    },
    tick: () => {
      events.push('tick');
      if (events.length > 3) throw new Error('time is up');
    },
  } };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
  return { exports, events, view: () => new DataView(exports.memory.buffer) };
}
const refuses = (options, pattern, narrowing) => assert.throws(() => narrow(options instanceof Uint8Array ? options : module(options), narrowing),
  error => error instanceof NarrowError && pattern.test(error.message));
const failure = (call, pattern) => assert.throws(call, error => pattern.test(error.message));

const base = 70000;
const loads = [[i32, 'Int32'], [i64, 'BigInt64'], [f32, 'Float32'], [f64, 'Float64'], [i32, 'Int8'], [i32, 'Uint8'], [i32, 'Int16'], [i32, 'Uint16'],
  [i64, 'Int8'], [i64, 'Uint8'], [i64, 'Int16'], [i64, 'Uint16'], [i64, 'Int32'], [i64, 'Uint32']];
const stores = [[i32, 'Int32'], [i64, 'BigInt64'], [f32, 'Float32'], [f64, 'Float64'], [i32, 'Int8'], [i32, 'Int16'], [i64, 'Int8'], [i64, 'Int16'], [i64, 'Int32']];

test('each load', () => {
  loads.forEach(([type, access], k) => {
    for (const offset of [0, 9, 5000]) {
      const code = [0x20, 0, 0x28 + k, 0, ...padded(offset)];
      const { exports, view, events } = run({ functions: [{ name: 'f', parameters: [i64], results: [type], code }] });
      for (let b = 0; b < 8; ++b) view().setUint8(base + offset + b, 0x9d + 7 * b & 255);
      const expected = view()['get' + access](base + offset, true);
      assert.equal(exports.f(BigInt(base)), type === i64 ? BigInt(expected) : expected, `load ${k}`);
      failure(() => exports.f(8n), /bad/);
      failure(() => exports.f(1n << 45n), /bad/);
      failure(() => exports.f(-1n << 40n), /bad/);
      assert.deepEqual(events, [`reads ${(8 + offset).toString(16)}`, `reads ${((1n << 45n) + BigInt(offset)).toString(16)}`,
        `reads ${BigInt.asUintN(64, (-1n << 40n) + BigInt(offset)).toString(16)}`]);
      failure(() => exports.f(3n * 65536n), /out of bounds/);
    }
  });
});

test('each store', () => {
  stores.forEach(([type, access], k) => {
    for (const offset of [0, 9, 5000]) {
      const code = [0x20, 0, 0x20, 1, 0x36 + k, 0, ...padded(offset)];
      const { exports, view, events } = run({ functions: [{ name: 'f', parameters: [i64, type], code }] });
      const value = type === i64 ? 0x1234567890abcdefn : type === i32 ? 0x12345678 : 1.5;
      exports.f(BigInt(base), value);
      const written = view()['get' + access](base + offset, true);
      const wide = access === 'BigInt64' || type !== i64 ? value : Number(BigInt.asIntN(Number(access.slice(3)), value));
      assert.equal(written, type === i32 && access !== 'Int32' ? value << 32 - access.slice(3) >> 32 - access.slice(3) : wide, `store ${k}`);
      failure(() => exports.f(0n, value), /bad/);
      failure(() => exports.f(1n << 32n, value), /bad/);
      assert.deepEqual(events, [`writes ${offset.toString(16)}`, `writes ${((1n << 32n) + BigInt(offset)).toString(16)}`]);
    }
  });
});

test('the ends of what a program may touch', () => {
  const code = offset => [0x20, 0, 0x2d, 0, ...padded(offset)];
  const f = offset => run({ functions: [{ name: 'f', parameters: [i64], results: [i32], code: code(offset) }] });
  assert.equal(f(0).exports.f(65536n), 0);
  failure(() => f(0).exports.f(65535n), /bad/);
  assert.equal(f(1).exports.f(65535n), 0);
  failure(() => f(0).exports.f(0xffffffffn), /out of bounds/);
  failure(() => f(0).exports.f(0x100000000n), /bad/);
  failure(() => f(1).exports.f(0xffffffffn), /bad/);
  failure(() => f(1).exports.f(-1n), /bad/);
  failure(() => f(65537).exports.f(-1n), /out of bounds/);  // a sum does not wrap
  failure(() => f(2 ** 33).exports.f(70000n), /bad/);
  failure(() => f(2 ** 33).exports.f(70000n - (1n << 33n)), /bad/);
  refuses({ functions: [{ code: [...longConstant(0), 0x2d, 0, ...unsigned(2n ** 60n), 0x1a] }] }, /nowhere in 4 GB/);
});

test('constant addresses', () => {
  const f = (address, offset) => run({ functions: [{ name: 'f', results: [i32], code: [0x42, ...address, 0x2d, 0, ...unsigned(offset)] }] });
  assert.equal(f(padded(0), 70000).exports.f(), 0);
  assert.equal(f(signed(70000), 5).exports.f(), 0);
  for (const [address, offset] of [[signed(0), 12], [padded(12), 0], [signed(-4), 70000 + 4], [padded(2n ** 45n), 0], [signed(1n << 32n), 0]]) {
    const made = f(address, offset);
    failure(() => made.exports.f(), offset === 70004 ? /out of bounds/ : /bad/);
  }
});

test('without checks', () => {
  const code = [0x20, 0, 0x2d, 0, 0];
  const { exports, events } = run({ functions: [{ name: 'f', parameters: [i64], results: [i32], code }] }, { checks: false });
  assert.equal(exports.f(3n), 0);
  assert.equal(exports.f((1n << 40n) + 3n), 0);
  assert.deepEqual(events, []);
});

test('memory.size, .grow, .copy, .fill, .init', () => {
  const functions = [
    { name: 'size', results: [i64], code: [0x3f, 0] },
    { name: 'grow', parameters: [i64], results: [i64], code: [0x20, 0, 0x40, 0] },
    { name: 'copy', parameters: [i64, i64, i64], code: [0x20, 0, 0x20, 1, 0x20, 2, 0xfc, 10, 0, 0] },
    { name: 'fill', parameters: [i64, i32, i64], code: [0x20, 0, 0x20, 1, 0x20, 2, 0xfc, 11, 0] },
    { name: 'init', parameters: [i64, i32, i32], code: [0x20, 0, 0x20, 1, 0x20, 2, 0xfc, 8, 0, 0] },
    { name: 'drop', code: [0xfc, 9, 0] },
  ];
  const { exports, events, view } = run({ functions, more: { 12: [1], 11: list([[1, ...list([1, 2, 3, 4])]]) } }, { maximumPages: 5 });
  assert.equal(exports.size(), 2n);
  assert.equal(exports.grow(1n), 2n);
  for (const pages of [3n, 70000n, 1n << 32n, (1n << 32n) + 1n, -1n]) assert.equal(exports.grow(pages), -1n);
  assert.equal(exports.grow(2n), 3n);
  exports.init(BigInt(base), 1, 2);
  assert.equal(view().getUint16(base, true), 0x0302);
  exports.fill(BigInt(base + 2), 0xab, 3n);
  exports.copy(BigInt(base + 1), BigInt(base), 5n);
  assert.equal(view().getBigUint64(base, true), 0xababab030202n);
  exports.copy(0n, 0n, 0n);
  exports.fill(1n << 40n, 1, 0n);
  const n = BigInt(base), whole = 1n << 32n;
  for (const call of [() => exports.copy(0n, n, 1n), () => exports.copy(n, 0n, 1n), () => exports.copy(n, 1n << 45n, 8n), () => exports.fill(1n << 45n, 0, 8n),
    () => exports.fill(n, 0, whole), () => exports.fill(n, 0, -1n), () => exports.fill(n, 0, whole - n + 1n), () => exports.init(8n, 0, 1)]) failure(call, /bad/);
  assert.deepEqual(events, ['writes 0', 'reads 0', 'reads 200000000000', 'writes 200000000000', 'writes 11170', 'writes 11170', 'writes 11170', 'writes 8']);
  failure(() => exports.fill(n, 0, 1n << 24n), /out of bounds/);
  exports.drop();
  failure(() => exports.init(n, 0, 1), /out of bounds/);
});

test('calls by tables of 32 and 64 bits', () => {
  for (const tables64 of [true, false]) {
    const functions = [
      { results: [i32], code: [0x41, 42] },
      { name: 'f', parameters: [tables64 ? i64 : i32], results: [i32], code: [0x20, 0, 0x11, 2, 0] },
    ];
    const offset = tables64 ? [0x42, ...padded(1), 0x0b] : [0x41, 1, 0x0b];
    const { exports, events } = run({ functions, tables64, more: { 9: list([[0, ...offset, ...list([[2]])]]) } });
    const number = tables64 ? BigInt : Number;
    assert.equal(exports.f(number(1)), 42);
    failure(() => exports.f(number(0)), /bad/);
    failure(() => exports.f(number(3)), /null|signature/);
    failure(() => exports.f(number(100)), /out of bounds/);
    if (tables64) failure(() => exports.f((1n << 32n) + 1n), /bad/);
    assert.equal(events.length, tables64 ? 2 : 1);
  }
});

test('an index that clang 16 has wrapped', () => {
  const functions = [
    { results: [i32], code: [0x41, 42] },
    { name: 'f', parameters: [i64], results: [i32], code: [0x20, 0, 0xa7, 0x11, 2, 0] },
  ];
  const { exports } = run({ functions, more: { 9: list([[0, 0x42, 1, 0x0b, ...list([[2]])]]) } });
  assert.equal(exports.f(1n), 42);
  failure(() => exports.f(0n), /bad/);
});

test('loops and recursive calls tick, and nothing else does', () => {
  const functions = [
    { name: 'loop', code: [0x03, 0x40, 0x0c, 0, 0x0b] },
    { name: 'self', code: [0x10, 3] },
    { name: 'first', code: [0x10, 5] },
    { name: 'second', code: [0x10, 4] },
    { name: 'forward', code: [0x10, 7] },
    { code: [] },
    { name: 'rounds', parameters: [i32], code: [0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b] },
  ];
  const made = (ticks) => run({ functions }, { ticks });
  for (const name of ['loop', 'self', 'first']) failure(() => made(100).exports[name](), /time is up/);
  const { exports, events } = made(1000);
  for (let k = 0; k < 5000; ++k) exports.forward();
  assert.deepEqual(events, []);
  exports.rounds(2500);
  assert.deepEqual(events, ['tick', 'tick']);
  assert.deepEqual((() => {
    const without = made(0);
    without.exports.rounds(2500);
    return without.events;
  })(), []);
});

test('a large fill ticks', () => {
  const functions = [{ name: 'f', code: [...longConstant(base), 0x41, 0, ...longConstant(60000), 0xfc, 11, 0] }];
  const { exports, events } = run({ functions }, { ticks: 1000 });
  exports.f();
  exports.f();
  assert.deepEqual(events, ['tick']);
});

test('exceptions in the older encoding', () => {
  const more = { 13: list([[0, 2]]) };  // a tag of type 2: (i64)
  const functions = [
    { parameters: [i64], code: [0x20, 0, 0x08, 0] },
    { name: 'catches', parameters: [i64], results: [i64], code: [0x06, i64, 0x20, 0, 0x10, 2, ...longConstant(1), 0x07, 0, 0x0b] },
    { name: 'rethrows', parameters: [i64], results: [i64],
      code: [0x06, i64, 0x06, 0x40, 0x20, 0, 0x10, 2, 0x19, 0x09, 0, 0x0b, ...longConstant(1), 0x07, 0, 0x0b] },
    { name: 'delegates', parameters: [i64], results: [i64], code: [0x06, i64, 0x06, 0x40, 0x20, 0, 0x10, 2, 0x18, 0, ...longConstant(1), 0x07, 0, 0x0b] },
  ];
  const { exports } = run({ functions, more });
  for (const name of ['catches', 'rethrows', 'delegates']) assert.equal(exports[name](99n), 99n);
});

/// Immediates of each opcode that users' programs may contain.
function operandsOf(opcode) {
  if (opcode >= 0x28 && opcode <= 0x3e) return [0, ...padded(100)];
  if ([0x02, 0x03, 0x04].includes(opcode)) return [0x40, 0x0b];
  if ([0x0c, 0x0d].includes(opcode)) return [0];
  if (opcode === 0x0e) return [2, 0, 0, 0];
  if (opcode === 0x10) return [2];
  if (opcode === 0x11) return [1, 0];
  if (opcode === 0x1c) return [1, i32];
  if (opcode >= 0x20 && opcode <= 0x22) return [0];
  if (opcode === 0x23 || opcode === 0x24) return [0];
  if (opcode === 0x3f || opcode === 0x40) return [0];
  if (opcode === 0x41) return padded(-5).slice(5, 9).concat(0x7f);
  if (opcode === 0x42) return padded(-(2n ** 50n));
  if (opcode === 0x43) return [0x0b, 0x0b, 0x0b, 0x0b];
  if (opcode === 0x44) return [0x03, 0x28, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b];
  if (opcode === 0xd0) return [0x70];
  if (opcode === 0xd2) return [2];
  return [];
}
const known = [0x00, 0x01, 0x02, 0x03, 0x04, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x1a, 0x1b, 0x1c, 0x20, 0x21, 0x22, 0x23, 0x24,
  ...Array.from({ length: 0xc4 - 0x28 + 1 }, (_, k) => 0x28 + k), 0xd0];
const globals = { 6: list([[i64, 1, 0x42, ...padded(5), 0x0b]]) };

test('each instruction becomes a valid one', () => {
  for (const opcode of known) {
    const instruction = opcode === 0x04 ? [0x04, 0x40, 0x05, 0x0b] : [opcode, ...operandsOf(opcode)];
    const options = { functions: [{ name: 'f', locals: [i64], code: [0x00, ...instruction, 0x00] }], more: globals };
    for (const narrowing of [{}, { checks: false }, { ticks: 0 }, { checks: false, ticks: 0 }]) {
      const { bytes } = narrow(module(options), narrowing);
      assert.doesNotThrow(() => new WebAssembly.Module(bytes), `opcode 0x${opcode.toString(16)}`);
    }
  }
  for (let second = 0; second < 8; ++second)
    assert.doesNotThrow(() => new WebAssembly.Module(narrow(module({ functions: [{ code: [0x00, 0xfc, second, 0x00] }] })).bytes));
});

test('instructions that are not known are refused', () => {
  for (let opcode = 0; opcode < 256; ++opcode) {
    if (known.includes(opcode) || [0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x12, 0x13, 0x18, 0x19, 0x1f, 0x25, 0x26, 0xd1, 0xd2, 0xfc, 0xfe].includes(opcode)) continue;
    refuses({ functions: [{ code: [0x00, opcode, 0, 0, 0, 0] }] }, /is not known here/);
  }
  for (const code of [[0xfc, 12, 0, 0], [0xfc, 16, 0], [0xfc, 99], [0xfd, 0, 0, 0], [0x25, 0], [0x26, 0]]) refuses({ functions: [{ code: [0x00, ...code] }] }, /is not known here/);
});

test('exceptions in the newer encoding are copied', () => {
  const handlers = [0x1f, 0x40, ...list([[0, 0, 0], [1, 0, 0], [2, 0], [3, 0]]), 0x0b];
  const code = [...handlers, 0x00, 0x0a];
  const { bytes } = narrow(module({ functions: [{ code }] }), { checks: false, ticks: 0 });
  const copied = [...code, 0x0b].join();
  assert.ok([...bytes].join().includes(copied));
  refuses({ functions: [{ code: [0x1f, 0x40, 1, 4, 0, 0x0b] }] }, /handler of an unknown kind/);
});

test('atomic instructions', () => {
  const atomic = (second, type, more = []) => {
    const operands = [0x20, 0, ...more.flatMap((_, k) => [0x20, k + 1])];
    const results = second >= 0x17 && second <= 0x1d ? [] : [type];
    const size = [2, 3, 0, 1, 0, 1, 2][(second - 0x10) % 7];
    return run({ functions: [{ name: 'f', parameters: [i64, ...more], results, code: [...operands, 0xfe, second, size, 0] }] });
  };
  for (let second = 0x10; second <= 0x4e; ++second) {
    const type = [0, 2, 3].includes((second - 0x10) % 7) ? i32 : i64;
    const value = n => type === i64 ? BigInt(n) : n;
    const more = second < 0x17 ? [] : second < 0x48 ? [type] : [type, type];
    const { exports, view, events } = atomic(second, type, more);
    const at = base - base % 8;
    view().setUint8(at, 5);
    const result = exports.f(BigInt(at), ...more.map((_, k) => value(k === 0 && more.length === 2 ? 5 : 3)));
    if (second < 0x17 || second > 0x1d) assert.equal(result, value(5));
    const group = Math.floor((second - 0x1e) / 7);
    if (second >= 0x17) assert.equal(view().getUint8(at), second <= 0x1d ? 3 : [8, 2, 1, 7, 6, 3, 3][group]);
    failure(() => exports.f(8n, ...more.map(() => value(0))), /bad/);
    assert.equal(events.length, 1);
  }
  for (const second of [0, 1, 2]) {
    const type = second === 1 || second === 0 ? i32 : i64;
    const code = [0x00, 0xfe, second, type === i32 ? 2 : 3, 0, 0x00];
    assert.doesNotThrow(() => new WebAssembly.Module(narrow(module({ functions: [{ code }] })).bytes));
  }
  assert.doesNotThrow(() => narrow(module({ functions: [{ code: [0xfe, 3, 0] }] })));
  refuses({ functions: [{ code: [0xfe, 0x4f, 0, 0] }] }, /is not known here/);
});

test('segments', () => {
  const more = { 11: list([[0, 0x42, ...padded(base), 0x0b, ...list([7, 8])], [2, 0, 0x42, ...padded(base + 2), 0x0b, ...list([9])]]) };
  const { view } = run({ functions: [], more });
  assert.equal(view().getUint32(base, true), 0x090807);
  const elements = [
    [0, 0x42, ...padded(1), 0x0b, ...list([[0]])],
    [2, 0, 0x42, ...signed(2), 0x0b, 0, ...list([[1]])],
    [1, 0, ...list([[0]])], [3, 0, ...list([[0]])],
    [4, 0x42, ...signed(3), 0x0b, ...list([[0xd2, 0, 0x0b], [0xd0, 0x70, 0x0b]])],
    [6, 0, 0x42, ...signed(5), 0x0b, 0x70, ...list([[0xd2, 0, 0x0b]])], [5, 0x70, ...list([[0xd0, 0x70, 0x0b]])],
  ];
  run({ functions: [], more: { 9: list(elements) } });
  refuses({ more: { 11: list([[0, 0x42, ...signed(1n << 32n), 0x0b, 0]]) } }, /nowhere in 4 GB/);
  refuses({ more: { 11: list([[0, 0x42, ...signed(-1), 0x0b, 0]]) } }, /nowhere in 4 GB/);
  refuses({ more: { 11: list([[3, 0]]) } }, /unknown kind/);
  refuses({ more: { 9: list([[8, 0]]) } }, /unknown kind/);
});

test('modules that are refused', () => {
  const none = new Uint8Array([0, 1, 2, 3]);
  refuses(none, /no module of WebAssembly/);
  refuses(new Uint8Array(), /ends too early/);
  refuses({ more: { 5: list([[0, 1]]) } }, /32-bit addresses already/);
  refuses({ more: { 5: list([[7, 1, 2]]) } }, /shared by threads/);
  refuses({ more: { 5: list([[4, 1], [4, 1]]) } }, /2 memories/);
  refuses({ more: { 5: list([]) } }, /0 memories/);
  refuses({ more: { 7: list([]) } }, /no function bad_address/);
  refuses({ customs: [['linking', [2]]] }, /no linked program/);
  refuses({ pages: 200 }, /take 13 MB, and it may have 6 MB/, { maximumPages: 100 });
  refuses({ functions: [{ code: [0x0b, 0x01] }] }, /goes on behind its end/);
  refuses({ functions: [{ code: [0x02, 0x40] }] }, /has no end/);
  refuses({ functions: [{ code: [0x10, 99] }] }, /function that is not there/);
  refuses({ functions: [{ code: [...longConstant(0), 0x28, 0x42, 0, 0x1a] }] }, /memory that is not there/);
});

test('what stays, what goes', () => {
  const customs = [['.debug_line', [1, 2]], ['name', [0, 2, 1, 0x78]], ['producers', [0]], ['target_features', [0]], ['own', [5]]];
  const { bytes } = narrow(module({ customs }));
  const compiled = new WebAssembly.Module(bytes);
  const has = name => WebAssembly.Module.customSections(compiled, name).length;
  assert.deepEqual(['.debug_line', 'name', 'producers', 'target_features', 'own'].map(has), [0, 0, 0, 0, 1]);
  assert.deepEqual(WebAssembly.Module.exports(compiled).map(e => e.name), ['bad_address', 'tick', 'memory']);
});

test('offsets', () => {
  // unreachable behind code that grows: its trap is found at its place in the original
  const before = [0x20, 0, 0x2d, 0, 0, 0x1a, 0x03, 0x40, 0x0b];
  const original = module({ functions: [{ code: [] }, { name: 'f', parameters: [i64], code: [...before, 0x00] }] });
  const { bytes, offsets, codeBegin } = narrow(original);
  const imports = { test: { bad: () => { throw new Error('the address is bad'); }, tick: () => {} } };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
  const placeOf = call => {
    try { call(); } catch (error) {
      return [...error.stack.matchAll(/wasm-function\[\d+\]:0x([0-9a-f]+)/g)].map(([, place]) => original[codeBegin + offsets.original(parseInt(place, 16))]);
    }
  };
  assert.deepEqual(placeOf(() => exports.f(BigInt(base))), [0x00]);
  assert.deepEqual(placeOf(() => exports.f(BigInt(3 * 65536))), [0x2d]);
  assert.deepEqual(placeOf(() => exports.f(0n)), [0x2d]);
  assert.equal(offsets.original(3), -1);
  assert.equal(offsets.original(bytes.length + 1), -1);
});

test('2,000 broken modules give a module or a sentence', () => {
  const functions = [
    { parameters: [i64], code: [0x20, 0, 0x08, 0] },
    { name: 'f', parameters: [i64, i32], results: [i32], locals: [f64, i64], code: [0x03, 0x40, 0x20, 0, 0x20, 1, 0x36, 2, ...padded(16), 0x0b, 0x20, 0, 0x28, 2, 8] },
    { code: [0x06, 0x40, ...longConstant(2n ** 40n), 0x10, 2, 0x07, 0, 0x1a, 0x19, 0x09, 0, 0x0b] },
    { code: [...longConstant(base), 0x41, 0, ...longConstant(4), 0xfc, 11, 0, ...longConstant(1), 0x11, 1, 0] },
  ];
  const whole = module({ functions, more: { 13: list([[0, 2]]), ...globals, 9: list([[0, 0x42, ...padded(1), 0x0b, ...list([[2], [3]])]]),
    11: list([[0, 0x42, ...padded(base), 0x0b, ...list([1, 2, 3])]]) }, customs: [['name', [1]], ['.debug_line', [1, 2, 3]]] });
  assert.ok(WebAssembly.validate(narrow(whole).bytes));
  let state = 12345, narrowed = 0;
  const random = below => {  // xorshift32
    state ^= state << 13, state ^= state >>> 17, state ^= state << 5;
    return (state >>> 0) % below;
  };
  for (let round = 0; round < 2000; ++round) {
    let broken = whole.slice();
    for (let k = random(2); k >= 0; --k) broken[random(broken.length)] = random(3) ? random(256) : [0, 0x7f, 0x80, 0xff][random(4)];
    if (random(4) === 0) broken = broken.slice(0, random(broken.length));
    try {
      const { bytes } = narrow(broken);
      ++narrowed;
      WebAssembly.validate(bytes);
    } catch (error) {
      assert.ok(error instanceof NarrowError, String(error.stack));
      assert.match(error.message, /^[A-Z].*\.$/);
    }
  }
  assert.ok(narrowed > 100 && narrowed < 1900, `${narrowed} of them were narrowed`);
});
