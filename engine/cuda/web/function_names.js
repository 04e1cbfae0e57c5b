// Names of a module's functions by the offsets of their code, as wasm-ld writes them: readable, not mangled.
import { Reader } from './wasm_bytes.js';
import { Module, section } from './wasm_module.js';

const functionNames = 1;  // a part of the custom section "name"

export class FunctionNames {
  /// `bytes`: the linked module, not narrowed. Nothing of it is read before the first question.
  constructor(bytes) { this.bytes = bytes; }

  /// The name of the function whose code lies at an offset of the code section; '' where it has none.
  at(offset) {
    if (!this.ends) this.read();
    let low = 0, high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] <= offset) low = middle + 1; else high = middle;
    }
    return this.names.get(this.firstDefined + low) ?? '';
  }

  /// The indices of all functions of that name.
  named(wanted) {
    if (!this.ends) this.read();
    return [...this.names].filter(([, name]) => name === wanted).map(([index]) => index);
  }

  read() {
    const module = new Module(this.bytes);
    this.ends = [];  // of the code of each function that the module defines
    this.names = new Map();
    this.firstDefined = module.importedFunctions;
    const begin = module.sections.get(section.code)?.at ?? 0;
    module.eachOf(section.code, reader => this.ends.push(reader.part(reader.unsigned()).end - begin));
    const custom = module.customs.find(({ name }) => name === 'name');
    if (!custom) return;
    const reader = new Reader(this.bytes, custom.part.at, custom.part.end);
    reader.text();
    while (!reader.isAtEnd) {
      const kind = reader.byte(), part = reader.part(reader.unsigned());
      if (kind !== functionNames) continue;
      const names = new Reader(this.bytes, part.at, part.end);
      for (let k = names.count(); k > 0; --k) {
        const index = names.unsigned();
        this.names.set(index, names.text());
      }
    }
  }
}
