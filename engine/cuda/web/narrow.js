// narrow(): a WebAssembly module for a 64-bit memory becomes one for a 32-bit memory, which every browser runs.
//
// Users' programs are compiled for wasm64, because long, size_t and pointers have 64 bits on every platform of CUDA. Few
// browsers have 64-bit memories, and no program here needs more than 4 GB. What changes:
//
//   memories, tables        have 32-bit limits; a memory's maximum is `maximumPages`
//   loads and stores        keep their instruction; the 64-bit address is checked, then wrapped to 32 bits. The check calls the
//                           program's export bad_address(address, writes) for the first 64 KB (null pointers, and the far
//                           end of the stack) and from 4 GB on (pointers of the device have bits there)
//   memory.copy, .fill,     become calls of functions that are added behind the module's own; these check whole ranges
//   .init, .grow            (and nothing where there are no bytes: memcpy(nullptr, nullptr, 0) is harmless natively)
//   call_indirect           a null pointer, and one beyond 4 GB, is a bad address
//   loops, and calls that   count down a global. At zero the program's export tick() is called, which traps when the
//   may be recursive        program's time is over: those to a function that is not behind the caller, and indirect ones
//   offsets of segments     become 32-bit constants
//   .debug_*, producers,    are left out. Line numbers are read from the original, by its offsets (`OffsetMap`)
//   target_features
//
// No index of a function, type, global or local changes: what is added has the indices behind them. Whatever the pass does
// not know it refuses with a NarrowError, whose message is a sentence. It does not check types: the engine that compiles the
// result does.

export class NarrowError extends Error {}

const nullPageBytes = 65536;
const fourGigabytes = 2 ** 32;

const i32 = 0x7f, i64 = 0x7e, f32 = 0x7d, f64 = 0x7c;

/// Opcodes by which the pass decides or that it writes.
const op = {
  unreachable: 0x00, block: 0x02, loop: 0x03, if: 0x04, else: 0x05, try: 0x06, end: 0x0b, call: 0x10, callIndirect: 0x11,
  returnCall: 0x12, returnCallIndirect: 0x13, delegate: 0x18, tryTable: 0x1f, return: 0x0f, localGet: 0x20, localSet: 0x21,
  localTee: 0x22, globalGet: 0x23, globalSet: 0x24, memorySize: 0x3f, memoryGrow: 0x40, i32Const: 0x41, i64Const: 0x42,
  i32Eqz: 0x45, i32LeS: 0x4c, i64Eqz: 0x50, i64GtU: 0x56, i32Sub: 0x6b, i32Or: 0x72, i64Add: 0x7c, i64Sub: 0x7d, i64Or: 0x84, i64ShrU: 0x88,
  i32WrapI64: 0xa7, i64ExtendI32S: 0xac, i64ExtendI32U: 0xad, bulk: 0xfc, atomic: 0xfe,
};
const emptyBlock = 0x40;

// ---- what follows an opcode
const nothing = 1, block = 2, index = 3, twoIndices = 4, branchTable = 5, four = 6, eight = 7, number = 8, select = 9, load = 10,
  store = 11, special = 12;
const kinds = new Uint8Array(256);
const setKinds = (kind, ...ranges) => {
  for (const [first, last = first] of ranges) kinds.fill(kind, first, last + 1);
};
setKinds(nothing, [0x00, 0x01], [0x05], [0x0a], [0x0b], [0x0f], [0x19, 0x1b], [0x45, 0xc4], [0xd1]);
setKinds(block, [0x02, 0x04], [0x06]);
setKinds(index, [0x07, 0x09], [0x0c, 0x0d], [0x18], [0x20, 0x26], [0xd0], [0xd2]);
setKinds(branchTable, [0x0e]);
setKinds(select, [0x1c]);
setKinds(load, [0x28, 0x35]);
setKinds(store, [0x36, 0x3e]);
setKinds(number, [0x41, 0x42]);
setKinds(four, [0x43]);
setKinds(eight, [0x44]);
setKinds(special, [0x10, 0x13], [0x1f], [0x3f, 0x40], [0xfc], [0xfe]);
/// The types of the values that 0x36 to 0x3e store.
const storedTypes = [i32, i64, f32, f64, i32, i32, i64, i64, i64];

const hex = value => '0x' + value.toString(16);

