// Functions by DWARF's .debug_info: which one the code at an offset is of, and which functions are inlined there.
import { DwarfReader, debugSections } from './dwarf_reader.js';

const tag = { inlined: 0x1d, subprogram: 0x2e };
const attribute = {
  name: 0x03, stmtList: 0x10, lowPc: 0x11, highPc: 0x12, abstractOrigin: 0x31, specification: 0x47, ranges: 0x55, callFile: 0x58,
  callLine: 0x59, linkageName: 0x6e,
};
const wanted = new Set(Object.values(attribute));
/// Bytes of the forms that have a fixed size.
const fixed = new Map([[0x01, 8], [0x05, 2], [0x06, 4], [0x07, 8], [0x0b, 1], [0x0c, 1], [0x0e, 4], [0x11, 1], [0x12, 2], [0x13, 4],
  [0x14, 8], [0x17, 4], [0x19, 0], [0x1e, 16], [0x1f, 4], [0x20, 8], [0x21, 0], [0x25, 1], [0x26, 2], [0x27, 3], [0x28, 4], [0x29, 1], [0x2a, 2],
  [0x2b, 3], [0x2c, 4]]);
const form = {
  addr: 0x01, block2: 0x03, block4: 0x04, data2: 0x05, data4: 0x06, data8: 0x07, string: 0x08, block: 0x09, block1: 0x0a, data1: 0x0b,
  sdata: 0x0d, strp: 0x0e, udata: 0x0f, ref4: 0x13, secOffset: 0x17, exprloc: 0x18, implicitConst: 0x21,
};
const rangeKind = { end: 0, offsetPair: 4, baseAddress: 5, startEnd: 6, startLength: 7 };

export class DebugFunctions {
  /// `bytes`: the linked module, not narrowed. Broken information is read as far as it goes.
  constructor(bytes) {
    this.bytes = bytes;
    this.functions = undefined;
  }

