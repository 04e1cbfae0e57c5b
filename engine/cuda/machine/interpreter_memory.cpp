// How a thread reads and writes: local memory, which keeps where its values came from, and what others see
// too, which the trace tells of cell by cell.
#include <algorithm>
#include <charconv>

#include "engine/cuda/ir/constants.hpp"
#include "engine/cuda/ir/expression_text.hpp"
#include "engine/cuda/machine/guards.hpp"
#include "engine/cuda/machine/interpreter.hpp"

namespace bscope::cuda {

using ir::cut_to;

namespace {

constexpr uint64_t longest_text = 1 << 16;
constexpr uint64_t null_page = 4096;             // no memory lies there
constexpr size_t most_pending_copies = 1 << 16;  // of a thread

uint64_t read_bytes(const uint8_t* from, int n) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, size_t(n));
  return bits;
}

std::string hexadecimal(uint64_t n) {
  char text[20];
  return "0x" + std::string(text, std::to_chars(text, text + sizeof text, n, 16).ptr);
}

}  // namespace

// ---- local memory ----------------------------------------------------------------------------------------

bool Interpreter::is_local_variable(uint64_t address, uint64_t bytes) const {
  const auto inside = [&](uint64_t k) {
    if (native_.bytes) return k < native_.size && native_.valid[k];
    return k < local_ && room_.shadow[k].width != no_mans_land;
  };
  const uint64_t at = address - ir::local_base;
  return inside(at) && inside(at + bytes - 1);
}

uint64_t Interpreter::local_offset(uint64_t address, uint64_t bytes, uint32_t line) {
  const uint64_t at = address - ir::local_base;
  if (!is_local_variable(address, bytes)) {
    const std::string cell = native_.bytes ? std::string() : local_cell(address);
    fail(LaunchOutcome::address, line,
         cell.empty()
             ? message("{} reaches outside of its local variables in line {}.", who(), line)
             : message("{} reaches {} in line {}, which is outside of its local array.", who(), cell, line),
         message("Check the index of the local array."));
  }
  return at;
}

/// "found[-1]": what the source calls the cell of a local array that an access has computed; empty: not
/// known.
std::string Interpreter::local_cell(uint64_t address) const {
  const AccessFrame f = access_frame();
  const ir::Function& code = *f.code->function;
  const ir::Instruction* const made = ir::instruction_making(code, f.address);
  if (!made || made->op != ir::Opcode::address || made->a < 0) return {};
  const auto array = code.variables.find(made->a);
  int64_t stride = 0;
  for (const ir::Instruction::Scaled& s : made->scaled)
    if (s.stride > 0 && (!stride || s.stride < stride)) stride = s.stride;
  if (array == code.variables.end() || !stride) return {};
  const auto offset = int64_t(address - f.registers[made->a].bits);
  return array->second.name + "[" + std::to_string(offset / stride) + "]";
}

bool Interpreter::all_unset(uint64_t at, uint64_t bytes) const {
  const auto begin = room_.shadow.begin() + long(at);
  return std::all_of(begin, begin + long(bytes), [](const Shadow& s) { return s.width == never_set; });
}

Value Interpreter::load_local(uint64_t address, const Access& access) {
  const auto n = uint64_t(access.bytes), at = local_offset(address, n, access.line);
  Value v{read_bytes(local_bytes() + at, access.bytes), 0, no_kind};
  if (native_.bytes) return v;
  const Shadow& whole = room_.shadow[at];
  if (whole.width == n) {
    v.source = whole.source;
    v.kind = whole.kind;
    v.origin = whole.origin;
    return v;
  }
  if (whole.width == never_set && all_unset(at, n)) {
    v.origin = origin_at(ValueOrigin::unset, *step());
    return v;
  }
  for (uint64_t k = at; k < at + n && !v.source; ++k) v.source = room_.shadow[k].source;
  return converted(v, v.bits, access.kind, access.line);
}

void Interpreter::store_local(uint64_t address, const Value& v, const Access& access) {
  const auto n = uint64_t(access.bytes), at = local_offset(address, n, access.line);
  std::memcpy(local_bytes() + at, &v.bits, n);
  if (native_.bytes) return;
  for (uint64_t k = 1; k < 8 && k <= at; ++k) {  // what reached over it is no longer whole
    Shadow& before = room_.shadow[at - k];
    if (before.width == no_mans_land || before.width == never_set) break;
    if (before.width > k) before = {};
  }
  for (uint64_t k = at + 1; k < at + n; ++k) room_.shadow[k] = {};
  room_.shadow[at] = {v.source, v.kind, uint8_t(n), v.origin};
}

// ---- where an address points to --------------------------------------------------------------------------

Memory* Interpreter::memory_of(uint64_t address, uint64_t& offset, uint8_t*& shared, uint8_t& id) {
  shared = nullptr;
  if (address >> ir::kind_shift != ir::shared_base >> ir::kind_shift) {
    if (address >> ir::kind_shift == ir::cluster_base >> ir::kind_shift) [[unlikely]]
      return memory_of_cluster(address, offset, shared);
    Memory* const m = launch_.memories.at(address);
    if (m) offset = address - m->address;
    return m;
  }
  const int which = launch_.shared_at(address);
  if (which < 0) return nullptr;
  const auto k = size_t(which);
  const uint64_t zone = (address - ir::shared_base) >> ir::shared_shift;
  offset = address - ir::middle_of(ir::shared_base, zone, ir::shared_shift);
  if (!launch_.cluster_arrays.empty()) [[unlikely]]
    return cluster_array(k, block_number(), offset);
  shared = shared_[k];
  id = shared_id_[k];
  return launch_.shared[k].get();
}

