// Any struct that lists its members in `fields` (engine/trace/fields.hpp), to JSON and back. Reading trusts
// nothing: unknown members are passed over, missing ones keep what they were, and one that cannot be meant is
// a BadFile that names it.
//
// A type that stands in the file in a form of its own has a member `json()` and a static `from_json(j,
// where)`; one with `static constexpr bool as_list = true` stands there as the list of its members' values.
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

#include "engine/trace/fields.hpp"
#include "engine/trace/file.hpp"

namespace bscope {

/// The text of a JSON value, on one line or indented; bytes that are not UTF-8 (file names) are replaced.
/// `ascii`: everything else is escaped.
inline std::string json_text(const nlohmann::ordered_json& j, int indent = -1, bool ascii = false) {
  return j.dump(indent, ' ', ascii, nlohmann::ordered_json::error_handler_t::replace);
}

namespace detail {

template <class T>
struct ListOf : std::false_type {};
template <class T>
struct ListOf<std::vector<T>> : std::true_type {};
template <class T>
struct MaybeOf : std::false_type {};
template <class T>
struct MaybeOf<std::optional<T>> : std::true_type {};
/// Names and their values: an object in the file.
template <class T>
struct TableOf : std::false_type {};
template <class T>
struct TableOf<std::map<std::string, T>> : std::true_type {};
template <class T>
struct TableOf<std::vector<std::pair<std::string, T>>> : std::true_type {};

template <class T>
concept HasJson = requires(const T& t) { t.json(); };
template <class T>
concept IsList = requires { T::as_list; };

/// The shortest number that is this one: 1.1f is 1.1, and not 1.10000002384185791.
inline double as_written(float v) {
  char text[32];
  double d = v;
  std::from_chars(text, std::to_chars(text, text + sizeof text, v).ptr, d);
  return d;
}

template <class T>
bool is_empty(const T& v) {
  if constexpr (MaybeOf<T>::value)
    return !v;
  else if constexpr (requires { v.empty(); })
    return v.empty();
  else
    return false;
}

[[noreturn]] inline void refuse(const std::string& where, const std::string& what) {
  throw BadFile("\"" + where + "\" is " + what);
}

}  // namespace detail

template <class T>
nlohmann::ordered_json to_fields_json(const T& v) {
  using nlohmann::ordered_json;
  if constexpr (detail::HasJson<T>) {
    return v.json();
  } else if constexpr (HasFields<const T>) {
    ordered_json all = detail::IsList<T> ? ordered_json::array() : ordered_json::object();
    for_each_field(v, [&](const char* name, const auto& member, const Field& field) {
      if (field.omit_empty && detail::is_empty(member)) return;
      if constexpr (detail::IsList<T>)
        all.push_back(to_fields_json(member));
      else
        all[name] = to_fields_json(member);
    });
    return all;
  } else if constexpr (detail::MaybeOf<T>::value) {
    return v ? to_fields_json(*v) : ordered_json(nullptr);
  } else if constexpr (detail::TableOf<T>::value) {
    ordered_json all = ordered_json::object();
    for (const auto& [key, one] : v) all[key] = to_fields_json(one);
    return all;
  } else if constexpr (detail::ListOf<T>::value) {
    ordered_json all = ordered_json::array();
    // a reference of vector<bool> is no bool
    for (size_t k = 0; k < v.size(); ++k) all.push_back(to_fields_json(typename T::value_type(v[k])));
    return all;
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

/// `where` is the member's name in errors. Throws BadFile.
template <class T>
void from_fields_json(T& v, const nlohmann::ordered_json& j, const std::string& where) {
  using nlohmann::ordered_json;
  if constexpr (detail::HasJson<T>) {
    v = T::from_json(j, where);
  } else if constexpr (detail::IsList<T>) {
    if (!j.is_array() || j.size() != count_fields<T>()) detail::refuse(where, T::what_list);
    size_t next = 0;
    for_each_field(
        v, [&](const char*, auto& member, const Field&) { from_fields_json(member, j[next++], where); });
  } else if constexpr (HasFields<T>) {
    if (!j.is_object()) detail::refuse(where, "no object");
    for_each_field(v, [&](const char* name, auto& member, const Field&) {
      if (const auto it = j.find(name); it != j.end())
        from_fields_json(member, *it, where.empty() ? name : where + "." + name);
    });
  } else if constexpr (detail::MaybeOf<T>::value) {
    if (j.is_null()) return v.reset();
    typename T::value_type one{};
    from_fields_json(one, j, where);
    v = std::move(one);
  } else if constexpr (detail::TableOf<T>::value) {
    if (!j.is_object()) detail::refuse(where, "no object");
    T all;
    for (const auto& [key, x] : j.items()) {
      typename T::value_type one{key, {}};
      from_fields_json(one.second, x, where + "." + key);
      all.insert(all.end(), std::move(one));
    }
    v = std::move(all);
  } else if constexpr (detail::ListOf<T>::value) {
    if (!j.is_array()) detail::refuse(where, "no list");
    T all;
    for (const ordered_json& x : j) {
      typename T::value_type one{};
      from_fields_json(one, x, where);
      all.push_back(std::move(one));
    }
    v = std::move(all);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!j.is_boolean()) detail::refuse(where, "neither true nor false");
    v = j.get<bool>();
  } else if constexpr (std::is_base_of_v<std::string, T>) {
    if (!j.is_string()) detail::refuse(where, "no text");
    v = j.get<std::string>();
  } else if constexpr (std::is_enum_v<T>) {
    const int64_t last = int64_t(last_of(T{})), n = j.is_number_integer() ? j.get<int64_t>() : -1;
    if (n < 0 || n > last)
      detail::refuse(where, "none of its choices, which are numbers from 0 to " + std::to_string(last));
    v = T(n);
  } else if constexpr (std::is_floating_point_v<T>) {
    const double x = j.is_number() ? j.get<double>() : NAN;
    if (!std::isfinite(T(x))) detail::refuse(where, "no number");
    v = T(x);
  } else {
    static_assert(std::is_integral_v<T>);
    const auto fits = [&](auto x) {
      if (!std::in_range<T>(x)) detail::refuse(where, "no whole number of that size");
      v = T(x);
    };
    if (j.is_number_unsigned())
      fits(j.get<uint64_t>());
    else if (j.is_number_integer())
      fits(j.get<int64_t>());
    else
      detail::refuse(where, "no whole number");
  }
}

}  // namespace bscope
