// UTF-8 texts character by character: where they may be cut, and where a line may break. Chinese has no
// spaces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bscope {

/// One character, and where the next begins.
struct Letter {
  char32_t code = 0;
  size_t end = 0;
};
/// The character that begins at this byte of the text, which must have it. A byte that is no UTF-8 is a
/// character of its own, U+FFFD.
Letter letter_at(std::string_view, size_t at);
/// The nearest place at or before this byte where the text may be cut: no character is torn.
size_t cut_before(std::string_view, size_t at);
/// The same text, with U+FFFD for every byte that is no UTF-8.
std::string clean_utf8(std::string_view);

/// Chinese, or punctuation as wide as Chinese: a square, drawn in a font of its own.
bool is_wide(char32_t);
/// Whether a line may break between these neighbours, neither of which is a space. Beside Chinese it may, but
/// a comma stays with what it follows, and a bracket with what it holds.
bool may_break(char32_t before, char32_t after);
/// The end of the piece that begins at this byte and stays on one line: a word, or a Chinese character with
/// its punctuation. Spaces and line ends belong to no piece: `at` is not one.
size_t word_end(std::string_view, size_t at);

}  // namespace bscope
