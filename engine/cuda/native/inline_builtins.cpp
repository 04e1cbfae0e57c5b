#include "engine/cuda/native/inline_builtins.hpp"

#include <algorithm>
#include <array>

#include "engine/cuda/machine/builtins.hpp"
#include "engine/cuda/machine/kinds.hpp"
#include "engine/cuda/machine/small_operations.hpp"

namespace bscope::cuda {
namespace {

using std::to_string;

/// A builtin's name in ours, without its type, beside the function of
/// instructions.def or prelude.c: for signed integers, for
/// unsigned ones, for floats. nullptr: there is none.
struct InlineFunction {
  std::string_view name;
  const char *of_signed, *of_unsigned, *of_floats;
};
constexpr InlineFunction functions[] = {
    {"abs", "compute_abs", "compute_abs", nullptr},       {"popc", "compute_ctpop", "compute_ctpop", nullptr},
    {"clz", "compute_ctlz", "compute_ctlz", nullptr},     {"ffs", "first_one", "first_one", nullptr},
    {"min", "compute_smin", "compute_umin", nullptr},     {"max", "compute_smax", "compute_umax", nullptr},
    {"mul_hi", "high_product", "uhigh_product", nullptr}, {"fma", nullptr, nullptr, "fused"},
    {"math_rsqrt", nullptr, nullptr, "reciprocal_root"},  {"math_exp10", nullptr, nullptr, "power_of_ten"},
};
/// LLVM's own names for the same, but those of instructions.def.
constexpr InlineFunction llvm_functions[] = {
    {"fma", nullptr, nullptr, "fused"},
    {"fmuladd", nullptr, nullptr, "fused"},
};

/// Mathematics that C has under the same name, for double; float's ends in f. Those that round to a whole or
/// are exact are the compiler's own, others the library's, for their last bits.
constexpr std::array exact = {"sqrt", "floor", "ceil", "trunc", "rint", "fabs", "copysign"};
constexpr std::string_view of_library[] = {
#define MATH_1(name) #name,
#define MATH_2(name) #name,
#include "engine/cuda/native/library_functions.def"
};

constexpr std::array positions = {"tid.x",    "tid.y",    "tid.z",  "ctaid.x", "ctaid.y",
                                  "ctaid.z",  "ntid.x",   "ntid.y", "ntid.z",  "nctaid.x",
                                  "nctaid.y", "nctaid.z", "laneid", "warpid"};

/// "__bscope_min_u32": "min" and u32.
struct Typed {
  std::string_view name;
  ElementType kind;
};
std::optional<Typed> typed(std::string_view name) {
  constexpr std::string_view ours = "__bscope_";
  const size_t end = name.rfind('_');
  if (!name.starts_with(ours) || end <= ours.size()) return {};
  for (const auto& [suffix, kind] : number_kinds)
    if (name.substr(end + 1) == suffix) return Typed{name.substr(ours.size(), end - ours.size()), kind};
  if (name.substr(end + 1) == "u16")
    return Typed{name.substr(ours.size(), end - ours.size()), ElementType::u16};
  return {};
}

std::string call(std::string_view function, std::span<const std::string> arguments, int bits) {
  return computation(function, arguments, bits, bits);
}

std::optional<std::string> mathematics(std::string_view name, int bits,
                                       std::span<const std::string> arguments) {
  const bool is_exact = std::ranges::find(exact, name) != exact.end();
  if (!is_exact && std::ranges::find(of_library, name) == std::end(of_library)) return {};
  const std::string type = bits == 64 ? "f64" : "f32";
  const bool computes = bits == 32 && name != "copysign";  // which sets one bit
  std::string text =
      (computes ? "computed_" : "of_") + type + "(" + (is_exact ? "__builtin_" : "") + std::string(name);
  text += bits == 64 ? "(" : "f(";
  for (size_t k = 0; k < arguments.size(); ++k) text += (k ? ", " : "") + type + "(" + arguments[k] + ")";
  return text + "))";
}

/// What small_floats.h computes; `operation` is its name there without bscope_small_.
std::string small_operation(std::string_view operation, ElementType kind,
                            std::span<const std::string> arguments) {
  std::string text = "bscope_small_" + std::string(operation) + "(";
  for (size_t k = 0; k < 3; ++k) text += (k < arguments.size() ? arguments[k] : "0") + ", ";
  return text + to_string(fraction_bits(kind)) + ")";
}

/// Half precision and bfloat16: mathematics is computed in double, as the interpreter does.
std::optional<std::string> of_small_float(const Typed& t, std::span<const std::string> arguments) {
  if (small_operation_named(t.name)) return small_operation(t.name, t.kind, arguments);
  constexpr std::string_view math = "math_";
  if (!t.name.starts_with(math) || arguments.size() != 1) return {};
  const std::string_view name = t.name.substr(math.size());
  const bool is_exact = std::ranges::find(exact, name) != exact.end();
  if (!is_exact && std::ranges::find(of_library, name) == std::end(of_library)) return {};
  const std::string fraction = to_string(fraction_bits(t.kind));
  return "bscope_small_of(" + std::string(is_exact ? "__builtin_" : "") + std::string(name) +
         "(bscope_small_value(" + arguments[0] + ", " + fraction + ")), " + fraction + ", bscope_to_nearest)";
}

std::optional<std::string> from(std::span<const InlineFunction> table, std::string_view name,
                                ElementType kind, int bits, std::span<const std::string> arguments) {
  const auto f = std::ranges::find(table, name, &InlineFunction::name);
  if (f == table.end()) return {};
  const char* const function = is_float(kind)      ? f->of_floats
                               : is_unsigned(kind) ? f->of_unsigned
                                                   : f->of_signed;
  return function ? std::optional(call(function, arguments, bits)) : std::nullopt;
}

std::optional<std::string> llvms(std::string_view name, int bits, std::span<const std::string> arguments) {
  constexpr std::string_view registers = "nvvm.read.ptx.sreg.";
  if (name.starts_with(registers)) {
    const auto p = std::ranges::find(positions, name.substr(registers.size()));
    if (p != positions.end()) return "place[" + to_string(p - positions.begin()) + "]";
    return name.ends_with(".warpsize") ? std::optional<std::string>("32") : std::nullopt;
  }
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos || name[dot + 1] == 'v') return {};  // of vectors
  const bool floats = name[dot + 1] == 'f';
  name = name.substr(0, dot);
  if (auto text = from(llvm_functions, name, floats ? ElementType::f32 : ElementType::i32, bits, arguments))
    return text;
  if (name == "minnum" || name == "minimumnum") name = "fmin";
  if (name == "maxnum" || name == "maximumnum") name = "fmax";
  return floats ? mathematics(name, bits, arguments) : std::nullopt;
}

struct AtomicResult {
  std::string_view name;
  const char *of_integers, *of_unsigned, *of_floats;
};
constexpr AtomicResult left_by[] = {
    {"add", "compute_add", "compute_add", "compute_fadd"},
    {"sub", "compute_sub", "compute_sub", "compute_fsub"},
    {"exch", "latter", "latter", "latter"},
    {"min", "compute_smin", "compute_umin", "fleast"},
    {"max", "compute_smax", "compute_umax", "fgreatest"},
    {"and", "compute_bit_and", "compute_bit_and", nullptr},
    {"or", "compute_bit_or", "compute_bit_or", nullptr},
    {"xor", "compute_bit_xor", "compute_bit_xor", nullptr},
    {"inc", nullptr, "count_up", nullptr},
    {"dec", nullptr, "count_down", nullptr},
};

}  // namespace

