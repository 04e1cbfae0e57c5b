#include "engine/analysis/cell_expressions.hpp"

#include <algorithm>
#include <cctype>

namespace bscope {
namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Behind the brackets that begin at `at`, several pairs of them too; npos where one is not closed.
size_t behind_brackets(std::string_view line, size_t at) {
  while (at < line.size() && line[at] == '[') {
    int open = 0;
    do open += line[at] == '[' ? 1 : line[at] == ']' ? -1 : 0;
    while (++at < line.size() && open);
    if (open) return std::string_view::npos;
  }
  return at;
}

/// Whether the text behind an expression assigns to it: =, +=, ++ and so on.
bool assigns(std::string_view rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (rest.starts_with("=")) return !rest.starts_with("==");
  if (rest.starts_with("++") || rest.starts_with("--")) return true;
  if (rest.starts_with("<<=") || rest.starts_with(">>=")) return true;
  return rest.size() > 1 && rest[1] == '=' &&
         std::string_view("+-*/%|&^").find(rest[0]) != std::string_view::npos;
}

/// Whether the text before an expression changes it or takes its address.
bool taken_by(std::string_view before) {
  while (before.ends_with(' ') || before.ends_with('(')) before.remove_suffix(1);
  if (before.ends_with("++") || before.ends_with("--")) return true;
  return before.ends_with('&') && !before.ends_with("&&");
}

}  // namespace

std::vector<CellExpression> cell_expressions(std::string_view line, std::string_view array) {
  line = line.substr(0, line.find("//"));
  const std::string name(array.substr(0, array.find('[')));
  std::vector<CellExpression> all;
  if (name.empty()) return all;
  for (size_t at = 0; (at = line.find(name + "[", at)) != std::string_view::npos;) {
    const bool other_name = at > 0 && (is_letter(line[at - 1]) || line[at - 1] == '.' || line[at - 1] == '>');
    const size_t end = other_name ? at + name.size() : behind_brackets(line, at + name.size());
    if (end == std::string_view::npos) break;
    if (!other_name)
      all.push_back({std::string(line.substr(at, end - at)), at,
                     assigns(line.substr(end)) || taken_by(line.substr(0, at))});
    at = other_name ? end : at + name.size() + 1;  // an index may name a cell, too
  }
  return all;
}

}  // namespace bscope
