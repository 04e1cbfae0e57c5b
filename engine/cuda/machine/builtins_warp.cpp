// What the lanes of a warp do together.
#include <bit>

#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/kinds.hpp"
#include "engine/trace/small_float.hpp"

namespace bscope {
template <>
inline constexpr ElementType kind_of<Half> = ElementType::f16;
template <>
inline constexpr ElementType kind_of<Bfloat16> = ElementType::bf16;
}  // namespace bscope

namespace bscope::cuda {
namespace {

enum Direction : uint8_t { from_lane, from_below, from_above, across };

/// Calls f with a zero of the kind's C++ type.
auto with_type(ElementType kind, const auto& f) {
  switch (kind) {
    case ElementType::i32: return f(int32_t{});
    case ElementType::u32: return f(uint32_t{});
    case ElementType::i64: return f(int64_t{});
    case ElementType::u64: return f(uint64_t{});
    case ElementType::f32: return f(float{});
    case ElementType::f16: return f(Half{});
    case ElementType::bf16: return f(Bfloat16{});
    default: return f(double{});
  }
}

template <class T>
Tracked<T> tracked(Interpreter& w, const Value& v) {
  return {as<T>(v.bits), v.source, &w.thread()};
}

Value take_from(Interpreter& w, ElementType kind, const Value& v, int lane, uint32_t mask, uint32_t line) {
  w.note_effect();
  return with_type(kind, [&](auto zero) -> Value {
    const auto got = w.thread().shuffle(tracked<decltype(zero)>(w, v), lane, mask, line);
    return {bits_from(got.value), w.quiet() ? 0 : got.source, uint8_t(kind)};
  });
}

/// The lane that is read from, in segments of `width` lanes; the own one where there is none.
int source_lane(Direction direction, int lane, int by, int width) {
  const int begin = lane & ~(width - 1), end = begin + width;
  int from = lane;
  switch (direction) {
    case from_lane: return begin + (by & (width - 1));
    case from_below: from = lane - by; break;
    case from_above: from = lane + by; break;
    case across: from = lane ^ by; break;
  }
  return from >= (direction == across ? 0 : begin) && from < end ? from : lane;
}

Value shuffle(Interpreter& w, const BuiltinCall& c) {
  const int width = int(c[3].bits), by = int(c[2].bits) & (c.what == from_lane ? ~0 : 0xff);
  if (width < 1 || width > warp_size || !std::has_single_bit(unsigned(width)))
    w.fail(c.line, message("{} shuffles in segments of {} lanes in line {}.", w.who(), width, c.line),
           message("Let the width be a power of two, at most 32."));
  w.note(Op::escape, c[2], 32);
  const int from = source_lane(Direction(c.what), w.thread().lane(), by, width);
  return take_from(w, c.kind, c[1], from, uint32_t(c[0].bits), c.line);
}

/// PTX's shuffles: `by`, and in c the lanes that stay of one's own number (bits 8 to 12) and the last lane (0
/// to 4).
struct PtxSegment {
  int from;     ///< the lane that is read
  bool exists;  ///< else the thread reads its own
};
PtxSegment ptx_segment(Direction direction, int lane, uint64_t by, uint64_t c) {
  const int kept = int(c >> 8 & 31), step = int(by & 31);
  const int begin = lane & kept, last = begin | int(c & 31 & ~uint64_t(kept));
  int from = begin | (step & ~kept);
  if (direction == from_below) from = lane - step;
  if (direction == from_above) from = lane + step;
  if (direction == across) from = lane ^ step;
  const bool exists = direction == from_below ? from >= last : from <= last;
  return {exists ? from : lane, exists};
}

/// Of bits whose kind the instruction does not say, the value's own kind is kept.
Value ptx_shuffle(Interpreter& w, const BuiltinCall& c) {
  w.note(Op::escape, c[2], 32);
  const PtxSegment s = ptx_segment(Direction(c.what), w.thread().lane(), c[2].bits, c[3].bits);
  const bool has_kind = c.kind == ElementType::u32 && c[1].kind == uint8_t(ElementType::i32);
  return take_from(w, has_kind ? ElementType::i32 : c.kind, c[1], s.from, uint32_t(c[0].bits), c.line);
}

Value ptx_lane_exists(Interpreter& w, const BuiltinCall& c) {
  return {ptx_segment(Direction(c.what), w.thread().lane(), c[0].bits, c[1].bits).exists, 0, no_kind};
}

Value sync_warp(Interpreter& w, const BuiltinCall& c) {
  w.note_effect();
  w.thread().sync_warp(uint32_t(c[0].bits), c.line);
  return {};
}

Value ballot(Interpreter& w, const BuiltinCall& c) {
  w.note_effect();
  const Tracked<bool> p{uint32_t(c[1].bits) != 0, c[1].source, &w.thread()};
  return {w.thread().ballot(p, uint32_t(c[0].bits), c.line), 0, no_kind};
}

Value match(Interpreter& w, const BuiltinCall& c) {
  w.note_effect();
  const auto vote = [&](auto zero) -> Value {  // on bits, of whatever kind
    const auto v = tracked<decltype(zero)>(w, c[1]);
    return {w.thread().match_any(v, uint32_t(c[0].bits), c.line), 0, no_kind};
  };
  return bytes_of(c.kind) == 8 ? vote(uint64_t{}) : vote(uint32_t{});
}

Value active_lanes(Interpreter& w, const BuiltinCall& c) {
  w.note_effect();
  return {w.lanes_here(c.line), 0, no_kind};
}

Value reduce_add(Interpreter& w, const BuiltinCall& c) {
  w.note_effect();
  const auto mask = uint32_t(c[0].bits);
  const auto sum = [&](auto zero) -> Value {
    const auto s = w.thread().reduce_add(tracked<decltype(zero)>(w, c[1]), mask, c.line);
    return {bits_from(s.value), w.quiet() ? 0 : s.source, uint8_t(c.kind)};
  };
  return c.kind == ElementType::i32 ? sum(int32_t{}) : sum(uint32_t{});
}

/// The trace knows sums alone: the others are made of what each lane that is there has, lane after lane.
Value reduce(Interpreter& w, const BuiltinCall& c) {
  const auto mask = uint32_t(c[0].bits);
  static constexpr std::array operations = {Op::min, Op::max, Op::bit_and, Op::bit_or, Op::bit_xor};
  static constexpr std::array atomics = {Atomic::min, Atomic::max, Atomic::bit_and, Atomic::bit_or,
                                         Atomic::bit_xor};
  const int lane = w.thread().lane();
  Value all = take_from(w, c.kind, c[1], lane, mask, c.line);
  for (uint32_t lanes = w.thread().met() & ~(1u << lane); lanes; lanes &= lanes - 1) {
    const Value v = take_from(w, c.kind, c[1], std::countr_zero(lanes), mask, c.line);
    const uint64_t bits = after_atomic(atomics[c.what], c.kind, all.bits, v.bits, 0);
    all = w.made(operations[c.what], all, v, bits, c.kind, c.kind, c.line);
  }
  return all;
}

}  // namespace

void add_warp(Builtins& all) {
  all.add("__bscope_sync_warp", {sync_warp, ElementType::i32, 0, 1});
  all.add("llvm.nvvm.bar.warp.sync", {sync_warp, ElementType::i32, 0, 1});
  all.add("__bscope_ballot", {ballot, ElementType::i32, 0, 2});
  all.add("__bscope_active_mask", {active_lanes, ElementType::i32, 0, 0});
  for (const auto& [suffix, kind] : number_kinds) {
    const std::string t = std::string("_") + suffix;
    all.add("__bscope_shuffle" + t, {shuffle, kind, from_lane, 4});
    all.add("__bscope_shuffle_up" + t, {shuffle, kind, from_below, 4});
    all.add("__bscope_shuffle_down" + t, {shuffle, kind, from_above, 4});
    all.add("__bscope_shuffle_xor" + t, {shuffle, kind, across, 4});
    all.add("__bscope_match_any" + t, {match, kind, 0, 2});
  }
  uint8_t direction = 0;
  for (const std::string mode : {"idx", "up", "down", "bfly"}) {
    for (const auto& [suffix, kind] :
         {number_kinds[0], number_kinds[1], SuffixedKind{"f32", ElementType::f32}})
      all.add("__bscope_ptx_shuffle_" + mode + "_" + suffix, {ptx_shuffle, kind, direction, 4});
    all.add("__bscope_ptx_lane_exists_" + mode, {ptx_lane_exists, ElementType::i32, direction, 2});
    ++direction;
  }
  for (const auto& [suffix, kind] : word_kinds) {
    all.add(std::string("__bscope_reduce_add_") + suffix, {reduce_add, kind, 0, 2});
    uint8_t what = 0;
    for (const std::string name : {"min", "max", "and", "or", "xor"})
      all.add("__bscope_reduce_" + name + "_" + suffix, {reduce, kind, what++, 2});
  }
}

}  // namespace bscope::cuda