/// Reads a module from its bytes, and refuses to read beyond an end.
class Reader {
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
class Writer {
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

/// Where code of the narrowed module comes from. Pieces that were copied map byte by byte; what was written in the place of
/// an instruction maps to it as a whole.
export class OffsetMap {
  constructor() {
    this.places = [];
    this.originals = [];  // of written pieces: -1 - offset
  }
  addCopy(place, original) { this.places.push(place), this.originals.push(original); }
  addWritten(place, original) { this.places.push(place), this.originals.push(-1 - original); }
  /// Functions that the pass has added come from nowhere.
  addOwn(place) { this.places.push(place), this.originals.push(NaN); }
  append(map, by) {
    for (let k = 0; k < map.places.length; ++k) this.places.push(map.places[k] + by), this.originals.push(map.originals[k]);
  }
  /// The offset in the original's code section (which is what DWARF counts from) of the instruction at an offset of the
  /// narrowed module, or -1.
  original(offset) {
    let low = 0, high = this.places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.places[middle] <= offset) low = middle + 1; else high = middle;
    }
    if (low === 0) return -1;
    const original = this.originals[low - 1];
    if (Number.isNaN(original)) return -1;
    return original < 0 ? -1 - original : original + offset - this.places[low - 1];
  }
}

// ---- sections

const section = {
  custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, start: 8, element: 9, code: 10, data: 11,
  dataCount: 12, tag: 13,
};
/// The order that the standard wants.
const order = [section.type, section.import, section.function, section.table, section.memory, section.tag, section.global,
  section.export, section.start, section.element, section.dataCount, section.code, section.data];

/// What the pass must know of a module before it changes any of it.
class Module {
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
    this.types = [];  // [parameters, results] as texts of types
    this.functions = [];  // the type of each, imported ones first
    this.importedFunctions = 0;
    this.globals = 0;
    this.tables = [];  // whether each has 64-bit indices
    this.memories = [];
    this.exports = new Map();
    this.readTypes();
    this.readImports();
    this.eachOf(section.function, reader => this.functions.push(reader.unsigned()));
    for (const type of this.functions) if (type >= this.types.length) throw new NarrowError('A function has a type that is not there.');
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
      if (kind === 0) this.functions.push(reader.unsigned()), ++this.importedFunctions;
      else if (kind === 1) this.tables.push(readTable(reader).is64);
      else if (kind === 2) this.memories.push(readLimits(reader));
      else if (kind === 3) readType(reader), reader.byte(), ++this.globals;
      else if (kind === 4) reader.byte(), reader.unsigned();
      else reader.fail(`there is an import of an unknown kind (${kind})`);
    });
  }
  typeOf(functionIndex) { return this.types[this.functions[functionIndex]]; }
  /// The index of the exported function that the pass calls, whose type must be this.
  needed(name, parameters) {
    const at = this.exports.get(name);
    const type = at === undefined ? undefined : this.typeOf(at);
    if (!type || type[0].join() !== parameters.join() || type[1].length) throw new NarrowError(`The program has no function ${name} as it must be: link it with libsystem.a.`);
    return at;
  }
}

