// Operations and conversions whose rounding their name says: __fadd_rd, __ll2float_ru. The processor rounds
// them so; those to the nearest are plain rounded_operations.
#include <cfenv>
#include <cmath>
#include <string>

#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/kinds.hpp"

namespace bscope::cuda {
namespace {

struct Rounding {
  const char* suffix;
  int mode;
};
constexpr Rounding roundings[] = {{"rz", FE_TOWARDZERO}, {"ru", FE_UPWARD}, {"rd", FE_DOWNWARD}};
constexpr size_t count_of_roundings = std::size(roundings);

enum class Rounded : uint8_t { sum, difference, product, quotient, reciprocal, root, product_and_sum };
struct NamedOperation {
  const char* name;
  uint8_t arguments;
};
constexpr NamedOperation rounded_operations[] = {{"add", 2}, {"sub", 2},  {"mul", 2}, {"div", 2},
                                                 {"rcp", 1}, {"sqrt", 1}, {"fma", 3}};

/// While it lives the processor rounds that way.
class RoundsBy {
 public:
  explicit RoundsBy(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  RoundsBy(const RoundsBy&) = delete;
  RoundsBy& operator=(const RoundsBy&) = delete;
  ~RoundsBy() { std::fesetround(before_); }

 private:
  int before_;
};

/// The operands and the result are volatile, so that the compiler leaves the operation between the changes of
/// the rounding.
template <class T>
T computed(Rounded what, int mode, T first, T second, T third) {
  const volatile T a = first, b = second, c = third;
  volatile T result = 0;
  const RoundsBy rounding(mode);
  switch (what) {
    case Rounded::sum: result = a + b; break;
    case Rounded::difference: result = a - b; break;
    case Rounded::product: result = a * b; break;
    case Rounded::quotient: result = a / b; break;
    case Rounded::reciprocal: result = 1 / a; break;
    case Rounded::root: result = std::sqrt(a); break;
    case Rounded::product_and_sum: result = std::fma(a, b, c); break;
  }
  return result;
}

template <class To, class From>
uint64_t number_from(uint64_t bits, int mode) {
  const volatile From from = as<From>(bits);
  if (from == From(0)) return bits_from(To(from));
  volatile To result = 0;
  const RoundsBy rounding(mode);
  result = To(from);
  return bits_from(To(result));
}

uint64_t bits_computed(Rounded what, int mode, const BuiltinCall& c) {
  const auto operand = [&](size_t k) {
    return k < rounded_operations[size_t(what)].arguments ? c[k].bits : 0;
  };
  if (c.kind == ElementType::f64)
    return bits_from(
        computed(what, mode, as<double>(operand(0)), as<double>(operand(1)), as<double>(operand(2))));
  return bits_from(computed(what, mode, as<float>(operand(0)), as<float>(operand(1)), as<float>(operand(2))));
}

Value rounded_operation(Interpreter& w, const BuiltinCall& c) {
  constexpr Op named[] = {Op::add, Op::sub, Op::mul, Op::div};
  const auto what = Rounded(c.what / count_of_roundings);
  const int mode = roundings[c.what % count_of_roundings].mode;
  const uint64_t bits = bits_computed(what, mode, c);
  if (what == Rounded::reciprocal || what == Rounded::root) return w.converted(c[0], bits, c.kind, c.line);
  if (what != Rounded::product_and_sum)
    return w.made(named[size_t(what)], c[0], c[1], bits, c.kind, c.kind, c.line);
  const Value p =
      w.made(Op::mul, c[0], c[1], bits_computed(Rounded::product, FE_TONEAREST, c), c.kind, c.kind, c.line);
  return w.made(Op::add, p, c[2], bits, c.kind, c.kind, c.line);
}

template <class To>
uint64_t converted_from(ElementType kind, uint64_t bits, int mode) {
  switch (kind) {
    case ElementType::i32: return number_from<To, int32_t>(bits, mode);
    case ElementType::u32: return number_from<To, uint32_t>(bits, mode);
    case ElementType::i64: return number_from<To, int64_t>(bits, mode);
    case ElementType::u64: return number_from<To, uint64_t>(bits, mode);
    default: return number_from<To, double>(bits, mode);
  }
}

Value to_float(Interpreter& w, const BuiltinCall& c) {
  return w.converted(c[0], converted_from<float>(c.kind, c[0].bits, roundings[c.what].mode), ElementType::f32,
                     c.line);
}
Value to_double(Interpreter& w, const BuiltinCall& c) {
  return w.converted(c[0], converted_from<double>(c.kind, c[0].bits, roundings[c.what].mode),
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
