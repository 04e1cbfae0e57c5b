#include "app/cli/lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

namespace bscope {

std::string pad_right(std::string s, int width) {
  s.resize(std::max(s.size(), size_t(std::max(width, 0))), ' ');
  return s;
}

std::string count(long n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string values(const Trace& t, int array, const std::vector<double>& v, size_t most) {
  const Kind kind = t.arrays[size_t(array)].kind;
  std::string s;
  for (size_t i = 0; i < std::min(v.size(), most); ++i)
    s += (i ? " " : "") + (kind == Kind::f32      ? fmt::format("{}", float(v[i]))
                           : kind == Kind::affine ? text_of(kind, uint64_t(v[i]))
                                                  : fmt::format("{}", v[i]));
  if (v.size() > most) s += fmt::format(" ... ({} in all)", v.size());
  return s;
}

std::string wrapped(const std::string& text, int width, const std::string& indent) {
  std::string out, line = indent;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ' ');) {
    if (line.size() > indent.size() && int(line.size() + 1 + word.size()) > width) {
      out += line + "\n";
      line = indent;
    }
    line += (line.size() > indent.size() ? " " : "") + word;
  }
  return out + line + "\n";
}

}  // namespace bscope
