// Operations and conversions whose rounding their name says: __fadd_rd, __ll2float_ru. Those to the nearest
// are plain operations.
#include <string>

#include "engine/cuda/machine/directed_rounding.hpp"
#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/kinds.hpp"
#include "engine/cuda/machine/semantics.h"

namespace bscope::cuda {
namespace {

struct Rounding {
  const char* suffix;
  RoundingDirection direction;
};
constexpr Rounding roundings[] = {{"rz", RoundingDirection::toward_zero},
                                  {"ru", RoundingDirection::upward},
                                  {"rd", RoundingDirection::downward}};
constexpr size_t count_of_roundings = std::size(roundings);

enum class Rounded : uint8_t { sum, difference, product, quotient, reciprocal, root, product_and_sum };
struct NamedOperation {
  const char* name;
  uint8_t arguments;
};
constexpr NamedOperation rounded_operations[] = {{"add", 2}, {"sub", 2},  {"mul", 2}, {"div", 2},
                                                 {"rcp", 1}, {"sqrt", 1}, {"fma", 3}};

template <class T>
T computed(Rounded what, RoundingDirection d, T a, T b, T c) {
  switch (what) {
    case Rounded::sum: return rounded_sum(a, b, d);
    case Rounded::difference: return rounded_sum(a, -b, d);
    case Rounded::product: return rounded_product(a, b, d);
    case Rounded::quotient: return rounded_quotient(a, b, d);
    case Rounded::reciprocal: return rounded_quotient(T(1), a, d);
    case Rounded::root: return rounded_root(a, d);
    case Rounded::product_and_sum: return rounded_fma(a, b, c, d);
  }
  return 0;
}

template <class To, class From>
uint64_t number_from(uint64_t bits, RoundingDirection d) {
  return bits_from(rounded_number<To>(as<From>(bits), d));
}

uint64_t bits_computed(Rounded what, RoundingDirection d, const BuiltinCall& c) {
  const auto operand = [&](size_t k) {
    return k < rounded_operations[size_t(what)].arguments ? c[k].bits : 0;
  };
  if (c.kind == ElementType::f64)
    return bits_from(
        computed(what, d, as<double>(operand(0)), as<double>(operand(1)), as<double>(operand(2))));
  return semantics::computed_f32(
      computed(what, d, as<float>(operand(0)), as<float>(operand(1)), as<float>(operand(2))));
}

uint64_t product_to_nearest(const BuiltinCall& c) {
  return c.kind == ElementType::f64 ? bits_from(as<double>(c[0].bits) * as<double>(c[1].bits))
                                    : semantics::computed_f32(as<float>(c[0].bits) * as<float>(c[1].bits));
}

Value rounded_operation(Interpreter& w, const BuiltinCall& c) {
  constexpr Op named[] = {Op::add, Op::sub, Op::mul, Op::div};
  const auto what = Rounded(c.what / count_of_roundings);
  const uint64_t bits = bits_computed(what, roundings[c.what % count_of_roundings].direction, c);
  if (what == Rounded::reciprocal || what == Rounded::root) return w.converted(c[0], bits, c.kind, c.line);
  if (what != Rounded::product_and_sum)
    return w.made(named[size_t(what)], c[0], c[1], bits, c.kind, c.kind, c.line);
  const Value p = w.made(Op::mul, c[0], c[1], product_to_nearest(c), c.kind, c.kind, c.line);
  return w.made(Op::add, p, c[2], bits, c.kind, c.kind, c.line);
}

template <class To>
uint64_t converted_from(ElementType kind, uint64_t bits, RoundingDirection d) {
  switch (kind) {
    case ElementType::i32: return number_from<To, int32_t>(bits, d);
    case ElementType::u32: return number_from<To, uint32_t>(bits, d);
    case ElementType::i64: return number_from<To, int64_t>(bits, d);
    case ElementType::u64: return number_from<To, uint64_t>(bits, d);
    default: return number_from<To, double>(bits, d);
  }
}

Value to_float(Interpreter& w, const BuiltinCall& c) {
  return w.converted(c[0], converted_from<float>(c.kind, c[0].bits, roundings[c.what].direction),
                     ElementType::f32, c.line);
}
Value to_double(Interpreter& w, const BuiltinCall& c) {
  return w.converted(c[0], converted_from<double>(c.kind, c[0].bits, roundings[c.what].direction),
                     ElementType::f64, c.line);
}

}  // namespace

void add_roundings(Builtins& all) {
  for (uint8_t r = 0; r < uint8_t(count_of_roundings); ++r) {
    const std::string by = std::string("_") + roundings[r].suffix + "_";
    for (size_t k = 0; k < std::size(rounded_operations); ++k)
      for (const auto& [suffix, kind] : float_kinds)
        all.add(
            std::string("__bscope_") + rounded_operations[k].name + by + suffix,
            {rounded_operation, kind, uint8_t(k * count_of_roundings + r), rounded_operations[k].arguments});
    for (const auto& [suffix, kind] : number_kinds) {
      all.add("__bscope_float" + by + suffix, {to_float, kind, r, 1});
      all.add("__bscope_double" + by + suffix, {to_double, kind, r, 1});
    }
  }
}

}  // namespace bscope::cuda
