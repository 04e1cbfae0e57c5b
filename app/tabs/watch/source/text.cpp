#include "app/tabs/watch/source/text.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace bscope {

std::vector<std::string> source_text_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line); out.push_back(std::move(line))) {
    if (line.ends_with('\r')) line.pop_back();
    for (size_t tab; (tab = line.find('\t')) != std::string::npos;) line.replace(tab, 1, "  ");
  }
  return out;
}

LineRange registration_lines(const std::vector<std::string>& lines) {
  for (size_t k = 0; k < lines.size(); ++k) {
    if (!lines[k].starts_with("static") || lines[k].find("Register") == std::string::npos) continue;
    size_t end = k;
    while (end + 1 < lines.size() && !lines[end].starts_with("}};")) ++end;
    return {int(k) + 1, int(end) + 1};
  }
  return {};
}

std::string less_indented(const std::string& line) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(indent - std::min<size_t>(indent, 1));
}

std::vector<std::string> without_comment(std::vector<std::string> rows) {
  const auto comments = [](const std::string& row) {
    return std::string_view(row).substr(std::min(row.find_first_not_of(' '), row.size())).starts_with("//");
  };
  if (!rows.empty()) rows.erase(std::remove_if(rows.begin() + 1, rows.end(), comments), rows.end());
  return rows;
}

}  // namespace bscope
