#include "engine/cuda/toolchain/file_access.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "engine/trace/error.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

// ---- Landlock: headers are older than kernels, so what they do not name stands here.
struct Ruleset {
  uint64_t files, net, scoped;
};
constexpr uint64_t refer = 1ull << 13, truncate_file = 1ull << 14, device_ioctl = 1ull << 15;
constexpr uint64_t bind_tcp = 1, connect_tcp = 2;
constexpr uint64_t abstract_sockets = 1, signals = 2;
constexpr uint64_t reads_files =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t writes_files = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
/// What a rule may give of a file that is no folder.
constexpr uint64_t of_a_file = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                               LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_file | device_ioctl;

/// All that this kernel's Landlock can refuse.
Ruleset refusable() {
  const int version = FileAccess::version();
  if (version < 1) return {};
  return {.files = reads_files | writes_files | (version >= 2 ? refer : 0) |
                   (version >= 3 ? truncate_file : 0) | (version >= 5 ? device_ioctl : 0),
          .net = version >= 4 ? bind_tcp | connect_tcp : 0,
          .scoped = version >= 6 ? abstract_sockets | signals : 0};
}

/// What is not there needs no rule, nor a pipe of /proc/PID/fd. Returns false where there is no rule for what
/// is there.
bool allow(int rules, const char* place, uint64_t what) noexcept {
  const int file = ::open(place, O_PATH | O_CLOEXEC);
  if (file < 0) return true;
  struct stat is {};
  const bool known = ::fstat(file, &is) == 0;
  const landlock_path_beneath_attr rule{.allowed_access = S_ISDIR(is.st_mode) ? what : what & of_a_file,
                                        .parent_fd = file};
  const bool done =
      known && ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  const bool internal = !done && errno == EBADFD;
  ::close(file);
  return done || internal;
}

// ---- What is there to be read.
/// Programs, libraries and headers of the system, and what the C library and compilers ask about it.
constexpr const char* of_the_system[] = {"/usr",
                                         "/bin",
                                         "/sbin",
                                         "/lib",
                                         "/lib32",
                                         "/lib64",
                                         "/libx32",
                                         "/nix/store",
                                         "/gnu/store",
                                         "/etc/ld.so.cache",
                                         "/etc/ld.so.conf",
                                         "/etc/ld.so.conf.d",
                                         "/etc/alternatives",
                                         "/etc/localtime",
                                         "/etc/timezone",
                                         "/etc/locale.alias",
                                         "/etc/locale.conf",
                                         "/etc/os-release",
                                         "/etc/lsb-release",
                                         "/etc/debian_version",
                                         "/etc/redhat-release",
                                         "/etc/gentoo-release",
                                         "/proc/cpuinfo",
                                         "/proc/meminfo",
                                         "/proc/sys/vm/overcommit_memory",
                                         "/proc/sys/kernel/osrelease",
                                         "/sys/devices/system/cpu",
                                         "/sys/devices/system/node",
                                         "/sys/kernel/mm/transparent_hugepage"};
constexpr size_t most_entries = 20'000;  // of one folder

/// The entries of a folder but one, and but links, whose targets have rules of their own.
template <class Take>
void add_entries(const fs::path& folder, std::vector<fs::path>& all, const Take& takes) {
  std::error_code error;
  size_t count = 0;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && count < most_entries;
       at.increment(error), ++count) {
    std::error_code ignored;
    if (takes(at->path().filename().string()) && !at->is_symlink(ignored)) all.push_back(at->path());
  }
}

/// All but devices, and what is hidden in the home folder: each folder from the root to there gives its other
/// entries.
void add_all_but_hidden(const fs::path& home, std::vector<fs::path>& all) {
  fs::path at = "/";
  const auto not_of_devices = [&](const std::string& name) { return at != "/" || name != "dev"; };
  for (const fs::path& next : home.relative_path()) {
    add_entries(at, all, [&](const std::string& name) { return name != next && not_of_devices(name); });
    at /= next;
  }
  add_entries(at, all, [&](const std::string& name) { return name.front() != '.' && not_of_devices(name); });
}

}  // namespace

fs::path home_folder() {
  const char* home = std::getenv("HOME");
  if (!home || *home != '/') {
    const passwd* const user = ::getpwuid(::getuid());
    home = user ? user->pw_dir : nullptr;
  }
  if (!home || *home != '/') return {};
  std::error_code error;
  const fs::path there = fs::canonical(home, error);
  return error ? fs::path() : there;
}

std::vector<fs::path> all_readable(const MayRead& may, const fs::path& home) {
  std::vector<fs::path> all(std::begin(devices), std::end(devices));
  all.insert(all.end(), std::begin(of_the_system), std::end(of_the_system));
  all.insert(all.end(), may.files.begin(), may.files.end());
  if (!may.listed_only) add_all_but_hidden(home, all);
  return all;
}

int FileAccess::version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 1 ? 0 : int(version);
}

bool FileAccess::covers_truncation() { return version() >= 3; }

FileAccess::FileAccess(const fs::path& writable, const std::vector<fs::path>& readable) {
  const Ruleset all = refusable();
  if (!all.files) return;
  const auto need = [](bool done) {
    if (!done) throw SystemError(message("Landlock takes no rule"), {errno, std::generic_category()});
  };
  Descriptor rules(int(::syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0)));
  need(rules.get() >= 0);
  need(allow(rules.get(), writable.c_str(), all.files));
  for (const char* sink : {"/dev/null", "/dev/full"})
    need(allow(rules.get(), sink, LANDLOCK_ACCESS_FS_WRITE_FILE | (all.files & truncate_file)));
  for (const fs::path& place : readable) need(allow(rules.get(), place.c_str(), reads_files));
  rules_ = std::move(rules);
}

bool FileAccess::enforce() const noexcept {
  // Its own folder of /proc, which has no number before it runs.
  return allow(rules_.get(), "/proc/self", reads_files) &&
         ::syscall(SYS_landlock_restrict_self, rules_.get(), 0) == 0;
}

}  // namespace bscope::cuda