bool Interpreter::calls_through(ir::Operand made) const {
  for (const ir::BasicBlock& b : room_.frames.back().code->function->blocks)
    for (const ir::Instruction& i : b.body)
      if (i.op == ir::Opcode::call && i.callee.empty() && i.a == made) return true;
  return false;
}

void Interpreter::nobodys(const Value& address, bool writes, uint32_t line) {
  if (address.bits >> ir::kind_shift == ir::cluster_base >> ir::kind_shift) no_such_block(address.bits, line);
  if (address.bits < null_page && launch_.refused_malloc_line)
    fail(LaunchOutcome::address, line,
         writes ? message("{} writes through a null pointer in line {}: malloc in line {} found no memory.",
                          who(), line, launch_.refused_malloc_line)
                : message("{} reads through a null pointer in line {}: malloc in line {} found no memory.",
                          who(), line, launch_.refused_malloc_line),
         message("The heap of kernels has {} bytes: enlarge it before the first launch with "
                 "cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes), and test what malloc returns.",
                 launch_.memories.heap_bytes));
  if (address.bits < null_page)
    fail(LaunchOutcome::address, line,
         writes ? message("{} writes through a null pointer in line {}.", who(), line)
                : message("{} reads through a null pointer in line {}.", who(), line),
         message("Allocate the memory that the pointer should point to."));
  for (const auto& [name, variable] : launch_.program.beside().shared)
    if (address.bits >> ir::global_shift == variable.address >> ir::global_shift)
      fail(LaunchOutcome::address, line,
           writes
               ? message(
                     "{} writes to {} in line {}, which is declared extern and no file of the program has.",
                     who(), name, line)
               : message("{} reads {} in line {}, which is declared extern and no file of the program has.",
                         who(), name, line),
           message("Add the file that defines {}.", name));
  const bool is_walked = !native_.bytes && !room_.frames.empty() && step()->op == BytecodeOp::load;
  if (is_walked && calls_through(step()->to))
    fail(LaunchOutcome::address, line,
         message("{} calls a virtual function in line {} of an object that the host made: its table of "
                 "functions is the host's.",
                 who(), line),
         message("Make the object in a kernel (placement new), or do without virtual functions."));
  const std::string where = hexadecimal(address.bits);
  Message help = message("Pass what cudaMalloc gave, not a pointer of the host.");
  if (address.source)
    help = message(
        "A struct or an array that is copied to the GPU keeps the host's pointers: set the pointer in "
        "it to what cudaMalloc gave before the copy, and copy what it points to as well.");
  fail(LaunchOutcome::address, line,
       writes
           ? message("{} writes to memory that is not the GPU's in line {} (address {}).", who(), line, where)
           : message("{} reads memory that is not the GPU's in line {} (address {}).", who(), line, where),
       std::move(help));
}

bool Interpreter::is_ours(const BytecodeFunction& code) const {
  const ir::Function& f = *code.function;
  if (f.at.file < 0) return true;  // without debug information
  return launch_.program.is_ours(f.at.file + launch_.program.first_file(launch_.program.module_of(f)));
}

/// Functions of Barrierscope's headers, such as atomicAdd, take the address as their first argument.
Interpreter::AccessFrame Interpreter::access_frame() const {
  size_t k = room_.frames.size() - 1;
  const auto address_of = [](const BytecodeFunction& code, const BytecodeInstruction& s) {
    if (s.op != BytecodeOp::builtin && s.op != BytecodeOp::call) return s.a;
    const Call& c = code.calls[s.index];
    return c.arguments.empty() ? ir::Operand(0) : c.arguments[0];
  };
  AccessFrame f{room_.frames[k].code, registers_, constants_, address_of(*room_.frames[k].code, *step())};
  for (; k > 0 && is_ours(*f.code); --k) {
    const Frame& caller = room_.frames[k - 1];
    f.code = caller.code;
    f.registers = room_.registers.data() + caller.registers;
    f.constants = f.code->constants.data() + f.code->constants.size();
    f.address = address_of(*f.code, f.code->steps[size_t(caller.next) - 1]);
  }
  return f;
}

