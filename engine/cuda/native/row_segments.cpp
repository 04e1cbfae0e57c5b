// Where neighbouring threads of a row run as one loop, which a compiler makes vectors of: between two
// barriers, without a loop or the interpreter, where accesses and comparisons depend on the thread's place
// alone. Probes of the first two threads and of the last say that all go the same way, and that no access
// leaves its memory.
#include <algorithm>
#include <array>

#include "engine/cuda/native/function_emitter.hpp"
#include "engine/cuda/native/inline_builtins.hpp"
#include "engine/cuda/native/own_variables.hpp"
#include "engine/cuda/native/row_shapes.hpp"
#include "engine/cuda/native/same_registers.hpp"

namespace bscope::cuda {

using std::to_string;

namespace {

constexpr int most_notes = 64, most_guards = 32;  // the latter of two bits each
constexpr size_t most_segment_steps = 4000;       // that are compiled twice more

/// Builtins that end a thread. Until one comes there all is well.
constexpr std::array ending = {"__bscope_trap", "__bscope_assert_fail", "__assert", "llvm.trap"};

bool ends_thread(std::string_view name) {
  return std::ranges::any_of(ending, [&](const char* word) { return name.starts_with(word); });
}

bool is_cast_to_more_bits(const BytecodeInstruction& s) {
  return s.op == BytecodeOp::zext || s.op == BytecodeOp::sext;
}

/// How a comparison turns out by how far its operands are apart: GUARD of prelude.c.
struct Comparison {
  BytecodeOp op;
  bool is_signed, swapped;
  bool or_equal = false, equality = false, negated = false;
};
constexpr Comparison comparisons[] = {
    {BytecodeOp::icmp_slt, true, false},
    {BytecodeOp::icmp_sle, true, false, true},
    {BytecodeOp::icmp_sgt, true, true},
    {BytecodeOp::icmp_sge, true, true, true},
    {BytecodeOp::icmp_ult, false, false},
    {BytecodeOp::icmp_ule, false, false, true},
    {BytecodeOp::icmp_ugt, false, true},
    {BytecodeOp::icmp_uge, false, true, true},
    {BytecodeOp::icmp_eq, true, false, false, true},
    {BytecodeOp::icmp_ne, true, false, false, true, true},
};
const Comparison* comparison_of(const BytecodeInstruction& s) {
  const auto* const c = std::ranges::find(comparisons, s.op, &Comparison::op);
  return c == std::end(comparisons) ? nullptr : c;
}

}  // namespace

/// Registers that a barrier keeps have come about in whatever way.
void FunctionEmitter::find_segments() {
  std::vector<bool> unknown(size_t(code_.registers) + 1);
  for (const std::vector<ir::Operand>& live : live_)
    for (const ir::Operand o : live) unknown[size_t(o)] = !same_[size_t(o)] && made_again_[size_t(o)] < 0;
  shapes_ = row_shapes(code_, unknown);
  size_t steps = 0;
  uint32_t from = 0;
  for (size_t first = 0; first < code_.steps.size(); ++first) {
    const bool is_behind_barrier = first > 0 && is_barrier(code_, code_.steps[first - 1]);
    if (is_behind_barrier) ++from;
    if (first > 0 && !(is_behind_barrier && form_ == resumable)) continue;
    const auto region = steps_to_barriers(code_, first);
    if (!region || !std::ranges::all_of(*region, [&](size_t k) { return is_in_segments(k); })) continue;
    segments_.push_back(from);
    steps += code_.steps.size();
    for (const size_t k : *region) number_notes(k);
  }
  for (const int32_t k : made_again_)
    if (k >= 0 && !segments_.empty()) number_notes(size_t(k));
  if (steps > most_segment_steps || notes_ > most_notes || guards_.size() > most_guards) segments_.clear();
}

bool FunctionEmitter::is_in_segments(size_t k) const {
  const BytecodeInstruction& s = code_.steps[k];
  const auto shape = [&](ir::Operand o) { return o < 0 ? RowShape::same : shapes_[size_t(o)]; };
  switch (s.op) {
    case BytecodeOp::local: return is_own(s.to);
    case BytecodeOp::load:
    case BytecodeOp::store: return shape(s.a) != RowShape::unknown;
    case BytecodeOp::branch: return shape(s.a) == RowShape::same || is_guard(k);
    case BytecodeOp::switch_: return shape(s.a) == RowShape::same;
    case BytecodeOp::element: return shape(s.b) == RowShape::same;
    case BytecodeOp::put_element: return shape(s.c) == RowShape::same;
    case BytecodeOp::builtin: break;
    default: {
      const Effect effect = effect_of(s.op);
      return effect != Effect::atomically && effect != Effect::fences && effect != Effect::calls;
    }
  }
  const Call& c = code_.calls[s.index];
  if (is_barrier(code_, s)) return form_ == resumable;
  const std::vector<std::string> nothing(c.arguments.size(), "0");
  return ends_thread(c.name) || (c.results && s.to >= 0 && inline_builtin(c.name, s.bits, nothing));
}

/// Whether a branch goes by the comparison before it, of numbers that grow evenly along a row.
bool FunctionEmitter::is_guard(size_t branch) const {
  if (branch == 0 || target_[branch]) return false;
  const BytecodeInstruction &s = code_.steps[branch], &by = code_.steps[branch - 1];
  constexpr int least_bits = 32;
  if (s.op != BytecodeOp::branch || s.a < 0 || by.to != s.a || !comparison_of(by) || by.bits < least_bits)
    return false;
  const auto shape = [&](ir::Operand o) { return o < 0 ? RowShape::same : shapes_[size_t(o)]; };
  const auto [least, most] = std::minmax({shape(by.a), shape(by.b)});
  return least == RowShape::same &&
         most == RowShape::even;  // of two that wrap, the distance need not show it
}

bool FunctionEmitter::is_even(ir::Operand o) const { return o >= 0 && shapes_[size_t(o)] == RowShape::even; }

/// The step that sets it, where that is the only one; nullptr: there are several, or it is a parameter.
const BytecodeInstruction* FunctionEmitter::only_setter(ir::Operand o) const {
  const bool is_one = o >= 0 && times_set_[size_t(o)] == 1 && set_by_[size_t(o)] >= 0;
  return is_one ? &code_.steps[size_t(set_by_[size_t(o)])] : nullptr;
}

/// Whether a probe notes an index: it grows along a row, and was not noted when it was given its bits.
bool FunctionEmitter::notes_index(ir::Operand index, int bits) const {
  const BytecodeInstruction* const by = only_setter(index);
  return is_even(index) && !(bits == 64 && by && is_cast_to_more_bits(*by));
}

/// Whether a probe notes an address. One that is computed from what was noted grows as evenly, and too slowly
/// to go round the numbers of 64 bits.
bool FunctionEmitter::notes_address(ir::Operand address) const {
  constexpr int64_t most_stride = 1 << 20;
  constexpr size_t most_indices = 16;
  if (!is_even(address)) return false;
  const BytecodeInstruction* const by = only_setter(address);
  if (!by || effect_of(by->op) != Effect::addresses || is_even(by->a)) return true;
  if (by->op == BytecodeOp::index) return int64_t(by->index) > most_stride;
  const auto& scaled = code_.addresses[by->index];
  return scaled.size() > most_indices || std::ranges::any_of(scaled, [](const auto& one) {
           return one.stride > most_stride || one.stride < -most_stride;
         });
}

/// Note 0 is of what need not be noted.
void FunctionEmitter::number_notes(size_t step) {
  const BytecodeInstruction& s = code_.steps[step];
  if (note_of_[step]) return;
  int count = 0;
  if (effect_of(s.op) == Effect::loads || effect_of(s.op) == Effect::stores)
    count = int(notes_address(s.a));
  else if (is_cast_to_more_bits(s))
    count = int(is_even(s.to));
  else if (s.op == BytecodeOp::index)
    count = int(notes_index(s.b, s.from));
  else if (s.op == BytecodeOp::address)
    count = int(std::ranges::count_if(code_.addresses[s.index], [&](const auto& scaled) {
      return notes_index(scaled.index, scaled.bits);
    }));
  else if (is_guard(step))
    count = 1, guards_.push_back(int(step));
  if (!count) return;
  note_of_[step] = notes_ + 1;
  notes_ += count;
}

/// A statement, and what a probe notes behind it: a number that was given more bits. Modulo its own it grows
/// evenly in any case.
std::string FunctionEmitter::noted(const BytecodeInstruction& s, const std::string& statement) const {
  int number = note_of_[index_of(s)];
  if (!number) return statement;
  if (is_cast_to_more_bits(s))
    return statement + " " + call_text("NOTE", {to_string(number), register_name(s.to)}) + ";";
  std::string text;
  const auto add = [&](ir::Operand index, int bits) {
    if (!notes_index(index, bits)) return;
    text += call_text("NOTE",
                      {to_string(number++), "extended(" + operand(index) + ", " + to_string(bits) + ")"}) +
            "; ";
  };
  if (s.op == BytecodeOp::index) add(s.b, s.from);
  if (s.op == BytecodeOp::address)
    for (const auto& scaled : code_.addresses[s.index]) add(scaled.index, scaled.bits);
  return text + statement;
}

/// What a branch goes by.
std::string FunctionEmitter::guard(size_t branch) const {
  const BytecodeInstruction& s = code_.steps[branch];
  const std::string met = operand(s.a) + " & 1";
  const auto known = std::ranges::find(guards_, int(branch));
  if (known == guards_.end()) return met;
  const BytecodeInstruction& by = code_.steps[branch - 1];
  const Comparison& c = *comparison_of(by);
  const std::string apart =
      call_text("distance", {"probe_", operand(c.swapped ? by.b : by.a), operand(c.swapped ? by.a : by.b),
                             to_string(by.bits), to_string(int(c.is_signed))}) +
      (c.or_equal ? " - 1" : "");
  const std::string text =
      call_text("GUARD", {to_string(known - guards_.begin()), note_of(s), apart, to_string(int(c.equality)),
                          c.negated ? "!(" + met + ")" : met});
  return (c.negated ? "!" : "") + text;
}

std::string FunctionEmitter::segment_definition(int number, uint32_t from) const {
  const std::string name = to_string(from),
                    taken = "const uint32_t* first_, struct found* sites" + parameters() + ") {\n";
  std::string text = "static __attribute__((noinline)) void probe_" + name +
                     "(uint32_t k, struct probe* probe_, " + taken +
                     "uint32_t place[14];\n__builtin_memcpy(place, first_, sizeof place);\nplace[0] += k;\n"
                     "struct probe found_ = {1};\n" +
                     function_name(number) + "(0, place, sites, 0, 0, 0, 0, PROBE, &found_, 0";
  std::string given;
  for (int k = 0; k < parameters_of(code_); ++k) given += ", " + register_name(k);
  text += (form_ == resumable ? ", " + name : std::string()) + given;
  if (form_ == resumable) {
    text +=
        ", kept_ + k, stride_, same_, next_same_, arrays_ + k * " + to_string(8 * (array_words_ + 1)) + "ull";
    given += ", kept_, stride_, same_, next_same_, arrays_";
  }
  text += ");\n*probe_ = found_;\n}\nstatic uint32_t find_segment_" + name +
          "(uint32_t left, struct probe* probes, " + taken + "static const uint8_t note_of_guard[] = {";
  for (const int guard : guards_) text += to_string(note_of_[size_t(guard)]) + ", ";
  return text + "0};\n#define CALL(k, p) probe_" + name + "(k, p, first_, sites" + given +
         ")\nFIND_SEGMENT(left, note_of_guard, CALL);\n#undef CALL\n}\n";
}

/// Where the pointer that an address is computed from comes from.
ir::Operand FunctionEmitter::root_of(ir::Operand o) const {
  constexpr int most_segment_steps_back = 64;
  for (int k = 0; k < most_segment_steps_back && o >= 0 && times_set_[size_t(o)] == 1; ++k) {
    const int32_t by = set_by_[size_t(o)];
    if (by < 0) return o;  // a parameter
    const BytecodeInstruction& s = code_.steps[size_t(by)];
    const bool same = s.op == BytecodeOp::copy || s.op == BytecodeOp::addrspacecast ||
                      s.op == BytecodeOp::bitcast || (s.op == BytecodeOp::trunc && s.bits == 64);
    if (!same && effect_of(s.op) != Effect::addresses) return o;
    o = s.a;
  }
  return o;
}

std::string FunctionEmitter::shared_sites() const {
  std::vector<std::pair<uint64_t, int>> first_of;  // by root
  std::string compared, taken;
  for (size_t k = 0; k < code_.steps.size(); ++k) {
    if (site_of_[k] < 0) continue;
    const BytecodeInstruction& s = code_.steps[k];
    const ir::Operand o = root_of(s.op == BytecodeOp::builtin ? code_.calls[s.index].arguments[0] : s.a);
    const uint64_t root = o >= 0 ? uint64_t(o) : code_.constants.end()[o].bits;
    const auto known = std::ranges::find(first_of, root, &std::pair<uint64_t, int>::first);
    if (known == first_of.end()) {
      first_of.emplace_back(root, site_of_[k]);
      continue;
    }
    const std::string site = to_string(site_of_[k]), first = to_string(known->second);
    compared += call_text("COMPARE_MEMORY", {site, first}) + ";\n";
    taken += call_text("SAME_MEMORY", {site, first}) + ";\n";
  }
  for (const auto& [root, site] : first_of)
    compared += call_text("HIDE", {"sites[" + to_string(site) + "].memory"}) + ";\n";
  return compared + taken;
}

}  // namespace bscope::cuda
