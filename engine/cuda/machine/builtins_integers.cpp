// min, max and the bits of integers.
#include <bit>
#include <string>

#include "engine/cuda/ir/constants.hpp"
#include "engine/cuda/machine/arithmetic.hpp"
#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/kinds.hpp"

namespace bscope::cuda {
namespace {

using ir::cut_to;
using ir::sign_extended;

/// Of LLVM's own, whose names end in types of any width, the width of the result.
int bits_of_result(Interpreter& w, const BuiltinCall& c) {
  return c.kind == Kind::other ? int(w.step()->bits) : bytes_of(c.kind) * 8;
}

enum Extreme : uint8_t { least = 1, greatest = 2, without_sign = 4 };

Value extreme(Interpreter& w, const BuiltinCall& c) {
  const int bits = bits_of_result(w, c);
  const bool plain = (c.what & without_sign) || is_unsigned(c.kind);
  const uint64_t a = c[0].bits, b = c[1].bits;
  const bool less = plain ? a < b : sign_extended(a, bits) < sign_extended(b, bits);
  const bool smaller = (c.what & least) != 0;
  const Kind kind = c.kind == Kind::other ? integer_kind(bits, plain) : c.kind;
  return w.made(smaller ? Op::min : Op::max, c[0], c[1], less == smaller ? a : b, kind, kind, c.line);
}

Value absolute(Interpreter& w, const BuiltinCall& c) {
  const int bits = bits_of_result(w, c);
  const int64_t v = sign_extended(c[0].bits, bits);
  const Kind kind = integer_kind(bits);
  return w.converted(c[0], cut_to(v < 0 ? 0 - uint64_t(v) : uint64_t(v), bits), kind, c.line);
}

uint64_t reversed(uint64_t v, int bits) {
  uint64_t out = 0;
  for (int k = 0; k < bits; ++k) out |= (v >> k & 1) << (bits - 1 - k);
  return out;
}
uint64_t bytes_reversed(uint64_t v, int bits) {
  uint64_t out = 0;
  for (int k = 0; k < bits; k += 8) out |= (v >> k & 255) << (bits - 8 - k);
  return out;
}

enum Count : uint8_t { ones, zeros_above, zeros_below, first_one, bits_backwards, bytes_backwards };

/// Something about the bits of a number of `width` bits.
uint64_t count_of(Count what, uint64_t v, int width) {
  switch (what) {
    case ones: return uint64_t(std::popcount(v));
    case zeros_above: return v ? uint64_t(std::countl_zero(v) - (64 - width)) : uint64_t(width);
    case zeros_below: return v ? uint64_t(std::countr_zero(v)) : uint64_t(width);
    case first_one: return v ? uint64_t(std::countr_zero(v)) + 1 : 0;
    case bits_backwards: return reversed(v, width);
    case bytes_backwards: return bytes_reversed(v, width);
  }
  return 0;
}

Value count(Interpreter& w, const BuiltinCall& c) {
  const int width = bits_of_result(w, c);
  const bool same_width = c.kind == Kind::other || c.what >= bits_backwards;
  const Kind kind = same_width ? integer_kind(width, true) : Kind::i32;
  return w.converted(c[0], count_of(Count(c.what), cut_to(c[0].bits, width), width), kind, c.line);
}

enum Sum : uint8_t { of_sum, of_difference, of_product, unsigned_ones = 4 };

/// Whether the result is too large for its width. The answer only steers and is no operand.
Value overflows(Interpreter& w, const BuiltinCall& c) {
  const int bits = w.step()->bits;
  const bool plain = (c.what & unsigned_ones) != 0;
  const auto number = [&](const Value& v) {
    return plain ? __int128(cut_to(v.bits, bits)) : __int128(sign_extended(v.bits, bits));
  };
  const __int128 a = number(c[0]), b = number(c[1]);
  for (const Value& v : {c[0], c[1]}) w.note(Op::escape, v, bits);
  const __int128 least = plain ? 0 : -(__int128(1) << (bits - 1)),
                 greatest = (__int128(1) << (plain ? bits : bits - 1)) - 1;
  __int128 exact = 0;
  bool beyond = false;
  switch (c.what & 3) {
    case of_sum: exact = a + b; break;
    case of_difference: exact = a - b; break;
    default: beyond = __builtin_mul_overflow(a, b, &exact);
  }
  return {uint64_t(beyond || exact < least || exact > greatest), 0, no_kind};
}

/// The upper half of a product.
Value high_product(Interpreter& w, const BuiltinCall& c) {
  const int bits = bytes_of(c.kind) * 8;
  const uint64_t a = c[0].bits, b = c[1].bits;
  uint64_t high = 0;
  if (is_unsigned(c.kind))
    high = uint64_t((unsigned __int128)(cut_to(a, bits)) * cut_to(b, bits) >> bits);
  else
    high = uint64_t((__int128)(sign_extended(a, bits)) * sign_extended(b, bits) >> bits);
  return w.made(Op::mul, c[0], c[1], cut_to(high, bits), c.kind, c.kind, c.line);
}

/// The upper (or lower) word of two behind one another, shifted to the left (right).
Value funnel(Interpreter& w, const BuiltinCall& c) {
  const int bits = bits_of_result(w, c);
  const int by = int(c[2].bits % uint64_t(bits));
  const uint64_t high = c[0].bits, low = c[1].bits;
  uint64_t r = c.what == 0 ? high : low;
  if (by) r = c.what == 0 ? high << by | low >> (bits - by) : high << (bits - by) | low >> by;
  const Kind kind = integer_kind(bits, true);
  return w.made(c.what == 0 ? Op::shl : Op::shr, c[0], c[1], cut_to(r, bits), kind, kind, c.line);
}

Value permuted(Interpreter& w, const BuiltinCall& c) {
  const uint64_t all = cut_to(c[0].bits, 32) | c[1].bits << 32;
  uint64_t r = 0;
  for (int k = 0; k < 4; ++k) {
    const uint64_t selector = c[2].bits >> (4 * k) & 15, byte = all >> (8 * (selector & 7)) & 255;
    r |= (selector & 8 ? (byte & 128 ? 255 : 0) : byte) << (8 * k);
  }
  return w.made(Op::bit_or, c[0], c[1], r, Kind::u32, Kind::u32, c.line);
}

}  // namespace

void add_integers(Builtins& all) {
  for (const auto& [suffix, kind] : integer_kinds) {
    const std::string t = std::string("_") + suffix;
    all.add("__bscope_min" + t, {extreme, kind, least, 2});
    all.add("__bscope_max" + t, {extreme, kind, greatest, 2});
    all.add("__bscope_mul_hi" + t, {high_product, kind, 0, 2});
    all.add("__bscope_popc" + t, {count, kind, ones, 1});
    all.add("__bscope_clz" + t, {count, kind, zeros_above, 1});
    all.add("__bscope_ffs" + t, {count, kind, first_one, 1});
    all.add("__bscope_brev" + t, {count, kind, bits_backwards, 1});
    all.add("__bscope_abs" + t, {absolute, kind, 0, 1});
  }
  all.add("__bscope_byte_perm", {permuted, Kind::u32, 0, 3});
  all.add("llvm.smin", {extreme, Kind::other, least, 2});
  all.add("llvm.smax", {extreme, Kind::other, greatest, 2});
  all.add("llvm.umin", {extreme, Kind::other, least | without_sign, 2});
  all.add("llvm.umax", {extreme, Kind::other, greatest | without_sign, 2});
  uint8_t what = of_sum;
  for (const std::string name : {"add", "sub", "mul"}) {
    all.add("llvm.s" + name + "_overflows", {overflows, Kind::other, what, 2});
    all.add("llvm.u" + name + "_overflows", {overflows, Kind::other, uint8_t(what | unsigned_ones), 2});
    ++what;
  }
  all.add("llvm.abs", {absolute, Kind::other, 0, 1});
  all.add("llvm.ctpop", {count, Kind::other, ones, 1});
  all.add("llvm.ctlz", {count, Kind::other, zeros_above, 1});
  all.add("llvm.cttz", {count, Kind::other, zeros_below, 1});
  all.add("llvm.bitreverse", {count, Kind::other, bits_backwards, 1});
  all.add("llvm.bswap", {count, Kind::other, bytes_backwards, 1});
  all.add("llvm.fshl", {funnel, Kind::other, 0, 3});
  all.add("llvm.fshr", {funnel, Kind::other, 1, 3});
}

}  // namespace bscope::cuda