void Interpreter::beyond(const Memory& m, uint8_t id, bool traced, const Value& address, uint64_t offset,
                         bool writes, uint32_t line) {
  if (m.origin == Memory::Origin::shared && m.bytes == 0)
    fail(LaunchOutcome::address, line,
         writes
             ? message("{} writes to {} in line {}, which has no bytes in this launch.", who(), m.name, line)
             : message("{} reads {} in line {}, which has no bytes in this launch.", who(), m.name, line),
         message("Give the launch the bytes as its third parameter, <<<grid, block, bytes>>>."));
  const auto at = int64_t(offset);
  const int64_t width = m.width, index = at >= 0 ? at / width : -((width - 1 - at) / width);
  const Event e{uint16_t(line), Op::fault, id, uint32_t(m.cells()), uint32_t(index), address.source};
  launch_.faulted = true;
  if (launch_.fault_kind == LaunchOutcome::none) launch_.fault_kind = LaunchOutcome::address;
  const std::string cell = m.name + "[" + std::to_string(index) + "]";
  Message what =
      !m.cells() ? writes
                       ? message("{} writes to {} in line {}, but {} has no cells", who(), cell, line, m.name)
                       : message("{} reads {} in line {}, but {} has no cells", who(), cell, line, m.name)
      : writes ? message("{} writes to {} in line {}, but {} has only the cells 0 to {}", who(), cell, line,
                         m.name, m.cells() - 1)
                 : message("{} reads {} in line {}, but {} has only the cells 0 to {}", who(), cell, line,
                           m.name, m.cells() - 1);
  IndexCause cause;
  if (address.origin && launch_.origins[address.origin - 1].kind == ValueOrigin::overflow) {
    ValueOrigin& o = launch_.origins[address.origin - 1];
    o.in_finding = true;
    const std::string text = overflowing_text(o);
    if (!text.empty()) launch_.recorder.note_overflow({text, launch_.file_name(), line});
    cause = {overflow_message(o),
             text.empty() ? message("Compute it in size_t, or in unsigned where it should wrap.")
                          : message("Compute {} in size_t, or in unsigned where it should wrap.", text)};
  } else if (!native_.bytes) {
    const AccessFrame f = access_frame();
    cause = index_cause(*f.code, f.registers, f.constants, f.address, m.cells(), m.bytes);
  }
  const bool as_many_threads = launch_.grid.count() * launch_.block.count() == m.bytes;
  if (cause.why.empty() && index >= 0 && (cause.bounded_by_bytes || as_many_threads))
    launch_.strays.push_back({line, &m, index});
  what = cause.why.empty() ? message("{}.", what) : message("{}: {}.", what, cause.why);
  if (traced) push(e);
  Finding f{.line = int(line), .message = with_header(std::move(what)), .kind = FindingKind::out_of_bounds};
  if (traced) f.cells = {{id, int(index)}};
  f.help = std::move(cause.help);
  thread_.fail(std::move(f));
}

void Interpreter::check_written(Memory& m, uint64_t offset, uint32_t line) {
  if (m.is_written(offset) || m.told_unwritten) return;
  m.told_unwritten = true;
  constexpr long pointer = 8;  // a program's, in a page as well
  const long written = std::ranges::count(m.written, true);
  const std::string cell = m.name + "[" + std::to_string(offset / uint64_t(m.width)) + "]";
  launch_.recorder.note_unset_read(
      {message("{} reads {} in line {}, which was never written.", who(), cell, line),
       written == 0 ? message("cudaMalloc does not clear memory: call cudaMemset, or copy something into it.")
       : written == pointer
           ? message("Only {} of its {} bytes are written, which is the size of a pointer: "
                     "sizeof of a pointer is not the size of its array.",
                     written, m.bytes)
           : message("Only {} of the {} bytes of {} have been written by then.", written, m.bytes, m.name),
       launch_.file_name(), line});
}

void Interpreter::keep(Memory& m) const {
  m.kept_for = launch_.number;
  m.kept.assign(m.data(), m.data() + m.bytes);
  launch_.changed_memory = true;
}

/// An access of so many bytes at an address that is no multiple of them.
void Interpreter::misaligned(uint64_t address, uint64_t bytes, bool writes, uint32_t line) {
  uint64_t offset = 0;
  uint8_t* shared = nullptr;
  uint8_t id = 0;
  const Memory* const m = memory_of(address, offset, shared, id);
  if (!m) return;  // another message fits
  fail(LaunchOutcome::misaligned, line,
       writes ? message("{} writes {} bytes of {} at byte {} in line {}, which is no multiple of {}: the GPU "
                        "stops there.",
                        who(), bytes, m->name, offset, line, bytes)
              : message("{} reads {} bytes of {} at byte {} in line {}, which is no multiple of {}: the GPU "
                        "stops there.",
                        who(), bytes, m->name, offset, line, bytes),
       message("Access smaller pieces there, or begin at a multiple of {} bytes.", bytes));
}

Interpreter::MemoryReference Interpreter::spot(const Value& address, const Access& access, bool writes) {
  MemoryReference s{};
  s.memory = memory_of(address.bits, s.offset, s.shared, s.id);
  const uint32_t line = access.line;
  if (!s.memory) nobodys(address, writes, line);
  if (address.origin) [[unlikely]]
    takes_effect(address.origin, line);
  Memory& m = *s.memory;
  if (m.freed)
    fail(LaunchOutcome::address, line,
         writes ? message("{} writes to {} in line {} after it was freed.", who(), m.name, line)
                : message("{} reads {} in line {} after it was freed.", who(), m.name, line));
  if (!m.width) m.cut(access.bytes, access.kind);
  const bool is_remote = address.bits >> ir::kind_shift == ir::cluster_base >> ir::kind_shift;
  s.traced = !quiet() && (!is_remote || !s.shared) && (s.shared || launch_.recorder.add(m));
  if (!s.shared) s.id = uint8_t(m.id);
  if (s.offset + uint64_t(access.bytes) > m.cells() * uint64_t(m.width) || int64_t(s.offset) < 0)
    beyond(m, s.id, s.traced, address, s.offset, writes, line);
  if (s.traced && !s.shared) s.traced = s.offset + uint64_t(access.bytes) <= m.traced_bytes;
  if (s.offset % uint64_t(access.bytes)) misaligned(address.bits, uint64_t(access.bytes), writes, line);
  if (writes && m.origin == Memory::Origin::constant)
    fail(LaunchOutcome::address, line,
         message("{} writes to {} in line {}, which is constant.", who(), m.name, line));
  return s;
}

