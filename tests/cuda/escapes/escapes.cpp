// Attempts to leave the confinement, one call each. `escapes --list` names them with what must stop them;
// `escapes NAME` makes one and prints how it went: "done", or the error's name. It takes from the environment
// whom and what it may attack:
//   VICTIM    a process of the same user
//   OUTSIDE   a folder that the user may write, with a file `there`
//   HIDDEN    a file in a dot folder of the home folder
//   UNNAMED   a file that a program judged for others does not name
// toolchain_escapes_test.cpp runs all of them, inside and outside.
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/bpf.h>
#include <linux/fs.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/quota.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

std::string given(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}
pid_t victim() { return std::atoi(given("VICTIM").c_str()); }
std::string outside(const char* name = "there") { return given("OUTSIDE") + "/" + name; }
int there() { return ::open(outside().c_str(), O_RDONLY); }
/// Opens a file as asked; done if it can be opened and, where it is read, gives a byte.
long opened(const std::string& file, int flags, bool reads = false) {
  const int fd = ::open(file.c_str(), flags, 0600);
  if (fd < 0) return -1;
  char one;
  return reads ? ::read(fd, &one, 1) - 1 : 0;
}
long call(long number, auto... arguments) { return ::syscall(number, arguments...); }
/// A child that a call made, if it made one.
long child(long pid) {
  if (pid == 0) ::_exit(0);
  if (pid > 0) ::waitpid(pid_t(pid), nullptr, 0);
  return pid;
}
long mapped(size_t size, int flags) {
  return ::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED ? -1 : 0;
}
/// Takes memory until something ends it.
[[noreturn]] void touch(volatile char* from, size_t size, size_t step, bool writes) {
  for (size_t at = 0; at < size; at += step) {
    if (writes)
      from[at] = 1;
    else
      (void)from[at];
  }
  for (;;) ::pause();
}

// Numbers that old headers do not name.
constexpr long fchmodat2 = 452, setxattrat = 463, memfd_secret = 447, process_mrelease = 448,
               quotactl_fd = 443, not_yet = 690;

struct Escape {
  const char* family;
  const char* name;
  /// "filter", "Landlock" or "namespace" with the error; "limit" with what is exceeded or the signal.
  const char* stopped_by;
  /// Whether it can be tried outside of the confinement, too, to see that it is an attempt at all: it harms
  /// nothing there, and needs no rights that users lack.
  bool outside_too;
  long (*attempt)();
};

