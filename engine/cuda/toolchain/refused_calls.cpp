#include "engine/cuda/toolchain/refused_calls.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace bscope::cuda {
namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
constexpr int only_here[] = {SYS_chown, SYS_lchown, SYS_utime,      SYS_utimes,         SYS_futimesat,
                             SYS_iopl,  SYS_ioperm, SYS_modify_ldt, SYS_kexec_file_load};
constexpr int of_compilers[] = {SYS_fork, SYS_vfork, SYS_chmod, SYS_fchmod, SYS_fchmodat};
constexpr unsigned last_of_own = 334;  // rseq
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
constexpr int only_here[] = {SYS_kexec_file_load};
constexpr int of_compilers[] = {SYS_fchmod, SYS_fchmodat};
constexpr unsigned last_of_own = 294;  // kexec_file_load
#else
#error "say which calls a confined program may not make on this architecture"
#endif

// Calls that the headers of Debian 12 do not name on every architecture. From 424 on their numbers are the
// same.
constexpr int quotactl_fd = 443, memfd_secret = 447, process_mrelease = 448;
/// The calls up to these were reviewed. Others fail with ENOSYS, as on an older kernel, so that libraries
/// fall back.
constexpr unsigned first_of_all = 424, last_known = 450;  // set_mempolicy_home_node

/// The requests that libraries and compilers make of files. Others set an owner that gets signals, block
/// other openers, change attributes, type into terminals, or are newer.
constexpr unsigned of_fcntl[] = {F_DUPFD,      F_GETFD,         F_SETFD,     F_GETFL,     F_SETFL,
                                 F_GETLK,      F_SETLK,         F_SETLKW,    F_OFD_GETLK, F_OFD_SETLK,
                                 F_OFD_SETLKW, F_DUPFD_CLOEXEC, F_GETPIPE_SZ};
constexpr unsigned of_ioctl[] = {
    TCGETS,    0x802c542a /* TCGETS2 */, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX,
    0x80086601 /* FS_IOC_GETFLAGS */};
constexpr unsigned share_core = 62 /* PR_SCHED_CORE */, whole = ~0u;

constexpr int everywhere[] = {
    // other processes
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open, SYS_pidfd_send_signal,
    SYS_pidfd_getfd, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_tkill, SYS_setpriority, SYS_ioprio_set,
    SYS_perf_event_open, SYS_kcmp, SYS_process_madvise, SYS_migrate_pages, SYS_move_pages, process_mrelease,
    SYS_vhangup, SYS_fanotify_init, SYS_fanotify_mark,
    // connections
    SYS_socket, SYS_socketpair, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    // System V and POSIX IPC: objects of other programs can be reached by number
    SYS_mq_open, SYS_mq_unlink, SYS_mq_notify, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget,
    SYS_semop, SYS_semtimedop, SYS_semctl, SYS_shmget, SYS_shmat, SYS_shmctl,
    // memory that no limit counts
    SYS_memfd_create, memfd_secret, SYS_userfaultfd, SYS_mlock, SYS_mlock2, SYS_mlockall,
    // owners and times of files, which Landlock does not cover
    SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fremovexattr,
    // the machine
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_mount_setattr, SYS_open_tree, SYS_move_mount,
    SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, quotactl_fd, SYS_pivot_root, SYS_chroot, SYS_keyctl,
    SYS_add_key, SYS_request_key, SYS_bpf, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_settimeofday, SYS_clock_settime,
    SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_quotactl, SYS_acct, SYS_syslog,
    SYS_personality, SYS_open_by_handle_at};

constexpr unsigned allowed = SECCOMP_RET_ALLOW;
constexpr unsigned failing(int error) { return SECCOMP_RET_ERRNO | unsigned(error); }
constexpr unsigned of_argument(int k) {
  return unsigned(offsetof(seccomp_data, args)) + 8u * unsigned(k);
}  // low half

sock_filter load(size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, unsigned(offset)); }
sock_filter give(unsigned what) { return BPF_STMT(BPF_RET | BPF_K, what); }
/// Goes on where it is equal, else skips so many.
sock_filter equal_or_skip(unsigned what, int skip) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, what, 0, static_cast<unsigned char>(skip));
}

}  // namespace

