// Any struct that lists its members in `fields` (engine/trace/fields.hpp), to JSON and back. Reading trusts
// nothing: unknown members are passed over (Reading::exact refuses them), missing ones keep what they were,
// and one that cannot be meant or breaks a rule of its Field is a BadMember (strict, exact), or keeps what it
// was (lenient).
//
// A type that stands in the file in a form of its own has a member `json()`, where it is written, and a
// static `from_json(j, where)`, where it is read; one with `static constexpr bool as_list = true` stands
// there as the list of its members' values.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/trace/error.hpp"
#include "engine/trace/fields.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_text.hpp"

namespace bscope {

/// What a reader does with a member that cannot be meant, or that breaks a rule of its Field.
enum class Reading : uint8_t {
  strict,  ///< throws BadMember with one sentence
  exact,   ///< the same, also for a member that the struct does not list: files that are written by hand
  lenient  ///< leaves it as it was, passes over such an element of a list, and cuts what is too long
};

/// A member that a reader refuses. `where` is its path in the value: "runs.1.seconds", empty: the value
/// itself.
struct BadMember : BadFile {
  BadMember(std::string path, Message why) : BadFile(std::move(why)), where(std::move(path)) {}
  std::string where;
};

namespace detail {

template <class T>
struct ListOf : std::false_type {};
template <class T>
struct ListOf<std::vector<T>> : std::true_type {};
template <class T>
struct ArrayOf : std::false_type {};
template <class T, size_t N>
struct ArrayOf<std::array<T, N>> : std::true_type {};
template <class T>
struct MaybeOf : std::false_type {};
template <class T>
struct MaybeOf<std::optional<T>> : std::true_type {};
/// Names, or whole numbers, and their values: an object in the file.
template <class T>
struct TableOf : std::false_type {};
template <class T>
struct TableOf<std::map<std::string, T>> : std::true_type {};
template <class T>
struct TableOf<std::map<int, T>> : std::true_type {};
template <class T>
struct TableOf<std::vector<std::pair<std::string, T>>> : std::true_type {};

template <class T>
concept HasJson = requires(const T& t) { t.json(); };
template <class T>
concept HasFromJson =
    requires(const nlohmann::ordered_json& j, const std::string& where) { T::from_json(j, where); };
template <class T>
concept IsList = requires { T::as_list; };

/// The shortest number that is this one: 1.1f is 1.1, and not 1.10000002384185791.
inline double as_written(float v) {
  char text[32];
  double d = v;
  std::from_chars(text, std::to_chars(text, text + sizeof text, v).ptr, d);
  return d;
}
inline double rounded(double v, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, v);
  return std::strtod(text, nullptr);
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

inline std::string key_text(const std::string& key) { return key; }
inline std::string key_text(int key) { return std::to_string(key); }

[[noreturn]] inline void refuse(const std::string& where, Message why) {
  throw BadMember(where, std::move(why));
}

inline std::string limit_text(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", v);
  return text;
}

inline void check_range(double v, const std::string& where, const Field& field) {
  if (v >= field.least && v <= field.most) return;
  if (std::isfinite(field.most))
    refuse(where, message("\"{}\" is not a number from {} to {}", where, limit_text(field.least),
                          limit_text(field.most)));
  refuse(where, message("\"{}\" is not a number from {} up", where, limit_text(field.least)));
}

inline void check_among(const std::string& text, const std::string& where, const Field& field) {
  if (field.among.empty() || (text.empty() && field.omit_empty)) return;
  if (std::ranges::find(field.among, text) != field.among.end()) return;
  refuse(where, message("\"{}\" is none of these: {}", where, name_list(field.among)));
}

/// As many of them as there may be. What is too long is refused with `too_many()`, or cut.
template <class F>
size_t count_taken(size_t n, const std::string& where, const Field& field, Reading reading,
                   const F& too_many) {
  if (n > field.at_most && reading != Reading::lenient) refuse(where, too_many());
  return std::min(n, field.at_most);
}

template <class T>
nlohmann::ordered_json write(const T& v, const Field& field) {
  using nlohmann::ordered_json;
  if constexpr (HasJson<T>) {
    return v.json();
  } else if constexpr (HasFields<const T>) {
    ordered_json all = IsList<T> ? ordered_json::array() : ordered_json::object();
    for_each_field(v, [&](const char* name, const auto& member, const Field& its) {
      if (its.omit_empty && is_empty(member)) return;
      if constexpr (IsList<T>)
        all.push_back(write(member, its));
      else
        all[name] = write(member, its);
    });
    return all;
  } else if constexpr (MaybeOf<T>::value) {
    return v ? write(*v, field) : ordered_json(nullptr);
  } else if constexpr (TableOf<T>::value) {
    ordered_json all = ordered_json::object();
    for (const auto& [key, one] : v) all[key_text(key)] = write(one, field);
    return all;
  } else if constexpr (ListOf<T>::value || ArrayOf<T>::value) {
    ordered_json all = ordered_json::array();
    // a reference of vector<bool> is no bool
    for (size_t k = 0; k < v.size(); ++k) all.push_back(write(typename T::value_type(v[k]), field));
    return all;
  } else if constexpr (std::is_enum_v<T>) {
    return field.among.empty() ? ordered_json(int64_t(v)) : ordered_json(field.among.at(size_t(v)));
  } else if constexpr (std::is_base_of_v<std::string, T>) {
    return ordered_json(static_cast<const std::string&>(v));
  } else {
    static_assert(std::is_arithmetic_v<T>);
    if (field.zero_is_null && !(v > T{})) return ordered_json(nullptr);
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(v)) return ordered_json(nullptr);
      if (field.digits) return ordered_json(rounded(double(v), field.digits));
    }
    if constexpr (std::is_same_v<T, float>)
      return ordered_json(as_written(v));
    else
      return ordered_json(v);
  }
}

