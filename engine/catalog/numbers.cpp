// Files of numbers, typed by people.
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/catalog/catalog.hpp"

namespace bscope {
namespace {

constexpr uintmax_t most_bytes = uintmax_t(256) << 20;

std::string read_text(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status))
    throw UsageError("There is no file " + path + ": check the name given to --input.");
  if (fs::is_directory(status)) throw UsageError(path + " is a folder: --input takes a file of numbers.");
  if (fs::is_regular_file(status) && fs::file_size(path, error) > most_bytes)
    throw UsageError(path + " is too large: --input takes files of up to 256 MiB.");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError("Cannot read " + path + ": " + std::strerror(errno) + ".");
  std::string text;
  std::vector<char> piece(1 << 20);
  while (file.read(piece.data(), std::streamsize(piece.size())) || file.gcount()) {
    text.append(piece.data(), size_t(file.gcount()));
    if (text.size() > most_bytes)
      throw UsageError(path + " is too large: --input takes files of up to 256 MiB.");
  }
  if (file.bad()) throw UsageError("Cannot read " + path + ": " + std::strerror(errno) + ".");
  return text;
}

}  // namespace

std::vector<double> read_numbers(const std::string& path) {
  const std::string text = read_text(path);
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