ElementType Interpreter::cells_at(uint64_t address, ElementType otherwise) {
  uint64_t offset = 0;
  uint8_t* shared = nullptr;
  uint8_t id = 0;
  Memory* const m = is_local(address) ? nullptr : memory_of(address, offset, shared, id);
  if (!m) return otherwise;
  if (m->width) return m->kind;
  return kind_named(m->element).value_or(otherwise);
}

// ---- cells -----------------------------------------------------------------------------------------------

void Interpreter::turn(const MemoryReference& s, uint64_t offset, const Access& access) {
  const auto index = uint32_t(offset / uint64_t(s.memory->width));
  thread_.turn({uint16_t(access.line), access.op, s.id, 0, index, 0});
  if (s.memory->freed)  // while others ran
    fail(LaunchOutcome::address, access.line,
         writes(access.op)
             ? message("{} writes to {} in line {} after it was freed.", who(), s.memory->name, access.line)
             : message("{} reads {} in line {} after it was freed.", who(), s.memory->name, access.line));
}

void Interpreter::watch_spin(const MemoryReference& s, const Event& e, uint64_t index, uint64_t seen) {
  ++accesses_;
  const bool same = spin_.line == e.line && spin_.memory == s.memory && spin_.index == index &&
                    spin_.bits == seen && reads(e.op);
  spin_.repeats = same ? spin_.repeats + 1 : 0;
  if (same) return;
  spin_.line = e.line;
  spin_.memory = s.memory;
  spin_.index = index;
  spin_.bits = seen;
  spin_.event = e;
  spin_.cell = s.traced && s.memory->origin != Memory::Origin::heap
                   ? bytes_of_spot(s) + index * uint64_t(s.memory->width)
                   : nullptr;
}

template <class Act>
Value Interpreter::touch(const MemoryReference& s, uint64_t offset, const Access& access,
                         uint32_t address_source, uint32_t from, Act act) {
  Memory& m = *s.memory;
  const uint64_t width = uint64_t(m.width), index = offset / width;
  const bool writing = writes(access.op);
  if (writing && !s.shared && m.kept_for != launch_.number) keep(m);
  uint8_t* const p = bytes_of_spot(s) + index * width;
  const uint64_t now = read_bytes(p, m.width);
  const uint64_t seen = act(now, p);
  if (reads(access.op) && !s.shared) check_written(m, index * width, access.line);
  if (writing && !s.shared) m.note_written(index * width, width);
  if ((launch_.footprint || launch_.launched) && !s.shared) {
    const auto bytes = uint64_t(std::min(access.bytes, m.width));
    const bool update = is_atomic(access.op) || group_of(access.op) == EventGroup::synchronising;
    const Footprint::Kind kind = update ? Footprint::updated : writing ? Footprint::written : Footprint::read;
    if (launch_.launched) note_beside_children(m, offset, uint32_t(bytes), kind, access.line);
    if (launch_.footprint) {
      if (access.op == Op::store_volatile && m.placement == Placement::visible)
        launch_.footprint->note_message_to_host();
      launch_.footprint->note(m, offset, bytes, kind);
    }
    if (launch_.early_footprint && !has_awaited_grids_) launch_.early_footprint->note(m, offset, bytes, kind);
  }
  const Event e{uint16_t(access.line), access.op, s.id, 0, uint32_t(index), from};
  watch_spin(s, e, index, seen);
  if (writing && std::memcmp(&now, p, size_t(width)) != 0) spin_.repeats = 0;
  if (!s.traced) {  // where the trace does not see it, it may still become a result
    if (writing && !quiet()) note(Op::escape, {seen, from, uint8_t(m.kind)}, m.width * 8);
    return {seen, 0, no_kind};
  }
  if (s.id < first_shared) {
    if (writing) launch_.recorder.note_written(s.id);
    if (reads(access.op)) launch_.recorder.note_read(s.id);
  }
  try {
    if (access.bytes < m.width) {
      const uint32_t bytes = ((1u << access.bytes) - 1) << offset % width;
      push({uint16_t(access.line), Op::together, s.id, bytes, 1, 0});
    }
    if (address_source) push({uint16_t(access.line), Op::address, s.id, uint32_t(index), address_source, 0});
    return {seen, write(e, seen, m.width), uint8_t(m.kind)};
  } catch (...) {  // there is no room for the event: what it would tell of has not happened
    if (writing) std::memcpy(p, &now, size_t(width));
    throw;
  }
}

template <class Act>
Value Interpreter::cell(const MemoryReference& s, uint64_t offset, const Access& access,
                        uint32_t address_source, uint32_t from, Act act) {
  turn(s, offset, access);
  return touch(s, offset, access, address_source, from, act);
}

void Interpreter::together(const MemoryReference& s, int cells, uint32_t line) {
  if (s.traced && cells > 1) push({uint16_t(line), Op::together, s.id, 0, uint32_t(cells), 0});
}

namespace {
/// Whether no thread writes between the cells of one access: of an atomic.
bool is_one(Op op) { return group_of(op) == EventGroup::synchronising; }
}  // namespace

