// min, max and the bits of integers, where CUDA names them; LLVM's own are instructions (instructions.def).
#include <string>

#include "engine/cuda/ir/constants.hpp"
#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/kinds.hpp"
#include "engine/cuda/machine/semantics.h"

namespace bscope::cuda {
namespace {

using ir::cut_to;
using ir::sign_extended;

int bits_of(const BuiltinCall& c) { return bytes_of(c.kind) * 8; }

enum Extreme : uint8_t { minimum, maximum };

Value extreme(Interpreter& w, const BuiltinCall& c) {
  const uint64_t a = c[0].bits, b = c[1].bits;
  const int bits = bits_of(c);
  const bool plain = is_unsigned(c.kind);
  if (c.what == minimum) {
    const uint64_t r =
        plain ? semantics::compute_umin(a, b, 0, bits, bits) : semantics::compute_smin(a, b, 0, bits, bits);
    return w.made(Op::min, c[0], c[1], r, c.kind, c.kind, c.line);
  }
  const uint64_t r =
      plain ? semantics::compute_umax(a, b, 0, bits, bits) : semantics::compute_smax(a, b, 0, bits, bits);
  return w.made(Op::max, c[0], c[1], r, c.kind, c.kind, c.line);
}

Value absolute_value(Interpreter& w, const BuiltinCall& c) {
  const int bits = bits_of(c);
  return w.converted(c[0], semantics::compute_abs(c[0].bits, 0, 0, bits, bits), integer_kind(bits), c.line);
}

enum Count : uint8_t { ones, zeros_above, first_one, bits_backwards };

/// Something about the bits of a number of `width` bits.
uint64_t count_of(Count what, uint64_t v, int width) {
  switch (what) {
    case ones: return semantics::compute_ctpop(v, 0, 0, width, width);
    case zeros_above: return semantics::compute_ctlz(v, 0, 0, width, width);
    case first_one: return v ? semantics::compute_cttz(v, 0, 0, width, width) + 1 : 0;
    case bits_backwards: return semantics::compute_bitreverse(v, 0, 0, width, width);
  }
  return 0;
}

Value count(Interpreter& w, const BuiltinCall& c) {
  const int width = bits_of(c);
  const ElementType kind = c.what == bits_backwards ? integer_kind(width, true) : ElementType::i32;
  return w.converted(c[0], count_of(Count(c.what), cut_to(c[0].bits, width), width), kind, c.line);
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

Value permuted(Interpreter& w, const BuiltinCall& c) {
  const uint64_t all = cut_to(c[0].bits, 32) | c[1].bits << 32;
  uint64_t r = 0;
  for (int k = 0; k < 4; ++k) {
    const uint64_t selector = c[2].bits >> (4 * k) & 15, byte = all >> (8 * (selector & 7)) & 255;
    r |= (selector & 8 ? (byte & 128 ? 255 : 0) : byte) << (8 * k);
  }
  return w.made(Op::bit_or, c[0], c[1], r, ElementType::u32, ElementType::u32, c.line);
}

}  // namespace

void add_integers(Builtins& all) {
  for (const auto& [suffix, kind] : integer_kinds) {
    const std::string t = std::string("_") + suffix;
    all.add("__bscope_min" + t, {extreme, kind, minimum, 2});
    all.add("__bscope_max" + t, {extreme, kind, maximum, 2});
    all.add("__bscope_mul_hi" + t, {high_product, kind, 0, 2});
    all.add("__bscope_popc" + t, {count, kind, ones, 1});
    all.add("__bscope_clz" + t, {count, kind, zeros_above, 1});
    all.add("__bscope_ffs" + t, {count, kind, first_one, 1});
    all.add("__bscope_brev" + t, {count, kind, bits_backwards, 1});
    all.add("__bscope_abs" + t, {absolute_value, kind, 0, 1});
  }
  all.add("__bscope_byte_perm", {permuted, ElementType::u32, 0, 3});
}

}  // namespace bscope::cuda