function readType(reader) {
  const type = reader.byte();
  if (type >= f64 && type <= i32 || type === 0x70 || type === 0x6f || type === 0x69) return type;
  reader.fail(`there is a value of an unknown type (${hex(type)})`);
}
/// The limits of a memory or a table.
function readLimits(reader) {
  const flags = reader.byte();
  if (flags & ~7) reader.fail(`there are limits of an unknown kind (${flags})`);
  const is64 = (flags & 4) !== 0;
  const least = is64 ? reader.unsigned64() : reader.unsigned();
  const most = flags & 1 ? (is64 ? reader.unsigned64() : reader.unsigned()) : undefined;
  return { least, most, isShared: (flags & 2) !== 0, is64 };
}
function readTable(reader) {
  const type = reader.byte();
  if (type !== 0x70 && type !== 0x6f) reader.fail(`there is a table of an unknown type (${hex(type)})`);
  return { type, ...readLimits(reader) };
}
/// Skips a constant expression. Returns the value of one that is a single constant of 64 bits.
function readConstant(reader) {
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

// ---- the pass

class Narrower {
  constructor(bytes, { checks = true, ticks = 1 << 20, maximumPages = 65536 }) {
    this.bytes = bytes;
    this.module = new Module(bytes);
    this.checks = checks;
    this.ticks = ticks;
    this.maximumPages = maximumPages;
    this.offsets = new OffsetMap();
    this.refuseStrangers();
    this.badAddress = checks ? this.module.needed('bad_address', [i64, i32]) : undefined;
    this.tick = ticks ? this.module.needed('tick', []) : undefined;
    this.fuel = this.module.globals;
    this.added = this.makeAdded();
  }

  refuseStrangers() {
    const { module } = this;
    for (const { name } of module.customs)
      if (name === 'linking' || name.startsWith('reloc.') || name.startsWith('dylink'))
        throw new NarrowError('This module is no linked program.');
    if (module.memories.length !== 1) throw new NarrowError(`The program has ${module.memories.length} memories instead of one.`);
    const [memory] = module.memories;
    if (!memory.is64) throw new NarrowError('The memory of the program has 32-bit addresses already.');
    if (memory.isShared) throw new NarrowError('The memory of the program is shared by threads, which a page cannot run.');
    if (memory.least > this.maximumPages)
      throw new NarrowError(`The variables of the program take ${Math.ceil(memory.least / 16)} MB, and it may have ${Math.floor(this.maximumPages / 16)} MB.`);
  }

  run() {
    const out = new Writer(this.bytes.length * 2 + 4096);
    this.out = out;
    out.copy(this.bytes, 0, 8);
    this.putCustoms(-1);
    const { sections } = this.module;
    for (let place = 0; place < order.length; ++place) {
      const id = order[place];
      const isNew = id === section.global && this.ticks && !sections.has(id);
      if (sections.has(id)) this.putSection(id, writer => this.rewriteSection(id, this.module.sectionReader(id), writer));
      else if (isNew) this.putSection(id, writer => (writer.unsigned(1), this.putFuel(writer)));
      this.putCustoms(place);
    }
    return { bytes: out.finished(), offsets: this.offsets, codeBegin: sections.get(section.code)?.at ?? 0 };
  }

  /// The custom sections that stand behind a section of the original.
  putCustoms(place) {
    for (const { name, part, after } of this.module.customs) {
      if (after !== place || name.startsWith('.debug') || name === 'producers' || name === 'target_features') continue;
      this.out.byte(section.custom);
      this.out.unsigned(part.end - part.at);
      this.out.copy(this.bytes, part.at, part.end);
    }
  }
  putSection(id, write) {
    const writer = new Writer(id === section.code ? this.bytes.length * 2 : 4096);
    write(writer);
    this.out.byte(id);
    this.out.unsigned(writer.size);
    if (id === section.code) this.offsets.append(this.codeOffsets, this.out.size);
    this.out.append(writer);
  }

  rewriteSection(id, reader, writer) {
    switch (id) {
      case section.type: return this.rewriteList(reader, writer, this.added.types.length, () => this.putAddedTypes(writer));
      case section.import: return this.rewriteImports(reader, writer);
      case section.function: return this.rewriteList(reader, writer, this.added.functions.length, () => this.putAddedFunctions(writer));
      case section.table: return this.each(reader, writer, () => putTable(writer, readTable(reader)));
      case section.memory: return this.each(reader, writer, () => this.putMemory(writer, readLimits(reader)));
      case section.global: return this.rewriteList(reader, writer, this.ticks ? 1 : 0, () => this.putFuel(writer));
      case section.element: return this.each(reader, writer, () => this.rewriteElements(reader, writer));
      case section.data: return this.each(reader, writer, () => this.rewriteData(reader, writer));
      case section.code: return this.rewriteCode(reader, writer);
      default: return writer.copy(this.bytes, reader.at, reader.end);
    }
  }
  each(reader, writer, rewrite) {
    const count = reader.count();
    writer.unsigned(count);
    for (let k = 0; k < count; ++k) rewrite();
    if (!reader.isAtEnd) reader.fail('a section has more bytes than it says');
  }
  /// A list as it is, with more at its end.
  rewriteList(reader, writer, more, putMore) {
    writer.unsigned(reader.count() + more);
    writer.copy(this.bytes, reader.at, reader.end);
    if (more) putMore();
  }
  rewriteImports(reader, writer) {
    this.each(reader, writer, () => {
      const from = reader.at;
      reader.text();
      reader.text();
      const kind = reader.byte();
      writer.copy(this.bytes, from, reader.at);
      const rest = reader.at;
      if (kind === 1) return putTable(writer, readTable(reader));
      if (kind === 2) return this.putMemory(writer, readLimits(reader));
      if (kind === 0) reader.unsigned();
      else if (kind === 3) readType(reader), reader.byte();
      else reader.byte(), reader.unsigned();
      writer.copy(this.bytes, rest, reader.at);
    });
  }
  putMemory(writer, { least }) {
    writer.byte(1);
    writer.unsigned(least);
    writer.unsigned(this.maximumPages);
  }
  putFuel(writer) {
    writer.put(i32, 1, op.i32Const);
    writer.signed(this.ticks);
    writer.byte(op.end);
  }

  /// The offset of a segment, which was a constant of 64 bits where the table or memory had 64-bit indices.
  rewriteOffset(reader, writer, is64) {
    const from = reader.at;
    const value = readConstant(reader);
    if (!is64) return writer.copy(this.bytes, from, reader.at);
    if (value === undefined || value < 0n || value >= BigInt(fourGigabytes)) reader.fail('a segment begins nowhere in 4 GB');
    writer.byte(op.i32Const);
    writer.signed(Number(BigInt.asIntN(32, value)));
    writer.byte(op.end);
  }
  rewriteElements(reader, writer) {
    const flags = reader.unsigned();
    if (flags > 7) reader.fail(`there is an element segment of an unknown kind (${flags})`);
    writer.unsigned(flags);
    const isActive = !(flags & 1), hasTable = isActive && flags & 2, hasExpressions = flags & 4;
    const table = hasTable ? reader.unsigned() : 0;
    if (hasTable) writer.unsigned(table);
    if (isActive) {
      if (table >= this.module.tables.length) reader.fail('there is an element segment for a table that is not there');
      this.rewriteOffset(reader, writer, this.module.tables[table]);
    }
    const from = reader.at;
    if (flags & 3) reader.byte();
    for (let k = reader.count(); k > 0; --k) if (hasExpressions) readConstant(reader); else reader.unsigned();
    writer.copy(this.bytes, from, reader.at);
  }
  rewriteData(reader, writer) {
    const flags = reader.unsigned();
    if (flags > 2) reader.fail(`there is a data segment of an unknown kind (${flags})`);
    writer.unsigned(flags);
    if (flags === 2) {
      if (reader.unsigned() !== 0) reader.fail('there is a data segment for a memory that is not there');
      writer.unsigned(0);
    }
    if (flags !== 1) this.rewriteOffset(reader, writer, true);
    const from = reader.at;
    reader.skip(reader.unsigned());
    writer.copy(this.bytes, from, reader.at);
  }

  rewriteCode(reader, writer) {
    const { module } = this;
    const defined = module.functions.length - module.importedFunctions;
    const count = reader.count();
    if (count !== defined) reader.fail(`there are ${count} functions, and types for ${defined}`);
    const codeBegin = module.sections.get(section.code).at;
    this.codeOffsets = new OffsetMap();
    writer.unsigned(count + this.added.functions.length);
    const rewriter = new FunctionRewriter(this, codeBegin);
    for (let k = 0; k < count; ++k) {
      const body = reader.part(reader.unsigned());
      const rewritten = rewriter.rewrite(module.importedFunctions + k, body);
      writer.unsigned(rewritten.size);
      this.codeOffsets.append(rewriter.offsets, writer.size);
      writer.append(rewritten);
    }
    if (!reader.isAtEnd) reader.fail('a section has more bytes than it says');
    for (const { body } of this.added.functions) {
      const bytes = new Writer(64);
      body(bytes);
      writer.unsigned(bytes.size);
      this.codeOffsets.addOwn(writer.size);
      writer.append(bytes);
    }
    this.codeOffsets.addOwn(writer.size);
  }

  // ---- functions that are added. Types and functions have the indices behind the module's own.

  makeAdded() {
    const types = [[[i64, i64, i64], []], [[i64, i32, i64], []], [[i64, i64], []], [[i64], [i64]], [[], []]];
    const [threeLongs, fillType, twoLongs, oneLong, noValues] = types.map((_, k) => this.module.types.length + k);
    const functions = [];
    const first = this.module.functions.length;
    const add = (name, type, body) => { functions.push({ type, body }), this[name] = first + functions.length - 1; };
    add('checkWrite', twoLongs, writer => this.putRangeCheck(writer, 1));
    add('checkRead', twoLongs, writer => this.putRangeCheck(writer, 0));
    add('refuel', noValues, writer => this.putRefuel(writer));
    add('spend', oneLong, writer => this.putSpend(writer));
    add('copy', threeLongs, writer => this.putCopy(writer));
    add('fill', fillType, writer => this.putFill(writer));
    add('grow', oneLong, writer => this.putGrow(writer));
    return { types, functions };
  }
  putAddedTypes(writer) {
    for (const [parameters, results] of this.added.types) {
      writer.byte(0x60);
      for (const list of [parameters, results]) writer.unsigned(list.length), writer.put(...list);
    }
  }
  putAddedFunctions(writer) { for (const { type } of this.added.functions) writer.unsigned(type); }

  /// (address, size): size bytes from there are the program's.
  putRangeCheck(writer, writes) {
    const size = 1;
    writer.byte(0);
    writer.put(op.localGet, size, op.i64Eqz, op.if, emptyBlock, op.return, op.end);
    // beyond 4 GB in all, or an address that is null or too high for the size
    writer.put(op.localGet, 0, op.i64Const);
    writer.signed(nullPageBytes);
    writer.put(op.i64Sub, op.i64Const);
    writer.signed(fourGigabytes - nullPageBytes);
    writer.put(op.localGet, size, op.i64Sub, op.i64GtU);
    writer.put(op.localGet, size, op.i64Const);
    writer.signed(fourGigabytes - nullPageBytes);
    writer.put(op.i64GtU, op.i32Or, op.if, emptyBlock);
    if (this.checks) {
      writer.put(op.localGet, 0, op.i32Const, writes, op.call);
      writer.unsigned(this.badAddress);
    }
    writer.put(op.unreachable, op.end, op.end);
  }
  putRefuel(writer) {
    writer.byte(0);
    if (this.ticks) {
      writer.byte(op.i32Const);
      writer.signed(this.ticks);
      writer.byte(op.globalSet);
      writer.unsigned(this.fuel);
      writer.byte(op.call);
      writer.unsigned(this.tick);
    }
    writer.byte(op.end);
  }
  /// (size) returns size: moving 64 bytes takes as much fuel as a round of a loop.
  putSpend(writer) {
    writer.byte(0);
    if (this.ticks) {
      writer.byte(op.globalGet);
      writer.unsigned(this.fuel);
      writer.put(op.localGet, 0, op.i64Const, 6, op.i64ShrU, op.i32WrapI64, op.i32Sub, op.globalSet);
      writer.unsigned(this.fuel);
      writer.byte(op.globalGet);
      writer.unsigned(this.fuel);
      writer.put(op.i32Const, 0, op.i32LeS, op.if, emptyBlock, op.call);
      writer.unsigned(this.refuel);
      writer.byte(op.end);
    }
    writer.put(op.localGet, 0, op.end);
  }
  putCopy(writer) {
    writer.byte(0);
    for (const [place, check] of [[0, this.checkWrite], [1, this.checkRead]]) {
      writer.put(op.localGet, place, op.localGet, 2, op.call);
      writer.unsigned(check);
    }
    writer.put(op.localGet, 0, op.i32WrapI64, op.localGet, 1, op.i32WrapI64, op.localGet, 2, op.call);
    writer.unsigned(this.spend);
    writer.put(op.i32WrapI64, op.bulk, 10, 0, 0, op.end);
  }
  putFill(writer) {
    writer.byte(0);
    writer.put(op.localGet, 0, op.localGet, 2, op.call);
    writer.unsigned(this.checkWrite);
    writer.put(op.localGet, 0, op.i32WrapI64, op.localGet, 1, op.localGet, 2, op.call);
    writer.unsigned(this.spend);
    writer.put(op.i32WrapI64, op.bulk, 11, 0, op.end);
  }
  /// (pages): more than there are in 4 GB are too many.
  putGrow(writer) {
    writer.byte(0);
    writer.put(op.localGet, 0, op.i64Const);
    writer.signed(65536);
    writer.put(op.i64GtU, op.if, i64, op.i64Const);
    writer.signed(-1);
    writer.put(op.else, op.localGet, 0, op.i32WrapI64, op.memoryGrow, 0, op.i64ExtendI32S, op.end, op.end);
  }
}

function putTable(writer, { type, least, most }) {
  if (least >= fourGigabytes || most >= fourGigabytes && most !== undefined) most = undefined;
  if (least >= fourGigabytes) throw new NarrowError('The program has a table of more than 4 G functions.');
  writer.put(type, most === undefined ? 0 : 1);
  writer.unsigned(least);
  if (most !== undefined) writer.unsigned(most);
}

/// Rewrites the body of one function after the other.
class FunctionRewriter {
  constructor(narrower, codeBegin) {
    this.narrower = narrower;
    this.module = narrower.module;
    this.bytes = narrower.bytes;
    this.codeBegin = codeBegin;
  }

  /// Returns the new body. `offsets` then says where its parts come from.
  rewrite(functionIndex, reader) {
    this.functionIndex = functionIndex;
    this.reader = reader;
    this.code = new Writer(2 * (reader.end - reader.at) + 64);
    this.codeOffsets = new OffsetMap();
    const head = new Writer(32);
    this.locals = this.module.typeOf(functionIndex)[0].length;
    const groups = reader.count();
    const from = reader.at;
    for (let k = 0; k < groups; ++k) {
      this.locals += reader.unsigned();
      readType(reader);
    }
    if (this.locals > 50000) reader.fail('a function has more variables than an engine takes');
    const to = reader.at;
    this.temporaries = [];  // the types of locals that are added
    this.temporaryOf = new Map();
    this.instructions();
    head.unsigned(groups + this.temporaries.length);
    head.copy(this.bytes, from, to);
    for (const type of this.temporaries) head.put(1, type);
    this.offsets = new OffsetMap();
    this.offsets.append(this.codeOffsets, head.size);
    head.append(this.code);
    return head;
  }

  /// The index of an added local; `which` tells those of one type apart.
  temporary(type, which = 0) {
    const key = type * 4 + which;
    let at = this.temporaryOf.get(key);
    if (at === undefined) {
      at = this.locals + this.temporaries.length;
      this.temporaries.push(type);
      this.temporaryOf.set(key, at);
    }
    return at;
  }

  instructions() {
    const { reader, bytes } = this;
    let depth = 0;
    this.copied = reader.at;  // from here on nothing is in the new code yet
    let constant;  // the value that the instruction before put on the stack, where that was an i64.const
    while (reader.at < reader.end) {
      const at = reader.at;
      const opcode = bytes[reader.at++];
      let next;
      switch (kinds[opcode]) {
        case nothing:
          if (opcode === op.end && --depth < 0 && reader.at !== reader.end) reader.fail('a function goes on behind its end');
          break;
        case block:
          ++depth;
          reader.skipNumber();
          if (opcode === op.loop) this.count(at);
          break;
        case index:
          reader.unsigned();
          if (opcode === op.delegate) --depth;
          if ((opcode === 0x25 || opcode === 0x26) && this.module.tables.some(is64 => is64)) this.refuse(at, opcode);
          break;
        case branchTable:
          for (let k = reader.count() + 1; k > 0; --k) reader.unsigned();
          break;
        case select:
          for (let k = reader.count(); k > 0; --k) readType(reader);
          break;
        case number:
          if (opcode === op.i64Const) {
            // most are small: only those matter
            if (bytes[reader.at] < 128) next = (bytes[reader.at++] << 25) >> 25;
            else next = Number(reader.signed64());
          } else reader.skipNumber();
          break;
        case four: reader.skip(4); break;
        case eight: reader.skip(8); break;
        case load: this.access(at, [opcode], [], 0, constant); break;
        case store: this.access(at, [opcode], [storedTypes[opcode - 0x36]], 1); break;
        case special:
          if (opcode === op.tryTable) ++depth;
          this.special(at, opcode);
          break;
        default: this.refuse(at, opcode);
      }
      constant = next;
    }
    if (depth !== -1) reader.fail('a function has no end');
    this.flush(reader.end);
  }
  refuse(at, opcode, second) {
    const name = hex(opcode) + (second === undefined ? '' : ' ' + hex(second));
    throw new NarrowError(`The program uses an instruction of WebAssembly that is not known here (${name}, at offset ${at}).`);
  }

  // ---- writing: copied pieces, and what stands in the place of an instruction

  /// Copies what was read up to `to`.
  flush(to) {
    if (to === this.copied) return;
    this.codeOffsets.addCopy(this.code.size, this.copied - this.codeBegin);
    this.code.copy(this.bytes, this.copied, to);
    this.copied = to;
  }
  /// What is written from now on stands in the place of the instruction at `at`, which has been read.
  replace(at) {
    this.flush(at);
    this.copied = this.reader.at;
    this.codeOffsets.addWritten(this.code.size, at - this.codeBegin);
  }
  /// What is written from now on stands behind the instruction at `at`, which is copied.
  addBehind(at) {
    this.flush(this.reader.at);
    this.codeOffsets.addWritten(this.code.size, at - this.codeBegin);
  }
  local(opcode, at) {
    this.code.byte(opcode);
    this.code.unsigned(at);
  }
  longConstant(value) {
    this.code.byte(op.i64Const);
    this.code.signed(value);
  }
  call(at) {
    this.code.byte(op.call);
    this.code.unsigned(at);
  }

  // ---- instructions that change

  /// A load, store or atomic access; `operands` are the types of the values above the address.
  access(at, opcodes, operands, writes, constant) {
    const { reader, code } = this;
    const alignment = reader.unsigned();
    if (alignment >= 32) reader.fail('an access is of a memory that is not there');
    let offset = reader.unsigned64();
    this.replace(at);
    const saved = operands.map((type, k) => this.temporary(type, k));
    for (let k = saved.length - 1; k >= 0; --k) this.local(op.localSet, saved[k]);
    if (offset >= fourGigabytes) {
      if (offset > Number.MAX_SAFE_INTEGER) reader.fail('an access is nowhere in 4 GB');
      this.longConstant(offset);  // no address is in 4 GB with it
      code.byte(op.i64Or);
      offset = 0;
    }
    const isKnown = constant !== undefined && constant >= 0 && constant + offset >= nullPageBytes && constant + offset < fourGigabytes;
    this.address(offset, writes, isKnown);
    for (const each of saved) this.local(op.localGet, each);
    code.put(...opcodes);
    code.unsigned(alignment);
    code.unsigned(offset);
  }
  /// The address on the stack becomes one of 32 bits, if it and the offset are in what a program may touch.
  address(offset, writes, isKnown) {
    const { code } = this;
    if (this.narrower.checks && !isKnown) {
      const address = this.temporary(i64, 3);
      this.local(op.localTee, address);
      this.longConstant(nullPageBytes - offset);
      code.byte(op.i64Sub);
      this.longConstant(fourGigabytes - 1 - nullPageBytes);
      code.put(op.i64GtU, op.if, emptyBlock);
      this.local(op.localGet, address);
      if (offset) this.longConstant(offset), code.byte(op.i64Add);
      code.put(op.i32Const, writes);
      this.call(this.narrower.badAddress);
      code.put(op.unreachable, op.end);
      this.local(op.localGet, address);
    }
    code.byte(op.i32WrapI64);
  }
  /// One round of a loop, or one call.
  count(at) {
    if (!this.narrower.ticks) return;
    this.addBehind(at);
    this.putCount();
  }
  putCount() {
    const { code } = this, { fuel } = this.narrower;
    this.local(op.globalGet, fuel);
    code.put(op.i32Const, 1, op.i32Sub);
    this.local(op.globalSet, fuel);
    this.local(op.globalGet, fuel);
    code.put(op.i32Eqz, op.if, emptyBlock);
    this.call(this.narrower.refuel);
    code.byte(op.end);
  }

  special(at, opcode) {
    const { reader, code, module } = this;
    switch (opcode) {
      case op.call: case op.returnCall: {
        const callee = reader.unsigned();
        if (callee >= module.functions.length) reader.fail('a function that is not there is called');
        // each circle of calls has one that does not go forward
        if (!this.narrower.ticks || callee > this.functionIndex || callee < module.importedFunctions) return;
        this.replace(at);
        this.putCount();
        code.copy(this.bytes, at, reader.at);
        return;
      }
      case op.callIndirect: case op.returnCallIndirect: return this.callIndirect(at);
      case op.tryTable: return this.tryTable();
      case op.memorySize:
        this.onlyMemory();
        this.addBehind(at);
        code.byte(op.i64ExtendI32U);
        return;
      case op.memoryGrow:
        this.onlyMemory();
        this.replace(at);
        this.call(this.narrower.grow);
        return;
      case op.bulk: return this.bulk(at);
      case op.atomic: return this.atomic(at);
    }
  }
  onlyMemory() { if (this.reader.byte() !== 0) this.reader.fail('an access is of a memory that is not there'); }
  callIndirect(at) {
    const { reader, code } = this;
    reader.unsigned();
    const table = reader.unsigned();
    if (table >= this.module.tables.length) reader.fail('a function of a table that is not there is called');
    this.replace(at);
    const is64 = this.module.tables[table];
    if (this.narrower.ticks) this.putCount();
    if (this.narrower.checks) this.checkFunction(is64);
    if (is64) code.byte(op.i32WrapI64);
    code.copy(this.bytes, at, reader.at);
  }
  /// The pointer to a function on the stack is not null, and is below 4 GB.
  checkFunction(is64) {
    const { code } = this;
    const pointer = this.temporary(is64 ? i64 : i32, 3);
    this.local(op.localTee, pointer);
    if (is64) {
      this.longConstant(1);
      code.byte(op.i64Sub);
      this.longConstant(fourGigabytes - 2);
      code.byte(op.i64GtU);
    } else code.byte(op.i32Eqz);
    code.put(op.if, emptyBlock);
    this.local(op.localGet, pointer);
    if (!is64) code.byte(op.i64ExtendI32U);
    code.put(op.i32Const, 0);
    this.call(this.narrower.badAddress);
    code.put(op.unreachable, op.end);
    this.local(op.localGet, pointer);
  }
  tryTable() {
    const { reader } = this;
    reader.skipNumber();
    for (let k = reader.count(); k > 0; --k) {
      const kind = reader.byte();
      if (kind > 3) reader.fail(`there is a handler of an unknown kind (${kind})`);
      if (kind < 2) reader.unsigned();
      reader.unsigned();
    }
  }
  bulk(at) {
    const { reader, code } = this;
    const second = reader.unsigned();
    if (second < 8) return;  // conversions
    if (second === 9 || second === 13) return void reader.unsigned();  // data.drop, elem.drop
    if (second === 8) {
      const segment = reader.unsigned();
      this.onlyMemory();
      this.replace(at);
      this.initialize(segment);
    } else if (second === 10 || second === 11) {
      for (let k = second; k < 12; ++k) this.onlyMemory();
      this.replace(at);
      this.call(second === 10 ? this.narrower.copy : this.narrower.fill);
    } else if (second <= 17 && !this.module.tables.some(is64 => is64)) {
      reader.unsigned();
      if (second === 12 || second === 14) reader.unsigned();
    } else this.refuse(at, op.bulk, second);
  }
  /// memory.init: the address is wide, the place in the segment and the size are not.
  initialize(segment) {
    const { code } = this;
    const size = this.temporary(i32, 1), place = this.temporary(i32, 2), address = this.temporary(i64, 3);
    this.local(op.localSet, size);
    this.local(op.localSet, place);
    this.local(op.localTee, address);
    this.local(op.localGet, size);
    code.byte(op.i64ExtendI32U);
    this.call(this.narrower.checkWrite);
    this.local(op.localGet, address);
    code.byte(op.i32WrapI64);
    this.local(op.localGet, place);
    this.local(op.localGet, size);
    code.put(op.bulk, 8);
    code.unsigned(segment);
    code.byte(0);
  }
  atomic(at) {
    const { reader } = this;
    const second = reader.unsigned();
    if (second === 3) return void reader.byte();  // a fence
    // each operation exists for i32, i64, and five narrower widths
    const type = [0, 2, 3].includes((second - 0x10) % 7) ? i32 : i64;
    const opcodes = [op.atomic, second];
    if (second === 0) this.access(at, opcodes, [i32], 0);
    else if (second === 1 || second === 2) this.access(at, opcodes, [second === 1 ? i32 : i64, i64], 0);
    else if (second >= 0x10 && second <= 0x16) this.access(at, opcodes, [], 0);
    else if (second >= 0x17 && second <= 0x47) this.access(at, opcodes, [type], 1);
    else if (second >= 0x48 && second <= 0x4e) this.access(at, opcodes, [type, type], 1);
    else this.refuse(at, op.atomic, second);
  }
}

/// Narrows a module. `checks`: whether addresses are checked (without, they are taken modulo 4 GB). `ticks`: after how many
/// rounds of loops tick() is called; 0: never. `maximumPages`: how many pages of 64 KB the memory may have.
/// Returns the new module's `bytes`, its `offsets` (an OffsetMap), and where the code section's content begins in the original
/// (`codeBegin`). Throws a NarrowError.
export function narrow(bytes, options = {}) { return new Narrower(bytes, options).run(); }
