// sqrt, sin, pow, fma and their like. The GPU's own differ from the host's in the last bits.
#include <cmath>
#include <string>

#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/kinds.hpp"
#include "engine/cuda/machine/semantics.h"
#include "engine/cuda/machine/small_operations.hpp"
#include "engine/cuda/machine/special_functions.hpp"

namespace bscope::cuda {
namespace {

double reciprocal_root(double v) { return 1 / std::sqrt(v); }
double power_of_ten(double v) { return std::pow(10, v); }
double reciprocal_cube_root(double v) { return double(1 / std::cbrt((long double)(v))); }
double bessel_j0(double v) { return ::j0(v); }
double bessel_j1(double v) { return ::j1(v); }
double bessel_y0(double v) { return ::y0(v); }
double bessel_y1(double v) { return ::y1(v); }

/// One function for both types; float has the host's own where rounding twice would differ.
struct MathFunction {
  const char* name;
  double (*of_double)(double);
  float (*of_float)(float) = nullptr;
};
constexpr MathFunction functions[] = {{"sqrt", std::sqrt, std::sqrt},
                                      {"rsqrt", reciprocal_root},
                                      {"cbrt", std::cbrt, std::cbrt},
                                      {"exp", std::exp, std::exp},
                                      {"exp2", std::exp2, std::exp2},
                                      {"exp10", power_of_ten},
                                      {"expm1", std::expm1, std::expm1},
                                      {"log", std::log, std::log},
                                      {"log2", std::log2, std::log2},
                                      {"log10", std::log10, std::log10},
                                      {"log1p", std::log1p, std::log1p},
                                      {"sin", std::sin, std::sin},
                                      {"cos", std::cos, std::cos},
                                      {"tan", std::tan, std::tan},
                                      {"asin", std::asin, std::asin},
                                      {"acos", std::acos, std::acos},
                                      {"atan", std::atan, std::atan},
                                      {"sinh", std::sinh, std::sinh},
                                      {"cosh", std::cosh, std::cosh},
                                      {"tanh", std::tanh, std::tanh},
                                      {"asinh", std::asinh, std::asinh},
                                      {"acosh", std::acosh, std::acosh},
                                      {"atanh", std::atanh, std::atanh},
                                      {"erf", std::erf, std::erf},
                                      {"erfc", std::erfc, std::erfc},
                                      {"floor", std::floor, std::floor},
                                      {"ceil", std::ceil, std::ceil},
                                      {"round", std::round, std::round},
                                      {"rint", std::rint, std::rint},
                                      {"nearbyint", std::rint, std::rint},
                                      {"roundeven", std::rint, std::rint},
                                      {"trunc", std::trunc, std::trunc},
                                      {"fabs", std::fabs, std::fabs},
                                      {"lgamma", std::lgamma, std::lgamma},
                                      {"tgamma", std::tgamma, std::tgamma},
                                      {"sinpi", sine_of_half_turns},
                                      {"cospi", cosine_of_half_turns},
                                      {"erfinv", erf_inverse},
                                      {"erfcinv", erfc_inverse},
                                      {"erfcx", scaled_erfc},
                                      {"normcdf", normal_cdf},
                                      {"normcdfinv", normal_cdf_inverse},
                                      {"rcbrt", reciprocal_cube_root},
                                      {"j0", bessel_j0},
                                      {"j1", bessel_j1},
                                      {"y0", bessel_y0},
                                      {"y1", bessel_y1},
                                      {"cyl_bessel_i0", modified_bessel_i0},
                                      {"cyl_bessel_i1", modified_bessel_i1},
                                      {"logb", std::logb, std::logb}};

struct Function2 {
  const char* name;
  double (*of_double)(double, double);
  float (*of_float)(float, float);
  Op op = Op::convert;  ///< the trace's word for it
};
double first_of(double a, double b) { return std::copysign(a, b); }
float first_of_float(float a, float b) { return std::copysign(a, b); }
double reciprocal_hypotenuse(double a, double b) {
  return double(1 / std::hypot((long double)(a), (long double)(b)));
}
float reciprocal_hypotenuse_float(float a, float b) { return float(reciprocal_hypotenuse(a, b)); }
constexpr Function2 functions_of_two[] = {{"pow", std::pow, std::pow},
                                          {"fmod", std::fmod, std::fmod, Op::mod},
                                          {"remainder", std::remainder, std::remainder, Op::mod},
                                          {"atan2", std::atan2, std::atan2},
                                          {"hypot", std::hypot, std::hypot},
                                          {"fdim", std::fdim, std::fdim, Op::sub},
                                          {"fmin", std::fmin, std::fmin, Op::min},
                                          {"fmax", std::fmax, std::fmax, Op::max},
                                          {"copysign", first_of, first_of_float},
                                          {"nextafter", std::nextafter, std::nextafter},
                                          {"rhypot", reciprocal_hypotenuse, reciprocal_hypotenuse_float}};

/// LLVM's own say by their result how wide they are.
ElementType kind_of_result(Interpreter& w, const BuiltinCall& c) {
  return c.kind == ElementType::other ? plain_kind(w.step()->bits, ir::NumberFormat::floating) : c.kind;
}

Value one(Interpreter& w, const BuiltinCall& c) {
  const MathFunction& f = functions[c.what];
  const ElementType kind = kind_of_result(w, c);
  uint64_t bits = 0;
  if (is_small_float(kind)) {
    const int fraction = fraction_bits(kind);
    bits = bscope_small_of(f.of_double(bscope_small_value(c[0].bits, fraction)), fraction, bscope_to_nearest);
  } else if (kind == ElementType::f64)
    bits = bits_from(f.of_double(as<double>(c[0].bits)));
  else if (f.of_float)
    bits = semantics::computed_f32(f.of_float(as<float>(c[0].bits)));
  else
    bits = semantics::computed_f32(float(f.of_double(as<float>(c[0].bits))));
  return w.converted(c[0], bits, kind, c.line);
}

Value two(Interpreter& w, const BuiltinCall& c) {
  const Function2& f = functions_of_two[c.what];
  const ElementType kind = kind_of_result(w, c);
  const uint64_t a = c[0].bits, b = c[1].bits;
  const auto bits_of_float = [&] {
    const float result = f.of_float(as<float>(a), as<float>(b));
    return f.of_float == first_of_float ? bits_from(result) : semantics::computed_f32(result);
  };
  const uint64_t bits =
      kind == ElementType::f64 ? bits_from(f.of_double(as<double>(a), as<double>(b))) : bits_of_float();
  if (f.op == Op::convert) return w.converted(c[0].source ? c[0] : c[1], bits, kind, c.line);
  return w.made(f.op, c[0], c[1], bits, kind, kind, c.line);
}

Value scaled(Interpreter& w, const BuiltinCall& c) {
  const int by = int(c[1].bits);
  const int width = bytes_of(c.kind) * 8;
  return w.converted(c[0],
                     semantics::computed_number(std::ldexp(semantics::number(c[0].bits, width), by), width),
                     c.kind, c.line);
}

/// The Bessel functions of a whole order, which comes first.
enum Bessel : uint8_t { first_kind, second_kind };
Value bessel(Interpreter& w, const BuiltinCall& c) {
  const int order = int(c[0].bits), width = bytes_of(c.kind) * 8;
  const double x = semantics::number(c[1].bits, width);
  return w.converted(
      c[1], semantics::computed_number(c.what == first_kind ? ::jn(order, x) : ::yn(order, x), width), c.kind,
      c.line);
}

/// The length of a vector of three or four numbers, or one divided by it.
enum Norm : uint8_t { length, reciprocal_length };
Value norm(Interpreter& w, const BuiltinCall& c) {
  const int width = bytes_of(c.kind) * 8;
  long double sum = 0;
  const Value* data = &c[0];
  for (const Value& v : c.arguments) {
    const long double x = semantics::number(v.bits, width);
    sum += x * x;
    if (!data->source) data = &v;
  }
  const long double root = std::sqrt(sum);
  return w.converted(*data, semantics::computed_number(double(c.what == length ? root : 1 / root), width),
                     c.kind, c.line);
}

/// Whole numbers about a number: its exponent; the quotient's last bits of a remainder.
enum Whole : uint8_t { exponent, quotient };
Value whole_number(Interpreter& w, const BuiltinCall& c) {
  const int width = bytes_of(c.kind) * 8;
  const double x = semantics::number(c[0].bits, width);
  int result = 0;
  if (c.what == exponent)
    result = std::ilogb(x);
  else
    std::remquo(x, semantics::number(c[1].bits, width), &result);
  return w.converted(c[0], uint32_t(result), ElementType::i32, c.line);
}

/// __fdividef: a divisor above 2^126 gives 0, or no number for infinity.
Value quick_quotient(Interpreter& w, const BuiltinCall& c) {
  const float a = as<float>(c[0].bits), b = as<float>(c[1].bits);
  float result = a / b;
  if (std::isfinite(b) && std::fabs(b) > 0x1p126F) result = a * 0;
  return w.made(Op::div, c[0], c[1], semantics::computed_f32(result), c.kind, c.kind, c.line);
}

/// A product and a sum, rounded once.
Value fused(Interpreter& w, const BuiltinCall& c) {
  const ElementType kind = kind_of_result(w, c);
  const uint64_t a = c[0].bits, b = c[1].bits, d = c[2].bits;
  const bool wide = kind == ElementType::f64;
  const uint64_t product =
      wide ? bits_from(as<double>(a) * as<double>(b)) : semantics::computed_f32(as<float>(a) * as<float>(b));
  const uint64_t sum = wide ? bits_from(std::fma(as<double>(a), as<double>(b), as<double>(d)))
                            : semantics::computed_f32(std::fma(as<float>(a), as<float>(b), as<float>(d)));
  const Value p = w.made(Op::mul, c[0], c[1], product, kind, kind, c.line);
  return w.made(Op::add, p, c[2], sum, kind, kind, c.line);
}

uint8_t number_of_function(std::string_view name) {
  for (uint8_t k = 0; k < uint8_t(std::size(functions_of_two)); ++k)
    if (functions_of_two[k].name == name) return k;
  return 0;
}

}  // namespace

void add_mathematics(Builtins& all) {
  for (uint8_t k = 0; k < uint8_t(std::size(functions)); ++k) {
    for (const auto& kinds : {float_kinds, small_kinds})
      for (const auto& [suffix, kind] : kinds)
        all.add(std::string("__bscope_math_") + functions[k].name + "_" + suffix, {one, kind, k, 1});
    all.add(std::string("llvm.") + functions[k].name, {one, ElementType::other, k, 1});
  }
  for (uint8_t k = 0; k < uint8_t(std::size(functions_of_two)); ++k)
    for (const auto& [suffix, kind] : float_kinds)
      all.add(std::string("__bscope_math_") + functions_of_two[k].name + "_" + suffix, {two, kind, k, 2});
  for (const auto& [suffix, kind] : float_kinds) {
    const std::string t = std::string("_") + suffix;
    all.add("__bscope_min" + t, {two, kind, number_of_function("fmin"), 2});
    all.add("__bscope_max" + t, {two, kind, number_of_function("fmax"), 2});
    all.add("__bscope_math_ldexp" + t, {scaled, kind, 0, 2});
    all.add("__bscope_fma" + t, {fused, kind, 0, 3});
    all.add("__bscope_math_jn" + t, {bessel, kind, first_kind, 2});
    all.add("__bscope_math_yn" + t, {bessel, kind, second_kind, 2});
    all.add("__bscope_math_norm3d" + t, {norm, kind, length, 3});
    all.add("__bscope_math_norm4d" + t, {norm, kind, length, 4});
    all.add("__bscope_math_rnorm3d" + t, {norm, kind, reciprocal_length, 3});
    all.add("__bscope_math_rnorm4d" + t, {norm, kind, reciprocal_length, 4});
    all.add("__bscope_math_ilogb" + t, {whole_number, kind, exponent, 1});
    all.add("__bscope_math_quotient" + t, {whole_number, kind, quotient, 2});
  }
  all.add("__bscope_quick_quotient_f32", {quick_quotient, ElementType::f32, 0, 2});
  // atan2 and the last two are in LLVM since 20
  for (const auto& [llvms, ours] :
       {std::pair("minnum", "fmin"), std::pair("maxnum", "fmax"), std::pair("copysign", "copysign"),
        std::pair("pow", "pow"), std::pair("atan2", "atan2"), std::pair("minimumnum", "fmin"),
        std::pair("maximumnum", "fmax")})
    all.add(std::string("llvm.") + llvms, {two, ElementType::other, number_of_function(ours), 2});
  all.add("llvm.fma", {fused, ElementType::other, 0, 3});
  all.add("llvm.fmuladd", {fused, ElementType::other, 0, 3});
}

}  // namespace bscope::cuda