template <class T>
void read(T& v, const nlohmann::ordered_json& j, const std::string& where, const Field& field,
          Reading reading);

/// What cannot be read keeps what it was. Whether it was read.
template <class T>
bool try_read(T& v, const nlohmann::ordered_json& j, const std::string& where, const Field& field) {
  T now = v;
  try {
    read(now, j, where, field, Reading::lenient);
  } catch (const BadFile&) { return false; }
  v = std::move(now);
  return true;
}

/// A member, or an element.
template <class T>
bool read_one(T& v, const nlohmann::ordered_json& j, const std::string& where, const Field& field,
              Reading reading) {
  if (reading == Reading::lenient) return try_read(v, j, where, field);
  read(v, j, where, field, reading);
  return true;
}

inline std::string member_path(const std::string& where, const std::string& name) {
  return where.empty() ? name : where + "." + name;
}

template <class T>
void need_known_members(const T& v, const nlohmann::ordered_json& j, const std::string& where) {
  std::vector<std::string> known;
  for_each_field(v, [&](const char* name, const auto&, const Field& field) {
    if (!field.derived) known.emplace_back(name);
  });
  for (const auto& [name, ignored] : j.items())
    if (std::ranges::find(known, name) == known.end())
      refuse(member_path(where, name),
             message("\"{}\" is not known here: it may be {}", name, name_list(known)));
}

template <class T>
void read_members(T& v, const nlohmann::ordered_json& j, const std::string& where, Reading reading) {
  if (!j.is_object()) refuse(where, message("\"{}\" is no object", where));
  if (reading == Reading::exact) need_known_members(v, j, where);
  for_each_field(v, [&](const char* name, auto& member, const Field& field) {
    if (field.derived) return;
    const std::string here = member_path(where, name);
    if (const auto it = j.find(name); it != j.end())
      read_one(member, *it, here, field, reading);
    else if (field.required)
      refuse(here, message("\"{}\" is missing", here));
  });
}

template <class T>
void read_table(T& v, const nlohmann::ordered_json& j, const std::string& where, const Field& field,
                Reading reading) {
  if (!j.is_object()) refuse(where, message("\"{}\" is no object", where));
  T all;
  for (const auto& [key, x] : j.items()) {
    typename T::value_type::second_type one{};
    if (!read_one(one, x, where + "." + key, field, reading)) continue;
    if constexpr (std::is_same_v<std::remove_const_t<typename T::value_type::first_type>, int>) {
      int number = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number);
      if (error != std::errc() || end != key.data() + key.size())
        refuse(where + "." + key, message("\"{}\" is no whole number", where + "." + key));
      all.insert_or_assign(number, std::move(one));
    } else {
      all.insert(all.end(), typename T::value_type(key, std::move(one)));
    }
  }
  v = std::move(all);
}

template <class T>
void read_list(T& v, const nlohmann::ordered_json& j, const std::string& where, const Field& field,
               Reading reading) {
  if (!j.is_array()) refuse(where, message("\"{}\" is no list", where));
  using Element = typename T::value_type;
  Field of_one = field;
  of_one.at_most = Field{}.at_most;
  T all;
  const size_t n = count_taken(j.size(), where, field, reading, [&] {
    return message("\"{}\" is a list of more than {}", where, field.at_most);
  });
  for (size_t k = 0; k < n; ++k) {
    Element one{};
    constexpr bool is_object = HasFields<Element> && !IsList<Element>;
    if (read_one(one, j[k], is_object ? where + "." + std::to_string(k) : where, of_one, reading))
      all.push_back(std::move(one));
  }
  v = std::move(all);
}