  /// The functions at an offset of the code section, those inlined there first: { name, callFile, callLine, unit }. The call's
  /// file and line, where it is inlined, are those of the function that is next in the list; `unit` is the table of the file's number.
  at(offset) {
    this.functions ??= this.read();
    let low = 0, high = this.functions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.functions[middle].low <= offset) low = middle + 1; else high = middle;
    }
    const found = [];
    let inside = this.functions[low - 1];
    for (const holds = each => each.ranges.some(([begin, end]) => begin <= offset && offset < end); inside && holds(inside);
      inside = inside.inlined.find(holds)) found.unshift({ ...inside.call, name: this.nameOf(inside.origin) });
    return found;
  }

  /// The linker's name of a function, or its plain one, by the offset of an entry.
  nameOf(at) {
    for (let k = 0; k < 4 && at !== undefined; ++k) {
      const entry = this.names.get(at);
      if (!entry) break;
      if (entry.name !== undefined) return textOf(this.sections.get('.debug_str'), entry.name);
      at = entry.next;
    }
    return '';
  }

  read() {
    const functions = [];
    this.names = new Map();  // of subprograms, by their entries: { name, next }
    try {
      this.sections = debugSections(this.bytes);
      const info = this.sections.get('.debug_info');
      if (!info || !this.sections.get('.debug_abbrev')) return functions;
      const reader = new DwarfReader(info);
      while (reader.at < info.length) this.readUnit(reader, functions);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;  // a table that ends too early: what was read counts
    }
    return functions.sort((a, b) => a.low - b.low);
  }

  readUnit(reader, functions) {
    const begin = reader.at, length = reader.u32(), end = reader.at + length, version = reader.u16();
    if (length >= 0xfffffff0 || version < 4 || version > 5) {
      reader.at = end;
      return;
    }
    if (version === 5) reader.at += 2;  // the unit's kind and the size of addresses
    const unit = { begin, version, base: 0, table: undefined };
    const abbreviations = this.abbreviations(reader.u32());
    if (version === 4) reader.at += 1;
    const open = [];  // the functions that the entry at hand lies in; undefined for other entries
    for (let isFirst = true; reader.at < end; isFirst = false) {
      const at = reader.at, code = reader.unsigned();
      if (code === 0) {
        open.pop();
        if (!open.length) break;
        continue;
      }
      const kind = abbreviations.get(code);
      if (!kind) throw new RangeError('an entry is of no kind');
      let made;
      if (isFirst || kind.tag === tag.subprogram || kind.tag === tag.inlined) made = this.readEntry(reader, kind, unit, at, isFirst);
      else this.skip(reader, kind);
      if (made) {
        const outer = kind.tag === tag.inlined ? open.findLast(each => each) : undefined;
        if (outer) outer.inlined.push(made); else functions.push(made);
      }
      if (kind.hasChildren) open.push(made);
      if (isFirst && !kind.hasChildren) break;
    }
    reader.at = end;
  }

  /// A function with code; undefined: it has none.
  readEntry(reader, kind, unit, at, isUnit) {
    const values = new Map();
    for (const { name, how, value } of kind.attributes) {
      if (wanted.has(name)) values.set(name, this.value(reader, how, value)); else this.skipForm(reader, how);
    }
    const low = values.get(attribute.lowPc);
    if (isUnit) {
      unit.base = low ?? 0;
      unit.table = values.get(attribute.stmtList);
      return undefined;
    }
    const reference = values.get(attribute.abstractOrigin) ?? values.get(attribute.specification);
    const next = reference === undefined ? undefined : unit.begin + reference;
    if (kind.tag === tag.subprogram) this.names.set(at, { name: values.get(attribute.linkageName) ?? values.get(attribute.name), next });
    const high = values.get(attribute.highPc);
    const ranges = values.has(attribute.ranges) ? this.ranges(values.get(attribute.ranges), unit) : low && high ? [[low, low + high]] : [];
    if (!ranges.length) return undefined;
    return { low: Math.min(...ranges.map(([begin]) => begin)), ranges, inlined: [], origin: kind.tag === tag.subprogram ? at : next,
      call: { callFile: values.get(attribute.callFile), callLine: values.get(attribute.callLine), unit: unit.table } };
  }

  ranges(at, { version, base }) {
    const all = [];
    const reader = new DwarfReader(this.sections.get(version === 5 ? '.debug_rnglists' : '.debug_ranges') ?? new Uint8Array(), at);
    for (;;) {
      let begin, end;
      if (version === 4) {
        [begin, end] = [reader.u64(), reader.u64()];
        if (begin === 0 && end === 0) return all;
        if (begin >= 2 ** 63) { base = end; continue; }
        [begin, end] = [begin + base, end + base];
      } else {
        const kind = reader.u8();
        if (kind === rangeKind.end) return all;
        if (kind === rangeKind.baseAddress) { base = reader.u64(); continue; }
        if (kind === rangeKind.offsetPair) [begin, end] = [base + reader.unsigned(), base + reader.unsigned()];
        else if (kind === rangeKind.startEnd) [begin, end] = [reader.u64(), reader.u64()];
        else if (kind === rangeKind.startLength) { begin = reader.u64(); end = begin + reader.unsigned(); } else throw new RangeError('a range is of an unknown kind');
      }
      if (begin < end) all.push([begin, end]);
    }
  }

  /// The kinds of entries of a table: tag, hasChildren, attributes, and their size where it is the same for all (or undefined).
  abbreviations(at) {
    const reader = new DwarfReader(this.sections.get('.debug_abbrev'), at);
    const kinds = new Map();
    for (let code; (code = reader.unsigned());) {
      const kind = { tag: reader.unsigned(), hasChildren: reader.u8() !== 0, attributes: [], size: 0 };
      for (;;) {
        const name = reader.unsigned(), how = reader.unsigned();
        const value = how === form.implicitConst ? reader.signed() : undefined;
        if (name === 0 && how === 0) break;
        kind.attributes.push({ name, how, value });
        kind.size = kind.size === undefined || !fixed.has(how) ? undefined : kind.size + fixed.get(how);
      }
      kinds.set(code, kind);
    }
    return kinds;
  }
  skip(reader, kind) {
    if (kind.size !== undefined) reader.at += kind.size;
    else for (const { how } of kind.attributes) this.skipForm(reader, how);
  }
  skipForm(reader, how) {
    if (fixed.has(how)) reader.at += fixed.get(how);
    else if (how === form.string) reader.text();
    else if (how === form.exprloc || how === form.block) { const size = reader.unsigned(); reader.at += size; }
    else if (how === form.block1) { const size = reader.u8(); reader.at += size; }
    else if (how === form.block2) { const size = reader.u16(); reader.at += size; }
    else if (how === form.block4) { const size = reader.u32(); reader.at += size; }
    else reader.unsigned();
  }
  value(reader, how, value) {
    switch (how) {
      case form.addr: case form.data8: return reader.u64();
      case form.data1: return reader.u8();
      case form.data2: return reader.u16();
      case form.data4: case form.strp: case form.ref4: case form.secOffset: return reader.u32();
      case form.udata: return reader.unsigned();
      case form.sdata: return reader.signed();
      case form.implicitConst: return value;
      default: this.skipForm(reader, how);
    }
  }
}

/// The text at an offset of a section; '' where there is none.
function textOf(section, at) {
  try {
    return section ? new DwarfReader(section, at).text() : '';
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}
