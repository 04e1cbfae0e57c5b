#include "engine/cuda/toolchain/allowed_calls.hpp"

#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <system_error>

#include "engine/trace/descriptor.hpp"
#include "engine/trace/error.hpp"

namespace bscope::cuda {
namespace {

/// Calls without a condition, by family. An architecture lacks some; those are skipped.
constexpr const char* of_files[] = {
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2",
    "lseek", "open", "creat", "close", "dup", "dup2", "dup3", "fsync", "fdatasync", "sync_file_range",
    "flock", "fadvise64", "readahead", "copy_file_range", "sendfile", "ftruncate", "fallocate", "umask",
    // what they are called and what they are
    "stat", "fstat", "lstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2",
    "readlink", "readlinkat", "getdents", "getdents64", "getcwd", "chdir", "fchdir", "getxattr", "lgetxattr",
    "fgetxattr", "listxattr", "llistxattr", "flistxattr",
    // entries of folders: Landlock, or the mounts, say which
    "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat",
    "symlink", "symlinkat"};
constexpr const char* of_memory[] = {"munmap",        "mprotect",   "mremap",        "madvise",
                                     "brk",           "msync",      "mincore",       "membarrier",
                                     "get_mempolicy", "pkey_alloc", "pkey_mprotect", "pkey_free"};
constexpr const char* of_threads[] = {"futex",
                                      "futex_waitv",
                                      "set_tid_address",
                                      "set_robust_list",
                                      "get_robust_list",
                                      "rseq",
                                      "arch_prctl",
                                      "sched_yield",
                                      "getcpu",
                                      "sched_getaffinity",
                                      "sched_getparam",
                                      "sched_getscheduler",
                                      "sched_getattr",
                                      "sched_get_priority_max",
                                      "sched_get_priority_min",
                                      "sched_rr_get_interval",
                                      "exit",
                                      "exit_group",
                                      "execve"};
constexpr const char* of_itself[] = {
    "getpid",    "getppid",   "gettid",    "getpgrp",   "getpgid",   "getsid",      "getuid", "geteuid",
    "getgid",    "getegid",   "getgroups", "getresuid", "getresgid", "getpriority", "capget", "getrlimit",
    "setrlimit", "getrusage", "times",     "uname",     "sysinfo",   "getrandom",   "wait4",  "waitid"};
constexpr const char* of_signals[] = {"rt_sigaction",  "rt_sigprocmask",  "rt_sigreturn", "rt_sigsuspend",
                                      "rt_sigpending", "rt_sigtimedwait", "sigaltstack",  "restart_syscall",
                                      "pause",         "signalfd",        "signalfd4"};
constexpr const char* of_time[] = {"clock_gettime",    "clock_getres", "clock_nanosleep", "nanosleep",
                                   "gettimeofday",     "time",         "alarm",           "setitimer",
                                   "getitimer",        "timer_create", "timer_settime",   "timer_gettime",
                                   "timer_getoverrun", "timer_delete", "timerfd_create",  "timerfd_settime",
                                   "timerfd_gettime"};
constexpr const char* of_events[] = {
    "poll",       "ppoll",       "select",       "pselect6", "epoll_create", "epoll_create1", "epoll_ctl",
    "epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd",  "eventfd2",     "pipe",          "pipe2"};
/// A compiler's driver starts the compiler, the assembler and the linker, which marks what it has made.
constexpr const char* of_compilers[] = {"fork", "vfork", "chmod", "fchmod", "fchmodat"};

/// The requests that libraries and compilers make of files. Others set an owner that gets signals, block
/// other openers, change attributes, type into terminals, or are newer.
constexpr unsigned of_fcntl[] = {F_DUPFD,     F_GETFD,      F_SETFD,         F_GETFL,
                                 F_GETLK,     F_SETLK,      F_SETLKW,        F_OFD_GETLK,
                                 F_OFD_SETLK, F_OFD_SETLKW, F_DUPFD_CLOEXEC, F_GETPIPE_SZ};
constexpr unsigned of_ioctl[] = {TCGETS,  TCGETS2, TIOCGWINSZ, FIONREAD,
                                 FIONBIO, FIOCLEX, FIONCLEX,   FS_IOC_GETFLAGS};
/// It names its threads and memory, and asks.
constexpr unsigned of_prctl[] = {PR_SET_NAME,       PR_GET_NAME,    PR_GET_DUMPABLE,     PR_CAPBSET_READ,
                                 PR_GET_PDEATHSIG,  PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS, PR_GET_TIMERSLACK,
                                 PR_SET_TIMERSLACK, 0x53564d41 /* PR_SET_VMA */};

/// Mappings without huge, locked or growing pages.
constexpr unsigned of_mmap = MAP_TYPE | MAP_FIXED | MAP_ANONYMOUS | MAP_DENYWRITE | MAP_EXECUTABLE |
                             MAP_NORESERVE | MAP_POPULATE | MAP_NONBLOCK | MAP_STACK | MAP_FIXED_NOREPLACE
#if defined(MAP_32BIT)
                             | MAP_32BIT
#endif
    ;
/// Each namespace that a process could make, and being traced.
constexpr unsigned new_namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                                    CLONE_NEWUTS | CLONE_NEWCGROUP | CLONE_PTRACE | CLONE_PIDFD;

/// Calls are numbered alike on all architectures from the first on, and were reviewed up to the last,
/// set_mempolicy_home_node of Linux 5.17. What has no number yet fails as it does on a kernel that lacks it.
constexpr int first_of_all = 424, last_reviewed = 450, beyond = 700;
#if defined(__x86_64__)
constexpr int last_of_own = 334;  // rseq
#elif defined(__aarch64__)
constexpr int last_of_own = 294;  // kexec_file_load
#else
#error "say which calls this architecture numbers alone"
#endif

/// Stands for the process's number until it is known. No other comparison of the filter has this value.
constexpr unsigned some_process = 0x5eedc0de;

using Comparisons = std::initializer_list<scmp_arg_cmp>;
/// The argument's bits under the mask equal the value.
scmp_arg_cmp bits(unsigned argument, uint64_t mask, uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}
/// An int: the kernel does not look at the upper half of the register.
scmp_arg_cmp is(unsigned argument, unsigned value) { return bits(argument, 0xffffffff, value); }

class Filter {
 public:
  Filter() : context_(::seccomp_init(SCMP_ACT_ERRNO(EPERM)), &::seccomp_release) {
    if (!context_)
      throw SystemError(message("no filter of system calls can be made"), {ENOMEM, std::generic_category()});
    need(::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    need(::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2));  // a tree: there are hundreds
  }
  void allow(const char* call) { rule(SCMP_ACT_ALLOW, call, {}); }
  void allow(std::span<const char* const> calls) {
    for (const char* call : calls) allow(call);
  }
  /// Where all of these hold; several rules of one call are alternatives.
  void allow(const char* call, Comparisons all) { rule(SCMP_ACT_ALLOW, call, all); }
  void allow(const char* call, unsigned argument, std::span<const unsigned> values) {
    for (const unsigned value : values) allow(call, {is(argument, value)});
  }
  /// It says that it is done, and does nothing.
  void ignore(const char* call) { rule(SCMP_ACT_ERRNO(0), call, {}); }
  void lacks(const char* call) { rule(SCMP_ACT_ERRNO(ENOSYS), call, {}); }
  void lacks_numbers(int first, int last) {
    for (int number = first; number <= last; ++number)
      need(::seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(ENOSYS), number, 0, nullptr));
  }
  std::vector<sock_filter> program() const {
    const Descriptor file(::memfd_create("filter", MFD_CLOEXEC));
    if (file.get() < 0) need(-errno);
    need(::seccomp_export_bpf(context_.get(), file.get()));
    std::vector<sock_filter> all(size_t(::lseek(file.get(), 0, SEEK_END)) / sizeof(sock_filter));
    const size_t size = all.size() * sizeof(sock_filter);
    if (::pread(file.get(), all.data(), size, 0) != ssize_t(size)) need(-EIO);
    return all;
  }