/// Several cells at once.
Value Interpreter::gather(const MemoryReference& s, const Access& access, uint32_t address_source) {
  const int width = s.memory->width, cells = access.bytes / width;
  together(s, cells, access.line);
  Value v;
  for (int k = 0; k < cells; ++k) {
    const uint64_t offset = s.offset + uint64_t(k * width);
    if (k == 0 || !is_one(access.op)) turn(s, offset, access);
    const Value c =
        touch(s, offset, access, k ? 0 : address_source, 0, [](uint64_t now, uint8_t*) { return now; });
    v.bits |= c.bits << (k * width * 8);
    v.source = c.source;
  }
  return converted(v, v.bits, access.kind, access.line);
}

Value Interpreter::load(const Value& address, const Access& access) {
  if (is_local(address.bits)) return load_local(address.bits, access);
  const MemoryReference s = spot(address, access, false);
  const int width = s.memory->width;
  if (is_relaxed(access.op)) check_scope(s, address.bits, false, access.line);
  if (s.memory->origin == Memory::Origin::constant)
    return {read_bytes(s.memory->data() + s.offset, access.bytes), 0, no_kind};
  if (width < access.bytes) return gather(s, access, address.source);
  const Value c = cell(s, s.offset, access, address.source, 0, [](uint64_t now, uint8_t*) { return now; });
  if (width == access.bytes) return c;
  const uint64_t part = c.bits >> (s.offset % uint64_t(width) * 8);
  return converted(c, cut_to(part, access.bytes * 8), access.kind, access.line);
}

void Interpreter::scatter(const MemoryReference& s, const Access& access, uint32_t address_source,
                          const Value& v) {
  const int width = s.memory->width, cells = access.bytes / width;
  together(s, cells, access.line);
  for (int k = 0; k < cells; ++k) {
    const uint64_t offset = s.offset + uint64_t(k * width);
    if (k == 0 || !is_one(access.op)) turn(s, offset, access);
    touch(s, offset, access, k ? 0 : address_source, v.source, [&](uint64_t, uint8_t* p) {
      const uint64_t next = cut_to(v.bits >> (k * width * 8), width * 8);
      std::memcpy(p, &next, size_t(width));
      return next;
    });
  }
}

void Interpreter::store(const Value& address, const Value& v, const Access& access) {
  if (is_local(address.bits)) return store_local(address.bits, v, access);
  if (v.origin) [[unlikely]]
    takes_effect(v.origin, access.line);
  const MemoryReference s = spot(address, access, true);
  const int width = s.memory->width;
  if (is_relaxed(access.op)) check_scope(s, address.bits, true, access.line);
  if (width < access.bytes) return scatter(s, access, address.source, v);
  const int shift = int(s.offset % uint64_t(width)) * 8;
  const uint64_t mask = cut_to(~uint64_t(0), access.bytes * 8) << shift;
  cell(s, s.offset, access, address.source, v.source, [&](uint64_t now, uint8_t* p) {
    const uint64_t next = (now & ~mask) | (v.bits << shift & mask);
    std::memcpy(p, &next, size_t(width));
    return next;
  });
}

// ---- many bytes ------------------------------------------------------------------------------------------

void Interpreter::check_alignment(const Value& to, const Value& from, uint32_t align, uint32_t line) {
  for (const auto& [address, writes] : {std::pair(from.bits, false), std::pair(to.bits, true)})
    if (align > 1 && !is_local(address) && address % align) misaligned(address, align, writes, line);
}

/// In the cells of what is not local, as many at once as the thread may ask for.
Interpreter::CopiedCells Interpreter::copied_cells(const Value& to, const Value& from, uint64_t bytes,
                                                   ElementType of) {
  const ElementType kind = cells_at(is_local(from.bits) ? to.bits : from.bits, of);
  const auto fits = [&](uint64_t n) { return n && bytes % n == 0 && to.bits % n == 0 && from.bits % n == 0; };
  const auto width = uint64_t(bscope::bytes_of(kind));
  const uint64_t unit = fits(width) ? width : fits(4) ? 4 : 1;
  return {unit, unit == width ? kind : integer_kind(int(unit) * 8)};
}

void Interpreter::copy(const Value& to, const Value& from, uint64_t bytes, uint32_t align, ElementType of,
                       uint32_t line, Op op) {
  if (is_local(to.bits) && is_local(from.bits)) {
    if (!bytes) return;
    const uint64_t a = local_offset(to.bits, bytes, line), b = local_offset(from.bits, bytes, line);
    std::memmove(local_bytes() + a, local_bytes() + b, bytes);
    if (native_.bytes) return;
    const auto shadow = room_.shadow.begin();
    std::vector<Shadow> moved(shadow + long(b), shadow + long(b + bytes));
    std::ranges::copy(moved, shadow + long(a));
    return;
  }
  check_alignment(to, from, align, line);
  const auto [unit, of_unit] = copied_cells(to, from, bytes, of);
  const uint64_t request = std::max<uint64_t>(unit, std::min<uint64_t>(align, largest_request));
  std::vector<Value> values;
  for (uint64_t at = 0; at < bytes; at += request) {
    const uint64_t end = std::min(bytes, at + request);
    const auto cells = int((end - at) / unit);
    const auto mark = [&](const Value& address, bool writes) {
      if (is_local(address.bits) || cells < 2) return;
      const MemoryReference s = spot({address.bits + at, 0, no_kind}, {int(unit), of_unit, line}, writes);
      if (s.memory->width == int(unit) && s.memory->origin != Memory::Origin::constant)
        together(s, cells, line);
    };
    values.clear();
    mark(from, false);
    for (uint64_t k = at; k < end; k += unit)
      values.push_back(load({from.bits + k, k ? 0 : from.source, no_kind}, {int(unit), of_unit, line}));
    for (Value& v : values) v.origin = 0;  // nothing needs all of a struct to be set
    mark(to, true);
    for (uint64_t k = at; k < end; k += unit)
      store({to.bits + k, k ? 0 : to.source, no_kind}, values[(k - at) / unit],
            {int(unit), of_unit, line, op});
  }
}

