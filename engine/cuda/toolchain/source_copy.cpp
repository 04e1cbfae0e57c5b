#include "engine/cuda/toolchain/source_copy.hpp"

#include <algorithm>
#include <optional>

#include "engine/cuda/toolchain/tokens.hpp"

namespace bscope::cuda {
namespace {

/// How many bytes the character that begins here takes; 0: it is no UTF-8.
size_t utf8_length(std::string_view rest) {
  const auto byte = [&](size_t k) { return k < rest.size() ? static_cast<unsigned char>(rest[k]) : 0u; };
  const unsigned first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  for (size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

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

/// Whether it is one of Unicode's marks that change the direction of what follows. Text that holds them is
/// not what it looks like.
static bool turns_text_around(std::string_view letter) {
  return letter == "\xd8\x9c" ||                                    // U+061C
         letter == "\xe2\x80\x8e" || letter == "\xe2\x80\x8f" ||    // U+200E and U+200F
         (letter >= "\xe2\x80\xaa" && letter <= "\xe2\x80\xae") ||  // U+202A to U+202E
         (letter >= "\xe2\x81\xa6" && letter <= "\xe2\x81\xa9");    // U+2066 to U+2069
}

std::string as_shown(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    const size_t length = utf8_length(text.substr(at));
    if (c == '\r') {
      if (at + 1 >= text.size() || text[at + 1] != '\n') out += '\n';
      ++at;
    } else if (length == 0) {  // Latin-1, whose bytes under 0xa0 are controls
      if (c < 0xa0) {
        out += ' ';
      } else {
        out += char(0xc0 | c >> 6);
        out += char(0x80 | (c & 0x3f));
      }
      ++at;
    } else if (length == 1) {
      out += (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? ' ' : char(c);
      ++at;
    } else {
      const bool control = length == 2 && c == 0xc2 && static_cast<unsigned char>(text[at + 1]) < 0xa0;
      const std::string_view letter = text.substr(at, length);
      out += control ? std::string_view(" ") : turns_text_around(letter) ? "\xef\xbf\xbd" : letter;
      at += length;
    }
  }
  return out;
}

std::string as_shown_line(std::string_view text) {
  constexpr size_t most_letters = 1000;
  std::string line = as_shown(text.substr(0, most_letters));
  std::ranges::replace(line, '\n', ' ');
  return line;
}

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
