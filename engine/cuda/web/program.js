// Runs a user's program, which was compiled and linked for wasm64: narrows it (narrow.js), gives it files, clocks and
// arguments (the module "system", system.h), and finds out how it ended, in the words of a native run
// (engine/cuda/runtime/ending.cpp). For a worker of a browser, and for node.
import { DebugFunctions } from './debug_functions.js';
import { DebugLines } from './debug_lines.js';
import { FileSystem, badFile } from './file_system.js';
import { FunctionNames } from './function_names.js';
import { inFiles, message } from './message.js';
import { NarrowError, narrow } from './narrow.js';

const nullPageBytes = 65536;
const exitCodes = { stopped: 124, illegalInstruction: 132, aborted: 134, dividedByZero: 136, badAddress: 139 };
const graceOfFlush = 1000;  // ms that a crashed program has to write its buffers
const graceOfReport = 60000;
/// How clang calls a file's constructor that registers its kernels. It is exported for registerEarly().
const registration = '__cuda_module_ctor';

/// A count of seconds as C's %.3g prints it.
const shortNumber = value => String(Number(value.toPrecision(3)));

/// C++'s name of a type by its mangled one, where it is simple: GNU's library prints it when no handler catches an exception.
function typeName(mangled) {
  const basic = { i: 'int', j: 'unsigned int', l: 'long', m: 'unsigned long', d: 'double', f: 'float', c: 'char', b: 'bool', PKc: 'char const*',
    Pc: 'char*', x: 'long long', y: 'unsigned long long', s: 'short', h: 'unsigned char' };
  if (mangled in basic) return basic[mangled];
  const isNested = mangled.startsWith('N') && mangled.endsWith('E');
  let rest = isNested ? mangled.slice(1, -1) : mangled;
  const parts = [];
  if (rest.startsWith('St')) {
    parts.push('std');
    rest = rest.slice(2);
  }
  while (rest) {
    const length = parseInt(rest, 10), digits = String(length).length;
    if (!(length > 0) || digits + length > rest.length) return mangled;
    const part = rest.slice(digits, digits + length);
    if (!/^__1\d$/.test(part)) parts.push(part);  // the library's inline namespace
    rest = rest.slice(digits + length);
  }
  return parts.join('::');
}

/// An address in the memory of 4 GB: without its mark (system.h).
const place = address => Number(BigInt.asUintN(32, BigInt(address)));

export class Program {
  /// `bytes`: the linked module. Options:
  ///   arguments         the program's name and its arguments
  ///   files, stdin      bytes by path; a text or bytes
  ///   folder            where it stands
  ///   output(stream, bytes)  takes what the program writes to stream 1 and 2
  ///   seconds           after which it is stopped; 0: never
  ///   checks, ticks, maximumPages  of narrow()
  ///   imports(program)  returns further modules that the program imports, { machine: { name: function } }. A function that
  ///                     wants the program to end calls program.end(...), and the program then traps (system_check_time)
  ///   describeAddress(address, writes)  returns the message for an address beyond 4 GB (a BigInt), or undefined
  constructor(bytes, options = {}) {
    this.bytes = bytes;
    this.options = { arguments: ['./program'], seconds: 20, maximumPages: 65536, output: () => {}, imports: () => ({}),
      describeAddress: () => undefined, ...options };
    const { stdin = new Uint8Array(), files, folder, output } = this.options;
    this.files = new FileSystem({ files, folder, output, stdin: typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin });
    this.ending = undefined;
    this.exceptionText = '';
    this.thrown = undefined;  // an Error where the latest exception was thrown
    this.isTerminating = false;
    this.failure = undefined;  // an error of an import's own
    this.access = undefined;  // { address, writes } of a bad address
    this.lines = new DebugLines(bytes);
    this.names = new FunctionNames(bytes);
    this.functions = new DebugFunctions(bytes);
    this.places = new Map();  // of offsets that were asked for
  }

