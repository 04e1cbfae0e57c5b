// Native code of the machine's (engine/cuda/native): each kernel is a module of WebAssembly that was linked as a shared library,
// as emscripten's dlopen has them, and works in the memory of own_code.wasm.
import { Reader } from '../web/wasm_bytes.js';

const stackBytes = 1 << 19, alignment = 16;

export class NativeCode {
  /// `module`: own_code.wasm's, with its `memory` and its `table` of functions.
  constructor(module, memory, table) {
    this.module = module;
    this.memory = memory;
    this.table = table;
    const begin = module._malloc(stackBytes);
    this.top = (begin + stackBytes) & -alignment;
    this.stack = new WebAssembly.Global({ value: 'i32', mutable: true }, this.top);
    this.free = [];  // places in the table
  }

  /// The kernel of a library, as its place in the table; 0: it is no library. It is there until unload().
  load(bytes) {
    try {
      const library = new WebAssembly.Module(bytes), { memorySize, tableSize } = sizesOf(library);
      const constant = value => new WebAssembly.Global({ value: 'i32' }, value);
      const memoryBase = this.newMemory(memorySize), tableBase = tableSize ? this.table.grow(tableSize) : 0;
      const env = {
        memory: this.memory, __indirect_function_table: this.table, __stack_pointer: this.stack,
        __memory_base: constant(memoryBase), __table_base: constant(tableBase),
      };
      for (const { name, kind } of WebAssembly.Module.imports(library)) if (kind === 'function') env[name] = this.functionOf(name);
      const { exports } = new WebAssembly.Instance(library, { env });
      exports.__wasm_apply_data_relocs?.();
      exports.__wasm_call_ctors?.();
      const place = this.free.pop() ?? this.table.grow(1);
      this.table.set(place, exports.bscope_kernel);
      return place;
    } catch (e) {
      console.warn(e);
      return 0;
    }
  }
  /// Zeros. It stays with the module: a kernel has next to none.
  newMemory(bytes) {
    const begin = (this.module._malloc(bytes + alignment) + alignment - 1) & -alignment;
    this.module.HEAPU8.fill(0, begin, begin + bytes);
    return begin;
  }
  unload(place) {
    this.table.set(place, null);
    this.free.push(place);
  }

  /// Of own_code.wasm, by its name (engine/cuda/native/web/library.cpp).
  functionOf(name) {
    const { module } = this, text = module.ownCode.newText(name), place = module._native_function(text);
    module._free(text);
    if (!place) throw new Error(`native code calls ${name}, which is not there`);
    return this.table.get(place);
  }

  clearStack() { this.stack.value = this.top; }
}

/// What a library needs of memory and of the table: the first part of its section dylink.0.
function sizesOf(library) {
  const [section] = WebAssembly.Module.customSections(library, 'dylink.0');
  if (!section) throw new Error('this is no library');
  const reader = new Reader(new Uint8Array(section));
  const sizes = { memorySize: 0, tableSize: 0 };
  while (!reader.isAtEnd) {
    const kind = reader.byte(), size = reader.unsigned(), end = reader.at + size;
    if (kind === 1) {
      sizes.memorySize = reader.unsigned();
      reader.unsigned();
      sizes.tableSize = reader.unsigned();
    }
    reader.at = end;
  }
  return sizes;
}