RefusedCalls::RefusedCalls(const MayCall& what) {
  filter_ = {load(offsetof(seccomp_data, arch)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
             give(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr))};
#if defined(__x86_64__)  // the calls of x32 have numbers of their own
  filter_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  filter_.push_back(give(SECCOMP_RET_KILL_PROCESS));
#endif
  for (const auto& [first, last] : {std::pair{last_of_own + 1, first_of_all - 1}, {last_known + 1, ~0u}}) {
    filter_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first, 0, 2));
    filter_.push_back(BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, last, 1, 0));
    filter_.push_back(give(failing(ENOSYS)));
  }
  for (const int call : everywhere) refuse(call, EPERM);
  for (const int call : only_here) refuse(call, EPERM);
  refuse(SYS_clone3, ENOSYS);  // its arguments cannot be seen here: libraries fall back to clone
  if (what.processes) {
    when_argument(SYS_clone, 0, {{CLONE_NEWUSER, CLONE_NEWUSER}});
  } else {
    for (const int call : of_compilers) refuse(call, EPERM);
    when_argument(SYS_clone, 0, {{CLONE_THREAD, 0}, {CLONE_FILES, 0}});
  }
  if (!what.truncation) {  // an old Landlock does not cover it
    refuse(SYS_truncate, EPERM);
    refuse(SYS_openat2, ENOSYS);
    when_argument(SYS_openat, 2, {{O_ACCMODE | O_TRUNC, O_TRUNC}});
#if defined(__x86_64__)
    when_argument(SYS_open, 1, {{O_ACCMODE | O_TRUNC, O_TRUNC}});
#endif
  }
  // all its threads share their open files, so that all can be counted
  when_argument(SYS_close_range, 2, {{CLOSE_RANGE_UNSHARE, CLOSE_RANGE_UNSHARE}});
  when_argument(SYS_mmap, 3,
                {{MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS}, {MAP_GROWSDOWN, MAP_GROWSDOWN}});
  // it ends with the app, can be inspected, and leaves other processes their cores
  when_argument(SYS_prctl, 0, {{whole, PR_SET_PDEATHSIG}, {whole, PR_SET_DUMPABLE}, {whole, share_core}});
  // The kernel signals a file's owner when the file is ready. A terminal's owner is its foreground group.
  when_both(SYS_fcntl, 1, F_SETFL, 2, O_ASYNC);
  unless_argument(SYS_fcntl, 1, of_fcntl);
  unless_argument(SYS_ioctl, 1, of_ioctl);
  when_first_is_own(SYS_kill, false);
  when_first_is_own(SYS_tgkill, false);
  for (const int call :
       {SYS_prlimit64, SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity, SYS_sched_setscheduler})
    when_first_is_own(int(call), true);
  filter_.push_back(give(allowed));
}

void RefusedCalls::refuse(int call, int error) {
  filter_.push_back(equal_or_skip(unsigned(call), 1));
  filter_.push_back(give(failing(error)));
}

/// Refused where the argument's bits under one of the masks equal what stands beside it.
void RefusedCalls::when_argument(int call, int argument, std::initializer_list<Bits> refused) {
  filter_.push_back(equal_or_skip(unsigned(call), int(4 * refused.size() + 1)));
  for (const Bits& bits : refused) {
    filter_.push_back(load(of_argument(argument)));
    filter_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits.mask));
    filter_.push_back(equal_or_skip(bits.equal, 1));
    filter_.push_back(give(failing(EPERM)));
  }
  filter_.push_back(give(allowed));
}

/// Refused where the argument is none of these.
void RefusedCalls::unless_argument(int call, int argument, std::span<const unsigned> may_be) {
  filter_.push_back(equal_or_skip(unsigned(call), int(2 * may_be.size() + 2)));
  filter_.push_back(load(of_argument(argument)));
  for (const unsigned value : may_be) {
    filter_.push_back(equal_or_skip(value, 1));
    filter_.push_back(give(allowed));
  }
  filter_.push_back(give(failing(EPERM)));
}

/// Refused where one argument equals this and another has one of these bits. Rules for the rest of the call
/// follow.
void RefusedCalls::when_both(int call, int argument, unsigned equal, int other, unsigned bits) {
  filter_.push_back(equal_or_skip(unsigned(call), 6));
  filter_.push_back(load(of_argument(argument)));
  filter_.push_back(equal_or_skip(equal, 3));
  filter_.push_back(load(of_argument(other)));
  filter_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
  filter_.push_back(give(failing(EPERM)));
  filter_.push_back(load(offsetof(seccomp_data, nr)));
}

/// Allowed for the process itself, which some calls know as 0.
void RefusedCalls::when_first_is_own(int call, bool or_zero) {
  filter_.push_back(equal_or_skip(unsigned(call), or_zero ? 6 : 4));
  filter_.push_back(load(of_argument(0)));
  if (or_zero) {
    filter_.push_back(equal_or_skip(0, 1));
    filter_.push_back(give(allowed));
  }
  own_.push_back(filter_.size());
  filter_.push_back(equal_or_skip(0, 1));
  filter_.push_back(give(allowed));
  filter_.push_back(give(failing(EPERM)));
}

bool RefusedCalls::refuse() const noexcept {
  for (const size_t place : own_) filter_[place].k = unsigned(::getpid());
  const sock_fprog program{static_cast<unsigned short>(filter_.size()), filter_.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace bscope::cuda
