#include "engine/cuda/toolchain/confinement.hpp"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "engine/cuda/toolchain/allowed_calls.hpp"
#include "engine/cuda/toolchain/namespaces.hpp"
#include "engine/cuda/toolchain/paths.hpp"
#include "engine/cuda/toolchain/process_usage.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
constexpr uint64_t gigabyte = uint64_t(1) << 30;
constexpr rlim_t most_stack = 256 << 20;
/// RLIMIT_DATA ends what a program may ask for, with a message; this is for what it does not count: stacks,
/// page tables, memory that is shared.
constexpr uint64_t beside_data = most_stack + gigabyte / 4;

struct Lying {
  uint64_t files = 0, bytes = 0;  ///< of any kind; on the disk
};
Lying lying_in(const fs::path& folder) {
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

/// What mounts must cover below a folder so that nothing but `kept` can be read there.
void hide_below(const fs::path& folder, const std::vector<fs::path>& kept, bool dots_only,
                std::vector<fs::path>& hidden) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path& entry = at->path();
    std::error_code ignored;
    if ((dots_only && entry.filename().string().front() != '.') || at->is_symlink(ignored)) continue;
    if (std::ranges::find(kept, entry) != kept.end()) continue;
    if (std::ranges::any_of(kept, [&](const fs::path& k) { return lies_in(k, entry); }))
      hide_below(entry, kept, false, hidden);
    else
      hidden.push_back(entry);
  }
}

/// Where there is no Landlock, mounts do what they can.
Namespaces namespaces_for(const Confinement& what, const FileAccess& files) {
  if (files.can_enforce()) return Namespaces();
  std::vector<fs::path> kept = what.readable.files, hidden;
  kept.push_back(what.writable);
  if (const fs::path home = home_folder(); !home.empty()) hide_below(home, kept, true, hidden);
  return Namespaces(what.writable, hidden);
}

FileAccess access_for(const Confinement& what) {
  if (what.way != Confinement::best) return {};
  return FileAccess(what.writable, all_readable(what.readable, home_folder()));
}

constexpr unsigned long no_root =
    SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED;

bool set_limit(__rlimit_resource_t what, rlim_t most, rlim_t beyond = 0) noexcept {
  rlimit now{};
  if (::getrlimit(what, &now) != 0) return false;
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
  const rlimit next{most, std::min(most + beyond, now.rlim_max)};
  return ::setrlimit(what, &next) == 0;
}

/// Root is a user like others; who is none has nothing to drop.
bool drop_privileges() noexcept {
  ::prctl(PR_SET_SECUREBITS, no_root, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2] = {};
  return ::syscall(SYS_capset, &header, none) == 0;
}

}  // namespace

Confinement for_a_compiler(const fs::path& folder, MayRead readable, unsigned seconds) {
  return {.writable = folder,
          .readable = std::move(readable),
          .memory = 3 * gigabyte,
          .file_bytes = gigabyte / 2,
          .all_bytes = gigabyte,
          .seconds = seconds,
          .processes = true};
}

/// What the kernel is asked to enforce.
struct Cage::Restrictions {
  explicit Restrictions(const Confinement& confinement)
      : what(confinement),
        files(access_for(what)),
        calls({.processes = what.processes,
               .truncation = !files.can_enforce() || FileAccess::covers_truncation()}),
        namespaces(namespaces_for(what, files)),
        files_before(lying_in(what.writable).files) {}

  Confinement what;
  FileAccess files;
  AllowedCalls calls;
  Namespaces namespaces;
  uint64_t files_before;

  bool set_limits() const noexcept;
};

Cage::Cage(const Confinement& what) : restrictions_(std::make_unique<Restrictions>(what)) {}
Cage::~Cage() = default;

bool Cage::keeps_files() const {
  return restrictions_->files.can_enforce() || restrictions_->namespaces.can_enter();
}
bool Cage::keeps_reading() const { return restrictions_->files.can_enforce(); }
bool Cage::has_namespaces() const { return restrictions_->namespaces.can_enter(); }

bool Cage::enter() const noexcept {
  const Restrictions& r = *restrictions_;
  if (!r.set_limits() || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (r.namespaces.can_enter()) {
    if (!r.namespaces.enter()) return false;
    // A namespace has its own count, which ends a flood of threads before anything polls. Root has none.
    // Linux before 5.14 counts all processes of the user; the second version of Landlock came with 5.19.
    if (FileAccess::version() >= 2 && !set_limit(RLIMIT_NPROC, r.what.threads + 1)) return false;
  }
  if (r.files.can_enforce() && !r.files.enforce()) return false;
  // It ends with this program. Nothing that follows clears this, and the filter lets nothing else clear it.
  return drop_privileges() && ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && r.calls.enforce();
}

Exceeded Cage::exceeded_by(pid_t pid) const {
  const Confinement& what = restrictions_->what;
  const Lying now = lying_in(what.writable);
  const ProcessUsage usage = usage_of(pid, what.processes);
  if (now.files > restrictions_->files_before + what.files ||
      now.bytes + usage.unnamed_bytes > what.all_bytes)
    return Exceeded::disk;
  if (usage.threads > what.threads) return Exceeded::threads;
  return usage.memory > what.memory + beside_data ? Exceeded::memory : Exceeded::nothing;
}

bool Cage::Restrictions::set_limits() const noexcept {
  rlimit stack{};  // what it is, and little more: no other limit counts it
  if (::getrlimit(RLIMIT_STACK, &stack) != 0) return false;
  return set_limit(RLIMIT_STACK, std::min(stack.rlim_cur, most_stack), most_stack) &&
         set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_DATA, what.memory) &&
         set_limit(RLIMIT_FSIZE, what.file_bytes) && set_limit(RLIMIT_NOFILE, 256) &&
         set_limit(RLIMIT_MEMLOCK, 0) && set_limit(RLIMIT_MSGQUEUE, 0) &&
         set_limit(RLIMIT_CPU, what.seconds, 1);  // first a signal that says why
}

}  // namespace bscope::cuda
