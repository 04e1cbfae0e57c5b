#include "engine/cuda/toolchain/confinement.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/securebits.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

// ---- Landlock: headers are older than kernels, so what they do not name stands here.
constexpr uint64_t refer = 1ull << 13, truncate_file = 1ull << 14, device_ioctl = 1ull << 15;
constexpr uint64_t writes_files = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

/// What this kernel's Landlock can refuse; 0: it has none.
uint64_t refusable() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return 0;
  return writes_files | (version >= 2 ? refer : 0) | (version >= 3 ? truncate_file : 0) |
         (version >= 5 ? device_ioctl : 0);
}

bool allow(int rules, const std::filesystem::path& place, uint64_t what) {
  const Descriptor folder(::open(place.c_str(), O_PATH | O_CLOEXEC));
  if (folder.get() < 0) return false;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = what;
  rule.parent_fd = folder.get();
  return ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

Descriptor rules_for(const std::filesystem::path& writable) {
  const uint64_t all = refusable();
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = all;
  Descriptor rules(all ? int(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)) : -1);
  if (rules.get() < 0) return Descriptor(-1);
  const uint64_t of_a_file = LANDLOCK_ACCESS_FS_WRITE_FILE | (all & truncate_file);
  for (const char* sink : {"/dev/null", "/dev/full"}) allow(rules.get(), sink, of_a_file);
  return allow(rules.get(), writable, all) ? std::move(rules) : Descriptor(-1);
}

// ---- A mount namespace.
struct MountAttributes {
  uint64_t set, clear, propagation, user_namespace;
};
constexpr uint64_t read_only = 1;          // MOUNT_ATTR_RDONLY
constexpr unsigned at_recursive = 0x8000;  // AT_RECURSIVE
long set_mount(const char* place, unsigned flags, MountAttributes a) noexcept {
  return ::syscall(SYS_mount_setattr, AT_FDCWD, place, flags, &a, sizeof a);
}

/// Whether this user may make a mount namespace. Tried by a child.
bool may_mount() {
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) ::_exit(::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 ? 0 : 1);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// ---- What it has taken.
struct Lying {
  uint64_t files = 0, bytes = 0;  ///< of any kind; on the disk
};
Lying lying_in(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  Lying all;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    ++all.files;
    struct stat file {};
    if (!at->is_symlink(error) && ::lstat(at->path().c_str(), &file) == 0)
      all.bytes += uint64_t(file.st_blocks) * 512;
    error.clear();  // it may have gone meanwhile
  }
  return all;
}

/// Bytes of files that the process has open and that have no name any more: no folder lists them.
uint64_t unnamed_bytes(pid_t pid) {
  namespace fs = std::filesystem;
  uint64_t all = 0;
  std::error_code error;
  for (fs::directory_iterator at("/proc/" + std::to_string(pid) + "/fd", error), end; !error && at != end;
       at.increment(error))
    if (struct stat file{};
        ::stat(at->path().c_str(), &file) == 0 && S_ISREG(file.st_mode) && file.st_nlink == 0)
      all += uint64_t(file.st_blocks) * 512;
  return all;
}

/// A number of /proc/PID/status; 0: it has none, or the process has ended.
uint64_t status_of(const std::string& status, std::string_view name) {
  const size_t at = status.find(name);
  return at == std::string::npos ? 0 : std::strtoull(status.c_str() + at + name.size(), nullptr, 10);
}

// ---- What the process is.
constexpr unsigned long no_root =
    SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED;

bool write_text(const char* file, const char* text, size_t length) noexcept {
  const int fd = ::open(file, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool done = ::write(fd, text, length) == ssize_t(length);
  ::close(fd);
  return done;
}

}  // namespace

Confinement for_a_compiler(const std::filesystem::path& folder, unsigned seconds) {
  constexpr uint64_t gigabyte = uint64_t(1) << 30;
  return {.writable = folder,
          .memory = 3 * gigabyte,
          .file_bytes = gigabyte / 2,
          .all_bytes = gigabyte,
          .seconds = seconds,
          .processes = true};
}

Cage::Cage(const Confinement& what)
    : what_(what),
      landlock_(what.way == Confinement::best ? rules_for(what.writable) : Descriptor(-1)),
      calls_({.processes = what.processes,
              .truncation = landlock_.get() < 0 || (refusable() & truncate_file) != 0}) {
  if (landlock_.get() < 0) can_mount_ = may_mount();
  files_before_ = lying_in(what_.writable).files;
  users_ = std::to_string(::geteuid()) + " " + std::to_string(::geteuid()) + " 1";
  groups_ = std::to_string(::getegid()) + " " + std::to_string(::getegid()) + " 1";
}

bool Cage::enter() const noexcept {
  if (!limit() || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (landlock_.get() >= 0 && ::syscall(SYS_landlock_restrict_self, landlock_.get(), 0) != 0) return false;
  if (landlock_.get() < 0 && can_mount_ && !remount()) return false;
  // It ends with this program. Nothing that follows clears this, and the filter lets nothing else clear it.
  return drop_privileges() && ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && calls_.refuse();
}

Exceeded Cage::exceeded_by(pid_t pid) const {
  const Lying now = lying_in(what_.writable);
  if (now.files > files_before_ + what_.files || now.bytes + unnamed_bytes(pid) > what_.all_bytes)
    return Exceeded::disk;
  std::string status;
  try {
    status = read_file("/proc/" + std::to_string(pid) + "/status", 1 << 16);
  } catch (const std::exception&) { return Exceeded::nothing; }  // it has ended
  if (status_of(status, "Threads:") > what_.threads) return Exceeded::threads;
  return status_of(status, "RssShmem:") * 1024 > what_.memory ? Exceeded::memory : Exceeded::nothing;
}

bool Cage::limit() const noexcept {
  const auto set = [](__rlimit_resource_t what, rlim_t most, rlim_t beyond = 0) {
    rlimit now{};
    if (::getrlimit(what, &now) != 0) return false;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
    const rlimit next{most, std::min(most + beyond, now.rlim_max)};
    return ::setrlimit(what, &next) == 0;
  };
  rlimit stack{};  // what it is, and little more: no other limit counts it
  if (::getrlimit(RLIMIT_STACK, &stack) != 0) return false;
  constexpr rlim_t most_stack = 256 << 20;
  return set(RLIMIT_STACK, std::min(stack.rlim_cur, most_stack), most_stack) && set(RLIMIT_CORE, 0) &&
         set(RLIMIT_DATA, what_.memory) && set(RLIMIT_FSIZE, what_.file_bytes) && set(RLIMIT_NOFILE, 256) &&
         set(RLIMIT_CPU, what_.seconds, 1);  // first a signal that says why
}

/// Root is a user like others; who is none has nothing to drop.
bool Cage::drop_privileges() const noexcept {
  ::prctl(PR_SET_SECUREBITS, no_root, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2] = {};
  return ::syscall(SYS_capset, &header, none) == 0;
}

/// All that is mounted becomes read-only for this process, but for the folder.
bool Cage::remount() const noexcept {
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  const char* folder = what_.writable.c_str();
  return write_text("/proc/self/uid_map", users_.data(), users_.size()) &&
         write_text("/proc/self/setgroups", "deny", 4) &&
         write_text("/proc/self/gid_map", groups_.data(), groups_.size()) &&
         ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount(folder, folder, nullptr, MS_BIND, nullptr) == 0 &&
         set_mount("/", at_recursive, {read_only, 0, 0, 0}) == 0 &&
         set_mount(folder, 0, {0, read_only, 0, 0}) == 0;
}

}  // namespace bscope::cuda