void Interpreter::fill(const Value& to, uint8_t byte, uint64_t bytes, uint32_t line, Op op) {
  const ElementType kind = cells_at(to.bits, ElementType::i32);
  const auto width = uint64_t(bscope::bytes_of(kind));
  const bool whole = width && bytes % width == 0 && to.bits % width == 0;
  const uint64_t unit = whole ? width : 1;
  const Access access{int(unit), whole ? kind : ElementType::u8, line, op};
  const Value v{cut_to(0x0101010101010101u * byte, int(unit) * 8), 0, no_kind};
  for (uint64_t k = 0; k < bytes; k += unit) store({to.bits + k, k ? 0 : to.source, no_kind}, v, access);
}

/// What is wrong with the places is said where the copy is asked for.
void Interpreter::copy_async(AsyncCopy c) {
  note_effect();
  if (is_local(c.to.bits) || is_local(c.from.bits)) return perform(c);
  check_alignment(c.to, c.from, c.align, c.line);
  const auto [unit, kind] = copied_cells(c.to, c.from, c.bytes, ElementType::i32);
  const auto check = [&](Value address, uint64_t bytes, bool writes) {
    if (!bytes) return;
    const Access access{int(unit), kind, c.line};
    spot(address, access, writes);
    address.bits += bytes - std::min(unit, bytes);
    spot(address, access, writes);
  };
  check(c.from, c.bytes, false);
  check(c.to, c.bytes + c.zeros, true);
  c.group = copy_groups_;
  copies_.push_back(c);
  push({uint16_t(c.line), Op::copy_async, 0, 0, c.barrier ? 1u : 0u, 0});
  if (copies_.size() > most_pending_copies) arrive();
}

/// The copy that was asked for first arrives.
void Interpreter::arrive() {
  const AsyncCopy c = copies_.front();
  copies_.pop_front();
  push({uint16_t(c.line), Op::copy_arrives, 0, 0, 0, 0});
  perform(c);
}

void Interpreter::perform(const AsyncCopy& c) {
  if (c.bytes) copy(c.to, c.from, c.bytes, c.align, ElementType::i32, c.line, Op::store_async);
  if (c.zeros) fill({c.to.bits + c.bytes, c.to.source, no_kind}, 0, c.zeros, c.line, Op::store_async);
}

void Interpreter::await_copies(uint64_t pending) {
  note_effect();
  while (!copies_.empty() && copy_groups_ - copies_.front().group > pending) arrive();
}

void Interpreter::arrive_copies(uint64_t barrier) {
  const auto last = std::ranges::find(copies_.rbegin(), copies_.rend(), barrier, &AsyncCopy::barrier);
  if (last == copies_.rend()) return;
  note_effect();
  for (auto count = std::distance(last, copies_.rend()); count; --count) arrive();
}

void Interpreter::finish_copies() {
  if (copies_.empty()) return;
  commit_copies();
  for (const AsyncCopy& c : copies_)
    launch_.recorder.note(message("Threads end without a wait for the copy of line {}.", c.line));
  await_copies(0);
}

std::array<Value, 4> Interpreter::load_texel(const Value& address, int channels, const Access& access) {
  std::array<Value, 4> all;
  const MemoryReference s = spot(address, access, false);
  const int width = s.memory->width, bytes = access.bytes * channels;
  if (width == bytes && channels > 1) {  // a cell holds the whole texel
    const Value v = load(address, {bytes, integer_kind(bytes * 8, true), access.line});
    for (int k = 0; k < channels; ++k)
      all[size_t(k)] =
          converted(v, cut_to(v.bits >> (k * access.bytes * 8), access.bytes * 8), access.kind, access.line);
    return all;
  }
  if (width == access.bytes && s.memory->origin != Memory::Origin::constant)
    together(s, channels, access.line);
  for (int k = 0; k < channels; ++k)
    all[size_t(k)] =
        load({address.bits + uint64_t(k * access.bytes), k ? 0 : address.source, no_kind}, access);
  return all;
}

void Interpreter::check_stale(uint64_t address, uint64_t bytes, uint32_t line) {
  uint64_t offset = 0;
  uint8_t* shared = nullptr;
  uint8_t id = 0;
  const Memory* const m = memory_of(address, offset, shared, id);
  if (!m || shared || m->freed || m->kept_for != launch_.number || m->kept.size() < m->bytes) return;
  if (offset > m->bytes || bytes > m->bytes - offset) return;
  if (!std::memcmp(m->data() + offset, m->kept.data() + offset, bytes)) return;
  auto& told = launch_.told_stale;
  if (std::ranges::find(told, m) != told.end()) return;
  told.push_back(m);
  Finding f{.block = thread_.block(), .thread = thread_.rank(), .line = int(line)};
  f.message = with_header(message(
      "{} reads {} in line {} as a texture or a surface, where this launch has changed it: the old or "
      "the new value may come.",
      who(), m->name, line));
  f.help = message("Write to another array, or read the new values in the next launch.");
  launch_.findings.push_back(std::move(f));
}