std::string computation(std::string_view function, std::span<const std::string> arguments, int from,
                        int bits) {
  constexpr size_t operands = 3;
  std::string text = std::string(function) + "(";
  for (size_t k = 0; k < operands; ++k) text += (k < arguments.size() ? arguments[k] : "0") + ", ";
  return text + to_string(from) + ", " + to_string(bits) + ")";
}

std::optional<std::string> inline_builtin(std::string_view name, int bits,
                                          std::span<const std::string> arguments) {
  constexpr std::string_view llvm = "llvm.";
  if (name.starts_with(llvm)) return llvms(name.substr(llvm.size()), bits, arguments);
  const std::string ours = Builtins::our_name(name);
  const std::optional<Typed> t = typed(ours);
  if (!t) return {};
  if (is_small_float(t->kind)) return of_small_float(*t, arguments);
  const int width = bytes_of(t->kind) * 8;
  if (auto text = from(functions, t->name, t->kind, width, arguments)) return text;
  if (!is_float(t->kind)) return {};
  if (t->name == "min" || t->name == "max")
    return mathematics(t->name == "min" ? "fmin" : "fmax", width, arguments);
  constexpr std::string_view math = "math_";
  return t->name.starts_with(math) ? mathematics(t->name.substr(math.size()), width, arguments)
                                   : std::nullopt;
}

std::optional<InlineAtomic> inline_atomic(std::string_view name) {
  constexpr std::string_view atomic = "atomic_";
  const std::optional<Typed> t = typed(name);
  if (!t || !t->name.starts_with(atomic)) return {};
  const std::string_view what = t->name.substr(atomic.size());
  const int bytes = bytes_of(t->kind);
  if (what == "cas") return InlineAtomic{bytes, "was == operand ? wanted : was"};
  const std::array<std::string, 2> arguments = {"was", "operand"};
  if (is_small_float(t->kind))
    return what == "add" ? std::optional(InlineAtomic{bytes, small_operation(what, t->kind, arguments)})
                         : std::nullopt;
  const auto l = std::ranges::find(left_by, what, &AtomicResult::name);
  if (l == std::end(left_by)) return {};
  const char* const f = is_float(t->kind)      ? l->of_floats
                        : is_unsigned(t->kind) ? l->of_unsigned
                                               : l->of_integers;
  if (!f) return {};
  return InlineAtomic{bytes, call(f, arguments, bytes * 8)};
}

}  // namespace bscope::cuda
