#include "engine/catalog/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "engine/simt/problem.hpp"

namespace bscope {

std::string read_input_file(const std::string& path) {
  constexpr uintmax_t most_bytes = uintmax_t(256) << 20;
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

}  // namespace bscope
