// A sentence of coloured pieces, said in any language: the translation says in which order they come.
//
//   phrase(tr("{0} reads {1} = {2}."), t.ink, {thread, cell, {{"7", t.read, Font::mono_bold}}})
#pragma once

#include <string_view>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/text.hpp"

namespace bscope {

/// `sentence` (already said) with its {}, {0}, {1}... replaced by the pieces; the words between them in this
/// colour.
Text phrase(std::string_view sentence, Colour, const std::vector<Text>& pieces);

inline Text& operator+=(Text& to, const Text& more) {
  to.insert(to.end(), more.begin(), more.end());
  return to;
}
inline Text operator+(Text text, const Text& more) { return text += more; }

}  // namespace bscope
