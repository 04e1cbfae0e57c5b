#include "engine/cuda/toolchain/source_copy.hpp"

#include <optional>

#include "engine/cuda/toolchain/tokens.hpp"

namespace bscope::cuda {
namespace {

/// Three of the same sign, one after the other in one line, with nothing but blanks between.
struct Brackets {
  size_t begin = 0, end = 0;  ///< bytes
};
std::optional<Brackets> three(std::string_view text, const std::vector<Token>& words, size_t k, char sign) {
  for (size_t i = 0; i < 3; ++i)
    if (k + i >= words.size() || text[words[k + i].begin] != sign || words[k + i].kind != Token::sign ||
        words[k + i].line != words[k].line)
      return {};
  return Brackets{words[k].begin, words[k + 2].end};
}

void put_together(std::string& text, Brackets b, char sign) {
  text.replace(b.begin, b.end - b.begin, std::string(3, sign) + std::string(b.end - b.begin - 3, ' '));
}

}  // namespace

std::string with_launches_mended(std::string text) {
  const std::vector<Token> words = words_of(text);
  std::optional<Brackets> open;
  for (size_t k = 0; k < words.size(); ++k) {
    const char c = text[words[k].begin];
    if (c == ';' || c == '{' || c == '}') open.reset();
    if (const auto opens = three(text, words, k, '<')) {
      open = opens;
      k += 2;
    } else if (const auto closes = three(text, words, k, '>');
               open && closes && k + 3 < words.size() && text[words[k + 3].begin] == '(') {
      put_together(text, *open, '<');
      put_together(text, *closes, '>');
      open.reset();
      k += 2;
    }
  }
  return text;
}

}  // namespace bscope::cuda
