// A file of this machine that a tab remembers.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "engine/trace/fields.hpp"

namespace bscope {

/// The path of a file here. A type of its own, so that what is shared leaves it out and what comes from
/// elsewhere names none, wherever `fields` lists it.
struct LocalPath : std::string {
  using std::string::string;
  LocalPath() = default;
  LocalPath(std::string path) : std::string(std::move(path)) {}  // NOLINT: it is a string
};

/// Every file of this machine that a struct lists in `fields`, with its name there: "right.file".
template <class S, class Visit>
void each_path(S& s, const std::string& name, const Visit& visit) {
  if constexpr (std::is_same_v<std::remove_const_t<S>, LocalPath>)
    visit(name, s);
  else if constexpr (HasFields<S>)
    for_each_field(s, [&](const char* member, auto& of, const Field&) {
      each_path(of, name.empty() ? member : name + "." + member, visit);
    });
}

}  // namespace bscope
