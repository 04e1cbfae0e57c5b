// Any struct that lists its members in `fields(self, visit)` (app/session/remembered.hpp), to JSON and back.
// Reading trusts nothing: unknown members are passed over, missing ones keep what they were, and one that
// cannot be meant is a BadFile that names it.
#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/words/words.hpp"
#include "engine/analysis/flow.hpp"
#include "engine/trace/file.hpp"

namespace bscope {
namespace detail {

template <class T>
concept Listed = requires(T& t) { T::fields(t, [](const char*, auto&) {}); };
template <class T>
struct ListOf : std::false_type {};
template <class T>
struct ListOf<std::vector<T>> : std::true_type {};
template <class T>
struct MaybeOf : std::false_type {};
template <class T>
struct MaybeOf<std::optional<T>> : std::true_type {};
template <class T>
struct TableOf : std::false_type {};
template <class T>
struct TableOf<std::map<std::string, T>> : std::true_type {};

/// The shortest number that is this one: 1.1f is 1.1, and not 1.10000002384185791.
inline double as_written(float v) {
  char text[32];
  double d = v;
  std::from_chars(text, std::to_chars(text, text + sizeof text, v).ptr, d);
  return d;
}

}  // namespace detail

template <class T>
nlohmann::ordered_json to_fields_json(const T& v) {
  using nlohmann::ordered_json;
  if constexpr (detail::Listed<const T>) {
    ordered_json all = ordered_json::object();
    T::fields(v, [&](const char* name, const auto& member) { all[name] = to_fields_json(member); });
    return all;
  } else if constexpr (detail::MaybeOf<T>::value) {
    return v ? to_fields_json(*v) : ordered_json(nullptr);
  } else if constexpr (detail::ListOf<T>::value) {
    ordered_json all = ordered_json::array();
    // a reference of vector<bool> is no bool
    for (size_t k = 0; k < v.size(); ++k) all.push_back(to_fields_json(typename T::value_type(v[k])));
    return all;
  } else if constexpr (detail::TableOf<T>::value) {
    ordered_json all = ordered_json::object();
    for (const auto& [key, one] : v) all[key] = to_fields_json(one);
    return all;
  } else if constexpr (std::is_same_v<T, Place>) {
    return ordered_json{v.array, v.index};
  } else if constexpr (std::is_enum_v<T>) {
    return ordered_json(int64_t(v));
  } else {
    static_assert(std::is_arithmetic_v<T> || std::is_base_of_v<std::string, T>);
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(v)) return ordered_json(nullptr);
    if constexpr (std::is_same_v<T, float>)
      return ordered_json(detail::as_written(v));
    else if constexpr (std::is_base_of_v<std::string, T>)
      return ordered_json(static_cast<const std::string&>(v));
    else
      return ordered_json(v);
  }
}

/// `where` is the member's name in errors.
template <class T>
void from_fields_json(T& v, const nlohmann::ordered_json& j, const std::string& where) {
  using nlohmann::ordered_json;
  if constexpr (detail::Listed<T>) {
    if (!j.is_object()) throw BadFile(say("\"{}\" is no object", where));
    T::fields(v, [&](const char* name, auto& member) {
      if (const auto it = j.find(name); it != j.end())
        from_fields_json(member, *it, where.empty() ? name : where + "." + name);
    });
  } else if constexpr (detail::MaybeOf<T>::value) {
    if (j.is_null()) return v.reset();
    typename T::value_type one{};
    from_fields_json(one, j, where);
    v = std::move(one);
  } else if constexpr (detail::ListOf<T>::value) {
    if (!j.is_array()) throw BadFile(say("\"{}\" is no list", where));
    T all;
    for (const ordered_json& x : j) {
      typename T::value_type one{};
      from_fields_json(one, x, where);
      all.push_back(std::move(one));
    }
    v = std::move(all);
  } else if constexpr (detail::TableOf<T>::value) {
    if (!j.is_object()) throw BadFile(say("\"{}\" is no object", where));
    T all;
    for (const auto& [key, x] : j.items()) from_fields_json(all[key], x, where + "." + key);
    v = std::move(all);
  } else if constexpr (std::is_same_v<T, Place>) {
    std::vector<int> both;
    from_fields_json(both, j, where);
    if (both.size() != 2) throw BadFile(say("\"{}\" is no cell: [array, index]", where));
    v = {both[0], both[1]};
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!j.is_boolean()) throw BadFile(say("\"{}\" is neither true nor false", where));
    v = j.get<bool>();
  } else if constexpr (std::is_base_of_v<std::string, T>) {
    if (!j.is_string()) throw BadFile(say("\"{}\" is no text", where));
    v = j.get<std::string>();
  } else if constexpr (std::is_enum_v<T>) {
    const int64_t last = int64_t(last_of(T{})), n = j.is_number_integer() ? j.get<int64_t>() : -1;
    if (n < 0 || n > last)
      throw BadFile(say("\"{}\" is none of its choices, which are numbers from 0 to {}", where, last));
    v = T(n);
  } else if constexpr (std::is_floating_point_v<T>) {
    const double x = j.is_number() ? j.get<double>() : NAN;
    if (!std::isfinite(T(x))) throw BadFile(say("\"{}\" is no number", where));
    v = T(x);
  } else {
    static_assert(std::is_integral_v<T>);
    if (j.is_number_unsigned()) {
      const auto x = j.get<uint64_t>();
      if (!std::in_range<T>(x)) throw BadFile(say("\"{}\" is no whole number of that size", where));
      v = T(x);
    } else if (j.is_number_integer()) {
      const auto x = j.get<int64_t>();
      if (!std::in_range<T>(x)) throw BadFile(say("\"{}\" is no whole number of that size", where));
      v = T(x);
    } else {
      throw BadFile(say("\"{}\" is no whole number", where));
    }
  }
}

}  // namespace bscope
