// Lines of the source by DWARF's .debug_line (versions 4 and 5), as clang writes it for WebAssembly: addresses are offsets in
// the code section. Only what is asked for is read: a table of lines becomes a sorted list on first use.

import { DwarfReader, debugSections } from './dwarf_reader.js';

const form = {
  block2: 0x03, block4: 0x04, data2: 0x05, data4: 0x06, data8: 0x07, string: 0x08, block: 0x09, block1: 0x0a, data1: 0x0b, strp: 0x0e,
  udata: 0x0f, secOffset: 0x17, data16: 0x1e, lineStrp: 0x1f,
};
const content = { path: 1, folder: 2 };
const standard = {
  copy: 1, advancePc: 2, advanceLine: 3, setFile: 4, setColumn: 5, negateStatement: 6, setBasicBlock: 7, constAddPc: 8, fixedAdvancePc: 9,
  setPrologueEnd: 10, setEpilogueBegin: 11, setIsa: 12,
};
const extended = { endSequence: 1, setAddress: 2 };

export class DebugLines {
  /// `bytes`: the linked module, not narrowed. Without line tables, or with broken ones, nothing is found.
  constructor(bytes) {
    this.bytes = bytes;
    this.rows = undefined;
    this.files = new Map();  // of each unit, by the offset of its table
  }
  /// The name of a file by its number in the table of a unit; undefined: there is none.
  fileOf(unit, number) {
    this.rows ??= this.read();
    return this.files.get(unit)?.[number];
  }
  /// { file, line, column } of the instruction at an offset of the code section, or undefined.
  at(offset) {
    this.rows ??= this.read();
    const { rows } = this;
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].address <= offset) low = middle + 1; else high = middle;
    }
    const row = rows[low - 1];
    return row?.file === undefined || row.line === 0 ? undefined : { file: row.file, line: row.line, column: row.column };
  }

  read() {
    const rows = [];
    try {
      this.sections = debugSections(this.bytes);
      const bytes = this.sections.get('.debug_line');
      const reader = bytes && new DwarfReader(bytes);
      while (reader && reader.at < bytes.length) this.readUnit(reader, rows);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;  // a table that ends too early: what was read counts
    }
    return rows.sort((a, b) => a.address - b.address || a.order - b.order);
  }
  readUnit(reader, rows) {
    const unit = reader.at;
    const length = reader.u32();
    const end = reader.at + length;
    const version = reader.u16();
    if (length >= 0xfffffff0 || version < 4 || version > 5) {
      reader.at = end;
      return;
    }
    if (version === 5) reader.at += 2;  // sizes of addresses and segments
    const headerLength = reader.u32();
    const program = reader.at + headerLength;
    const header = { minimumLength: reader.u8() };
    reader.at += 2;  // operations an instruction; whether statements are the default
    header.lineBase = reader.s8();
    header.lineRange = reader.u8();
    header.opcodeBase = reader.u8();
    header.operands = [0];
    for (let k = 1; k < header.opcodeBase; ++k) header.operands.push(reader.u8());
    header.files = version === 5 ? this.files5(reader) : this.files4(reader);
    this.files.set(unit, header.files);
    reader.at = program;
    if (header.lineRange) this.readProgram(reader, end, header, rows);
    reader.at = end;
  }
  files4(reader) {
    const folders = [''], files = [undefined];
    for (let name; (name = reader.text()) !== '';) folders.push(name);
    for (let name; (name = reader.text()) !== '';) {
      const folder = reader.unsigned();
      reader.unsigned();
      reader.unsigned();
      files.push(joined(folders[folder] ?? '', name));
    }
    return files;
  }
  files5(reader) {
    const folders = this.entries5(reader).map(entry => entry.path);
    return this.entries5(reader).map(entry => joined(entry.folder ? folders[entry.folder] ?? '' : '', entry.path));
  }
  entries5(reader) {
    const formats = [];
    for (let k = reader.u8(); k > 0; --k) formats.push([reader.unsigned(), reader.unsigned()]);
    const entries = [];
    for (let k = reader.unsigned(); k > 0; --k) {
      const entry = { path: '', folder: 0 };
      for (const [what, how] of formats) {
        const value = this.value(reader, how);
        if (what === content.path) entry.path = value;
        else if (what === content.folder) entry.folder = value;
      }
      if (formats.length === 0) break;
      entries.push(entry);
    }
    return entries;
  }
  value(reader, how) {
    switch (how) {
      case form.string: return reader.text();
      case form.lineStrp: return this.textOf('.debug_line_str', reader.u32());
      case form.strp: return this.textOf('.debug_str', reader.u32());
      case form.data1: return reader.u8();
      case form.data2: return reader.u16();
      case form.data4: case form.secOffset: return reader.u32();
      case form.data8: return reader.u64();
      case form.udata: return reader.unsigned();
      case form.data16: return void (reader.at += 16);
      case form.block: { const size = reader.unsigned(); return void (reader.at += size); }
      case form.block1: { const size = reader.u8(); return void (reader.at += size); }
      case form.block2: { const size = reader.u16(); return void (reader.at += size); }
      case form.block4: { const size = reader.u32(); return void (reader.at += size); }
      default: throw new RangeError(`an entry has an unknown form ${how}`);
    }
  }
  textOf(section, at) {
    const bytes = this.sections.get(section);
    if (!bytes || at >= bytes.length) throw new RangeError('a text lies nowhere');
    return new DwarfReader(bytes, at).text();
  }

  /// Runs a line program. A sequence whose code the linker left out has an address that no code has.
  readProgram(reader, end, header, rows) {
    const begin = () => ({ address: 0, file: 1, line: 1, column: 0, rows: [] });
    let state = begin();
    const advance = operations => { state.address += operations * header.minimumLength; };
    const emit = isEnd => state.rows.push({ address: state.address, order: rows.length + state.rows.length, line: isEnd ? 0 : state.line, column: state.column,
      file: isEnd ? undefined : header.files[state.file] });
    const finish = () => {
      emit(true);
      if (state.rows[0].address < 2 ** 31 && state.isPlaced) for (const row of state.rows) rows.push(row);
      state = begin();
    };
    while (reader.at < end) {
      const opcode = reader.u8();
      if (opcode >= header.opcodeBase) {
        const adjusted = opcode - header.opcodeBase;
        advance(Math.floor(adjusted / header.lineRange));
        state.line += header.lineBase + adjusted % header.lineRange;
        emit(false);
        continue;
      }
      switch (opcode) {
        case 0: {
          const size = reader.unsigned(), next = reader.at + size, what = reader.u8();
          if (what === extended.endSequence) finish();
          else if (what === extended.setAddress) {
            state.address = size === 5 ? reader.u32() : reader.u64();
            state.isPlaced = state.address > 0;
          }
          reader.at = next;
          break;
        }
        case standard.copy: emit(false); break;
        case standard.advancePc: advance(reader.unsigned()); break;
        case standard.advanceLine: state.line += reader.signed(); break;
        case standard.setFile: state.file = reader.unsigned(); break;
        case standard.setColumn: state.column = reader.unsigned(); break;
        case standard.constAddPc: advance(Math.floor((255 - header.opcodeBase) / header.lineRange)); break;
        case standard.fixedAdvancePc: state.address += reader.u16(); break;
        default: for (let k = header.operands[opcode]; k > 0; --k) reader.unsigned();
      }
    }
  }
}

function joined(folder, name) { return name.startsWith('/') || folder === '' ? name : folder + '/' + name; }
