// What an algorithm is asked to do: its input and its parameters.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/simt/element.hpp"
#include "engine/simt/made_input.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

/// An input in the element type: held, or said.
template <class T>
struct Values {
  std::vector<T> held;
  const MadeInput* made;  ///< not null: nothing is held
  long long size() const { return made ? made->n : (long long)held.size(); }
  operator const std::vector<T>&() const { return held; }
};

/// Input and parameters of one run. Values are doubles: exact for every element type we offer
/// (uint8, int32, float, double).
struct Problem {
  std::vector<double> data;
  std::optional<MadeInput> made;  ///< a full-size run's: then there are no data; only a timed run takes it
  int block = 0;                  ///< threads a block
  std::map<std::string, std::string> set;

  long long n() const { return made ? made->n : (long long)data.size(); }
  /// The input in the element type.
  template <class T>
  Values<T> values() const {
    if (made) return {{}, &*made};
    return {std::vector<T>(data.begin(), data.end()), nullptr};
  }
  /// A parameter as a number / as text. Throws std::out_of_range for a name that was not declared.
  int operator[](const std::string& name) const { return std::stoi(text(name)); }
  const std::string& text(const std::string& name) const {
    if (auto it = set.find(name); it != set.end()) return it->second;
    throw std::out_of_range("no parameter " + name);
  }
  /// Likewise, and `otherwise` of an algorithm that does not declare it.
  std::string text(const std::string& name, const char* otherwise) const {
    const auto it = set.find(name);
    return it == set.end() ? otherwise : it->second;
  }
};

// Compilers take long over GPU forms. Where no GPU could run them, one form of each kernel is compiled: sums
// of int32, the first of each choice (BARRIERSCOPE_GPU_FORMS in cmake/cuda.cmake). Tests that compile many
// copies of a kernel keep the choices and define BARRIERSCOPE_INT32_ONLY alone.
#if defined(BARRIERSCOPE_ONE_FORM) && !defined(BARRIERSCOPE_INT32_ONLY)
#define BARRIERSCOPE_INT32_ONLY
#endif
/// The error for a form that is not there.
[[noreturn]] inline void not_compiled(const std::string& form) {
  throw UsageError(
      message("This program holds one GPU form of each kernel, and {} is another: configure with "
              "-DBARRIERSCOPE_GPU_FORMS=ALL, or use --device cpu.",
              form));
}

/// Compile-time choice: choose<1, 2, 4, 8>(p["unroll"], [&](auto unroll) { ... }).
template <int first, int... others>
void choose(int value, auto&& f) {
  if (value == first) return f(std::integral_constant<int, first>{});
#ifdef BARRIERSCOPE_ONE_FORM
  if (((value == others) || ...)) not_compiled("the choice " + std::to_string(value));
#else
  if (((value == others && (f(std::integral_constant<int, others>{}), true)) || ...)) return;
#endif
  throw UsageError(message("no such choice: {}", value));
}
/// Element type by name: with_type(p, [&](auto zero) { using T = decltype(zero); ... }).
auto with_type(const Problem& p, auto&& f) {
  const std::string type = p.text("type", "int32");
#ifdef BARRIERSCOPE_INT32_ONLY
  if (type != "int32") not_compiled("type=" + type);
#else
  if (type == "float") return f(float{});
  if (type == "double") return f(double{});
#endif
  return f(int{});
}
/// Element type and operator by name, likewise: T is int, float, double, Min or Max of one, or Affine.
auto with_element(const Problem& p, auto&& f) {
  const std::string op = p.text("operator", "add");
#ifdef BARRIERSCOPE_INT32_ONLY
  if (op != "add") not_compiled("operator=" + op);
  return with_type(p, f);
#else
  if (op == "affine") return f(identity<Affine>());
  return with_type(p, [&](auto zero) {
    using V = decltype(zero);
    if (op == "min") return f(identity<Min<V>>());
    if (op == "max") return f(identity<Max<V>>());
    return f(zero);
  });
#endif
}

}  // namespace bscope
