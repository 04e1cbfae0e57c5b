// How wide a text is whose characters are not kerned.
#pragma once

#include <string_view>

#include "app/draw/letters.hpp"

namespace bscope {

/// The sum of its characters' advances, which `advance(code)` gives per pixel of size.
inline float unkerned_width(std::string_view words, float size, const auto& advance) {
  float em = 0;
  for (size_t at = 0; at < words.size();) {
    const Letter letter = letter_at(words, at);
    em += advance(letter.code);
    at = letter.end;
  }
  return em * size;
}

}  // namespace bscope
