#include "engine/cuda/toolchain/namespaces.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "engine/cuda/toolchain/file_access.hpp"
#include "engine/cuda/toolchain/vfork.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

struct MountAttributes {
  uint64_t set, clear, propagation, user_namespace;
};
constexpr uint64_t read_only = 1, no_devices = 4;  // MOUNT_ATTR_RDONLY, MOUNT_ATTR_NODEV
constexpr unsigned at_recursive = 0x8000;          // AT_RECURSIVE

bool set_mount(const char* place, unsigned flags, MountAttributes a) noexcept {
  return ::syscall(SYS_mount_setattr, AT_FDCWD, place, flags, &a, sizeof a) == 0;
}

bool bind(const char* what, const char* where) noexcept {
  return ::mount(what, where, nullptr, MS_BIND, nullptr) == 0;
}

bool write_text(const char* file, const char* text, size_t length) noexcept {
  const int fd = ::open(file, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool done = ::write(fd, text, length) == ssize_t(length);
  ::close(fd);
  return done;
}

/// Whether a child can enter them.
bool tried(const Namespaces& all) {
  const pid_t child = vfork_and([&] { ::_exit(all.enter() ? 0 : 1); });
  if (child < 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string mapped(unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; }

}  // namespace

Namespaces::Namespaces(const fs::path& writable, const std::vector<fs::path>& hidden)
    : writable_(writable.string()), users_(mapped(::geteuid())), groups_(mapped(::getegid())) {
  for (const fs::path& place : hidden) {
    std::error_code ignored;
    (fs::is_directory(place, ignored) ? hidden_folders_ : hidden_files_).push_back(place.string());
  }
  possible_ = tried(*this);
}

bool Namespaces::enter() const noexcept {
  const int mounts = writable_.empty() ? 0 : CLONE_NEWNS;
  return ::unshare(CLONE_NEWUSER | CLONE_NEWIPC | mounts) == 0 &&
         write_text("/proc/self/uid_map", users_.data(), users_.size()) &&
         write_text("/proc/self/setgroups", "deny", 4) &&
         write_text("/proc/self/gid_map", groups_.data(), groups_.size()) && (!mounts || mount_read_only());
}

/// A device can be written through a mount that is read-only, so there are only those without content.
bool Namespaces::mount_read_only() const noexcept {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  const char* const folder = writable_.c_str();
  if (!bind(folder, folder)) return false;
  for (const char* device : devices)
    if (!bind(device, device)) return false;
  if (!set_mount("/", at_recursive, {read_only | no_devices, 0, 0, 0})) return false;
  for (const char* device : devices) set_mount(device, 0, {0, no_devices, 0, 0});
  for (const std::string& place : hidden_files_)
    if (!bind("/dev/null", place.c_str()) && errno != ENOENT) return false;
  for (const std::string& place : hidden_folders_)
    if (::mount("nothing", place.c_str(), "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,mode=555") !=
            0 &&
        errno != ENOENT)
      return false;
  return set_mount(folder, 0, {0, read_only, 0, 0});
}

}  // namespace bscope::cuda
