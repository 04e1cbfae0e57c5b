// Half precision and bfloat16. Each operation is one event, but a product and a sum, which are two as of
// floats.
#include <string>

#include "engine/cuda/include/barrierscope/fp8_numbers.h"
#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/kinds.hpp"
#include "engine/cuda/machine/small_operations.hpp"

namespace bscope::cuda {
namespace {

Value small_operation(Interpreter& w, const BuiltinCall& c) {
  const SmallOperation& o = small_operations[c.what];
  const auto bits = [&](size_t k) { return k < c.arguments.size() ? c[k].bits : 0; };
  const int fraction = fraction_bits(c.kind);
  const uint64_t result = o.compute(bits(0), bits(1), bits(2), fraction);
  const ElementType kind = o.result == ElementType::other ? c.kind : o.result;
  if (o.event == Op::convert) return w.converted(c[0], result, kind, c.line);
  if (o.operands == 1) return w.made(o.event, {0, 0, no_kind}, c[0], result, c.kind, kind, c.line);
  if (o.operands == 2) return w.made(o.event, c[0], c[1], result, c.kind, kind, c.line);
  const uint64_t product = bscope_small_mul(bits(0), bits(1), 0, fraction);
  const Value p = w.made(Op::mul, c[0], c[1], product, c.kind, c.kind, c.line);
  return w.made(o.event, p, c[2], result, c.kind, kind, c.line);
}

/// To a number of 8 bits: the value, the bits behind its point, and whether what is too large becomes the
/// largest.
Value to_8_bits(Interpreter& w, const BuiltinCall& c) {
  const bool is_float = c.kind == ElementType::f32;
  const double v = is_float ? double(as<float>(c[0].bits)) : as<double>(c[0].bits);
  constexpr uint64_t not_a_number = 0x7f;  // of floats, without their sign
  const uint64_t bits =
      is_float && v != v ? not_a_number : __bscope_fp8_of(bits_from(v), int(c[1].bits), c[2].bits & 1);
  return w.converted(c[0], bits, ElementType::u8, c.line);
}
Value from_8_bits(Interpreter& w, const BuiltinCall& c) {
  return w.converted(c[0], __bscope_fp8_as_float(uint8_t(c[0].bits), int(c[1].bits)), c.kind, c.line);
}

}  // namespace

void add_small_floats(Builtins& all) {
  all.add("__bscope_fp8_from_f32", {to_8_bits, ElementType::f32, 0, 3});
  all.add("__bscope_fp8_from_f64", {to_8_bits, ElementType::f64, 0, 3});
  all.add("__bscope_fp8_to_f32", {from_8_bits, ElementType::f32, 0, 2});
  for (const auto& [suffix, kind] : small_kinds)
    for (uint8_t k = 0; k < uint8_t(std::size(small_operations)); ++k)
      all.add("__bscope_" + std::string(small_operations[k].name) + "_" + suffix,
              {small_operation, kind, k, small_operations[k].operands});
}

}  // namespace bscope::cuda
