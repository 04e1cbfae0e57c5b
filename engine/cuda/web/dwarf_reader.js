// Reads what DWARF (versions 4 and 5) is made of, as clang writes it for WebAssembly.

/// Reads little-endian numbers, LEB128 and texts; beyond the end it throws a RangeError.
export class DwarfReader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }
  u8() { return this.view.getUint8(this.at++); }
  s8() { return this.view.getInt8(this.at++); }
  u16() { return this.view.getUint16((this.at += 2) - 2, true); }
  u32() { return this.view.getUint32((this.at += 4) - 4, true); }
  u64() { return Number(this.view.getBigUint64((this.at += 8) - 8, true)); }
  unsigned() {
    let value = 0, scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }
  signed() {
    let value = 0, scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      scale *= 128;
      if (byte < 128) return byte & 64 ? value - scale : value;
    }
  }
  text() {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) throw new RangeError('a text has no end');
    const text = new TextDecoder().decode(this.bytes.subarray(this.at, end));
    this.at = end + 1;
    return text;
  }
}

/// The .debug_* sections of a module of WebAssembly, by name.
export function debugSections(bytes) {
  const sections = new Map();
  const reader = new DwarfReader(bytes, 8);
  while (reader.at < bytes.length) {
    const id = reader.u8(), size = reader.unsigned(), begin = reader.at, end = begin + size;
    if (id === 0 && end <= bytes.length) {
      const length = reader.unsigned();
      const name = new TextDecoder().decode(bytes.subarray(reader.at, reader.at + length));
      if (name.startsWith('.debug_')) sections.set(name, bytes.subarray(reader.at + length, end));
    }
    reader.at = end;
  }
  return sections;
}
