#include "engine/trace/read_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <system_error>

#include "engine/trace/error.hpp"

namespace bscope {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds writer_must_come{1}, bytes_must_come{60};

[[noreturn]] void cannot_read(const std::string& name, int error) {
  throw BadFile(message("cannot read {}: {}", name, Message::plain(std::generic_category().message(error))));
}
[[noreturn]] void is_too_large(const std::string& name, size_t most) {
  throw BadFile(message("{} is too large: at most {} MiB are read here", name, most >> 20));
}

/// A name as it may be said: a terminal would obey some of what it may hold.
std::string shown(const std::filesystem::path& path) {
  std::string name = path.string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return name;
}

/// Opening does not wait either: a pipe would, until a writer opens it.
int opened(const std::filesystem::path& path, struct stat& s) {
  const std::string name = shown(path);
  if (name.empty()) throw BadFile(message("a file without a name cannot be read: give its name"));
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    const int error = errno;
    if (error == ENOENT && ::lstat(path.c_str(), &s) == 0)
      throw BadFile(
          message("{} is a link to a file that is not there: repair the link, or name another file", name));
    if (error == ENOENT || error == ENOTDIR)
      throw BadFile(message("there is no file {}: check its name", name));
    // a socket cannot be opened at all
    if (error == ENXIO && ::stat(path.c_str(), &s) == 0 && !S_ISREG(s.st_mode))
      throw BadFile(message("{} is a pipe or a device: name a file", name));
    cannot_read(name, error);
  }
  if (::fstat(fd, &s)) {
    const int error = errno;
    ::close(fd);
    cannot_read(name, error);
  }
  return fd;
}

void need_no_folder(const std::string& name, const struct stat& s) {
  if (S_ISDIR(s.st_mode)) throw BadFile(message("{} is a folder: name a file in it", name));
}

/// Reads to the end of a file, or of a stream as it comes. Never waits in read(): of a pipe without a writer
/// poll() says nothing, and a read that does not wait says 0.
std::string all_of(int fd, const std::string& name, size_t most, size_t expected) {
  std::string bytes, piece(std::min<size_t>(size_t(1) << 20, most + 1), '\0');
  bytes.reserve(std::min(expected, most) + 1);
  const bool waits = !(::fcntl(fd, F_GETFL) & O_NONBLOCK);
  bool had_writer = waits;  // opening has waited for one
  for (auto silent_since = Clock::now();;) {
    pollfd ready{fd, POLLIN, 0};
    const bool something = ::poll(&ready, 1, 50) > 0;
    if (something || !waits) {
      const ssize_t n = ::read(fd, piece.data(), piece.size());
      const int error = n < 0 ? errno : 0;
      if (error && error != EINTR && error != EAGAIN && error != EWOULDBLOCK) cannot_read(name, error);
      if (n > 0) {
        bytes.append(piece, 0, size_t(n));
        if (bytes.size() > most) is_too_large(name, most);
        silent_since = Clock::now();
      }
      if (n == 0 && (something || had_writer)) return bytes;
      had_writer |= n != 0;  // bytes, or none yet
    }
    const auto silent = Clock::now() - silent_since;
    if (!had_writer && silent > writer_must_come)
      throw BadFile(message("{} is a pipe without a writer: start its writer first", name));
    if (silent > bytes_must_come)
      throw BadFile(message("nothing has come out of {} for a minute: look at what writes into it", name));
  }
}

}  // namespace

OpenFile open_to_read(const std::filesystem::path& path) {
  struct stat s {};
  Descriptor d(opened(path, s));
  need_no_folder(shown(path), s);
  if (!S_ISREG(s.st_mode)) throw BadFile(message("{} is a pipe or a device: name a file", shown(path)));
  return {std::move(d), size_t(s.st_size)};
}

std::string read_file(const std::filesystem::path& path, size_t most, Streams streams) {
  const std::string name = shown(path);
  if (streams == Streams::refused) {
    const OpenFile file = open_to_read(path);
    if (file.size > most) is_too_large(name, most);
    return all_of(file.descriptor.get(), name, most, file.size);
  }
  struct stat s {};
  const bool is_stdin = name == "-";
  const Descriptor d(is_stdin ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : opened(path, s));
  if (is_stdin && (d.get() < 0 || ::fstat(d.get(), &s)))
    throw BadFile(message("stdin is closed: there is nothing to read"));
  need_no_folder(name, s);
  if (S_ISREG(s.st_mode) && size_t(s.st_size) > most) is_too_large(name, most);
  return all_of(d.get(), is_stdin ? "stdin" : name, most, S_ISREG(s.st_mode) ? size_t(s.st_size) : 0);
}

std::string beginning_of(const std::filesystem::path& path, size_t count) {
  const OpenFile file = open_to_read(path);
  std::string bytes(count, '\0');
  const ssize_t n = ::pread(file.descriptor.get(), bytes.data(), count, 0);
  if (n < 0) cannot_read(shown(path), errno);
  bytes.resize(size_t(n));
  return bytes;
}

std::string as_text(std::string bytes, const std::string& name) {
  const std::string_view all = bytes;
  const auto begins = [&](std::string_view mark) { return all.starts_with(mark); };
  if (begins("\xff\xfe") || begins("\xfe\xff") || begins(std::string_view("\0\0\xfe\xff", 4)))
    throw BadFile(message("{} is text in UTF-16 or UTF-32: save it as UTF-8", name));
  if (begins("\xef\xbb\xbf")) bytes.erase(0, 3);
  if (bytes.find('\0') != std::string::npos)
    throw BadFile(message("{} is a binary file: text is expected", name));
  return bytes;
}

}  // namespace bscope
