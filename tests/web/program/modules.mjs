// Writes small modules of WebAssembly for a 64-bit memory, for tests of narrow.js.

export const i32 = 0x7f, i64 = 0x7e, f32 = 0x7d, f64 = 0x7c;

export function unsigned(value) {
  const bytes = [];
  value = BigInt(value);
  do {
    bytes.push(Number(value & 127n) + (value > 127n ? 128 : 0));
    value >>= 7n;
  } while (value);
  return bytes;
}
export function signed(value) {
  const bytes = [];
  value = BigInt(value);
  for (;;) {
    const low = Number(value & 127n);
    value >>= 7n;
    if (value === (low & 64 ? -1n : 0n)) return [...bytes, low];
    bytes.push(low + 128);
  }
}
/// The same number in ten bytes, as linkers write what they relocate.
export function padded(value) {
  const bytes = [];
  value = BigInt.asIntN(64, BigInt(value));
  for (let k = 0; k < 9; ++k, value >>= 7n) bytes.push(Number(value & 127n) + 128);
  return [...bytes, Number(value & 127n)];
}
const text = words => [...unsigned(words.length), ...new TextEncoder().encode(words)];
export const list = items => [...unsigned(items.length), ...items.flat()];
export const longConstant = value => [0x42, ...signed(value)];

/// A module with a memory of 64-bit addresses. `functions`: [{ parameters, results, locals, code, name }]; the imports
/// bad(address, writes) and tick() are functions 0 and 1, and exported as the pass wants them. `more`: further sections by
/// number, as their content.
export function module({ functions = [], pages = 2, tables64 = true, more = {}, customs = [] }) {
  const types = [[[i64, i32], []], [[], []], ...functions.map(f => [f.parameters ?? [], f.results ?? []])];
  const sections = {
    1: list(types.map(([parameters, results]) => [0x60, ...list(parameters), ...list(results)])),
    2: list([[...text('test'), ...text('bad'), 0, 0], [...text('test'), ...text('tick'), 0, 1]]),
    3: list(functions.map((_, k) => unsigned(k + 2))),
    4: list([[0x70, tables64 ? 4 : 0, 8]]),
    5: list([[4, ...unsigned(pages)]]),
    7: list([[...text('bad_address'), 0, 0], [...text('tick'), 0, 1], [...text('memory'), 2, 0],
      ...functions.map((f, k) => f.name ? [...text(f.name), 0, ...unsigned(k + 2)] : []).filter(f => f.length)]),
    10: list(functions.map(({ locals = [], code }) => {
      const body = [...list(locals.map(type => [1, type])), ...code, 0x0b];
      return [...unsigned(body.length), ...body];
    })),
    ...more,
  };
  const order = [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  for (const id of order) if (sections[id]) bytes.push(id, ...unsigned(sections[id].length), ...sections[id]);
  for (const [name, content] of customs) {
    const whole = [...text(name), ...content];
    bytes.push(0, ...unsigned(whole.length), ...whole);
  }
  return new Uint8Array(bytes);
}