uint64_t Interpreter::peek(uint64_t address, int bytes, uint32_t line) {
  if (is_local(address))
    return read_bytes(local_bytes() + local_offset(address, uint64_t(bytes), line), bytes);
  uint64_t offset = 0;
  uint8_t* shared = nullptr;
  uint8_t id = 0;
  const Memory* const m = memory_of(address, offset, shared, id);
  if (!m || m->freed) nobodys({address, 0, no_kind}, false, line);
  if (offset + uint64_t(bytes) > m->bytes)
    fail(LaunchOutcome::address, line, message("{} reads beyond {} in line {}.", who(), m->name, line));
  return read_bytes((shared ? shared : m->data()) + offset, bytes);
}

void Interpreter::note_use(uint64_t address, int bytes) {
  if (quiet() || native_.bytes || !is_local(address)) return;
  const Shadow& s = room_.shadow[address - ir::local_base];
  if (s.width == bytes) note(Op::escape, {peek(address, bytes, 0), s.source, s.kind}, bytes * 8);
}

std::string Interpreter::text_at(uint64_t address, uint32_t line) {
  std::string text;
  while (text.size() < longest_text) {
    const char c = char(peek(address + text.size(), 1, line));
    if (!c) break;
    text += c;
  }
  return text;
}

// ---- atomics ---------------------------------------------------------------------------------------------

Value Interpreter::atomic(Atomic what, const Value& address, ElementType kind, const Value& operand,
                          const Value& wanted, uint32_t line) {
  const Access access{bscope::bytes_of(kind), kind, line, Op::atomic_exch};
  for (const Value& v : {operand, wanted})
    if (v.origin) takes_effect(v.origin, line);
  if (is_local(address.bits)) return atomic_local(what, address.bits, access, operand, wanted);
  const MemoryReference s = spot(address, access, true);
  check_scope(s, address.bits, true, line);
  if (s.memory->width == access.bytes) return atomic_cell(what, s, access, address, operand, wanted);
  return exchange_cells(what, s, access, address, operand, wanted);
}

void Interpreter::narrow_next_atomic(ScopeNames names) {
  if (quiet()) return;
  block_scope_ = true;
  launch_.narrow_atomic = std::move(names);
}

void Interpreter::check_scope(const MemoryReference& s, uint64_t address, bool writes, uint32_t line) {
  using Scopes = LaunchState::AtomicScope;
  const bool narrow = std::exchange(block_scope_, false);
  const Scopes::Width width = thread_scope_ ? Scopes::of_thread : narrow ? Scopes::of_block : Scopes::of_all;
  if (width != Scopes::of_thread && (s.shared || (width == Scopes::of_all && launch_.atomic_scopes.empty())))
    return;
  const Scopes now{block_number(), thread_.rank()};
  Scopes& before = launch_.atomic_scopes.try_emplace(address, now).first->second;
  if (s.shared && before.block != now.block) before = now;  // that block's memory, at the same address
  const bool other_block = before.block != now.block,
             other_thread = other_block || before.thread != now.thread;
  bool races = false;
  for (const Scopes::Width w : {Scopes::of_thread, Scopes::of_block, Scopes::of_all}) {
    const Scopes::Width least = std::min(w, width);
    const bool leaves_out =
        least == Scopes::of_thread ? other_thread : least == Scopes::of_block && other_block;
    races |= leaves_out && (before.writes[w] || (writes && before.reads[w]));
  }
  (writes ? before.writes : before.reads)[width] = true;
  if (races) tell_scope(s, before, line);
}

/// Once for each array.
void Interpreter::tell_scope(const MemoryReference& s, const LaunchState::AtomicScope& before,
                             uint32_t line) {
  auto& told = launch_.told_scopes;
  if (std::ranges::find(told, s.memory) != told.end()) return;
  told.push_back(s.memory);
  const std::string cell = s.memory->name + "[" + std::to_string(s.offset / uint64_t(s.memory->width)) + "]";
  Finding f{.block = thread_.block(), .thread = thread_.rank(), .line = int(line)};
  const bool of_thread = before.writes[0] || before.reads[0], one_block = before.block == block_number();
  if (of_thread && one_block)
    f.message = message(
        "Threads {} and {} of block {} both access {} in line {}, but thread_scope_thread orders "
        "no two threads.",
        before.thread, thread_.rank(), before.block, cell, line);
  else if (of_thread)
    f.message = message(
        "Blocks {} and {} both access {} in line {}, but thread_scope_thread orders no two "
        "threads.",
        before.block, block_number(), cell, line);
  else
    f.message =
        message("Blocks {} and {} both access {} in line {}, but {} orders the threads of one block only.",
                before.block, block_number(), cell, line, launch_.narrow_atomic.of_block);
  f.message = with_header(std::move(f.message));
  f.help = message("Use {}.", of_thread && one_block ? "thread_scope_block" : launch_.narrow_atomic.of_all);
  launch_.findings.push_back(std::move(f));
}

