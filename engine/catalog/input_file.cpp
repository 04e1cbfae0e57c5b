#include "engine/catalog/input_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <tuple>

#include "engine/simt/problem.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

std::string read_now(const std::string& path) {
  try {
    return read_file(path, size_t(256) << 20, Streams::awaited);
  } catch (const BadFile& e) { throw UsageError(e.message()); }
}

}  // namespace

std::string read_input_file(const std::string& path) {
  struct stat s {};
  const bool there = (path == "-" ? ::fstat(STDIN_FILENO, &s) : ::stat(path.c_str(), &s)) == 0;
  const bool stream = there && (path == "-" || !S_ISREG(s.st_mode)) && !S_ISDIR(s.st_mode);
  if (!stream) return read_now(path);

  static std::mutex guard;
  static std::map<std::tuple<std::string, dev_t, ino_t>, std::string> kept;
  const std::scoped_lock lock(guard);
  const std::tuple which(path, s.st_dev, s.st_ino);
  if (const auto found = kept.find(which); found != kept.end()) return found->second;
  return kept[which] = read_now(path);
}

}  // namespace bscope
