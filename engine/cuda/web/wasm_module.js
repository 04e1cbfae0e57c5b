// What narrow.js must know of a module before it changes any of it: its sections, types, functions, tables, memories.
import { NarrowError, Reader, f64, hex, i32, op } from './wasm_bytes.js';

export const section = {
  custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, start: 8, element: 9, code: 10, data: 11,
  dataCount: 12, tag: 13,
};
/// The order that the standard wants.
export const order = [section.type, section.import, section.function, section.table, section.memory, section.tag, section.global,
  section.export, section.start, section.element, section.dataCount, section.code, section.data];

/// What the pass must know of a module before it changes any of it.
export class Module {
  constructor(bytes) {
    this.bytes = bytes;
    const reader = new Reader(bytes);
    const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
    for (const byte of head) if (reader.byte() !== byte) throw new NarrowError('This is no module of WebAssembly.');
    this.sections = new Map();
    this.customs = [];  // with the number of the section behind which each stands
    let latest = -1;
    while (!reader.isAtEnd) {
      const id = reader.byte();
      const part = reader.part(reader.unsigned());
      if (id === section.custom) {
        const name = new Reader(bytes, part.at, part.end).text();
        this.customs.push({ name, part, after: latest });
        continue;
      }
      const place = order.indexOf(id);
      if (place < 0) reader.fail(`there is a section of an unknown kind (${id})`);
      if (place <= latest) reader.fail('its sections are not in order');
      latest = place;
      this.sections.set(id, part);
    }
    this.types = [];  // [parameters, results] of each
    this.functions = [];  // the type of each, imported ones first
    this.importedFunctions = 0;
    this.globals = 0;
    this.tables = [];  // whether each has 64-bit indices
    this.memories = [];
    this.exports = new Map();
    this.readTypes();
    this.readImports();
    this.eachOf(section.function, reader => this.functions.push(reader.unsigned()));
    if (this.functions.some(type => type >= this.types.length)) throw new NarrowError('A function has a type that is not there.');
    this.eachOf(section.table, reader => this.tables.push(readTable(reader).is64));
    this.eachOf(section.memory, reader => this.memories.push(readLimits(reader)));
    const globals = this.sectionReader(section.global);
    if (globals) this.globals += globals.unsigned();
    this.eachOf(section.export, reader => {
      const name = reader.text(), kind = reader.byte(), at = reader.unsigned();
      if (kind === 0) this.exports.set(name, at);
    });
  }
  sectionReader(id) {
    const part = this.sections.get(id);
    return part && new Reader(this.bytes, part.at, part.end);
  }
  eachOf(id, read) {
    const reader = this.sectionReader(id);
    if (!reader) return;
    for (let k = reader.count(); k > 0; --k) read(reader);
    if (!reader.isAtEnd) reader.fail('a section has more bytes than it says');
  }
  readTypes() {
    this.eachOf(section.type, reader => {
      const form = reader.byte();
      if (form !== 0x60) reader.fail(`a type is none of a function (${hex(form)})`);
      this.types.push([this.readTypeList(reader), this.readTypeList(reader)]);
    });
  }
  readTypeList(reader) {
    const types = [];
    for (let k = reader.count(); k > 0; --k) types.push(readType(reader));
    return types;
  }
  readImports() {
    this.eachOf(section.import, reader => {
      reader.text();
      reader.text();
      const kind = reader.byte();
      switch (kind) {
        case 0:
          this.functions.push(reader.unsigned());
          ++this.importedFunctions;
          break;
        case 1: this.tables.push(readTable(reader).is64); break;
        case 2: this.memories.push(readLimits(reader)); break;
        case 3:
          readType(reader);
          reader.byte();
          ++this.globals;
          break;
        case 4:
          reader.byte();
          reader.unsigned();
          break;
        default: reader.fail(`there is an import of an unknown kind (${kind})`);
      }
    });
  }
  typeOf(functionIndex) { return this.types[this.functions[functionIndex]]; }
  /// The index of the exported function that the pass calls, whose type must be this.
  needed(name, parameters) {
    const at = this.exports.get(name);
    const type = at === undefined ? undefined : this.typeOf(at);
    if (!type || type[0].join() !== parameters.join() || type[1].length)
      throw new NarrowError(`The program has no function ${name} as it must be: link it with libsystem.a.`);
    return at;
  }
}

export function readType(reader) {
  const type = reader.byte();
  if (type >= f64 && type <= i32 || type === 0x70 || type === 0x6f || type === 0x69) return type;
  reader.fail(`there is a value of an unknown type (${hex(type)})`);
}
/// The limits of a memory or a table.
export function readLimits(reader) {
  const flags = reader.byte();
  if (flags & ~7) reader.fail(`there are limits of an unknown kind (${flags})`);
  const is64 = (flags & 4) !== 0;
  const least = is64 ? reader.unsigned64() : reader.unsigned();
  const most = flags & 1 ? (is64 ? reader.unsigned64() : reader.unsigned()) : undefined;
  return { least, most, isShared: (flags & 2) !== 0, is64 };
}
export function readTable(reader) {
  const type = reader.byte();
  if (type !== 0x70 && type !== 0x6f) reader.fail(`there is a table of an unknown type (${hex(type)})`);
  return { type, ...readLimits(reader) };
}
/// Skips a constant expression. Returns the value of one that is a single constant of 64 bits.
export function readConstant(reader) {
  let value, instructions = 0;
  for (;; ++instructions) {
    const opcode = reader.byte();
    if (opcode === op.end) return instructions === 1 ? value : undefined;
    value = undefined;
    if (opcode === op.i64Const) value = reader.signed64();
    else if (opcode === op.i32Const) reader.skipNumber();
    else if (opcode === op.globalGet || opcode === 0xd0 || opcode === 0xd2) reader.unsigned();
    else if (opcode === 0x43) reader.skip(4);
    else if (opcode === 0x44) reader.skip(8);
    else if (opcode < 0x6a || opcode > 0x7e) reader.fail(`there is no constant with the instruction ${hex(opcode)}`);
  }
}