/// No other thread sees it.
Value Interpreter::atomic_local(Atomic what, uint64_t address, const Access& access, const Value& operand,
                                const Value& wanted) {
  const Value old = load_local(address, access);
  const uint64_t next = after_atomic(what, access.kind, old.bits, operand.bits, wanted.bits);
  const uint32_t source = operand.source ? operand.source : old.source;
  store_local(address, {next, source, no_kind}, access);
  return old;
}

namespace {
/// The trace's word for it. None, where the cells are of another kind than what the operation works on: a
/// replay would compute in theirs.
std::optional<Op> op_of(Atomic what, ElementType works_on, ElementType cells) {
  const bool alike = is_float(works_on) ? works_on == cells : !is_float(cells);
  const bool same_order = alike && is_unsigned(works_on) == is_unsigned(cells);
  const auto if_so = [](bool yes, Op op) { return yes ? std::optional(op) : std::nullopt; };
  switch (what) {
    case Atomic::add: return if_so(alike, Op::atomic_add);
    case Atomic::sub: return if_so(alike, Op::atomic_sub);
    case Atomic::exchange: return Op::atomic_exch;
    case Atomic::min: return if_so(same_order, Op::atomic_min);
    case Atomic::max: return if_so(same_order, Op::atomic_max);
    case Atomic::bit_and: return Op::atomic_and;
    case Atomic::bit_or: return Op::atomic_or;
    case Atomic::bit_xor: return Op::atomic_xor;
    case Atomic::inc: return if_so(same_order, Op::atomic_inc);
    case Atomic::dec: return if_so(same_order, Op::atomic_dec);
    case Atomic::compare: return Op::atomic_cas;
  }
  return {};
}
}  // namespace

Value Interpreter::atomic_cell(Atomic what, const MemoryReference& s, const Access& access,
                               const Value& address, const Value& operand, const Value& wanted) {
  const std::optional<Op> op = op_of(what, access.kind, s.memory->kind);
  if (!op) return exchange_cells(what, s, access, address, operand, wanted);
  Access now = access;
  now.op = *op;
  const auto leave = [&](uint64_t before, uint8_t* p) {
    const uint64_t next = after_atomic(what, access.kind, before, operand.bits, wanted.bits);
    std::memcpy(p, &next, size_t(access.bytes));
    return before;
  };
  turn(s, s.offset, now);
  if (what == Atomic::compare) {
    const uint64_t found = read_bytes(bytes_of_spot(s) + s.offset, access.bytes);
    if (found != operand.bits) now.op = Op::atomic_cas_failed;
    const uint32_t from =
        s.traced && now.op == Op::atomic_cas ? operand_event(wanted, access.kind, access.line) : 0;
    if (s.traced) {
      const auto line = uint16_t(access.line);
      const auto index = uint32_t(s.offset / uint64_t(access.bytes));
      if (address.source) push({line, Op::address, s.id, index, address.source, 0});
      write({line, Op::expect, uint8_t(access.kind), 0, operand.source, 0}, operand.bits, access.bytes);
    }
    return touch(s, s.offset, now, 0, from, leave);
  }
  const uint32_t from = s.traced ? operand_event(operand, access.kind, access.line) : 0;
  return touch(s, s.offset, now, address.source, from, leave);
}

/// An exchange of each cell that changes, a read of the others.
Value Interpreter::exchange_cells(Atomic what, const MemoryReference& s, const Access& access,
                                  const Value& address, const Value& operand, const Value& wanted) {
  const int width = s.memory->width;
  turn(s, s.offset, access);
  const uint64_t before = read_bytes(bytes_of_spot(s) + s.offset, access.bytes);
  const uint64_t next = after_atomic(what, access.kind, before, operand.bits, wanted.bits);
  const Value& taken = what == Atomic::compare ? wanted : operand;
  Value old{before, 0, uint8_t(access.kind)};
  const int step = std::min(width, access.bytes);
  for (int k = 0; k < access.bytes; k += step) {
    const uint64_t offset = s.offset + uint64_t(k);
    uint8_t* const p = bytes_of_spot(s) + offset;
    const uint64_t here = cut_to(next >> (k * 8), step * 8);
    const bool changes = std::memcmp(p, &here, size_t(step)) != 0;
    const Access now{access.bytes, access.kind, access.line, changes ? Op::atomic_exch : Op::acquire};
    uint32_t from = 0;
    if (changes && s.traced) {
      const bool whole = step == width && access.bytes == width && taken.bits == next && taken.source;
      uint64_t left = 0;  // in the whole cell
      const uint64_t begin = offset / uint64_t(width) * uint64_t(width);
      std::memcpy(&left, bytes_of_spot(s) + begin, size_t(width));
      std::memcpy(reinterpret_cast<uint8_t*>(&left) + (offset - begin), &here, size_t(step));
      from = whole ? operand_event(taken, s.memory->kind, access.line)
                   : named({left, 0, no_kind}, s.memory->kind, access.line);
    }
    const Value c = touch(s, offset, now, k ? 0 : address.source, from, [&](uint64_t was, uint8_t*) {
      if (changes) std::memcpy(p, &here, size_t(step));
      return was;
    });
    old.source = c.source;
    if (c.bits == before) old.kind = c.kind;
  }
  return width == access.bytes ? old : converted(old, before, access.kind, access.line);
}

}  // namespace bscope::cuda