 private:
  static void need(int result) {
    if (result < 0)
      throw SystemError(message("no filter of system calls can be made"), {-result, std::generic_category()});
  }
  void rule(uint32_t action, const char* call, Comparisons all) {
    const int number = ::seccomp_syscall_resolve_name(call);
    if (number < 0) return;  // this architecture lacks it
    need(::seccomp_rule_add_array(context_.get(), action, number, unsigned(all.size()), all.begin()));
  }
  std::unique_ptr<void, decltype(&::seccomp_release)> context_;
};

void allow_files(Filter& f, bool truncation) {
  f.allow(of_files);
  // a device or a socket is nothing that it makes
  for (const unsigned kind : {unsigned(S_IFIFO), unsigned(S_IFREG), 0u}) {
    f.allow("mknod", {bits(1, S_IFMT, kind)});
    f.allow("mknodat", {bits(2, S_IFMT, kind)});
  }
  f.allow("fcntl", 1, of_fcntl);
  // The kernel signals a file's owner when the file is ready. A terminal's owner is its foreground group.
  f.allow("fcntl", {is(1, F_SETFL), bits(2, O_ASYNC, 0)});
  f.allow("ioctl", 1, of_ioctl);
  // all its threads share their open files, so that all can be counted
  f.allow("close_range", {bits(2, CLOSE_RANGE_UNSHARE, 0)});
  if (truncation) {
    for (const char* call : {"openat", "openat2", "truncate"}) f.allow(call);
    return;
  }
  // An old Landlock does not cover it: a file is truncated only where it is opened to be written.
  f.lacks("openat2");
  f.allow("openat", {bits(2, O_TRUNC, 0)});
  for (const unsigned writing : {O_WRONLY, O_RDWR})
    f.allow("openat", {bits(2, O_ACCMODE | O_TRUNC, writing | O_TRUNC)});
}

void allow_memory(Filter& f) {
  f.allow(of_memory);
  // no limit counts anonymous memory that is shared
  constexpr uint64_t others = ~uint64_t(of_mmap);
  f.allow("mmap", {bits(3, others | MAP_SHARED, 0)});
  f.allow("mmap", {bits(3, others | MAP_ANONYMOUS, 0)});
}

void allow_threads(Filter& f, bool processes) {
  f.allow(of_threads);
  f.lacks("clone3");  // its arguments cannot be seen here: libraries fall back to clone
  if (processes) {
    f.allow(of_compilers);
    f.allow("clone", {bits(0, new_namespaces, 0)});
  } else {
    // std::filesystem::copy_file gives the copy the rights of the original; Landlock does not say whose file
    // it is
    f.ignore("fchmod");
    f.allow("clone", {bits(0, new_namespaces | CLONE_THREAD | CLONE_FILES, CLONE_THREAD | CLONE_FILES)});
  }
}

void allow_itself(Filter& f) {
  f.allow(of_itself);
  f.allow("prctl", 0, of_prctl);
  f.allow("personality", {is(0, 0xffffffff)});  // asked
  for (const char* call : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
    f.allow(call, {is(0, some_process)});
  // some calls know it as 0
  for (const char* call :
       {"prlimit64", "sched_setparam", "sched_setattr", "sched_setaffinity", "sched_setscheduler"})
    for (const unsigned process : {0u, some_process}) f.allow(call, {is(0, process)});
}

}  // namespace

AllowedCalls::AllowedCalls(const MayCall& what) {
  Filter f;
  allow_files(f, what.truncation);
  allow_memory(f);
  allow_threads(f, what.processes);
  allow_itself(f);
  f.allow(of_signals);
  f.allow(of_time);
  f.allow(of_events);
  f.lacks_numbers(last_of_own + 1, first_of_all - 1);
  f.lacks_numbers(last_reviewed + 1, beyond);
  filter_ = f.program();
  for (size_t k = 0; k < filter_.size(); ++k)
    if (BPF_CLASS(filter_[k].code) == BPF_JMP && filter_[k].k == some_process) own_.push_back(k);
}

bool AllowedCalls::enforce() const noexcept {
  sock_filter filter[BPF_MAXINSNS];  // its own: the child shares our memory, and others may begin meanwhile
  if (filter_.size() > std::size(filter)) return false;
  std::ranges::copy(filter_, filter);
  for (const size_t place : own_) filter[place].k = unsigned(::getpid());
  const sock_fprog program{static_cast<unsigned short>(filter_.size()), filter};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace bscope::cuda
