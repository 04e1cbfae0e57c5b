#include "engine/trace/source_line.hpp"

#include <algorithm>

#include "engine/trace/shown_text.hpp"
#include "engine/trace/trimmed.hpp"

namespace bscope {

std::string whole_line_of(const std::string& text, int line) {
  size_t begin = 0;
  for (int l = 1; l < line; ++l) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::string found = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  if (found.ends_with('\r')) found.pop_back();
  return found;
}

std::string line_of(const std::string& text, int line) {
  return as_shown_line(trimmed(whole_line_of(text, line)));
}

std::string source_line(const Trace& trace, int launch, int line) {
  const int source = trace.launches[size_t(launch)].source;
  if (source < 0 || source >= int(trace.sources.size())) return {};
  return line_of(trace.sources[size_t(source)].text, line);
}

}  // namespace bscope