template <class T>
void read_number(T& v, const nlohmann::ordered_json& j, const std::string& where, const Field& field) {
  if (field.zero_is_null && j.is_null()) {
    v = T{};
    return;
  }
  if constexpr (std::is_floating_point_v<T>) {
    const double x = j.is_number() ? j.get<double>() : NAN;
    if (!std::isfinite(T(x))) refuse(where, message("\"{}\" is not a number", where));
    check_range(x, where, field);
    v = T(x);
  } else {
    static_assert(std::is_integral_v<T>);
    const auto fits = [&](auto x) {
      if (!std::in_range<T>(x)) refuse(where, message("\"{}\" is no whole number of that size", where));
      check_range(double(x), where, field);
      v = T(x);
    };
    if (j.is_number_unsigned())
      fits(j.get<uint64_t>());
    else if (j.is_number_integer())
      fits(j.get<int64_t>());
    else
      refuse(where, message("\"{}\" is no whole number", where));
  }
}

template <class T>
void read_enum(T& v, const nlohmann::ordered_json& j, const std::string& where, const Field& field) {
  if (!field.among.empty()) {
    if (!j.is_string()) refuse(where, message("\"{}\" is no text", where));
    const auto& name = j.get_ref<const std::string&>();
    check_among(name, where, field);
    v = T(std::ranges::find(field.among, name) - field.among.begin());
  } else if constexpr (requires { last_of(T{}); }) {
    const int64_t last = int64_t(last_of(T{})), n = j.is_number_integer() ? j.get<int64_t>() : -1;
    if (n < 0 || n > last)
      refuse(where, message("\"{}\" is none of its choices, which are numbers from 0 to {}", where, last));
    v = T(n);
  }
}

template <class T>
void read(T& v, const nlohmann::ordered_json& j, const std::string& where, const Field& field,
          Reading reading) {
  if constexpr (HasFromJson<T>) {
    try {
      v = T::from_json(j, where);
    } catch (const BadMember&) { throw; } catch (const BadFile& e) {
      refuse(where, e.message());
    }
  } else if constexpr (IsList<T>) {
    if (!j.is_array() || j.size() != count_fields<T>()) refuse(where, T::not_a_list(where));
    size_t next = 0;
    for_each_field(v, [&](const char*, auto& member, const Field& its) {
      read_one(member, j[next++], where, its, reading);
    });
  } else if constexpr (HasFields<T>) {
    read_members(v, j, where, reading);
  } else if constexpr (MaybeOf<T>::value) {
    if (j.is_null()) return v.reset();
    typename T::value_type one{};
    read(one, j, where, field, reading);
    v = std::move(one);
  } else if constexpr (TableOf<T>::value) {
    read_table(v, j, where, field, reading);
  } else if constexpr (ListOf<T>::value) {
    read_list(v, j, where, field, reading);
  } else if constexpr (ArrayOf<T>::value) {
    if (!j.is_array() || (j.size() != v.size() && reading != Reading::lenient))
      refuse(where, message("\"{}\" is no list of {}", where, v.size()));
    for (size_t k = 0; k < std::min(j.size(), v.size()); ++k) read_one(v[k], j[k], where, field, reading);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!j.is_boolean()) refuse(where, message("\"{}\" is neither true nor false", where));
    v = j.get<bool>();
  } else if constexpr (std::is_base_of_v<std::string, T>) {
    if (!j.is_string()) refuse(where, message("\"{}\" is no text", where));
    auto text = j.get<std::string>();
    check_among(text, where, field);
    text.resize(count_taken(text.size(), where, field, reading, [&] {
      return message("\"{}\" is a text of more bytes than {}", where, field.at_most);
    }));
    v = std::move(text);
  } else if constexpr (std::is_enum_v<T>) {
    read_enum(v, j, where, field);
  } else {
    read_number(v, j, where, field);
  }
}

}  // namespace detail

/// The value as it stands in a file.
template <class T>
nlohmann::ordered_json to_fields_json(const T& v) {
  return detail::write(v, {});
}

/// `where` is the member's name in errors. Throws BadMember; a lenient reader only where `j` is of another
/// kind than the whole value, or a required member is missing.
template <class T>
void from_fields_json(T& v, const nlohmann::ordered_json& j, const std::string& where,
                      Reading reading = Reading::strict) {
  detail::read(v, j, where, {}, reading);
}

}  // namespace bscope
