// Structs that list their members once, for everything that stores, links, compares or asks for them:
//
//   struct Place {
//     int array = -1, index = -1;
//     template <class Self, class Visit>
//     static void fields(Self& s, Visit&& visit) {
//       visit("array", s.array);
//       visit("index", s.index, Field{.help = "from 0"});
//     }
//   };
//
// C++20 has no names of members to ask for; Boost.PFR counts them, so that a test finds one that is not
// listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace bscope {

/// What is known of a member beside its name and type. A `visit` gets one where the struct gives one.
struct Field {
  const char* value = "";               ///< what help calls its value: "N"
  const char* help = "";                ///< one line of help; empty: no option sets it
  const char* if_empty = "";            ///< the sentence that refuses an empty text; empty: any text goes
  bool input = false;                   ///< says where a run's elements come from
  bool linked = true;                   ///< a link may say it: it names no file of this machine
  bool omit_empty = false;              ///< not written where it is empty
  std::vector<const char*> among = {};  ///< the choices of a text, or the names of an enum; empty: any text

  // Rules of files. Those of a number are the rules of each number in a list, too.
  bool required = false;  ///< a file without it is refused
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  size_t at_most = std::numeric_limits<size_t>::max();  ///< elements of a list, or bytes of a text
  int digits = 0;             ///< of numbers in the file; 0: as many as tell a number from all others
  bool zero_is_null = false;  ///< 0 stands for unknown, which is null in the file
  bool derived = false;       ///< follows from other members: written for other programs, and not read
};

/// The names of all values of an enum up to this one, for Field::among.
template <class Enum>
  requires std::is_enum_v<Enum>
std::vector<const char*> names_up_to(Enum last) {
  std::vector<const char*> all;
  for (int k = 0; k <= int(last); ++k) all.push_back(name_of(Enum(k)));
  return all;
}

/// Whether the type lists its members.
template <class T>
concept HasFields = requires(T& t) { T::fields(t, [](const char*, auto&, const auto&...) {}); };

/// Calls `f(name, member, field)` for each member; `field` is empty where the struct gives none.
template <class S, class F>
void for_each_field(S& s, F&& f) {
  std::remove_const_t<S>::fields(s, [&](const char* name, auto& member, const auto&... field) {
    if constexpr (sizeof...(field))
      f(name, member, field...);
    else
      f(name, member, Field{});
  });
}

/// The same for two of a type: `f(name, member of a, member of b, field)`.
template <class A, class B, class F>
void for_each_field_of_both(A& a, B& b, F&& f) {
  static_assert(std::is_same_v<std::remove_const_t<A>, std::remove_const_t<B>>);
  std::vector<const void*> of_b;
  for_each_field(b, [&](const char*, auto& member, const Field&) { of_b.push_back(&member); });
  size_t next = 0;
  for_each_field(a, [&](const char* name, auto& member, const Field& field) {
    using Member = std::remove_cvref_t<decltype(member)>;
    using Other = std::conditional_t<std::is_const_v<B>, const Member, Member>;
    f(name, member, *static_cast<Other*>(const_cast<void*>(of_b[next++])), field);
  });
}

/// Calls `f(text)` for each text of a struct that lists its members, also in its lists, structs and messages.
template <class V, class F>
void for_each_text(V& v, const F& f) {
  if constexpr (std::is_same_v<V, std::string>) {
    f(v);
  } else if constexpr (requires { v.for_each_text(f); }) {
    v.for_each_text(f);
  } else if constexpr (HasFields<V>) {
    for_each_field(v, [&](const char*, auto& member, const Field&) { for_each_text(member, f); });
  } else if constexpr (requires { v.has_value(); }) {
    if (v) for_each_text(*v, f);
  } else if constexpr (requires { v.push_back(*v.begin()); }) {
    for (auto& one : v) for_each_text(one, f);
  }
}

/// How many members the type lists.
template <class T>
size_t count_fields() {
  size_t n = 0;
  const T t{};
  for_each_field(t, [&](const char*, const auto&, const Field&) { ++n; });
  return n;
}

/// Of a list's element, or of a table's pair.
template <class E>
size_t hash_of_element(const E& e) {
  if constexpr (requires { e.second; })
    return hash_of_element(e.first) * 31 + hash_of_element(e.second);
  else
    return std::hash<E>{}(e);
}

/// A number that changes when a member does: for View::PictureOptions::extra.
template <class S>
uint64_t fingerprint(const S& s) {
  uint64_t all = 0x9e3779b97f4a7c15u;
  for_each_field(s, [&](const char*, const auto& member, const Field&) {
    using M = std::remove_cvref_t<decltype(member)>;
    uint64_t one = 0;
    if constexpr (HasFields<M>)
      one = fingerprint(member);
    else if constexpr (
        requires {
          member.begin();
          member.size();
        } && !requires { std::hash<M>{}(member); })
      for (const auto& e : member) one = one * 31 + hash_of_element(e) + 1;
    else
      one = std::hash<M>{}(member);
    all = (all ^ one) * 0xff51afd7ed558ccdu;
    all ^= all >> 32;
  });
  return all;
}

}  // namespace bscope
