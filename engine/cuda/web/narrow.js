// narrow(): a WebAssembly module for a 64-bit memory becomes one for a 32-bit memory, which every browser runs.
//
// Users' programs are compiled for wasm64, because long, size_t and pointers have 64 bits on every platform of CUDA. Few
// browsers have 64-bit memories, and no program here needs more than 4 GB. What changes:
//
//   memories, tables        have 32-bit limits; a memory's maximum is `maximumPages`
//   loads and stores        keep their instruction; the 64-bit address is checked, then wrapped to 32 bits. The check calls the
//                           program's export bad_address(address, writes) for the first 64 KB (null pointers, and the far
//                           end of the stack) and from 4 GB on (pointers of the device have bits there). Where that returns,
//                           the access is right: memory of host and device has marked addresses
//   memory.copy, .fill,     become calls of functions that are added behind the module's own; these check whole ranges
//   .init, .grow            (and nothing where there are no bytes: memcpy(nullptr, nullptr, 0) is harmless natively)
//   call_indirect           a null pointer, and one beyond 4 GB, is a bad address
//   loops, and calls that   count down a global. At zero the program's export tick() is called, which traps when the
//   may be recursive        program's time is over: those to a function that is not behind the caller, and indirect ones
//   offsets of segments     become 32-bit constants
//   .debug_*, producers,    are left out. Line numbers and names are read from the original, by its offsets (`OffsetMap`)
//   target_features, name
//
// No index of a function, type, global or local changes: what is added has the indices behind them. Whatever the pass does
// not know it refuses with a NarrowError, whose message is a sentence. It does not check types: the engine that compiles the
// result does.
import { FunctionRewriter, nullPageBytes } from './narrow_function.js';
import { message } from './message.js';
import { OffsetMap } from './offset_map.js';
import { NarrowError, Reader, Writer, emptyBlock, fourGigabytes, i32, i64, op } from './wasm_bytes.js';
import { Module, order, readConstant, readLimits, readTable, readType, section } from './wasm_module.js';

export { NarrowError, OffsetMap };

const leftOut = new Set(['producers', 'target_features', 'name']);

class Narrower {
  constructor(bytes, { checks = true, ticks = 1 << 20, maximumPages = 65536, exported = {} }) {
    this.bytes = bytes;
    this.module = new Module(bytes);
    this.checks = checks;
    this.ticks = ticks;
    this.maximumPages = maximumPages;
    this.exported = Object.entries(exported);
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
      throw new NarrowError(message('The variables of the program take {} MB, and it may have {} MB.', Math.ceil(memory.least / 16), Math.floor(this.maximumPages / 16)));
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
      else if (isNew) this.putSection(id, writer => this.rewriteList(new Reader(new Uint8Array(1)), writer, 1, () => this.putFuel(writer)));
      this.putCustoms(place);
    }
    return { bytes: out.finished(), offsets: this.offsets, codeBegin: sections.get(section.code)?.at ?? 0 };
  }

  /// The custom sections that stand behind a section of the original.
  putCustoms(place) {
    for (const { name, part, after } of this.module.customs) {
      if (after !== place || name.startsWith('.debug') || leftOut.has(name)) continue;
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
      case section.export: return this.rewriteList(reader, writer, this.exported.length, () => this.putExports(writer));
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
    writer.copy(reader.bytes, reader.at, reader.end);
    if (more) putMore();
  }
  putExports(writer) {
    for (const [name, index] of this.exported) {
      writer.text(name);
      writer.byte(0);
      writer.unsigned(index);
    }
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
      if (kind === 3) readType(reader);
      if (kind >= 3) reader.byte();  // whether a global changes; what a tag is for
      if (kind !== 3) reader.unsigned();
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
    const add = (name, type, body) => {
      this[name] = first + functions.length;
      functions.push({ type, body });
    };
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
      for (const list of [parameters, results]) {
        writer.unsigned(list.length);
        writer.put(...list);
      }
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
    } else writer.byte(op.unreachable);
    writer.put(op.end, op.end);
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
  if (least >= fourGigabytes) throw new NarrowError('The program has a table of more than 2^32 functions.');
  const hasMost = most !== undefined && most < fourGigabytes;
  writer.put(type, hasMost ? 1 : 0);
  writer.unsigned(least);
  if (hasMost) writer.unsigned(most);
}

/// Narrows a module. `checks`: whether addresses are checked (without, they are taken modulo 4 GB). `ticks`: after how many
/// rounds of loops tick() is called; 0: never. `maximumPages`: how many pages of 64 KB the memory may have. `exported`: indices
/// of functions that are exported beside the module's own exports, by name.
/// Returns the new module's `bytes`, its `offsets` (an OffsetMap), and where the code section's content begins in the original
/// (`codeBegin`). Throws a NarrowError.
export function narrow(bytes, options = {}) { return new Narrower(bytes, options).run(); }
