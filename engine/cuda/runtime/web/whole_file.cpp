// In a page, where no other process sees a program's files: a file is written at once.
#include "engine/trace/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "engine/trace/error.hpp"

namespace bscope {

void write_whole(const std::filesystem::path& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const bool done = file >= 0 && ::write(file, bytes.data(), bytes.size()) == ssize_t(bytes.size());
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!done) throw SystemError(message("cannot write {}", path.string()), {error, std::generic_category()});
}

}  // namespace bscope
