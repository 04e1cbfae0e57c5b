// The walk itself: step by step through one function after the other, without the processor's own stack.
#include "engine/cuda/machine/interpreter.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "engine/cuda/ir/constants.hpp"
#include "engine/cuda/machine/semantics.h"
#include "engine/trace/demangled.hpp"
#include "engine/trace/places.hpp"

namespace bscope::cuda {

using ir::sign_extended;

namespace {

constexpr size_t most_calls = 1000;                 // calls in calls
constexpr size_t most_registers = size_t(1) << 18;  // of a thread
constexpr uint32_t spinning = 4;                    // reads in a row that saw the same
constexpr uint64_t turns_between_looks = 1 << 16;
constexpr uint64_t cycles_per_turn = 4;     // of a clock that counts no true cycles
constexpr uint64_t waiting = 64;            // readings of the clock, with nothing between them
constexpr uint64_t longest_leap = 1 << 26;  // cycles; clock() has 32 bits
constexpr uint64_t most_snapshot_bytes = uint64_t(512) << 20;
constexpr uint64_t gap = 16;  // between local variables

uint64_t mixed(uint64_t digest, uint64_t bits) {
  const uint64_t product = (digest ^ bits) * 0x9e3779b97f4a7c15u;
  return product ^ product >> 32;
}
/// Four words at a time, which do not wait for each other: a kernel of CUB has kilobytes of local memory.
uint64_t digest_of(std::span<const uint8_t> bytes, uint64_t begin) {
  std::array<uint64_t, 4> lanes = {begin, begin + 1, begin + 2, begin + 3};
  size_t at = 0;
  for (; at + sizeof lanes <= bytes.size(); at += sizeof lanes) {
    std::array<uint64_t, 4> words;
    std::memcpy(words.data(), bytes.data() + at, sizeof words);
    for (size_t k = 0; k < lanes.size(); ++k) lanes[k] = mixed(lanes[k], words[k]);
  }
  for (; at < bytes.size(); ++at) lanes[0] = mixed(lanes[0], bytes[at]);
  for (size_t k = 1; k < lanes.size(); ++k) lanes[0] = mixed(lanes[0], lanes[k]);
  return lanes[0];
}

}  // namespace

Interpreter::Interpreter(LaunchState& l, CpuThread& t) : launch_(l), thread_(t) {
  block_ = &l.block_state(t.block());
  thread_index_ = l.block.place(uint32_t(t.rank()));
  block_index_ = l.grid.place(block_number());
  if (l.rooms.empty()) return;
  room_ = std::move(l.rooms.back());
  l.rooms.pop_back();
}

Interpreter::~Interpreter() {
  launch_.steps += walked_;
  if (!quiet()) block_->rounds.add(thread_.rank(), {thread_.at, thread_.count}, room_.rounds);
  room_.rounds.clear();
  room_.frames.clear();
  launch_.rooms.push_back(std::move(room_));
  block_->most_barriers = std::max(block_->most_barriers, barriers_);
  if (++block_->ended < thread_.block_size()) return;
  if (!quiet()) launch_.loop_rounds[thread_.block()] = block_->rounds.table(thread_.block_size());
  if (block_->fewest_barriers_at_end < block_->most_barriers) launch_.uneven_blocks.insert(thread_.block());
  if (launch_.cluster.count() > 1) launch_.shared_of_blocks[block_number()].clear();
  launch_.forget(thread_.block());
}

void Interpreter::run_in(LaunchState& l, CpuThread& t, const BytecodeFunction& kernel,
                         const std::vector<Given>& arguments) {
  auto* const all = new Interpreter(l, t);
  t.at_end([](void* interpreter) { delete static_cast<Interpreter*>(interpreter); }, all);
  all->run(kernel, arguments);
}

Message Interpreter::who() const {
  Launch places;
  places.grid_extent = launch_.grid;
  places.block_extent = launch_.block;
  return message("Thread {} of block {}", rank_text(places, thread_.rank()),
                 block_text(places, int(block_number())));
}

void Interpreter::fail(uint32_t line, Message what, Message help, CpuThread::StopScope ends,
                       FindingKind kind) {
  launch_.faulted = true;
  thread_.fail(
      {.line = int(line), .message = with_header(std::move(what)), .kind = kind, .help = std::move(help)},
      ends);
}

Message Interpreter::with_header(Message what) const {
  // native code that has left nothing to the interpreter yet is at no step of it
  const BytecodeInstruction* at = room_.frames.empty() || next_ < 1 ? nullptr : step();
  for (size_t k = room_.frames.size(); at && k-- > 0;) {
    if (at->file >= 0 && at->line && !launch_.program.is_ours(at->file)) break;
    const Frame* const caller = k ? &room_.frames[k - 1] : nullptr;
    at = caller && caller->next > 0 ? &caller->code->steps[size_t(caller->next) - 1] : nullptr;
  }
  if (!at || at->file == launch_.file || launch_.file < 0) return what;
  const std::string& path = launch_.program.files()[size_t(at->file)];
  return followed_by(std::move(what), message("That is in line {} of {}.", int(at->line),
                                              path.substr(path.find_last_of('/') + 1)));
}

void Interpreter::refuse(uint32_t line, const Message& what) {
  launch_.unsupported = what;
  launch_.unsupported_line = line;
  fail(line, what, {}, CpuThread::StopScope::launch);
}

void Interpreter::fail(LaunchOutcome::Fault kind, uint32_t line, Message what, Message help) {
  if (launch_.fault_kind == LaunchOutcome::none) launch_.fault_kind = kind;
  fail(line, std::move(what), std::move(help));
}

const BytecodeInstruction* Interpreter::step() const { return steps_ + next_ - 1; }

// ---- events ----------------------------------------------------------------------------------------------

uint32_t Interpreter::push(const Event& e) { return quiet() ? 0 : thread_.push(e); }

uint32_t Interpreter::write(Event e, uint64_t bits, int bytes) {
  if (quiet()) return 0;
  e.bits = uint32_t(bits);
  const uint32_t number = thread_.push(e);
  if (bytes > 4) thread_.push({e.line, Op::high, e.array, uint32_t(bits >> 32), 0, 0});
  return number;
}

uint32_t Interpreter::named(const Value& v, ElementType kind, uint32_t line) {
  if (v.source) return v.source;
  return write({uint16_t(line), Op::constant, uint8_t(kind), 0, 0, 0}, v.bits, bytes_of(kind));
}

uint32_t Interpreter::operand_event(const Value& v, ElementType kind, uint32_t line) {
  if (!v.source || v.source > thread_.count || quiet()) return named(v, kind, line);
  const Event& made = thread_.at[v.source - 1];
  const bool wide = v.source < thread_.count && thread_.at[v.source].op == Op::high;
  const uint64_t bits = made.bits | (wide ? uint64_t(thread_.at[v.source].bits) << 32 : 0);
  // all lanes convert where some might, so that they do so together
  const bool may_extend = v.kind != no_kind && !is_unsigned(ElementType(v.kind)) &&
                          bytes_of(ElementType(v.kind)) < bytes_of(kind);
  return may_extend || bits != v.bits ? converted(v, v.bits, kind, line).source : v.source;
}

ElementType Interpreter::kind_of(const Value& v, int bits, ir::NumberFormat format) {
  if (v.kind != no_kind) {
    const auto kind = ElementType(v.kind);
    if (bytes_of(kind) == std::max(1, bits / 8) && format_of(kind) == format) return kind;
  }
  return plain_kind(bits, format);
}

Value Interpreter::made(Op op, const Value& a, const Value& b, uint64_t bits, ElementType in, ElementType out,
                        uint32_t line) {
  if (!(a.source | b.source)) return {bits, 0, no_kind};
  const uint32_t left = named(a, in, line), right = named(b, in, line);
  return {bits, write({uint16_t(line), op, uint8_t(out), 0, left, right}, bits, bytes_of(out)), uint8_t(out)};
}

Value Interpreter::converted(const Value& from, uint64_t bits, ElementType kind, uint32_t line) {
  if (!from.source) return {bits, 0, no_kind};
  const Event e{uint16_t(line), Op::convert, uint8_t(kind), 0, from.source, 0};
  return {bits, write(e, bits, bytes_of(kind)), uint8_t(kind)};
}

void Interpreter::note(Op op, const Value& v, int bits) {
  if (!v.source) return;
  const ElementType kind = kind_of(v, bits, ir::NumberFormat::integer);
  write({0, op, uint8_t(kind), 0, v.source, 0}, v.bits, bytes_of(kind));
}

// ---- beginning -------------------------------------------------------------------------------------------

void Interpreter::declare_shared() {
  shared_.clear();
  shared_id_.clear();
  if (!launch_.cluster_arrays.empty()) {
    shared_.assign(launch_.shared.size(), nullptr);
    shared_id_.assign(launch_.shared.size(), 0);
    launch_.shared_of_blocks[block_number()] = shared_;
    return;
  }
  if (quiet() && block_->shared.empty())
    for (const auto& m : launch_.shared) block_->shared.emplace_back(m->bytes / 8 + 8);
  for (size_t k = 0; k < launch_.shared.size(); ++k) {
    const Memory& m = *launch_.shared[k];
    uint8_t id = 0;
    if (quiet())
      shared_.push_back(reinterpret_cast<uint8_t*>(block_->shared[k].data()));
    else if (launch_.cut_at_first[k])
      shared_.push_back(static_cast<uint8_t*>(
          thread_.declare(m.name.c_str(), int(m.cells()) / m.rows, m.rows, m.kind, id)));
    else
      shared_.push_back(
          static_cast<uint8_t*>(thread_.declare(m.name.c_str(), int(m.bytes), 1, ElementType::u8, id)));
    shared_id_.push_back(id);
  }
  if (launch_.cluster.count() > 1) launch_.shared_of_blocks[block_number()] = shared_;
}

uint64_t Interpreter::put_by_value(std::span<const std::byte> bytes) {
  BytecodeInstruction s{.op = BytecodeOp::local, .to = 0, .number = int64_t(bytes.size())};
  registers_ = room_.registers.data();
  local(s, 0);
  const uint64_t address = registers_[0].bits;
  std::memcpy(&room_.local[address - ir::local_base], bytes.data(), bytes.size());
  std::fill_n(room_.shadow.begin() + long(address - ir::local_base), bytes.size(), Shadow{});
  return address;
}

void Interpreter::run(const BytecodeFunction& kernel, const std::vector<Given>& arguments) {
  if (!quiet() && launch_.steps > launch_.limits.launch_steps) throw TooLong{};
  if (thread_.rank() == 0) thread_.look_whether_wanted();
  declare_shared();
  const size_t registers = size_t(kernel.registers) + 1;
  if (room_.registers.size() < registers) room_.registers.resize(2 * registers);
  std::fill_n(room_.registers.begin(), registers, Value{});
  std::vector<Value> values;
  for (const Given& g : arguments)
    values.push_back({g.by_value.empty() ? g.bits : put_by_value(g.by_value), 0, no_kind});
  room_.frames.push_back({&kernel, 0, 0, launch_.site, -1, 0, 0});
  settle();
  std::ranges::copy(values, registers_);
  walk();
}

/// The last frame is the one at hand.
void Interpreter::settle() {
  const Frame& f = room_.frames.back();
  registers_ = room_.registers.data() + f.registers;
  constants_ = f.code->constants.data() + f.code->constants.size();
  steps_ = f.code->steps.data();
  next_ = f.next;
  site_ = f.site;
  loops_ = f.loops;
}

void Interpreter::enter(const BytecodeFunction& code, uint32_t site, ir::Operand to) {
  Frame& now = room_.frames.back();
  now.next = next_;
  const uint32_t begin = now.registers + uint32_t(now.code->registers);
  const size_t end = begin + size_t(code.registers);
  if (room_.frames.size() >= most_calls || end > most_registers)
    fail(site,
         message("{} calls {} in itself too deeply in line {}.", who(), code.function->source_name, site),
         message("Look for a recursion that does not end."));
  if (room_.registers.size() < end) room_.registers.resize(2 * end);
  std::fill_n(room_.registers.begin() + begin, code.registers, Value{});
  room_.frames.push_back({&code, 0, begin, site, to, local_, room_.rounds.depth()});
  settle();
}

/// False: the kernel has returned.
bool Interpreter::ret(const BytecodeInstruction& s) {
  const Frame done = room_.frames.back();
  if (room_.frames.size() == 1) finish_copies();
  local_ = done.local;
  if (room_.frames.size() == 1 && !returns_early())
    block_->fewest_barriers_at_end = std::min(block_->fewest_barriers_at_end, barriers_);
  room_.frames.pop_back();
  if (room_.frames.empty()) return false;
  last_jump_ = -1;
  if (room_.rounds.depth() > done.loops) room_.rounds.leave(done.loops, thread_.count);
  const Value* const from = registers_;
  const Value* const constants = constants_;
  settle();
  for (int k = 0; k < s.number && done.to >= 0; ++k) {
    const ir::Operand o = part(s.a, k);
    registers_[done.to + k] = (o >= 0 ? from : constants)[o];
  }
  return true;
}

bool Interpreter::returns_early() const {
  return last_jump_ >= 0 && steps_[last_jump_].op == BytecodeOp::jump && steps_[last_jump_].what;
}

// ---- what computes ---------------------------------------------------------------------------------------

/// Whether signed arithmetic has a result of no more bits.
template <ir::ComputeOp op>
[[gnu::always_inline]] inline bool fits(uint64_t a, uint64_t b, int bits) {
  const int64_t x = sign_extended(a, bits), y = sign_extended(b, bits);
  int64_t result = 0;
  if constexpr (op == ir::ComputeOp::add) {
    if (__builtin_add_overflow(x, y, &result)) return false;
  } else if constexpr (op == ir::ComputeOp::sub) {
    if (__builtin_sub_overflow(x, y, &result)) return false;
  } else {
    if (__builtin_mul_overflow(x, y, &result)) return false;
  }
  return sign_extended(uint64_t(result), bits) == result;
}

/// An instruction's row is known where this is compiled: what it does not need is not done.
template <ir::ComputeOp op, class Semantics>
[[gnu::always_inline]] inline void Interpreter::compute(const BytecodeInstruction& s, uint32_t line,
                                                        Semantics semantics) {
  static constexpr const ir::ComputeInstruction& row = row_of(op);
  static constexpr int operands = operands_of(row.form);
  const Value& a = get(s.a);
  if constexpr (row.event == ir::no_event) {
    const bool same = row.kind == ir::EventKind::same_value || s.from == s.bits;
    set(s.to) = {semantics(a.bits, 0, 0, s.from, s.bits), a.source, same ? a.kind : no_kind, a.origin};
  } else if constexpr (operands == 1) {
    const uint64_t bits = semantics(a.bits, 0, 0, s.from, s.bits);
    set(s.to) = a.source | a.origin ? logged(row, s, a, {}, bits, line) : Value{bits, 0, no_kind};
  } else {
    const Value& b = get(s.b);
    uint64_t c = 0;
    if constexpr (operands == 3) c = get(s.c).bits;
    const uint64_t bits = semantics(a.bits, b.bits, c, s.from, s.bits);
    uint16_t origin = 0;
    if constexpr (op == ir::ComputeOp::add || op == ir::ComputeOp::sub || op == ir::ComputeOp::mul)
      if (s.no_overflow && !fits<op>(a.bits, b.bits, s.bits)) [[unlikely]]
        origin = overflowed(s, a.bits, b.bits, line);
    set(s.to) = a.source | b.source | a.origin | b.origin ? logged(row, s, a, b, bits, line)
                                                          : Value{bits, 0, no_kind};
    if (origin) [[unlikely]]
      set(s.to).origin = origin;
  }
}

/// Its event, and what is wrong with it: an operand of it is data, or has an origin.
Value Interpreter::logged(const ir::ComputeInstruction& row, const BytecodeInstruction& s, const Value& a,
                          const Value& b, uint64_t bits, uint32_t line) {
  Value v = a.source | b.source ? event_of(row, s, a, b, bits, line) : Value{bits, 0, no_kind};
  if (a.origin | b.origin) v.origin = carried(a, b, line);
  return v;
}
Value Interpreter::event_of(const ir::ComputeInstruction& row, const BytecodeInstruction& s, const Value& a,
                            const Value& b, uint64_t bits, uint32_t line) {
  using enum ir::EventKind;
  if (row.event == Op::escape) {
    for (const Value& v : {a, b}) note(Op::escape, v, s.bits);
    return {bits, 0, no_kind};
  }
  if (row.kind == truncated && s.bits == 1) return {bits, a.source, a.kind};
  if (row.kind == logical && s.bits == 1 && !b.source && (b.bits & 1))
    return made(Op::equal, a, {0, 0, no_kind}, bits, ElementType::u8, ElementType::u8, line);
  const ElementType kind = row.kind == like_operands || row.kind == logical
                               ? kind_of(a.source ? a : b, s.bits, s.format)
                           : row.kind == floating_point ? plain_kind(s.bits, ir::NumberFormat::floating)
                                                        : integer_kind(s.bits, row.kind == unsigned_integer);
  if (row.event == Op::convert) return converted(a, bits, kind, line);
  if (operands_of(row.form) == 1) return made(row.event, {0, 0, no_kind}, a, bits, kind, kind, line);
  return made(row.event, a, b, bits, kind, is_comparison(row.form) ? ElementType::u8 : kind, line);
}

// ---- one step --------------------------------------------------------------------------------------------

/// False: the kernel has returned.
[[gnu::always_inline]] inline bool Interpreter::step_once(const BytecodeInstruction& s, uint32_t line) {
  switch (s.op) {
#define COMPUTE(id, ...) \
  case BytecodeOp::id: compute<ir::ComputeOp::id>(s, line, semantics::compute_##id); break;
#include "engine/cuda/ir/instructions.def"
#define STEP(id, effect, reads, sets, walk, emit) \
  case BytecodeOp::id: walk; break;
#include "engine/cuda/ir/instructions.def"
  }
  return true;
}

void Interpreter::walk() {
  for (;;) {
    const BytecodeInstruction& s = steps_[next_++];
    ++walked_;
    if (!step_once(s, line_of(s))) return;
  }
}

void Interpreter::go(int32_t to, LoopJump jump, uint32_t line) {
  const bool back = to < next_;
  last_jump_ = next_ - 1;
  next_ = to;
  if (jump.bits() && !quiet()) {
    if (jump.step() == LoopJump::go_round) [[likely]]
      room_.rounds.go_round(loops_ + jump.depth(), thread_.count);
    else
      pass(jump);
  }
  if (!back) return;
  ++turns_;
  if (spin_.repeats >= spinning || turns_ % turns_between_looks == 0) look_around(line);
  if (turns_ > launch_.limits.loop_turns) end_endless(launch_.limits.loop_turns, line);
}

/// Comes into a loop or leaves some.
void Interpreter::pass(LoopJump j) {
  const uint32_t depth = loops_ + j.depth();
  if (j.step() == LoopJump::leave) return room_.rounds.leave(depth, thread_.count);
  uint32_t loop = j.loop();
  for (size_t k = 0; k + 1 < room_.frames.size(); ++k)  // FNV-1a of the calls that lead there
    loop = (loop ^ uint32_t(room_.frames[k].next)) * 16777619u;
  const ir::Location& at = room_.frames.back().code->loops[j.loop()];
  const uint32_t line = at.line && at.file == launch_.file ? at.line : site_;
  room_.rounds.enter(depth, loop, uint16_t(std::min(line, 65535u)), thread_.count);
}

void Interpreter::end_endless(uint64_t most, uint32_t line) {
  fail(line,
       message("No end in sight: {} has gone round loops {} times, the last time in line {}.", who(), most,
               line),
       message("Look for a loop that never ends."), CpuThread::StopScope::launch, FindingKind::endless_loop);
}

/// A thread that reads the same again and again may wait for another thread's write. If nothing else of it
/// has changed since it was here before, nothing else can end its loop.
void Interpreter::look_around(uint32_t line) {
  thread_.look_whether_wanted();
  if (spin_.repeats < spinning) return thread_.yield(line, Op::acquire);
  if (!has_not_moved() || !spin_.cell) return thread_.yield(line, Op::acquire);
  thread_.wait(spin_.event, spin_.cell, &spin_.bits, size_t(spin_.memory->width));
  spin_.repeats = 0;
}

bool Interpreter::has_not_moved() {
  const Frame& f = room_.frames.back();
  uint64_t digest = room_.frames.size();
  for (int32_t k = 0; k < f.code->registers; ++k) digest = mixed(digest, registers_[k].bits);
  digest = digest_of({local_bytes(), size_t(local_)}, digest);
  const bool same = digest == spin_.digest && effects_ == spin_.effects && accesses_ == spin_.accesses + 1;
  spin_.digest = digest;
  spin_.effects = effects_;
  spin_.accesses = accesses_;
  return same;
}

void Interpreter::branch(const BytecodeInstruction& s, uint32_t line) {
  const Value& condition = get(s.a);
  note(Op::branch, condition, 8);
  if (condition.origin) [[unlikely]]
    takes_effect(condition.origin, line);
  if (condition.bits & 1)
    go(s.b, s.loop_jump_to_b(), line);
  else
    go(s.c, s.loop_jump_to_c(), line);
}

void Interpreter::unsupported(const BytecodeInstruction& s, uint32_t line) {
  refuse(line, message("Barrierscope cannot run what stands in line {}: {}.", line,
                       room_.frames.back().code->sentences[s.index]));
}

void Interpreter::unreachable(uint32_t line) {
  fail(line,
       message("{} comes to the end of a function that should return a value, in line {}.", who(), line),
       message("Return a value on every path of the function."));
}

void Interpreter::switch_(const BytecodeInstruction& s, uint32_t line) {
  const Value& v = get(s.a);
  note(Op::branch, v, s.bits);
  if (v.origin) [[unlikely]]
    takes_effect(v.origin, line);
  const auto& [cases, loop_jumps] = room_.frames.back().code->choices[s.index];
  const auto it = std::ranges::find(cases, v.bits, &std::pair<uint64_t, int32_t>::first);
  if (it == cases.end()) return go(s.b, s.loop_jump_to_b(), line);
  go(it->second, loop_jumps[size_t(it - cases.begin())], line);
}

// ---- memory ----------------------------------------------------------------------------------------------

void Interpreter::local(const BytecodeInstruction& s, uint32_t line) {
  const uint64_t begin = (local_ + gap + 15) / 16 * 16, end = begin + uint64_t(s.number);
  if (end > launch_.limits.local_bytes)
    fail(line, message("{} has more than {} KB of local variables in line {}.", who(),
                       launch_.limits.local_bytes >> 10, line));
  if (room_.local.size() < end + gap) {
    room_.local.resize(2 * (end + gap));
    room_.shadow.resize(room_.local.size());
  }
  std::fill(room_.shadow.begin() + long(local_), room_.shadow.begin() + long(begin),
            Shadow{0, no_kind, no_mans_land});
  std::fill(room_.shadow.begin() + long(begin), room_.shadow.begin() + long(end),
            Shadow{0, no_kind, never_set});
  std::fill(room_.local.begin() + long(begin), room_.local.begin() + long(end), uint8_t(0));
  local_ = end;
  set(s.to) = {ir::local_base + begin, 0, no_kind};
}

void Interpreter::load_step(const BytecodeInstruction& s, uint32_t line) {
  Value at = get(s.a);
  at.bits += uint64_t(s.number);
  const Op op = s.ordering == ir::Ordering::relaxed ? Op::load_relaxed
                : s.ordering != ir::Ordering::none  ? Op::acquire
                : s.is_volatile                     ? Op::load_volatile
                                                    : Op::load;
  set(s.to) = load(at, {s.bits / 8, plain_kind(s.bits, s.format), line, op});
}

void Interpreter::store_step(const BytecodeInstruction& s, uint32_t line) {
  Value at = get(s.a);
  at.bits += uint64_t(s.number);
  const Op op = s.ordering == ir::Ordering::relaxed ? Op::store_relaxed
                : s.ordering != ir::Ordering::none  ? Op::release
                : s.is_volatile                     ? Op::store_volatile
                                                    : Op::store;
  store(at, get(s.b), {s.bits / 8, plain_kind(s.bits, s.format), line, op});
}

Value Interpreter::address(const BytecodeInstruction& s) {
  Value v = get(s.a);
  v.bits += uint64_t(s.number);
  for (const auto& scaled : room_.frames.back().code->addresses[s.index]) {
    const Value& k = get(scaled.index);
    v.bits += uint64_t(sign_extended(k.bits, scaled.bits)) * uint64_t(scaled.stride);  // addresses wrap
    if (k.source) v.source = k.source;
    if (k.origin) v.origin = k.origin;
  }
  v.kind = no_kind;
  return v;
}

Value Interpreter::index(const BytecodeInstruction& s) {
  const Value& k = get(s.b);
  Value v = get(s.a);
  v.bits += uint64_t(s.number) + uint64_t(sign_extended(k.bits, s.from)) * s.index;
  if (k.source) v.source = k.source;
  if (k.origin) v.origin = k.origin;
  v.kind = no_kind;
  return v;
}

void Interpreter::compare_exchange(const BytecodeInstruction& s, uint32_t line) {
  const Value expected = get(s.b);
  const Value old = atomic(Atomic::compare, get(s.a), integer_kind(s.bits), expected, get(s.c), line);
  const bool held = old.bits == expected.bits;
  set(s.to) = old;
  set(s.to + 1) = made(Op::equal, old, expected, held, integer_kind(s.bits), ElementType::u8, line);
}

void Interpreter::atomic_rmw(const BytecodeInstruction& s, uint32_t line) {
  struct AtomicEvent {
    Atomic atomic;
    ir::EventKind kind;
  };
  static constexpr AtomicEvent rows[] = {
#define ATOMIC_RMW(id, name, atomic, kind) {atomic, ir::EventKind::kind},
#include "engine/cuda/ir/instructions.def"
  };
  const AtomicEvent& row = rows[s.what];
  const bool without_sign = row.kind == ir::EventKind::unsigned_integer;
  const ElementType kind = s.format == ir::NumberFormat::integer ? integer_kind(s.bits, without_sign)
                                                                 : plain_kind(s.bits, s.format);
  set(s.to) = atomic(row.atomic, get(s.a), kind, get(s.b), {}, line);
}

// ---- parts of values
// ---------------------------------------------------------------------------------------

void Interpreter::select(const BytecodeInstruction& s) {
  const Value condition = get(s.a);
  note(Op::branch, condition, 8);
  const ir::Operand from = condition.bits & 1 ? s.b : s.c;
  for (int k = 0; k < s.number; ++k) set(s.to + k) = get(part(from, k));
}

void Interpreter::element(const BytecodeInstruction& s, uint32_t line) {
  const uint64_t k = get(s.op == BytecodeOp::element ? s.b : s.c).bits;
  if (k >= uint64_t(s.number))
    fail(line, message("{} asks for element {} of a vector of {} in line {}.", who(), k, s.number, line));
  if (s.op == BytecodeOp::element)
    set(s.to) = get(part(s.a, int(k)));
  else
    set(s.to + int(k)) = get(s.b);
}

/// Enters, or comes back to, a call of a library's function, or leaves it. Of calls within a call the outer
/// one counts.
void Interpreter::library(const BytecodeInstruction& s, uint32_t line) {
  if (quiet()) return;
  const size_t depth = room_.frames.size();
  if (library_.depth > depth) library_ = {};  // of a function that has returned
  if (is_in_library() && library_.depth < depth) return;
  if (LibraryStep(s.what) == LibraryStep::leave) {
    if (!is_in_library()) return;
    library_ = {};
    push({uint16_t(line), Op::phase, 0, 0, 0, 0});
    return;
  }
  const bool enters = LibraryStep(s.what) == LibraryStep::enter;
  if (!enters && is_in_library() && library_.call == s.index) return;
  library_ = {depth, s.index};
  if (library_calls_.size() <= s.index) library_calls_.resize(s.index + 1);
  uint32_t& number = library_calls_[s.index];
  if (enters) ++number;
  const std::string& name = launch_.program.library_calls()[s.index];
  const uint32_t hash = hash_of(name.c_str());
  launch_.library_functions.try_emplace(hash, name);
  push({uint16_t(line), Op::phase, 0, hash, number, s.index + 1});
}

// ---- calls -----------------------------------------------------------------------------------------------

void Interpreter::call(const BytecodeInstruction& s, uint32_t line) {
  const Call& c = room_.frames.back().code->calls[s.index];
  const BytecodeFunction* code = c.code;
  if (!code) code = c.name.empty() ? launch_.program.at(get(s.a).bits) : launch_.program.find(c.name);
  if (!code && c.name.empty())
    fail(line, message("{} calls through a pointer that points to no __device__ function in line {}.", who(),
                       line));
  if (!code)
    refuse(line,
           message("{} calls {} in line {}, which has no body that Barrierscope knows: add the file that "
                   "has it.",
                   who(), demangled(c.name), line));
  if (code->function->is_child_kernel) [[unlikely]]
    return launch_child(*code->function, c, line);
  const Value* const from = registers_;
  const size_t offset = size_t(from - room_.registers.data());
  const Value* const constants = constants_;
  enter(*code, line, s.to);
  last_jump_ = -1;
  const Value* const caller = room_.registers.data() + offset;
  const size_t n = std::min(c.arguments.size(), size_t(code->registers));
  for (size_t k = 0; k < n; ++k) {
    const ir::Operand o = c.arguments[k];
    registers_[k] = (o >= 0 ? caller : constants)[o];
  }
}

void Interpreter::call_builtin(const BytecodeInstruction& s, uint32_t line) {
  const Call& c = room_.frames.back().code->calls[s.index];
  const size_t n = c.arguments.size();
  for (size_t k = 0; k < n; ++k) arguments_[k] = get(c.arguments[k]);
  const Builtin& b = c.builtin;
  Value v = b.run(*this, {{arguments_.data(), n}, b.kind, b.what, line, c});
  if (c.computes)
    for (size_t k = 0; k < n; ++k)
      if (arguments_[k].origin) v.origin = carried(v, arguments_[k], line);
  if (c.results) set(s.to) = v;
}

// ---- for native code -------------------------------------------------------------------------------------

void Interpreter::begin(const BytecodeFunction& left) {
  declare_shared();
  room_.frames.push_back({&left, 0, 0, 0, -1, 0, 0});
  settle();
}

void Interpreter::do_left(int32_t step, uint32_t line, Value* registers) {
  registers_ = registers;
  next_ = step + 1;
  step_once(steps_[step], line);
}

void Interpreter::sync(uint32_t line) {
  note_barrier();
  auto& [number, first_line] = block_->barrier_lines[size_t(barriers_) % 2];
  if (number != barriers_)
    number = barriers_, first_line = line;
  else if (first_line != line)
    launch_.uneven_blocks.insert(thread_.block());
  quiet() ? thread_.sync_unlogged(line) : thread_.sync(line);
}

uint64_t Interpreter::clock() {
  const bool waits = clock_.step == step() && clock_.accesses == accesses_ && clock_.effects == effects_;
  clock_.repeats = waits ? clock_.repeats + 1 : 0;
  clock_.leap = clock_.repeats < waiting ? 1 : std::min(2 * clock_.leap, longest_leap);
  clock_.ahead += clock_.leap;
  note_effect();
  clock_.step = step();
  clock_.accesses = accesses_;
  clock_.effects = effects_;
  return ++turns_ * cycles_per_turn + clock_.ahead;
}

void Interpreter::look_up(uint64_t turns, uint64_t most, uint32_t line, bool yields) {
  turns_ = std::max(turns_, turns);
  if (turns > most) end_endless(most, line);
  yields ? thread_.yield(line, Op::acquire) : thread_.look_whether_wanted();
}

// ---- others ----------------------------------------------------------------------------------------------

uint32_t Interpreter::lanes_here(uint32_t line) {
  const uint32_t me = 1u << thread_.lane();
  BlockState::Gathering& g = block_->gatherings[{thread_.warp(), step()}];
  g.arrived |= me;
  thread_.yield(line, Op::ballot);  // each lane of the warp runs to its next stop
  if (!(g.left & me)) g.lanes = g.left = std::exchange(g.arrived, 0);
  g.left &= ~me;
  return g.lanes;
}

void Interpreter::fence(Scope scope, uint32_t line, FencePart part) {
  if (thread_scope_) return;
  if (launch_.footprint && scope == Scope::system) launch_.footprint->note_message_to_host();
  push({uint16_t(line), Op::fence, 0, 0, uint32_t(scope), uint32_t(part)});
}

void Interpreter::note_barrier() {
  ++effects_;
  ++barriers_;
  if (quiet() || thread_.rank() != 0) return;
  for (const auto& m : launch_.shared) launch_.snapshot_bytes += m->bytes;
  if (launch_.snapshot_bytes > most_snapshot_bytes) throw TooLong{};
}

}  // namespace bscope::cuda
