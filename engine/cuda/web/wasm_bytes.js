// Reads and writes the bytes of modules of WebAssembly.

import { english, message } from './message.js';

/// A module that cannot be narrowed, or that no page runs. `reason` is a message() or a text, a sentence.
export class NarrowError extends Error {
  constructor(reason) {
    const asMessage = typeof reason === 'string' ? message(reason) : reason;
    super(english(asMessage));
    this.reason = asMessage;
  }
}

export const i32 = 0x7f, i64 = 0x7e, f32 = 0x7d, f64 = 0x7c;

/// Opcodes by which the pass decides or that it writes.
export const op = {
  unreachable: 0x00, block: 0x02, loop: 0x03, if: 0x04, else: 0x05, try: 0x06, end: 0x0b, call: 0x10, callIndirect: 0x11,
  returnCall: 0x12, returnCallIndirect: 0x13, delegate: 0x18, tryTable: 0x1f, return: 0x0f, localGet: 0x20, localSet: 0x21,
  localTee: 0x22, globalGet: 0x23, globalSet: 0x24, memorySize: 0x3f, memoryGrow: 0x40, i32Const: 0x41, i64Const: 0x42,
  i32Eqz: 0x45, i32LeS: 0x4c, i64Eqz: 0x50, i64GtU: 0x56, i32Sub: 0x6b, i32Or: 0x72, i64Add: 0x7c, i64Sub: 0x7d, i64Or: 0x84, i64ShrU: 0x88,
  i32WrapI64: 0xa7, i64ExtendI32S: 0xac, i64ExtendI32U: 0xad, bulk: 0xfc, atomic: 0xfe,
};
export const emptyBlock = 0x40;
export const fourGigabytes = 2 ** 32;
export const hex = value => '0x' + value.toString(16);

/// Reads a module from its bytes, and refuses to read beyond an end.
export class Reader {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }
  get isAtEnd() { return this.at >= this.end; }
  fail(what) { throw new NarrowError(`The program's module is broken: ${what} at offset ${this.at}.`); }
  byte() {
    if (this.at >= this.end) this.fail('it ends too early');
    return this.bytes[this.at++];
  }
  /// An unsigned number of at most `most` bytes; exact up to 2^53, and no number is larger where that matters.
  unsigned(most = 5) {
    let value = 0, scale = 1;
    for (let k = 0; k < most; ++k) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (most === 5 && value >= fourGigabytes) this.fail('a number has more than 32 bits');
        return value;
      }
      scale *= 128;
    }
    this.fail('a number is too long');
  }
  unsigned64() { return this.unsigned(10); }
  /// A signed number of 64 bits as a BigInt.
  signed64() {
    let value = 0n, shift = 0n;
    for (let k = 0; k < 10; ++k) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
      if (byte < 128) return byte & 64 ? BigInt.asIntN(64, value | (-1n << shift)) : BigInt.asIntN(64, value);
    }
    this.fail('a number is too long');
  }
  skipNumber(most = 5) {
    for (let k = 0; k < most; ++k) if (this.byte() < 128) return;
    this.fail('a number is too long');
  }
  skip(count) {
    if (count > this.end - this.at) this.fail('it ends too early');
    this.at += count;
  }
  text() {
    const length = this.unsigned();
    const from = this.at;
    this.skip(length);
    return new TextDecoder().decode(this.bytes.subarray(from, this.at));
  }
  /// The next `size` bytes, as a reader of their own.
  part(size) {
    const from = this.at;
    this.skip(size);
    return new Reader(this.bytes, from, this.at);
  }
  /// How many things follow, each of at least a byte.
  count() {
    const count = this.unsigned();
    if (count > this.end - this.at) this.fail('a list is longer than its section');
    return count;
  }
}

/// Bytes that grow at their end.
export class Writer {
  constructor(size = 1024) {
    this.bytes = new Uint8Array(size);
    this.size = 0;
  }
  reserve(more) {
    if (this.size + more <= this.bytes.length) return;
    const larger = new Uint8Array(2 * this.bytes.length + more);
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
  }
  byte(value) {
    if (this.size === this.bytes.length) this.reserve(1);
    this.bytes[this.size++] = value;
  }
  put(...values) { for (const value of values) this.byte(value); }
  unsigned(value) {
    while (value >= 128) {
      this.byte(value % 128 + 128);
      value = Math.floor(value / 128);
    }
    this.byte(value);
  }
  signed(value) {
    for (;;) {
      const low = (value % 128 + 128) % 128;
      value = Math.floor(value / 128);
      if (value === (low & 64 ? -1 : 0)) return this.byte(low);
      this.byte(low + 128);
    }
  }
  copy(bytes, from, to) {
    this.reserve(to - from);
    this.bytes.set(bytes.subarray(from, to), this.size);
    this.size += to - from;
  }
  append(writer) { this.copy(writer.bytes, 0, writer.size); }
  text(text) {
    const bytes = new TextEncoder().encode(text);
    this.unsigned(bytes.length);
    this.copy(bytes, 0, bytes.length);
  }
  finished() { return this.bytes.slice(0, this.size); }
}
