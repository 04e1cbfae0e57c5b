#include "app/draw/letters.hpp"

#include <algorithm>

namespace bscope {
namespace {

constexpr char32_t replacement = 0xfffd;

bool follows(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

constexpr std::u32string_view closing =
    U",.;:!?)]}%'\"\u2014\u2019\u201d\u2026\u00b7\u3001\u3002\u3009\u300b\u300d\u300f"
    U"\u3011\uff01\uff05\uff09\uff0c\uff0e\uff1a\uff1b\uff1f";
constexpr std::u32string_view opening = U"([{\u2018\u201c\u3008\u300a\u300c\u300e\u3010\uff08";

}  // namespace

Letter letter_at(std::string_view s, size_t at) {
  const auto first = static_cast<unsigned char>(s[at]);
  if (first < 0x80) return {first, at + 1};
  const size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  if (more == 0 || first > 0xf4 || at + more >= s.size()) return {replacement, at + 1};
  char32_t code = first & (0x3fu >> more);
  for (size_t i = 1; i <= more; ++i) {
    if (!follows(s[at + i])) return {replacement, at + 1};
    code = code << 6 | (static_cast<unsigned char>(s[at + i]) & 0x3f);
  }
  // the longer spelling of a shorter one, half of a pair, beyond the last
  constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (code < least[more] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
    return {replacement, at + 1};
  return {code, at + more + 1};
}

size_t cut_before(std::string_view s, size_t at) {
  if (at >= s.size()) return s.size();
  for (size_t back = 0; back <= std::min<size_t>(at, 3); ++back)
    if (!follows(s[at - back])) return letter_at(s, at - back).end > at ? at - back : at;
  return at;
}

std::string clean_utf8(std::string_view s) {
  std::string out;
  out.reserve(s.size());
  for (size_t at = 0; at < s.size();) {
    const Letter l = letter_at(s, at);
    if (l.code == replacement)
      out += "\xef\xbf\xbd";
    else
      out += s.substr(at, l.end - at);
    at = l.end;
  }
  return out;
}

bool is_wide(char32_t c) {
  return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe4f) ||
         (c >= 0xff00 && c <= 0xff60) || (c >= 0x20000 && c <= 0x3ffff);
}

bool may_break(char32_t before, char32_t after) {
  if (!is_wide(before) && !is_wide(after)) return false;
  return opening.find(before) == std::u32string_view::npos &&
         closing.find(after) == std::u32string_view::npos;
}

size_t word_end(std::string_view s, size_t at) {
  if (at >= s.size()) return s.size();
  Letter last = letter_at(s, at);
  while (last.end < s.size()) {
    if (s[last.end] == ' ' || s[last.end] == '\n') break;
    const Letter next = letter_at(s, last.end);
    if (may_break(last.code, next.code)) break;
    last = next;
  }
  return last.end;
}

}  // namespace bscope
