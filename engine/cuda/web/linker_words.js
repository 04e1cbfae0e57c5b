// What a link lacks, in the words of a native linker: wasm-ld names the object that a symbol is undefined in, and no line.
// The lines follow from the object's relocations and its line table.
import { DebugLines } from './debug_lines.js';
import { Reader } from './wasm_bytes.js';
import { Module, section } from './wasm_module.js';

const symbolTable = 8;  // a part of the section "linking"
const symbolKind = { function: 0, data: 1, global: 2, section: 3, tag: 4, table: 5 };
const isUndefined = 0x10, hasExplicitName = 0x40;
// Relocations whose symbol is the code's own matter: those that say where a type stands have none.
const typeRelocation = 6;
const withAddend = new Set([3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 25]);

/// An object's symbols by their number: { name, kind, index, isDefined }. Imported functions are named by their imports.
function symbols(module) {
  const part = module.customs.find(custom => custom.name === 'linking')?.part;
  if (!part) return [];
  const reader = new Reader(module.bytes, part.at, part.end);
  reader.text();
  reader.unsigned();  // the version
  while (!reader.isAtEnd) {
    const kind = reader.byte(), body = reader.part(reader.unsigned());
    if (kind === symbolTable) return readSymbols(body, importedNames(module));
  }
  return [];
}
function importedNames(module) {
  const names = [];
  module.eachOf(section.import, reader => {
    reader.text();
    const name = reader.text(), kind = reader.byte();
    if (kind === 0) {
      reader.unsigned();
      names.push(name);
    } else skipImport(reader, kind);
  });
  return names;
}
function skipImport(reader, kind) {
  if (kind === 3) reader.skip(2);
  else if (kind === 4) {
    reader.byte();
    reader.unsigned();
  } else {
    if (kind === 1) reader.byte();
    const flags = reader.byte();
    reader.unsigned64();
    if (flags & 1) reader.unsigned64();
  }
}
function readSymbols(reader, imported) {
  const all = [];
  for (let k = reader.count(); k > 0; --k) {
    const kind = reader.byte(), flags = reader.unsigned(), isDefined = !(flags & isUndefined);
    const symbol = { name: '', kind, index: -1, isDefined };
    if (kind === symbolKind.data) {
      symbol.name = reader.text();
      if (isDefined) for (let j = 0; j < 3; ++j) reader.unsigned64();
    } else {
      symbol.index = reader.unsigned();
      if (kind !== symbolKind.section && (isDefined || flags & hasExplicitName)) symbol.name = reader.text();
      else if (kind === symbolKind.function) symbol.name = imported[symbol.index] ?? '';
    }
    all.push(symbol);
  }
  return all;
}

/// An object of a link, and where its symbols are used and defined.
class LinkedObject {
  constructor(bytes) {
    this.module = new Module(bytes);
    this.symbols = symbols(this.module);
    this.lines = new DebugLines(bytes);
  }
  placeAt(offset) {
    const line = this.lines.at(offset);
    return line && `${line.file}:${line.line}`;
  }
  /// Where the object refers to a symbol, in order: [{ offset, place }] for code; data comes last and has no place.
  referencesTo(name) {
    const code = this.relocations('reloc.CODE', name).map(offset => ({ offset, place: this.placeAt(offset) }));
    return this.relocations('reloc.DATA', name).length ? [...code, { offset: Infinity, place: undefined }] : code;
  }
  relocations(section, name) {
    const part = this.module.customs.find(custom => custom.name === section)?.part, offsets = [];
    if (!part) return offsets;
    const reader = new Reader(this.module.bytes, part.at, part.end);
    reader.text();
    reader.unsigned();  // the section's number
    for (let k = reader.count(); k > 0; --k) {
      const kind = reader.byte(), offset = reader.unsigned(), index = reader.unsigned();
      if (withAddend.has(kind)) reader.unsigned64();
      if (kind !== typeRelocation && this.symbols[index]?.name === name) offsets.push(offset);
    }
    return offsets;
  }
  /// Where a function is defined, or undefined.
  definitionOf(name) {
    const symbol = this.symbols.find(each => each.isDefined && each.kind === symbolKind.function && each.name === name);
    const reader = symbol && this.module.sectionReader(section.code);
    if (!reader) return undefined;
    const begin = reader.at;
    reader.unsigned();
    for (let k = symbol.index - this.module.importedFunctions; k > 0; --k) reader.skip(reader.unsigned());
    reader.unsigned();
    return this.placeAt(reader.at + 1 - begin);
  }
}

const undefinedLine = /^wasm-ld: error: (.*): undefined symbol: (.*)$/;
const duplicateLine = /^wasm-ld: error: duplicate symbol: (.*)$/, definedLine = /^>>> defined in (.*)$/;

/// What wasm-ld says of a link, in the words of GNU's linker. `withoutNames` is what it says with --no-demangle: its lines are
/// those of `said` one by one. `object(path)` returns an object's bytes, or undefined for a member of a library.
export function asNativeLinker(said, withoutNames, object) {
  const lines = said.split('\n'), mangled = withoutNames.split('\n'), objects = new Map();
  const linked = path => {
    if (!objects.has(path)) objects.set(path, object(path) && new LinkedObject(object(path)));
    return objects.get(path);
  };
  const others = [], references = new Map();  // those of each object by what is said
  lines.forEach((line, number) => {
    const missing = undefinedLine.exec(line), duplicate = duplicateLine.exec(line);
    if (missing) {
      const [, path, name] = missing, of = references.get(path) ?? references.set(path, new Map()).get(path);
      if (!of.has(name)) of.set(name, linked(path)?.referencesTo(undefinedLine.exec(mangled[number] ?? '')?.[2] ?? name) ?? []);
    } else if (duplicate) {
      const [first, second] = [lines[number + 1], lines[number + 2]].map(each => definedLine.exec(each ?? '')?.[1]);
      const place = path => linked(path)?.definitionOf(duplicateLine.exec(mangled[number] ?? '')?.[1] ?? duplicate[1]);
      others.push(`${place(second) ?? 'ld'}: multiple definition of \`${duplicate[1]}'; ${place(first) ?? first}: first defined here`);
    } else if (!definedLine.test(line)) others.push(line);
  });
  for (const of of references.values()) {
    const all = [...of].flatMap(([name, found]) => (found.length ? found : [{ offset: Infinity }]).map(each => ({ ...each, name })));
    all.sort((a, b) => (a.offset > b.offset) - (a.offset < b.offset));
    for (const { place, name } of all) others.push(`${place ?? 'ld'}: undefined reference to \`${name}'`);
  }
  return [...new Set(others)].join('\n');
}
