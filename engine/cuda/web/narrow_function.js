// Narrows the bodies of functions (narrow.js says what changes).
import { OffsetMap } from './offset_map.js';
import { NarrowError, Writer, emptyBlock, f32, f64, fourGigabytes, hex, i32, i64, op } from './wasm_bytes.js';
import { readType } from './wasm_module.js';

export const nullPageBytes = 65536;

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

/// Rewrites the body of one function after the other.
export class FunctionRewriter {
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
    this.previous = undefined;  // the opcode of the instruction before
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
      this.previous = opcode;
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
      if (offset) {
        this.longConstant(offset);
        code.byte(op.i64Add);
      }
      code.put(op.i32Const, writes);
      this.call(this.narrower.badAddress);
      code.byte(op.end);
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
    // clang 16 wraps the index itself, also where wasm-ld 19 then makes a 64-bit table
    const is64 = this.module.tables[table] && this.previous !== op.i32WrapI64;
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
