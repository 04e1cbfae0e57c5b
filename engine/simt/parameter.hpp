// The parameters that kernel files declare for their algorithms.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace bscope {

/// One value of a parameter, as text; written in kernel files as 8 or "sum".
struct Choice {
  std::string text;
  Choice(int v) : text(std::to_string(v)) {}
  Choice(const char* v) : text(v) {}
};

/// A parameter of an algorithm, declared beside its kernel. With `values`, only those; without, any integer
/// from `least` to `most`. `refused` are values that others take and this algorithm does not, with the
/// reason. `hint` says what it means, in English.
struct Parameter {
  std::string name;
  std::vector<Choice> values;
  Choice initial;
  std::string hint = {};
  int least = 1, most = std::numeric_limits<int>::max();
  std::vector<std::pair<std::string, std::string>> refused = {};
};

inline const char* const type_hint = "The type of the elements.";
inline const char* const operator_hint =
    "What joins two values. affine is associative but not commutative: it shows whether order is kept.";
/// The parameter every arithmetic algorithm has: {"type", {"int32", "float", "double"}, "int32"}.
inline Parameter element_type() { return {"type", {"int32", "float", "double"}, "int32", type_hint}; }
/// For an algorithm of 32-bit integers alone; each sentence says what keeps it from that type.
inline Parameter int32_only(const std::string& why_no_float, const std::string& why_no_double) {
  return {.name = "type",
          .values = {"int32"},
          .initial = "int32",
          .hint = type_hint,
          .refused = {{"float", why_no_float}, {"double", why_no_double}}};
}
/// The operation that + stands for. `affine` composes maps y -> v y + 1, one for each input v: it is
/// associative, but not commutative.
inline Parameter operators() { return {"operator", {"add", "min", "max", "affine"}, "add", operator_hint}; }
/// For an algorithm that brings its inputs together in another order; `why` says where.
inline Parameter commutative_operators(const std::string& why) {
  return {.name = "operator",
          .values = {"add", "min", "max"},
          .initial = "add",
          .hint = operator_hint,
          .refused = {{"affine", why}}};
}
/// For an algorithm that can only add; `why` says what keeps it from the others.
inline Parameter addition_only(const std::string& why) {
  return {.name = "operator",
          .values = {"add"},
          .initial = "add",
          .hint = operator_hint,
          .refused = {{"min", why}, {"max", why}, {"affine", why}}};
}
/// y[i] = x[0] + ... + x[i], or exclusive, without x[i].
inline Parameter scan_kind(const char* initial) {
  return {"scan",
          {"inclusive", "exclusive"},
          initial,
          "inclusive: element i includes input i. exclusive: it does not."};
}

}  // namespace bscope
