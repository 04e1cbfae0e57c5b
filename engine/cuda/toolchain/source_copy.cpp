#include "engine/cuda/toolchain/source_copy.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "engine/trace/cpp_tokens.hpp"

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

/// `< < <` as `<<<`, in as many characters.
void mend_launches(std::string& text) {
  const std::vector<Token> words = code_tokens(text);
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
}

std::string_view word(std::string_view text, const Token& t) { return text.substr(t.begin, t.end - t.begin); }

/// The number of the word that closes the parenthesis at `open`; the number of words where none does.
size_t closing(std::string_view text, const std::vector<Token>& words, size_t open) {
  int depth = 0;
  for (size_t k = open; k < words.size(); ++k) {
    if (words[k].kind != Token::sign) continue;
    const char c = text[words[k].begin];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0) return k;
  }
  return words.size();
}

/// `__shared__ alignas(16)` as `alignas(16) __shared__`: clang wants alignas before all other specifiers.
void move_alignment(std::string& text) {
  const std::vector<Token> words = code_tokens(text);
  for (size_t k = 1; k + 1 < words.size(); ++k) {
    if (word(text, words[k]) != "alignas" || word(text, words[k - 1]) != "__shared__") continue;
    const size_t close = closing(text, words, k + 1);
    if (close == words.size()) return;
    size_t first = k - 1;
    while (first > 0 &&
           (word(text, words[first - 1]) == "extern" || word(text, words[first - 1]) == "static"))
      --first;
    const auto at = [&](size_t byte) { return text.begin() + long(byte); };
    std::rotate(at(words[first].begin), at(words[k].begin), at(words[close].end));
    // what stood between the two now ends what was moved behind
    const size_t specifiers = words[k].begin - words[first].begin;
    const size_t moved = words[close].end - words[k].begin;
    const size_t blanks = specifiers - (words[k - 1].end - words[first].begin);
    const size_t begin = words[first].begin + moved;
    std::rotate(at(begin), at(begin + specifiers - blanks), at(begin + specifiers));
  }
}

/// `%tid.x` in inline PTX with operands as `%%tid.x`, which clang wants of a register's name.
void double_percents(std::string& text) {
  const std::vector<Token> words = code_tokens(text);
  std::vector<size_t> percents;
  for (size_t k = 0; k < words.size(); ++k) {
    const std::string_view name = word(text, words[k]);
    if (name != "asm" && name != "__asm__" && name != "__asm") continue;
    size_t open = k + 1;
    while (open < words.size() && words[open].kind == Token::name) ++open;  // volatile
    if (open == words.size() || text[words[open].begin] != '(') continue;
    const size_t close = closing(text, words, open);
    const auto is_colon = [&](const Token& t) { return t.kind == Token::sign && text[t.begin] == ':'; };
    if (std::none_of(words.begin() + long(open), words.begin() + long(close), is_colon)) continue;
    for (size_t i = open; i < close && !is_colon(words[i]); ++i)
      for (size_t at = words[i].begin; words[i].kind == Token::text && at + 1 < words[i].end; ++at) {
        if (text[at] != '%') continue;
        if (std::isalpha(static_cast<unsigned char>(text[at + 1])))
          percents.push_back(at);
        else
          ++at;  // %%, %0 and %[name] stay
      }
    k = close;
  }
  for (auto at = percents.rbegin(); at != percents.rend(); ++at) text.insert(*at, "%");
}

}  // namespace

std::string as_clang_wants(std::string text) {
  mend_launches(text);
  move_alignment(text);
  double_percents(text);
  return text;
}

}  // namespace bscope::cuda
