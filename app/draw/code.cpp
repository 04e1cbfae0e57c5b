#include "app/draw/code.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>

#include "app/draw/layout.hpp"
#include "app/draw/text.hpp"

namespace bscope {
namespace {

bool is_keyword(const std::string& word) {
  static const std::set<std::string> words{
      "auto",     "bool",  "break",  "case",   "const",      "constexpr", "continue", "do",
      "double",   "else",  "false",  "float",  "for",        "if",        "int",      "operator",
      "return",   "short", "static", "struct", "switch",     "template",  "true",     "typename",
      "unsigned", "using", "void",   "while",  "__device__", "class"};
  return words.contains(word);
}

std::string without_spaces(const std::string& s, size_t from, size_t to = std::string::npos) {
  const std::string part = from < s.size() ? s.substr(from, to - from) : std::string();
  const size_t first = part.find_first_not_of(' ');
  return first == std::string::npos ? "" : part.substr(first, part.find_last_not_of(' ') + 1 - first);
}

/// In lines of at most so many letters.
std::vector<std::string> broken(const std::string& words, size_t most) {
  static const Metrics letters{[](Font, float, const std::string& s) { return float(s.size()); }};
  std::vector<std::string> out;
  for (auto& piece :
       lay_out(letters, {{words}}, float(most), {.size = 1, .long_words = TextLook::broken}).pieces)
    out.push_back(std::move(piece.what.words));
  return out;
}

/// Whether code may go on in the next row here: behind an operator, a bracket that opens or a comma, before
/// an arrow to a member, and not within an operator.
bool may_break_code(const std::string& s, size_t at) {
  const auto is = [](const char* all, char c) {
    return std::string_view(all).find(c) != std::string_view::npos;
  };
  const char before = s[at - 1], after = s[at];
  if (is("([{,;", before)) return !is(")]}", after);
  if (is("+-*/%&|^<>=!?:", before)) return !is("+-*/%&|^<>=!?:", after) && before != '!';
  return s.compare(at, 2, "->") == 0;
}

/// The first row of code with room for so many letters. A word that is longer than that is broken where code
/// may be, or before a member's point, if there is such a place.
std::string first_row(const std::string& words, size_t most) {
  std::string row = broken(words, most)[0];
  if (row.size() == words.size() || words[row.size()] == ' ') return row;
  for (size_t at = row.size(); at > 1; --at)
    if (may_break_code(words, at)) return row.substr(0, at);
  const size_t point = words.rfind('.', row.size());
  return point == std::string::npos || point < 2 ? row : row.substr(0, point);
}

/// What is drawn in one style: from one letter of the row to another.
struct Stretch {
  size_t from, to;
  bool keyword = false, comment = false;
};
std::vector<Stretch> stretches_of(const std::string& s) {
  const size_t end = std::min(s.find("//"), s.size());
  const auto letter = [&](size_t k) {
    return k < end && (std::isalnum(static_cast<unsigned char>(s[k])) || s[k] == '_');
  };
  std::vector<Stretch> out{{0, 0}};
  for (size_t at = 0; at < end;) {
    size_t word = at;
    while (letter(word)) ++word;
    if (word > at && is_keyword(s.substr(at, word - at))) {
      out.push_back({at, word, true});
      out.push_back({word, word});
    } else {
      out.back().to = std::max(word, at + 1);
    }
    at = std::max(word, at + 1);
  }
  out.push_back({end, s.size(), false, true});
  return out;
}

}  // namespace

std::vector<std::string> code_rows(const std::string& line, size_t most) {
  if (line.size() <= most || most < 16) return {line};
  const size_t indent = std::min(line.find_first_not_of(' '), most / 2), comment = line.find("//");
  std::vector<std::string> out;
  std::string words = without_spaces(line, 0, comment);
  const bool beside = !words.empty();
  for (size_t deep = indent; !words.empty(); deep = std::min(indent + 4, most / 2)) {
    const std::string row = first_row(words, most - deep);
    out.push_back(std::string(deep, ' ') + row);
    words = without_spaces(words, row.size());
  }
  if (comment == std::string::npos) return out;
  const std::string mark = std::string(std::min(beside ? indent + 4 : indent, most / 3), ' ') + "// ";
  const size_t first = std::min(line.find_first_not_of("/ ", comment), line.size());
  for (const std::string& row : broken(line.substr(first), most - mark.size())) out.push_back(mark + row);
  return out;
}

LayoutNode code(std::string row, CodeLook look) {
  LayoutNode form;
  form.wanted = [letters = float(row.size()), look](const DrawContext& p) {
    return letters * p.pen.width("m", look.size, Font::mono);
  };
  form.height = [look](const DrawContext&, float) { return look.height; };
  form.drawn = [row = std::move(row), look](const DrawContext& p, Box b) {
    const float letter = p.pen.width("m", look.size, Font::mono), y = b.centre().y;
    for (const Stretch& r : stretches_of(row)) {
      const std::string words = without_spaces(row, r.from, r.to);
      if (words.empty()) continue;
      const size_t at = row.find_first_not_of(' ', r.from);
      p.pen.text({b.x + letter * float(at), y}, words, look.size, r.comment ? look.comment : look.plain,
                 !r.comment && (r.keyword || look.bold) ? Font::mono_bold : Font::mono);
    }
  };
  return form;
}

}  // namespace bscope