  /// Runs main. Returns { how, exit, message, stack }: how is 'returned', 'exited', 'crashed' or 'stopped', exit the code that a
  /// shell sees, message a message() or undefined, stack the offsets in the original's code section (as DWARF counts them) of the
  /// calls that led to the end. Throws what is wrong with the module, and errors of imports.
  async run() {
    const module = await WebAssembly.compile(this.narrowed()).catch(refuse);
    return this.runInstance(await WebAssembly.instantiate(module, this.importsOf(module)).catch(refuse));
  }
  /// The same at once: for workers, and calls that wait for it.
  runNow() {
    let instance;
    const bytes = this.narrowed();
    try {
      const module = new WebAssembly.Module(bytes);
      instance = new WebAssembly.Instance(module, this.importsOf(module));
    } catch (error) { refuse(error); }
    return this.runInstance(instance);
  }

  narrowed() {
    const { checks, ticks, maximumPages } = this.options;
    const exported = Object.fromEntries(this.names.named(registration).map((index, k) => [`${registration}.${k}`, index]));
    const narrowed = narrow(this.bytes, { checks, ticks, maximumPages, exported });
    this.offsets = narrowed.offsets;
    this.codeBegin = narrowed.codeBegin;
    return narrowed.bytes;
  }
  /// What a module may import. It gets nothing else, and nothing that a JavaScript object inherits (`constructor`).
  importsOf(module) {
    const offered = { system: this.system(), ...this.options.imports(this) };
    for (const { module: from, name } of WebAssembly.Module.imports(module))
      if (!Object.hasOwn(offered, from) || !Object.hasOwn(offered[from], name))
        throw new NarrowError(message('The program imports {} of {}, which a page does not have.', name, from));
    return Object.fromEntries(Object.entries(offered).map(([name, functions]) => [name, this.guarded(functions)]));
  }
  runInstance(instance) {
    this.instance = instance;
    this.exports = this.instance.exports;
    this.memory = this.exports.memory;
    this.stackBegin = this.exports.__stack_pointer?.value;
    this.began = performance.now();
    this.deadline = this.options.seconds ? this.began + 1000 * this.options.seconds : Infinity;
    const depth = Error.stackTraceLimit;
    Error.stackTraceLimit = 64;
    try {
      this.callMain();
      if (this.ending.how === 'crashed' || this.ending.how === 'stopped') {
        this.flush();
        this.report();
      }
    } finally { Error.stackTraceLimit = depth; }
    if (this.failure) throw this.failure;
    return this.ending;
  }

  /// Registers the kernels of all files, for a static constructor that launches one before clang's own constructors have run.
  registerEarly() { for (const [name, value] of Object.entries(this.exports)) if (name.startsWith(registration)) value(); }

  /// Whether the program has ended, but for what is left to write.
  get isOver() { return this.ending !== undefined && !this.isFlushing; }
  /// Notes how the program ends, unless that is known already.
  end(how, exit, text, stack = this.stack()) { this.ending ??= { how, exit, message: text, stack }; }

  // ---- the program's memory, for imports. Addresses are BigInts or numbers; the views are valid until memory grows.

  view(address, size) { return new Uint8Array(this.memory.buffer, place(address), Number(size)); }
  dataView() { return new DataView(this.memory.buffer); }
  text(address, length) { return new TextDecoder().decode(this.view(address, length)); }
  textToZero(address) {
    const bytes = new Uint8Array(this.memory.buffer);
    return this.text(address, bytes.indexOf(0, place(address)) - place(address));
  }
  /// Writes as much of the text as fits, and a zero. Returns how many bytes that are, with the zero.
  putText(address, most, text) {
    const bytes = new TextEncoder().encode(text).subarray(0, Number(most) - 1);
    const to = this.view(address, bytes.length + 1);
    to.set(bytes);
    to[bytes.length] = 0;
    return to.length;
  }
  /// Where the program is, innermost call first.
  stack() { return this.stackOf(new Error()); }

  // ---- the end