const Escape escapes[] = {
    {"signals", "kill", "filter: EPERM", true, [] { return long(::kill(victim(), 0)); }},
    {"signals", "kill all", "filter: EPERM", false, [] { return long(::kill(-1, 0)); }},
    {"signals", "tgkill", "filter: EPERM", true, [] { return call(SYS_tgkill, victim(), victim(), 0); }},
    {"signals", "tkill", "filter: EPERM", true, [] { return call(SYS_tkill, victim(), 0); }},
    {"signals", "sigqueue", "filter: EPERM", true, [] { return long(::sigqueue(victim(), 0, sigval{})); }},
    {"signals", "pidfd_open", "filter: EPERM", true, [] { return call(SYS_pidfd_open, victim(), 0); }},
    {"signals", "pidfd_send_signal", "filter: EPERM", false,
     [] { return call(SYS_pidfd_send_signal, 0, 0, nullptr, 0); }},
    {"signals", "F_SETOWN", "filter: EPERM", true,
     [] { return long(::fcntl(there(), F_SETOWN, victim())); }},
    {"signals", "F_SETSIG", "filter: EPERM", true, [] { return long(::fcntl(there(), F_SETSIG, SIGKILL)); }},
    {"signals", "O_ASYNC", "filter: EPERM", true, [] { return long(::fcntl(there(), F_SETFL, O_ASYNC)); }},
    {"signals", "FIOASYNC", "filter: EPERM", false,
     [] {
       int on = 1;
       return long(::ioctl(0, FIOASYNC, &on));
     }},
    {"signals", "prlimit of another", "filter: EPERM", true,
     [] {
       rlimit limit{};
       return long(::prlimit(victim(), RLIMIT_CORE, nullptr, &limit));
     }},

    {"rights of files", "chmod", "filter: EPERM", true, [] { return long(::chmod(outside().c_str(), 0777)); }},
    {"rights of files", "fchmod", "filter: no effect", true,
     [] {
       struct stat now {};
       const int file = there();
       if (::fchmod(file, 0777) != 0 || ::fstat(file, &now) != 0) return -1L;
       if ((now.st_mode & 0777) == 0777) return 0L;
       std::puts("no effect");
       std::fflush(stdout);
       ::_exit(0);
     }},
    {"rights of files", "fchmodat", "filter: EPERM", true,
     [] { return long(::fchmodat(AT_FDCWD, outside().c_str(), 0777, 0)); }},
    {"rights of files", "fchmodat2", "filter: ENOSYS", false,
     [] { return call(fchmodat2, AT_FDCWD, outside().c_str(), 0777, 0); }},
    {"rights of files", "chown", "filter: EPERM", true,
     [] { return long(::chown(outside().c_str(), ::getuid(), ::getgid())); }},
    {"rights of files", "fchown", "filter: EPERM", true,
     [] { return long(::fchown(there(), ::getuid(), ::getgid())); }},
    {"rights of files", "utimensat", "filter: EPERM", true,
     [] { return long(::utimensat(AT_FDCWD, outside().c_str(), nullptr, 0)); }},
    {"rights of files", "utime", "filter: EPERM", true, [] { return long(::utime(outside().c_str(), nullptr)); }},

    {"attributes", "setxattr", "filter: EPERM", false,
     [] { return long(::setxattr(outside().c_str(), "user.x", "1", 1, 0)); }},
    {"attributes", "lsetxattr", "filter: EPERM", false,
     [] { return long(::lsetxattr(outside().c_str(), "user.x", "1", 1, 0)); }},
    {"attributes", "fsetxattr", "filter: EPERM", false, [] { return long(::fsetxattr(there(), "user.x", "1", 1, 0)); }},
    {"attributes", "removexattr", "filter: EPERM", false,
     [] { return long(::removexattr(outside().c_str(), "user.x")); }},
    {"attributes", "setxattrat", "filter: ENOSYS", false,
     [] { return call(setxattrat, AT_FDCWD, outside().c_str(), 0, "user.x", nullptr, 0); }},
    {"attributes", "FS_IOC_SETFLAGS", "filter: EPERM", false,
     [] {
       int flags = 0x40;
       return long(::ioctl(there(), FS_IOC_SETFLAGS, &flags));
     }},
    {"attributes", "FS_IOC_FSSETXATTR", "filter: EPERM", false,
     [] {
       fsxattr all{};
       return long(::ioctl(there(), FS_IOC_FSSETXATTR, &all));
     }},

    {"System V and POSIX IPC", "shmget", "filter: EPERM", false,
     [] { return long(::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600)); }},
    {"System V and POSIX IPC", "shmat", "filter: EPERM", false,
     [] { return ::shmat(0, nullptr, 0) == reinterpret_cast<void*>(-1) ? -1L : 0L; }},
    {"System V and POSIX IPC", "shmctl IPC_RMID", "filter: EPERM", false,
     [] { return long(::shmctl(0, IPC_RMID, nullptr)); }},
    {"System V and POSIX IPC", "semget", "filter: EPERM", false,
     [] { return long(::semget(IPC_PRIVATE, 1, IPC_CREAT | 0600)); }},
    {"System V and POSIX IPC", "semctl", "filter: EPERM", false, [] { return long(::semctl(0, 0, IPC_RMID)); }},
    {"System V and POSIX IPC", "msgget", "filter: EPERM", false,
     [] { return long(::msgget(IPC_PRIVATE, IPC_CREAT | 0600)); }},
    {"System V and POSIX IPC", "msgctl", "filter: EPERM", false,
     [] { return long(::msgctl(0, IPC_RMID, nullptr)); }},
    {"System V and POSIX IPC", "mq_open", "filter: EPERM", false,
     [] { return long(::mq_open("/barrierscope", O_RDWR | O_CREAT, 0600, nullptr)); }},

    {"memory", "memfd_create", "filter: EPERM", true, [] { return long(::memfd_create("x", 0)); }},
    {"memory", "memfd_secret", "filter: EPERM", false, [] { return call(memfd_secret, 0); }},
    {"memory", "shared and anonymous", "filter: EPERM", true,
     [] { return mapped(4096, MAP_SHARED | MAP_ANONYMOUS); }},
    {"memory", "MAP_GROWSDOWN", "filter: EPERM", true,
     [] { return mapped(4096, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN); }},
    {"memory", "MAP_LOCKED", "filter: EPERM", true,
     [] { return mapped(4096, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED); }},
    {"memory", "MAP_HUGETLB", "filter: EPERM", false,
     [] { return mapped(2 << 20, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB); }},
    {"memory", "mlockall", "filter: EPERM", true, [] { return long(::mlockall(MCL_CURRENT)); }},
    {"memory", "heap", "limit: ENOMEM", true,
     [] { return mapped(size_t(1) << 30, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE); }},
    {"memory", "stacks of threads", "limit: ENOMEM", true,
     [] {
       pthread_attr_t attributes;
       ::pthread_attr_init(&attributes);
       ::pthread_attr_setstacksize(&attributes, size_t(1) << 30);
       pthread_t thread;
       const int error = ::pthread_create(&thread, &attributes, [](void*) -> void* { return nullptr; }, nullptr);
       errno = error == EAGAIN ? ENOMEM : error;  // as glibc says where there is no room for a stack
       return error ? -1L : 0L;
     }},
    {"memory", "/dev/zero, shared", "Landlock: EACCES", false,
     []() -> long {
       const size_t size = size_t(4) << 30;
       const int zero = ::open("/dev/zero", O_RDWR);
       if (zero < 0) return -1;
       void* all = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);
       if (all == MAP_FAILED) return -1L;
       touch(static_cast<char*>(all), size, 4096, true);
     }},
    {"memory", "page tables", "limit: memory", false,
     []() -> long {
       const size_t size = size_t(1) << 40;
       void* all = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
       if (all == MAP_FAILED) return -1L;
       touch(static_cast<char*>(all), size, 2 << 20, false);
     }},
    {"memory", "deep recursion", "limit: SIGSEGV", false,
     [] {
       struct Deep {
         static long go(long n) {
           volatile char frame[4096];
           frame[0] = char(n);
           return n < 0 ? 0 : go(n + 1) + frame[0];
         }
       };
       return Deep::go(0);
     }},

    {"io_uring", "io_uring_setup", "filter: EPERM", false,
     [] {
       char parameters[256] = {};
       return call(SYS_io_uring_setup, 1, parameters);
     }},
    {"io_uring", "io_uring_enter", "filter: EPERM", false,
     [] { return call(SYS_io_uring_enter, 0, 1, 1, 0, nullptr, 0); }},
    {"io_uring", "io_uring_register", "filter: EPERM", false,
     [] { return call(SYS_io_uring_register, 0, 0, nullptr, 0); }},
    {"io_uring", "io_setup", "filter: EPERM", true,
     [] {
       aio_context_t context = 0;
       return call(SYS_io_setup, 1, &context);
     }},

    {"other processes", "ptrace attach", "filter: EPERM", false,
     [] { return ::ptrace(PTRACE_SEIZE, victim(), nullptr, nullptr); }},
    {"other processes", "ptrace traceme", "filter: EPERM", false,
     [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }},
    {"other processes", "process_vm_readv", "filter: EPERM", false,
     [] { return call(SYS_process_vm_readv, victim(), nullptr, 0, nullptr, 0, 0); }},
    {"other processes", "process_vm_writev", "filter: EPERM", false,
     [] { return call(SYS_process_vm_writev, victim(), nullptr, 0, nullptr, 0, 0); }},
    {"other processes", "/proc/PID/mem", "Landlock: EACCES", true,
     [] { return opened("/proc/" + std::to_string(victim()) + "/mem", O_RDWR); }},
    {"other processes", "/proc/PID/environ", "Landlock: EACCES", true,
     [] { return opened("/proc/" + std::to_string(victim()) + "/environ", O_RDONLY); }},
    {"other processes", "/proc/PID/fd", "Landlock: EACCES", true,
     [] {
       char where[256];
       return long(::readlink(("/proc/" + std::to_string(victim()) + "/fd/1").c_str(), where, sizeof where));
     }},
    {"other processes", "pidfd_getfd", "filter: EPERM", false, [] { return call(SYS_pidfd_getfd, 0, 0, 0); }},
    {"other processes", "kcmp", "filter: EPERM", false,
     [] { return call(SYS_kcmp, ::getpid(), victim(), 0, 0, 0); }},
    {"other processes", "process_madvise", "filter: EPERM", false,
     [] { return call(SYS_process_madvise, 0, nullptr, 0, 0, 0); }},
    {"other processes", "process_mrelease", "filter: EPERM", false, [] { return call(process_mrelease, 0, 0); }},

    {"namespaces", "unshare user", "filter: EPERM", false, [] { return long(::unshare(CLONE_NEWUSER)); }},
    {"namespaces", "unshare files", "filter: EPERM", true, [] { return long(::unshare(CLONE_FILES)); }},
    {"namespaces", "close_range unshares", "filter: EPERM", true,
     [] { return call(SYS_close_range, 1000, ~0u, 2 /* CLOSE_RANGE_UNSHARE */); }},
    {"namespaces", "setns", "filter: EPERM", false, [] { return long(::setns(0, 0)); }},
    {"namespaces", "clone user", "filter: EPERM", false,
     [] { return child(call(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr)); }},
    {"namespaces", "clone3 user", "filter: ENOSYS", false,
     [] {
       clone_args arguments{};
       arguments.flags = CLONE_NEWUSER;
       arguments.exit_signal = SIGCHLD;
       return child(call(SYS_clone3, &arguments, sizeof arguments));
     }},

    {"mounts", "mount", "filter: EPERM", false,
     [] { return long(::mount("nothing", ".", "tmpfs", 0, nullptr)); }},
    {"mounts", "umount", "filter: EPERM", false, [] { return long(::umount2("/nowhere", MNT_DETACH)); }},
    {"mounts", "open_tree", "filter: EPERM", false, [] { return call(SYS_open_tree, AT_FDCWD, "/", 0); }},
    {"mounts", "fsopen", "filter: EPERM", false, [] { return call(SYS_fsopen, "tmpfs", 0); }},
    {"mounts", "move_mount", "filter: EPERM", false,
     [] { return call(SYS_move_mount, AT_FDCWD, "/", AT_FDCWD, "/", 0); }},
    {"mounts", "mount_setattr", "filter: EPERM", false,
     [] { return call(SYS_mount_setattr, AT_FDCWD, "/", 0, nullptr, 0); }},
    {"mounts", "pivot_root", "filter: EPERM", false, [] { return call(SYS_pivot_root, ".", "."); }},
    {"mounts", "chroot", "filter: EPERM", false, [] { return long(::chroot(".")); }},
    {"mounts", "open_by_handle_at", "filter: EPERM", false,
     [] { return call(SYS_open_by_handle_at, AT_FDCWD, nullptr, O_RDONLY); }},

    {"keyrings", "add_key", "filter: EPERM", false,
     [] { return call(SYS_add_key, "user", "x", "1", 1, KEY_SPEC_PROCESS_KEYRING); }},
    {"keyrings", "request_key", "filter: EPERM", false,
     [] { return call(SYS_request_key, "user", "x", nullptr, 0); }},
    {"keyrings", "keyctl", "filter: EPERM", false,
     [] { return call(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0); }},

    {"bpf, perf, userfaultfd", "bpf", "filter: EPERM", false,
     [] {
       bpf_attr attributes{};
       return call(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
     }},
    {"bpf, perf, userfaultfd", "perf_event_open", "filter: EPERM", false,
     [] {
       perf_event_attr attributes{};
       return call(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
     }},
    {"bpf, perf, userfaultfd", "userfaultfd", "filter: EPERM", false, [] { return call(SYS_userfaultfd, 1); }},
    {"bpf, perf, userfaultfd", "fanotify_init", "filter: EPERM", false,
     [] { return call(SYS_fanotify_init, 0, 0); }},
    {"bpf, perf, userfaultfd", "inotify_init", "filter: EPERM", true, [] { return long(::inotify_init1(0)); }},
    {"bpf, perf, userfaultfd", "seccomp", "filter: EPERM", false,
     [] { return call(SYS_seccomp, 1, 0, nullptr); }},

    {"sockets", "socket AF_INET", "filter: EPERM", true, [] { return long(::socket(AF_INET, SOCK_STREAM, 0)); }},
    {"sockets", "socket AF_UNIX", "filter: EPERM", true, [] { return long(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
    {"sockets", "socket AF_NETLINK", "filter: EPERM", true,
     [] { return long(::socket(AF_NETLINK, SOCK_RAW, 0)); }},
    {"sockets", "socketpair", "filter: EPERM", true,
     [] {
       int ends[2];
       return long(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
     }},
    {"sockets", "connect", "filter: EPERM", false,
     [] {
       sockaddr_un to{.sun_family = AF_UNIX, .sun_path = {}};
       return long(::connect(0, reinterpret_cast<sockaddr*>(&to), sizeof to));
     }},

    {"new processes", "fork", "filter: EPERM", true, [] { return child(::fork()); }},
    {"new processes", "clone", "filter: EPERM", true,
     [] { return child(call(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr)); }},
    {"new processes", "clone3", "filter: ENOSYS", true,
     [] {
       clone_args arguments{};
       arguments.exit_signal = SIGCHLD;
       return child(call(SYS_clone3, &arguments, sizeof arguments));
     }},
    {"new processes", "execveat", "filter: EPERM", false,
     [] { return call(SYS_execveat, AT_FDCWD, "/nowhere", nullptr, nullptr, 0); }},
    {"new processes", "threads", "limit: threads", false,
     []() -> long {
       pthread_attr_t attributes;
       ::pthread_attr_init(&attributes);
       ::pthread_attr_setstacksize(&attributes, 65536);
       for (int k = 0; k < 400; ++k) {
         pthread_t thread;
         const auto waits = [](void*) -> void* {
           for (;;) ::pause();
         };
         if (::pthread_create(&thread, &attributes, waits, nullptr) == 0) continue;
         std::puts("threads");  // a namespace of the user's has room for no more
         std::fflush(stdout);
         ::_exit(0);
       }
       for (;;) ::pause();
     }},
    {"new processes", "setsid", "filter: EPERM", false, [] { return long(::setsid()); }},
    {"new processes", "setpgid", "filter: EPERM", false, [] { return long(::setpgid(0, 0)); }},
    {"new processes", "outlives Barrierscope", "filter: EPERM", true,
     [] { return long(::prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)); }},
    {"new processes", "PR_SET_DUMPABLE", "filter: EPERM", true,
     [] { return long(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }},

    {"scheduling", "sched_setaffinity of another", "filter: EPERM", true,
     [] {
       cpu_set_t all;
       ::sched_getaffinity(victim(), sizeof all, &all);
       return long(::sched_setaffinity(victim(), sizeof all, &all));
     }},
    {"scheduling", "sched_setscheduler of another", "filter: EPERM", true,
     [] {
       const sched_param zero{};
       return long(::sched_setscheduler(victim(), SCHED_BATCH, &zero));
     }},
    {"scheduling", "sched_setparam of another", "filter: EPERM", true,
     [] {
       const sched_param zero{};
       return long(::sched_setparam(victim(), &zero));
     }},
    {"scheduling", "sched_setattr of another", "filter: EPERM", false,
     [] { return call(SYS_sched_setattr, victim(), nullptr, 0); }},
    {"scheduling", "setpriority of another", "filter: EPERM", true,
     [] { return long(::setpriority(PRIO_PROCESS, id_t(victim()), 19)); }},
    {"scheduling", "ioprio_set of another", "filter: EPERM", true,
     [] { return call(SYS_ioprio_set, 1, victim(), 3 << 13); }},
    {"scheduling", "migrate_pages", "filter: EPERM", false,
     [] { return call(SYS_migrate_pages, victim(), 0, nullptr, nullptr); }},
    {"scheduling", "PR_SCHED_CORE", "filter: EPERM", false,
     [] { return long(::prctl(62, 1, victim(), 0, 0)); }},

    {"files outside", "create", "Landlock: EACCES", true,
     [] { return opened(outside("new"), O_WRONLY | O_CREAT); }},
    {"files outside", "write", "Landlock: EACCES", true, [] { return opened(outside(), O_WRONLY); }},
    {"files outside", "append", "Landlock: EACCES", true, [] { return opened(outside(), O_WRONLY | O_APPEND); }},
    {"files outside", "truncate", "Landlock: EACCES", true, [] { return long(::truncate(outside().c_str(), 0)); }},
    {"files outside", "truncate by opening", "Landlock: EACCES", true,
     [] { return opened(outside(), O_RDONLY | O_TRUNC); }},
    {"files outside", "openat2", "Landlock: EACCES", true,
     [] {
       uint64_t how[3] = {O_WRONLY, 0, 0};
       return call(SYS_openat2, AT_FDCWD, outside().c_str(), how, sizeof how);
     }},
    {"files outside", "without a name", "Landlock: EACCES", false,
     [] { return opened(given("OUTSIDE"), O_WRONLY | O_TMPFILE); }},
    {"files outside", "remove", "Landlock: EACCES", true, [] { return long(::unlink(outside().c_str())); }},
    {"files outside", "rename", "Landlock: EACCES", true,
     [] { return long(::rename(outside().c_str(), outside("moved").c_str())); }},
    {"files outside", "bring in", "Landlock: EACCES", false,
     [] { return long(::rename(outside().c_str(), "taken")); }},
    {"files outside", "make a folder", "Landlock: EACCES", true,
     [] { return long(::mkdir(outside("folder").c_str(), 0700)); }},
    {"files outside", "through /proc/self/root", "Landlock: EACCES", true,
     [] { return opened("/proc/self/root" + outside(), O_WRONLY); }},
    {"files outside", "through /proc/PID/cwd", "Landlock: EACCES", true,
     [] { return opened("/proc/" + std::to_string(victim()) + "/cwd/there", O_WRONLY); }},
    {"files outside", "hidden in the home folder", "Landlock: EACCES", true,
     [] { return opened(given("HIDDEN"), O_RDONLY, true); }},

    {"links", "a symbolic one, written through", "Landlock: EACCES", true,
     [] {
       ::unlink("link");
       return ::symlink(outside().c_str(), "link") != 0 ? -1L : opened("link", O_WRONLY);
     }},
    {"links", "a symbolic one outside", "Landlock: EACCES", true,
     [] { return long(::symlink("/etc/passwd", outside("link").c_str())); }},
    {"links", "a hard one to a file outside", "Landlock: EXDEV", false,
     [] { return long(::link(outside().c_str(), "hard")); }},
    {"links", "a hard one outside", "Landlock: EACCES", false,
     [] {
       ::close(::open("mine", O_WRONLY | O_CREAT, 0600));
       return long(::link("mine", outside("hard").c_str()));
     }},

    {"devices", "make one", "filter: EPERM", false,
     [] { return long(::mknod("disk", S_IFBLK | 0600, makedev(8, 0))); }},
    {"devices", "make a socket", "filter: EPERM", false, [] { return long(::mknod("socket", S_IFSOCK | 0600, 0)); }},
    {"devices", "read a terminal", "Landlock: EACCES", false, [] { return opened("/dev/tty", O_RDONLY); }},
    {"devices", "write to the kernel's log", "Landlock: EACCES", false, [] { return opened("/dev/kmsg", O_WRONLY); }},
    {"devices", "read all memory", "Landlock: EACCES", false, [] { return opened("/dev/mem", O_RDONLY); }},
    {"devices", "write /dev/zero", "Landlock: EACCES", true, [] { return opened("/dev/zero", O_RDWR); }},
    {"devices", "shared memory of others", "Landlock: EACCES", true,
     [] { return opened("/dev/shm", O_RDONLY | O_DIRECTORY); }},
    {"devices", "type into a terminal", "filter: EPERM", false,
     [] {
       char one = 'x';
       return long(::ioctl(0, TIOCSTI, &one));
     }},
    {"devices", "clone a file's blocks", "filter: EPERM", false, [] { return long(::ioctl(0, FICLONE, 1)); }},

    {"the machine", "sysctl", "Landlock: EACCES", false,
     [] { return opened("/proc/sys/kernel/core_pattern", O_WRONLY); }},
    {"the machine", "SysRq", "Landlock: EACCES", false, [] { return opened("/proc/sysrq-trigger", O_WRONLY); }},
    {"the machine", "reboot", "filter: EPERM", false, [] { return call(SYS_reboot, 0, 0, 0, nullptr); }},
    {"the machine", "kexec_load", "filter: EPERM", false, [] { return call(SYS_kexec_load, 0, 0, nullptr, 0); }},
    {"the machine", "init_module", "filter: EPERM", false, [] { return call(SYS_init_module, nullptr, 0, ""); }},
    {"the machine", "swapoff", "filter: EPERM", false, [] { return call(SYS_swapoff, "/nowhere"); }},
    {"the machine", "clock_settime", "filter: EPERM", false,
     [] { return call(SYS_clock_settime, CLOCK_REALTIME, nullptr); }},
    {"the machine", "adjtimex", "filter: EPERM", true,
     [] {
       timex all{};
       return long(::adjtimex(&all)) >= 0 ? 0L : -1L;
     }},
    {"the machine", "sethostname", "filter: EPERM", false, [] { return call(SYS_sethostname, nullptr, 0); }},
    {"the machine", "syslog", "filter: EPERM", false, [] { return call(SYS_syslog, 10, nullptr, 0); }},
    {"the machine", "acct", "filter: EPERM", false, [] { return long(::acct(nullptr)); }},
    {"the machine", "quotactl_fd", "filter: EPERM", false, [] { return call(quotactl_fd, 0, 0, 0, nullptr); }},
    {"the machine", "vhangup", "filter: EPERM", false, [] { return call(SYS_vhangup); }},
    {"the machine", "personality", "filter: EPERM", true, [] { return call(SYS_personality, 0x0040000); }},
    {"the machine", "a call of the future", "filter: ENOSYS", false, [] { return call(not_yet, 0, 0, 0); }},
#if defined(__x86_64__)
    {"the machine", "a call of i386", "filter: SIGSYS", false,
     [] {
       long result = 20;  // getpid
       asm volatile("int $0x80" : "+a"(result) : : "memory");
       return result;
     }},
    {"the machine", "a call of x32", "filter: SIGSYS", false, [] { return call(0x40000000 | 39); }},
    {"the machine", "iopl", "filter: EPERM", false, [] { return call(SYS_iopl, 3); }},
#endif

    {"disk", "a large file", "limit: SIGXFSZ", false,
     [] {
       const int file = ::open("large", O_WRONLY | O_CREAT | O_TRUNC, 0600);
       const std::vector<char> piece(1 << 20);
       for (int k = 0; k < 64; ++k)
         if (::write(file, piece.data(), piece.size()) < 0) return -1L;
       return 0L;
     }},
    {"disk", "many files", "limit: disk", false,
     []() -> long {
       for (int k = 0; k < 300; ++k) ::close(::open(("file" + std::to_string(k)).c_str(), O_WRONLY | O_CREAT, 0600));
       for (;;) ::pause();
     }},
    {"disk", "files without a name", "limit: disk", false,
     []() -> long {
       const std::vector<char> piece(4 << 20);
       for (int k = 0; k < 40; ++k) {
         const int file = ::open("gone", O_WRONLY | O_CREAT, 0600);
         ::unlink("gone");
         if (::write(file, piece.data(), piece.size()) < 0) return -1L;
       }
       for (;;) ::pause();
     }},

    {"judged for others", "another file beside it", "Landlock: EACCES", true,
     [] { return opened(given("UNNAMED"), O_RDONLY, true); }},
    {"judged for others", "what lies beside it", "Landlock: EACCES", true,
     [] { return opened(given("OUTSIDE"), O_RDONLY | O_DIRECTORY); }},
    {"judged for others", "the password file", "Landlock: EACCES", true,
     [] { return opened("/etc/passwd", O_RDONLY, true); }},
    {"judged for others", "commands of others", "Landlock: EACCES", true,
     [] { return opened("/proc/" + std::to_string(victim()) + "/cmdline", O_RDONLY); }},
    {"judged for others", "the list of processes", "Landlock: EACCES", true,
     [] { return opened("/proc", O_RDONLY | O_DIRECTORY); }},
    {"judged for others", "a token in the environment", "environment: ENOENT", true,
     [] {
       errno = ENOENT;
       return std::getenv("SECRET_TOKEN") ? 0L : -1L;
     }},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string asked = argv[1];
  if (asked == "--list") {
    for (const Escape& e : escapes)
      std::printf("%s\t%s\t%s\t%d\n", e.family, e.name, e.stopped_by, int(e.outside_too));
    return 0;
  }
  for (const Escape& e : escapes) {
    if (asked != std::string(e.family) + "/" + e.name) continue;
    errno = 0;
    const long result = e.attempt();
    std::puts(result >= 0 ? "done" : ::strerrorname_np(errno));
    return 0;
  }
  return 2;
}
