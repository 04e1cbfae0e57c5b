#include "engine/trace/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "engine/trace/descriptor.hpp"

namespace bscope {
namespace {

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(size_t(n));
  }
  return 0;
}

[[noreturn]] void cannot_write(const std::filesystem::path& path, int error) {
  throw std::system_error(error, std::generic_category(), "cannot write " + path.string());
}

}  // namespace

void write_whole(const std::filesystem::path& path, std::string_view bytes) {
  std::error_code ignored;
  const auto target = std::filesystem::weakly_canonical(path, ignored);  // a link stays a link
  const auto& place = target.empty() ? path : target;
  struct stat s {};
  const bool there = ::stat(place.c_str(), &s) == 0;
  if (there && S_ISDIR(s.st_mode)) cannot_write(path, EISDIR);
  if (there && !S_ISREG(s.st_mode)) {  // a device or a pipe: must not be replaced by a file
    Descriptor d(::open(place.c_str(), O_WRONLY | O_CLOEXEC));
    if (d.get() < 0) cannot_write(path, errno);
    if (int e = write_all(d.get(), bytes)) cannot_write(path, e);
    if (int e = d.close()) cannot_write(path, e);
    return;
  }

  std::string temporary = (place.parent_path() / ("." + place.filename().string() + ".XXXXXX.tmp")).string();
  Descriptor d(::mkostemps(temporary.data(), int(std::strlen(".tmp")), O_CLOEXEC));
  if (d.get() < 0) cannot_write(path, errno);
  auto give_up = [&](int error) {
    ::unlink(temporary.c_str());
    cannot_write(path, error);
  };
  // mkostemps makes a private file; a saved one has the rights that any new file would have, or keeps its
  // own.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(d.get(), there ? s.st_mode & 07777 : 0666 & ~mask)) give_up(errno);
  if (int e = write_all(d.get(), bytes)) give_up(e);
  // not every file system can sync
  if (::fsync(d.get()) && errno != EINVAL) give_up(errno);
  if (int e = d.close()) give_up(e);
  if (::rename(temporary.c_str(), place.c_str())) give_up(errno);
  // The new name itself must survive a crash; a file system that cannot sync a folder has done what it can.
  const auto folder = place.parent_path().empty() ? std::filesystem::path(".") : place.parent_path();
  if (Descriptor f(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); f.get() >= 0)
    ::fsync(f.get());
}

}  // namespace bscope
