#include "engine/cuda/toolchain/source_lines.hpp"

#include <algorithm>

#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/trimmed.hpp"

namespace bscope::cuda {
namespace {}  // namespace

SourceLines::SourceLines(const std::string& text) {
  std::string code = text;
  for (const Token& t : tokens(text))
    if (t.kind == Token::comment)
      for (size_t k = t.begin; k < t.end; ++k)
        if (code[k] != '\n') code[k] = ' ';
  for (size_t at = 0; at <= code.size();) {
    const size_t end = std::min(code.find('\n', at), code.size());
    const std::string line = code.substr(at, end - at);
    Line l{std::string(trimmed(line)), line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())),
           ""};
    const std::string behind = text.substr(at, end - at).substr(l.indentation.size() + l.code.size());
    l.comment = behind.substr(0, behind.find_last_not_of(" \t\r") + 1);
    lines_.push_back(std::move(l));
    at = end + 1;
  }
  struct Open {
    size_t block;
    int parentheses;
  };
  std::vector<Open> open;
  int parentheses = 0, line = 0, statement_line = 1;
  size_t statement = 0;  // where the statement begins
  bool ended = true;     // the statement before
  const auto reach = [&](int next) {
    for (; line < next && line < count(); ++line) {
      lines_[size_t(line)].depth = int(open.size());
      lines_[size_t(line)].starts = ended && !open.empty() && parentheses == open.back().parentheses;
    }
  };
  for (const Token& t : code_tokens(text)) {
    reach(t.line);
    if (t.directive) continue;
    if (ended) statement = t.begin, statement_line = t.line;
    ended = false;
    const char c = t.kind == Token::sign ? text[t.begin] : 'x';
    if (c == '(') ++parentheses;
    if (c == ')') --parentheses;
    if (c == '{') {
      open.push_back({blocks_.size(), parentheses});
      blocks_.push_back(
          {statement_line, t.line, 0,
           std::string(trimmed(std::string_view(code).substr(statement, t.begin - statement)))});
      ended = true;
    } else if (c == '}') {
      if (!open.empty()) {
        blocks_[open.back().block].closes = t.line;
        parentheses = open.back().parentheses;
        open.pop_back();
      }
      ended = true;
    } else if (c == ';' && (open.empty() || parentheses == open.back().parentheses)) {
      ended = true;
    }
  }
  reach(count());
}

bool SourceLines::is_one_statement(int line) const {
  if (!starts_statement(line) || !code(line).ends_with(';')) return false;
  return line == count() || depth(line + 1) == depth(line);
}

std::vector<SourceLines::Block> SourceLines::blocks_around(int line) const {
  std::vector<Block> around;
  for (const Block& b : blocks_)
    if (b.closes && b.holds(line)) around.push_back(b);
  return around;
}

bool SourceLines::same_function(int a, int b) const {
  const auto function = [&](int line) {
    for (const Block& block : blocks_around(line))
      if (block.text.find('(') != std::string::npos) return block.opens;
    return 0;
  };
  return function(a) == function(b) && function(a) != 0;
}

}  // namespace bscope::cuda
