#include "engine/trace/whole_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <system_error>

#include "engine/trace/error.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view ending = ".tmp";
constexpr time_t forgotten = 10;  // seconds since the last write to it

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(size_t(n));
  }
  return 0;
}

[[noreturn]] void cannot_write(const fs::path& path, int error) {
  throw SystemError(message("cannot write {}", path.string()), {error, std::generic_category()});
}

fs::path folder_of(const fs::path& place) {
  return place.parent_path().empty() ? fs::path(".") : place.parent_path();
}

/// Where a link leads; the path itself where that cannot be found.
fs::path behind_links(const fs::path& path) {
  std::error_code ignored;
  const fs::path place = fs::weakly_canonical(path, ignored);
  return place.empty() ? path : place;
}

mode_t rights_of_a_new_file() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

NewFile::NewFile(const fs::path& path) : path_(path), place_(behind_links(path)) {
  struct stat s {};
  if (::stat(place_.c_str(), &s) == 0) {
    if (S_ISDIR(s.st_mode)) fail(EISDIR);
    if (!S_ISREG(s.st_mode)) fail(EEXIST);
    mode_ = s.st_mode & 07777;
  }
  remove_left_over();
  descriptor_ = Descriptor(::open(folder_of(place_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
  if (descriptor_.get() < 0) {
    // what an old kernel or a file system without them says; else the folder is at fault
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT) fail(errno);
    open_named();
  }
  if (mode_ && ::fchmod(descriptor_.get(), mode_)) fail(errno);
}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::fail(int error) const { cannot_write(path_, error); }

std::string NewFile::temporary_name() const {
  return (place_.parent_path() / ("." + place_.filename().string())).string();
}

void NewFile::open_named() {
  temporary_ = temporary_name() + ".XXXXXX" + std::string(ending);
  descriptor_ = Descriptor(::mkostemps(temporary_.data(), int(ending.size()), O_CLOEXEC));
  if (descriptor_.get() < 0) {
    temporary_.clear();
    fail(errno);
  }
  ::flock(descriptor_.get(), LOCK_EX | LOCK_NB);  // another process has it: see below
  // mkostemps makes a private file; a saved one has the rights that any new file would have, or keeps its own
  if (!mode_ && ::fchmod(descriptor_.get(), rights_of_a_new_file())) fail(errno);
}

void NewFile::remove_left_over() const {
  const std::string begins = "." + place_.filename().string() + ".";
  std::error_code error;
  for (fs::directory_iterator it(folder_of(place_), error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.size() != begins.size() + 6 + ending.size() || !name.starts_with(begins) ||
        !name.ends_with(ending))
      continue;
    const Descriptor d(::open(it->path().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    struct stat s {};
    if (d.get() < 0 || ::fstat(d.get(), &s) || !S_ISREG(s.st_mode)) continue;
    if (std::time(nullptr) - s.st_mtime > forgotten && ::flock(d.get(), LOCK_EX | LOCK_NB) == 0)
      ::unlink(it->path().c_str());
  }
}

void NewFile::write(std::string_view bytes) {
  if (const int e = write_all(descriptor_.get(), bytes)) fail(e);
}

void NewFile::keep() {
  // not every file system can sync
  if (::fsync(descriptor_.get()) && errno != EINVAL) fail(errno);
  if (temporary_.empty()) {
    // A link takes no other file's place: where there is one, it gets a name for a moment and is renamed.
    const std::string itself = "/proc/self/fd/" + std::to_string(descriptor_.get());
    std::string name = place_.string();
    while (::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW)) {
      if (errno != EEXIST) fail(errno);
      std::array<unsigned char, 6> random;  // std::random_device would ask for a newer glibc
      if (::getentropy(random.data(), random.size())) fail(errno);
      std::string letters;
      for (const unsigned char one : random) letters += char('a' + one % 26);
      name = temporary_name() + "." + letters + std::string(ending);
    }
    if (name != place_) temporary_ = name;
  }
  if (!temporary_.empty()) {
    if (::rename(temporary_.c_str(), place_.c_str())) fail(errno);
    temporary_.clear();
  }
  if (const int e = descriptor_.close()) fail(e);
  // The new name itself must survive a crash; a file system that cannot sync a folder has done what it can.
  if (Descriptor f(::open(folder_of(place_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); f.get() >= 0)
    ::fsync(f.get());
}

void write_scratch(const fs::path& path, std::string_view bytes) {
  Descriptor d(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (d.get() < 0) cannot_write(path, errno);
  if (const int e = write_all(d.get(), bytes)) cannot_write(path, e);
  if (const int e = d.close()) cannot_write(path, e);
}

void write_whole(const fs::path& path, std::string_view bytes) {
  struct stat s {};
  if (::stat(path.c_str(), &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode)) {
    // a device or a pipe must not be replaced by a file; a pipe without a reader is not waited for
    Descriptor d(
        ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | (S_ISFIFO(s.st_mode) ? O_NONBLOCK : 0)));
    if (d.get() < 0) cannot_write(path, errno);
    ::fcntl(d.get(), F_SETFL, ::fcntl(d.get(), F_GETFL) & ~O_NONBLOCK);
    if (const int e = write_all(d.get(), bytes)) cannot_write(path, e);
    if (const int e = d.close()) cannot_write(path, e);
    return;
  }
  NewFile file(path);
  file.write(bytes);
  file.keep();
}

}  // namespace bscope
