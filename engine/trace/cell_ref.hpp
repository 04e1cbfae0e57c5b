// A cell of an array.
#pragma once

#include <compare>
#include <string>

#include "engine/trace/message.hpp"

namespace bscope {

/// Array ids: global arrays in order of creation from 0, shared arrays in order of declaration from 128.
inline constexpr int first_shared = 128;

/// A cell: array id (global from 0, shared from first_shared) and index.
struct CellRef {
  int array = -1, index = -1;
  static constexpr bool as_list = true;  ///< in files: [array, index]
  static Message not_a_list(const std::string& where) {
    return message("\"{}\" is no cell: [array, index]", where);
  }
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("array", s.array);
    visit("index", s.index);
  }
  auto operator<=>(const CellRef&) const = default;
  bool shared() const { return array >= first_shared; }
};

}  // namespace bscope
