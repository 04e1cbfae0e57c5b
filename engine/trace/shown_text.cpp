#include "engine/trace/shown_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace bscope {
namespace {

/// A character and how many bytes it takes; 0: they are no UTF-8.
struct Letter {
  uint32_t code = 0;
  size_t length = 0;
};
Letter letter_at(std::string_view rest) {
  const auto byte = [&](size_t k) { return k < rest.size() ? uint32_t(uint8_t(rest[k])) : 0u; };
  const uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length == 0) return {};
  uint32_t code = first & (0x7fu >> length);
  for (size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3f);
  }
  const bool shortest = code >= (length == 2 ? 0x80u : length == 3 ? 0x800u : 0x10000u);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return shortest && !surrogate && code <= 0x10ffff ? Letter{code, length} : Letter{};
}

bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/// Text that holds such a mark is not what it looks like.
bool turns_text_around(uint32_t code) {
  return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

bool is_printable(std::string_view text, bool lines) {
  for (size_t at = 0; at < text.size();) {
    const Letter l = letter_at(text.substr(at));
    const bool ends_line = l.code == '\n' || l.code == '\t' || l.code == '\r';
    if (l.length == 0 || (is_control(l.code) && !(lines && ends_line))) return false;
    if (!lines && turns_text_around(l.code)) return false;
    at += l.length;
  }
  return true;
}

std::string as_shown(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Letter l = letter_at(text.substr(at));
    if (l.length == 0) {  // Latin-1
      const auto c = uint8_t(text[at++]);
      if (is_control(c)) {
        out += ' ';
      } else {
        out += char(0xc0 | c >> 6);
        out += char(0x80 | (c & 0x3f));
      }
      continue;
    }
    if (l.code == '\r') {
      if (at + 1 >= text.size() || text[at + 1] != '\n') out += '\n';
    } else if (is_control(l.code) && l.code != '\n' && l.code != '\t') {
      out += ' ';
    } else if (turns_text_around(l.code)) {
      out += "\xef\xbf\xbd";
    } else {
      out += text.substr(at, l.length);
    }
    at += l.length;
  }
  return out;
}

std::string as_shown_line(std::string_view text) {
  constexpr size_t most_letters = 1000;
  std::string line = as_shown(text.substr(0, most_letters));
  std::ranges::replace(line, '\n', ' ');
  return line;
}

}  // namespace bscope
