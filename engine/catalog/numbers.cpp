// Files of numbers, typed by people.
#include <cctype>
#include <charconv>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/input_file.hpp"

namespace bscope {
std::vector<double> read_numbers(const std::string& path) {
  const std::string text = read_input_file(path);
  if (text.find('\0') != std::string::npos)
    throw UsageError(path +
                     " is a binary file: --input takes numbers as text, separated by spaces or commas.");
  std::vector<double> numbers;
  int line = 1;
  for (const char *p = text.data(), *end = p + text.size(); p < end;) {
    if (*p == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(*p)) || *p == ',') {
      ++p;
    } else if (*p == '#') {
      while (p < end && *p != '\n') ++p;
    } else {
      const char* stop = p;
      while (stop < end && !std::isspace(static_cast<unsigned char>(*stop)) && *stop != ',' && *stop != '#')
        ++stop;
      double v = 0;
      const auto r = std::from_chars(*p == '+' ? p + 1 : p, stop, v);
      if (r.ec != std::errc() || r.ptr != stop) {
        std::string shown(p, std::min<size_t>(size_t(stop - p), 20));
        for (char& c : shown)
          if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
        throw UsageError(path + ", line " + std::to_string(line) + ": \"" + shown +
                         "\" is no number; separate numbers by spaces or commas.");
      }
      numbers.push_back(v);
      p = stop;
    }
  }
  if (numbers.empty()) throw UsageError(path + " holds no number: give at least one.");
  return numbers;
}

}  // namespace bscope