  callMain() {
    try {
      this.exports.begin();
    } catch (error) { this.noteEnd(error); }
    this.ending ??= { how: 'crashed', exit: exitCodes.illegalInstruction, message: message('The host runs into an instruction that is none.'), stack: [] };
  }
  /// Notes why the program was left, unless that is known.
  noteEnd(error) { if (!this.ending && !this.failure) this.endBy(error); }
  /// What left main, or the trap that ended the program.
  endBy(error) {
    const tag = this.exports.__cpp_exception;
    if (tag && error instanceof WebAssembly.Exception && error.is(tag)) return this.endByException(error.getArg(tag, 0));
    const stack = this.stackOf(error), text = String(error.message);
    const crash = (exit, pattern) => this.end('crashed', exit, message(pattern), stack);
    if (isStackError(error)) return crash(exitCodes.badAddress, stackIsFull);
    if (!(error instanceof WebAssembly.RuntimeError)) {
      this.failure = error;
      return;
    }
    if (/divi|remainder|integer overflow/i.test(text)) return crash(exitCodes.dividedByZero, 'The host divides an integer by zero.');
    if (/unreachable/i.test(text)) return crash(exitCodes.illegalInstruction, 'The host runs into an instruction that is none.');
    if (/signature|null function|indirect call|call_indirect/i.test(text))
      return crash(exitCodes.badAddress, 'The host calls a function through a pointer to a function of another type.');
    crash(exitCodes.badAddress, this.writesAt(stack[0]) ? notTheProgramsWrite : notTheProgramsRead);
  }
  /// What a function was given by the program is no range of its memory, or its stack was full before.
  endByRange(error) {
    const isFull = isStackError(error), text = isFull ? stackIsFull : notTheProgramsRead;
    this.end('crashed', exitCodes.badAddress, message(text), this.stackOf(error));
  }
  endByMemory() {
    this.end('stopped', exitCodes.aborted, message('The program and its kernels need more memory than a page has for them: make the input smaller.'));
  }
  endByException(exception) {
    this.isTerminating = true;
    this.resetStack();
    try {
      this.exports.report_uncaught(exception);
    } catch (error) { this.noteEnd(error); }
  }
  /// Whether the instruction at an offset of the original's code section writes to memory.
  writesAt(offset) {
    const opcode = this.bytes[this.codeBegin + offset];
    return opcode >= 0x36 && opcode <= 0x3e || opcode === 0xfc || opcode === 0xfe;
  }
  aborted() {
    const stack = this.thrown && this.isTerminating ? this.stackOf(this.thrown) : this.stack();
    if (this.exceptionText === 'std::bad_alloc')
      return this.end('stopped', exitCodes.aborted, message('The host asks for more memory than a program may have here ({}): make the input smaller.',
        this.options.maximumPages >= 16384 ? `${shortNumber(this.options.maximumPages / 16384)} GB` : `${shortNumber(this.options.maximumPages / 16)} MB`), stack);
    if (this.exceptionText) return this.end('crashed', exitCodes.aborted, message('Nobody catches an exception: {}.', this.exceptionText), stack);
    this.end('crashed', exitCodes.aborted, message('The program gives up (abort, or an assert that fails).'), stack);
  }
  uncaught(type, what) {
    this.exceptionText = type === '' ? '' : what ?? 'it is no std::exception';
    const says = type === '' ? 'terminate called without an active exception\n'
      : `terminate called after throwing an instance of '${typeName(type)}'\n` + (what === undefined ? '' : `  what():  ${what}\n`);
    this.options.output(2, new TextEncoder().encode(says));
  }
  badAddress(address, writes, stackPointer) {
    address = BigInt.asUintN(64, address);
    const isStackFull = stackPointer < 2n * BigInt(nullPageBytes) && BigInt.asIntN(64, address) < 2n * BigInt(nullPageBytes);
    if (isStackFull) return this.end('crashed', exitCodes.badAddress, message(stackIsFull));
    this.access ??= { address, writes };
    let text;
    if (address < nullPageBytes) text = message(writes ? 'The host writes through a null pointer.' : 'The host reads through a null pointer.');
    else text = this.options.describeAddress(address, writes) ?? message(writes ? notTheProgramsWrite : notTheProgramsRead);
    this.end('crashed', exitCodes.badAddress, text);
  }
  /// `grace`: seconds that the program is given beyond its time.
  isTimeUp(grace = 0) {
    if (this.isOver) return true;
    if (performance.now() < this.deadline + 1000 * grace) return false;
    this.end('stopped', exitCodes.stopped, message('The program was stopped after {} s: is there a loop of the host that never ends?', shortNumber(this.options.seconds)));
    return true;
  }
  /// Writes the program's buffers after a crash, as a native run does.
  flush() {
    this.isFlushing = true;
    this.deadline = performance.now() + graceOfFlush;
    this.resetStack();
    try { this.exports.flush(); } catch { /* they are broken, too */ }
  }
  /// Lets the runtime of CUDA write its report, if the program has one (engine/cuda/runtime/web/ending.cpp).
  report() {
    if (!this.exports.report_end) return;
    this.deadline = performance.now() + graceOfReport;
    this.resetStack();
    const { how, exit, message: text, stack } = this.ending;
    const { address, writes } = this.access ?? { address: 0n, writes: false };
    const fields = JSON.stringify({ how, exit, message: inFiles(text), stack, is_access: this.access !== undefined, writes });
    const bytes = new TextEncoder().encode(`${fields.slice(0, -1)},"address":${address}}`);  // as a number of 64 bits
    try {
      const at = this.exports.allocate(BigInt(bytes.length));
      this.view(at, bytes.length).set(bytes);
      this.exports.report_end(at, BigInt(bytes.length));
    } catch { /* the heap is broken: there is no report */ }
  }
  /// What a trap has left on the stack of the program's memory is gone.
  resetStack() {
    const pointer = this.exports.__stack_pointer;
    if (pointer) pointer.value = this.stackBegin;
  }

