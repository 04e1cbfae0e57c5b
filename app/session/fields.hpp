// What can be done with any struct that lists its members in `fields(self, visit)`
// (app/session/remembered.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

namespace bscope {

/// Of a list's element, or of a table's pair.
template <class E>
size_t hash_of_element(const E& e) {
  if constexpr (requires { e.second; })
    return hash_of_element(e.first) * 31 + hash_of_element(e.second);
  else
    return std::hash<E>{}(e);
}

/// A number that changes when a member does: for View::Options::extra.
template <class S>
uint64_t fingerprint(const S& s) {
  uint64_t all = 0x9e3779b97f4a7c15u;
  S::fields(s, [&](const char*, const auto& member) {
    using M = std::remove_cvref_t<decltype(member)>;
    uint64_t one = 0;
    if constexpr (requires { M::fields(member, [](auto...) {}); })
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
