#include "engine/cuda/toolchain/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "engine/trace/error.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
constexpr const char* lock_name = "in-use";
constexpr const char* beginning = "run-";

/// Where such folders lie, the first choice first.
std::vector<fs::path> places() {
  std::vector<fs::path> all;
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache == '/') all.push_back(fs::path(cache) / "barrierscope");
  if (home && *home == '/') all.push_back(fs::path(home) / ".cache" / "barrierscope");
  std::error_code ignored;
  all.push_back(fs::temp_directory_path(ignored) / ("barrierscope-" + std::to_string(::getuid())));
  return all;
}

Descriptor locked(const fs::path& folder, int flags) {
  Descriptor lock(::open((folder / lock_name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
  if (lock.get() >= 0 && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor(-1);
  return lock;
}

/// What programs that were killed have left.
void sweep(const fs::path& place) {
  std::error_code error;
  for (fs::directory_iterator at(place, error), end; !error && at != end; at.increment(error)) {
    if (!at->path().filename().string().starts_with(beginning)) continue;
    if (const Descriptor lock = locked(at->path(), 0); lock.get() >= 0) {
      std::error_code ignored;
      fs::remove_all(at->path(), ignored);
    }
  }
}

}  // namespace

RunFolder::RunFolder() {
  std::error_code error;
  for (const fs::path& place : places()) {
    error.clear();
    fs::create_directories(place, error);
    if (error) continue;
    sweep(place);
    std::string name = (place / (beginning + std::string("XXXXXX"))).string();
    if (!::mkdtemp(name.data())) {
      error.assign(errno, std::generic_category());
      continue;
    }
    path_ = fs::canonical(name);
    lock_ = locked(path_, O_CREAT);
    return;
  }
  throw SystemError(message("no folder can be made to run the program in"), error);
}

RunFolder::~RunFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace bscope::cuda