  // ---- stacks

  /// The offsets of an error's frames in the program.
  stackOf(error) {
    const offsets = [];
    let own;  // the program's module, which the innermost frame is of: the machine has frames, too, where it asks back
    for (const [, module, place] of String(error.stack).matchAll(/([^\s(@]*):wasm-function\[\d+\]:0x([0-9a-f]+)/g)) {
      if (module !== (own ??= module)) continue;
      const original = this.offsets.original(parseInt(place, 16));
      if (original >= 0) offsets.push(original);
    }
    return offsets;
  }

  /// The lines and functions at an offset: of each function that is inlined there, innermost first, then of the one it is
  /// inlined into. { file, line, name }
  placesAt(offset) {
    const known = this.places.get(offset);
    if (known) return known;
    const functions = this.functions.at(offset);
    const line = this.lines.at(offset);
    const places = [{ file: line?.file, line: line?.line, name: functions[0]?.name || this.names.at(offset) }];
    for (let k = 0; k + 1 < functions.length; ++k) {
      const { callFile, callLine, unit } = functions[k];
      places.push({ file: this.lines.fileOf(unit, callFile), line: callLine, name: functions[k + 1].name });
    }
    this.places.set(offset, places);
    return places;
  }

  // ---- imports

  /// Functions whose errors end the run: a program's own handlers could hide them. A range that is not the memory's, or a stack
  /// that is full, is the program's mistake; any other error is the function's.
  guarded(functions) {
    const result = {};
    for (const [name, value] of Object.entries(functions)) {
      result[name] = typeof value !== 'function' ? value : (...parameters) => {
        try { return value(...parameters); } catch (error) {
          if (error instanceof RangeError) this.endByRange(error);
          else this.failure ??= error;
          throw error;
        }
      };
    }
    return result;
  }

  /// The module "system": system.h says what each function does.
  system() {
    const { files, options } = this;
    const text = (address, length) => this.text(address, length);
    const putStatus = (address, node, isStream) => {
      const view = this.dataView(), at = place(address);
      view.setBigInt64(at, BigInt(isStream ? 0 : node.size), true);
      view.setBigInt64(at + 8, node?.isFolder ? 1n : 0n, true);
      view.setBigInt64(at + 16, isStream ? 1n : 0n, true);
      view.setBigInt64(at + 24, BigInt(node?.number ?? 0), true);
      view.setFloat64(at + 32, node?.changed ?? 0, true);
      return 0;
    };
    return {
      open: (folder, path, length, flags) => files.open(folder, text(path, length), flags),
      close: file => files.close(file),
      read: (file, to, size) => {
        const bytes = files.read(file, Number(size));
        if (typeof bytes === 'number') return BigInt(bytes);
        this.view(to, bytes.length).set(bytes);
        return BigInt(bytes.length);
      },
      write: (file, from, size) => BigInt(files.write(file, this.view(from, size))),
      seek: (file, offset, whence) => BigInt(files.seek(file, Number(offset), Number(whence))),
      resize: (file, size) => files.resize(file, Number(size)),
      duplicate: (file, as) => files.duplicate(file, as),
      status: (folder, path, length, to) => {
        const node = files.status(folder, text(path, length));
        return typeof node === 'number' ? node : putStatus(to, node, false);
      },
      file_status: (file, to) => {
        const opened = files.opened(file);
        return opened ? putStatus(to, opened.node, opened.isStream === true) : badFile;
      },
      remove: (folder, path, length, isFolder) => files.remove(folder, text(path, length), isFolder !== 0),
      rename: (fromFolder, from, fromLength, toFolder, to, toLength) => files.rename(fromFolder, text(from, fromLength), toFolder, text(to, toLength)),
      make_folder: (folder, path, length) => files.makeFolder(folder, text(path, length)),
      change_folder: (path, length) => files.changeFolder(text(path, length)),
      current_folder: (to, most) => this.putText(to, most, files.folder),
      next_name: (folder, to, most, status) => {
        const next = files.nextName(folder);
        if (next === null || typeof next === 'number') return next ?? 0;
        const [name, node] = next;
        putStatus(status, node, false);
        return this.putText(to, most, name);
      },
      clock: which => (which === 0 ? Date.now() : which === 1 ? performance.now() : performance.now() - this.began) / 1000,
      random: () => Math.floor(Math.random() * 2 ** 32) | 0,
      arguments: (to, most) => {
        let at = place(to), count = 0;
        const end = at + Number(most);
        for (const each of options.arguments) {
          if (end - at < 2) break;
          at += this.putText(at, end - at, each);
          ++count;
        }
        return count;
      },
      exit: (code, mainHasReturned) => this.end(mainHasReturned ? 'returned' : 'exited', code & 255, undefined),
      abort: () => this.aborted(),
      bad_address: (address, writes, stack) => this.badAddress(address, writes !== 0, stack),
      deadlock: () => this.end('stopped', exitCodes.stopped,
        message('A thread of the host waits for another one, and threads run one after the other in a page: run the program natively.')),
      is_time_up: grace => this.isTimeUp(grace) ? 1 : 0,
      stack: (offsets, most) => {
        const stack = this.stack().slice(0, most), view = this.dataView();
        stack.forEach((offset, k) => view.setBigUint64(place(offsets) + 8 * k, BigInt(offset), true));
        return stack.length;
      },
      place: (offset, depth, file, mostFile, name, mostName) => {
        const place = this.placesAt(Number(offset))[depth];
        if (!place) return -1;
        this.putText(file, mostFile, place.file ?? '');
        this.putText(name, mostName, place.name);
        return place.line ?? 0;
      },
      thrown: () => { if (!this.isTerminating) this.thrown = new Error(); },
      terminates: () => { this.isTerminating = true; },
      uncaught: (type, typeLength, what, whatLength) => this.uncaught(text(type, typeLength), what === 0n ? undefined : text(what, whatLength)),
    };
  }
}

/// Whether an engine of JavaScript has run out of stack.
function isStackError(error) { return /call stack|too much recursion/i.test(error.message); }
/// Throws what is wrong with a module that the engine does not take.
function refuse(error) {
  if (error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError)
    throw new NarrowError(message('This browser cannot run the program: {}.', error.message.replace(/^WebAssembly\.[^:]*: |\.$/g, '')));
  throw error;
}

const stackIsFull = "The host's stack is full: a recursion without end, or an array of the host that is too large for it.";
const notTheProgramsWrite = "The host writes memory that is not the program's.";
const notTheProgramsRead = "The host reads memory that is not the program's.";
