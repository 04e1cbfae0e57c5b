// What lies below the C library of a user's program: its beginning and end, memory, files, clocks. The C
// library calls these functions by the names of WASI (__wasi_*) and of Linux's system calls (__syscall_*), as
// emscripten's musl was written; they ask the page (system.h).
#define _GNU_SOURCE
#include "engine/cuda/web/system.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wasi/api.h>

// ---- the beginning and the end

enum { most_arguments = 1024, most_argument_bytes = 16384 };

static bool main_has_returned;
static char* arguments[most_arguments + 1];
static char argument_texts[most_argument_bytes];

void __wasm_call_ctors(void);
/// clang's names for main with and without parameters.
int __main_argc_argv(int count, char** words);
int __main_void(void);

static int read_arguments(void) {
  const int asked = system_arguments(argument_texts, sizeof argument_texts);
  const int count = asked < most_arguments ? asked : most_arguments;
  char* text = argument_texts;
  for (int k = 0; k < count; ++k) {
    arguments[k] = text;
    text += strlen(text) + 1;
  }
  return count;
}

__attribute__((weak)) int __main_void(void) {
  const int count = read_arguments();
  return __main_argc_argv(count, arguments);
}

__attribute__((export_name("begin"))) void system_begin(void) {
  __wasm_call_ctors();
  const int code = __main_void();
  main_has_returned = true;
  system_end_main_thread();
  exit(code);
}

__attribute__((export_name("flush"))) void system_flush(void) { fflush(NULL); }

__attribute__((export_name("allocate"))) void* system_allocate(size_t size) { return malloc(size); }

__attribute__((export_name("release"))) void system_release(void* bytes) { free(bytes); }

// Of musl, where the program needs them.
__attribute__((weak)) void __funcs_on_exit(void);
__attribute__((weak)) void __stdio_exit(void);

_Noreturn void exit(int code) {
  if (__funcs_on_exit) __funcs_on_exit();
  if (system_at_exit) system_at_exit(code);
  if (__stdio_exit) __stdio_exit();
  _Exit(code);
}

_Noreturn void _Exit(int code) {
  system_exit(code, main_has_returned);
  system_trap();
}

void _emscripten_get_progname(char* name, int most) {
  read_arguments();
  strncpy(name, arguments[0], (size_t)most - 1);
}

/// In glibc's words.
_Noreturn void __assert_fail(const char* expression, const char* file, int line, const char* function) {
  read_arguments();
  const char* slash = strrchr(arguments[0], '/');
  const char* name = slash ? slash + 1 : arguments[0];
  fflush(stdout);
  fprintf(stderr, "%s: %s:%d: %s: Assertion `%s' failed.\n", name, file, line, function, expression);
  abort();
}

// narrow.js writes calls of these two into the user's code.

__attribute__((export_name("bad_address"))) void system_report_bad_address(uint64_t address, int writes) {
  if ((address & SYSTEM_MARK) && system_may_touch && system_may_touch(address, writes)) return;
  system_bad_address(address, writes, (int64_t)__builtin_frame_address(0));
  system_trap();
}

__attribute__((export_name("tick"))) void system_check_time(void) {
  if (system_is_time_up(system_grace ? system_grace() : 0)) system_trap();
}

/// Files are always ready.
int poll(struct pollfd* files, nfds_t count, int timeout) {
  for (nfds_t k = 0; k < count; ++k) files[k].revents = files[k].events;
  return (int)count;
}

// ---- signals: a program may send them to itself

static void (*handlers[_NSIG])(int);

void (*signal(int number, void (*handler)(int)))(int) {
  if (number < 1 || number >= _NSIG) {
    errno = EINVAL;
    return SIG_ERR;
  }
  void (*before)(int) = handlers[number];
  handlers[number] = handler;
  return before;
}

int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  if (number < 1 || number >= _NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (before) {
    memset(before, 0, sizeof *before);
    before->sa_handler = handlers[number];
  }
  if (action) handlers[number] = action->sa_handler;
  return 0;
}

/// Whether a handler of the user's took the signal, or none is wanted.
static bool is_handled(int number) {
  void (*handler)(int) = handlers[number];
  if (handler == SIG_IGN) return true;
  if (handler == SIG_DFL) return false;
  handlers[number] = SIG_DFL;
  handler(number);
  return true;
}

_Noreturn void abort(void) {
  is_handled(SIGABRT);
  system_abort();
  system_trap();
}

int raise(int number) {
  if (number < 0 || number >= _NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (number == 0 || is_handled(number)) return 0;
  if (number == SIGABRT) abort();
  if (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH) return 0;
  _Exit(128 + number);
}

int kill(pid_t process, int number) {
  if (process == getpid()) return raise(number);
  errno = EPERM;
  return -1;
}

// ---- memory: it grows at its end, up to 4 GB

enum { page_bytes = 65536, alignment = 16 };

extern unsigned char __heap_base;
static uintptr_t heap_end;

void* sbrk(intptr_t change) {
  void* const failed = (void*)-1;
  if (!heap_end) heap_end = ((uintptr_t)&__heap_base + alignment - 1) / alignment * alignment;
  const uintptr_t before = heap_end;
  const uintptr_t end = before + (uintptr_t)change;
  if ((change > 0 && end < before) || end >> 32) {
    errno = ENOMEM;
    return failed;
  }
  const uintptr_t bytes = __builtin_wasm_memory_size(0) * page_bytes;
  if (end > bytes) {
    const uintptr_t pages = (end - bytes + page_bytes - 1) / page_bytes;
    if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) {
      errno = ENOMEM;
      return failed;
    }
  }
  heap_end = end;
  return (void*)before;
}

void* mmap(void* where, size_t size, int protection, int flags, int file, off_t offset) {
  if (file >= 0) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  const size_t whole = (size + page_bytes - 1) / page_bytes * page_bytes;
  void* bytes = aligned_alloc(page_bytes, whole);
  if (!bytes) return MAP_FAILED;
  memset(bytes, 0, whole);
  return bytes;
}

int munmap(void* bytes, size_t size) {
  free(bytes);
  return 0;
}

void* __mmap(void* where, size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(where, size, protection, flags, file, offset);
}
int __munmap(void* bytes, size_t size) { return munmap(bytes, size); }

int mprotect(void* bytes, size_t size, int protection) { return 0; }
size_t emscripten_get_heap_max(void) { return (size_t)1 << 32; }

// ---- libraries that a program loads itself, as NVTX looks for a profiler's: there are none

void* dlopen(const char* name, int flags) { return NULL; }
void* dlsym(void* restrict library, const char* restrict name) { return NULL; }
int dlclose(void* library) { return -1; }
char* dlerror(void) { return "there are no libraries to load here"; }

// ---- open files

/// A result of the page's as WASI returns it: an errno, and 0 for success.
static __wasi_errno_t wasi_error(long result) { return result < 0 ? (__wasi_errno_t)-result : 0; }

__wasi_errno_t __wasi_fd_write(__wasi_fd_t file, const __wasi_ciovec_t* pieces, size_t count,
                               __wasi_size_t* written) {
  *written = 0;
  for (size_t k = 0; k < count; ++k) {
    if (!pieces[k].buf_len) continue;
    const long result = system_write((int)file, pieces[k].buf, pieces[k].buf_len);
    if (result < 0) return wasi_error(result);
    *written += (size_t)result;
  }
  system_check_time();
  return 0;
}

__wasi_errno_t __wasi_fd_read(__wasi_fd_t file, const __wasi_iovec_t* pieces, size_t count,
                              __wasi_size_t* got) {
  *got = 0;
  for (size_t k = 0; k < count; ++k) {
    if (!pieces[k].buf_len) continue;
    const long result = system_read((int)file, pieces[k].buf, pieces[k].buf_len);
    if (result < 0) return wasi_error(result);
    *got += (size_t)result;
    if ((size_t)result < pieces[k].buf_len) break;
  }
  return 0;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t file, __wasi_filedelta_t offset, __wasi_whence_t whence,
                              __wasi_filesize_t* place) {
  const long result = system_seek((int)file, offset, whence);
  if (result < 0) return wasi_error(result);
  *place = (__wasi_filesize_t)result;
  return 0;
}

__wasi_errno_t __wasi_fd_pread(__wasi_fd_t file, const __wasi_iovec_t* pieces, size_t count,
                               __wasi_filesize_t place, __wasi_size_t* got) {
  const long before = system_seek((int)file, 0, SEEK_CUR);
  if (before < 0) return wasi_error(before);
  system_seek((int)file, (long)place, SEEK_SET);
  const __wasi_errno_t error = __wasi_fd_read(file, pieces, count, got);
  system_seek((int)file, before, SEEK_SET);
  return error;
}

__wasi_errno_t __wasi_fd_pwrite(__wasi_fd_t file, const __wasi_ciovec_t* pieces, size_t count,
                                __wasi_filesize_t place, __wasi_size_t* written) {
  const long before = system_seek((int)file, 0, SEEK_CUR);
  if (before < 0) return wasi_error(before);
  system_seek((int)file, (long)place, SEEK_SET);
  const __wasi_errno_t error = __wasi_fd_write(file, pieces, count, written);
  system_seek((int)file, before, SEEK_SET);
  return error;
}

__wasi_errno_t __wasi_fd_close(__wasi_fd_t file) { return wasi_error(system_close((int)file)); }
__wasi_errno_t __wasi_fd_sync(__wasi_fd_t file) { return 0; }

__wasi_errno_t __wasi_fd_fdstat_get(__wasi_fd_t file, __wasi_fdstat_t* status) {
  struct SystemStatus found;
  const int result = system_file_status((int)file, &found);
  if (result < 0) return wasi_error(result);
  memset(status, 0, sizeof *status);
  status->fs_filetype = found.is_stream   ? __WASI_FILETYPE_CHARACTER_DEVICE
                        : found.is_folder ? __WASI_FILETYPE_DIRECTORY
                                          : __WASI_FILETYPE_REGULAR_FILE;
  return 0;
}

__wasi_errno_t __wasi_environ_sizes_get(__wasi_size_t* count, __wasi_size_t* bytes) {
  *count = 0;
  *bytes = 0;
  return 0;
}
__wasi_errno_t __wasi_environ_get(uint8_t** variables, uint8_t* texts) { return 0; }

long __syscall_dup(long file) { return system_duplicate((int)file, -1); }
long __syscall_dup3(long file, long as, long flags) { return system_duplicate((int)file, (int)as); }
long __syscall_fcntl64(long file, long command, ...) {
  struct SystemStatus status;
  const int result = system_file_status((int)file, &status);
  if (result < 0) return result;
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? system_duplicate((int)file, -1) : 0;
}
long __syscall_ioctl(long file, long request, ...) { return -ENOTTY; }
long __syscall_ftruncate64(long file, long size, long high) { return system_resize((int)file, size); }
long __syscall_fdatasync(long file) { return 0; }
long __syscall_fadvise64_64(long file, long low, long high, long low2, long high2, long advice) { return 0; }
int isatty(int file) {
  errno = ENOTTY;
  return 0;
}

// ---- paths

static long open_path(long folder, long path, long flags) {
  return system_open((int)folder, (const char*)path, strlen((const char*)path), (int)flags);
}
long __syscall_openat(long folder, long path, long flags, ...) { return open_path(folder, path, flags); }
long __syscall_open(long path, long flags, ...) { return open_path(AT_FDCWD, path, flags); }

static void set_status(struct stat* to, const struct SystemStatus* from) {
  memset(to, 0, sizeof *to);
  to->st_dev = 1;
  to->st_ino = (ino_t)from->number;
  to->__st_ino_truncated = from->number;
  to->st_nlink = 1;
  to->st_mode = from->is_stream ? S_IFCHR | 0620 : from->is_folder ? S_IFDIR | 0755 : S_IFREG | 0644;
  to->st_size = from->size;
  to->st_blksize = 4096;
  to->st_blocks = (from->size + 511) / 512;
  to->st_mtim.tv_sec = (time_t)from->changed;
  to->st_mtim.tv_nsec = (long)((from->changed - (double)to->st_mtim.tv_sec) * 1e9);
  to->st_atim = to->st_mtim;
  to->st_ctim = to->st_mtim;
}

long __syscall_fstat64(long file, long to) {
  struct SystemStatus status;
  const int result = system_file_status((int)file, &status);
  if (result == 0) set_status((struct stat*)to, &status);
  return result;
}

long __syscall_fstatat64(long folder, long path, long to, long flags) {
  const char* text = (const char*)path;
  if (!*text && flags & AT_EMPTY_PATH) return __syscall_fstat64(folder, to);
  struct SystemStatus status;
  const int result = system_status((int)folder, text, strlen(text), &status);
  if (result == 0) set_status((struct stat*)to, &status);
  return result;
}
long __syscall_stat64(long path, long to) { return __syscall_fstatat64(AT_FDCWD, path, to, 0); }
long __syscall_lstat64(long path, long to) { return __syscall_fstatat64(AT_FDCWD, path, to, 0); }

long __syscall_faccessat(long folder, long path, long mode, long flags) {
  struct SystemStatus status;
  return system_status((int)folder, (const char*)path, strlen((const char*)path), &status);
}
long __syscall_access(long path, long mode) { return __syscall_faccessat(AT_FDCWD, path, mode, 0); }

long __syscall_unlinkat(long folder, long path, long flags) {
  return system_remove((int)folder, (const char*)path, strlen((const char*)path),
                       (flags & AT_REMOVEDIR) != 0);
}
long __syscall_unlink(long path) { return __syscall_unlinkat(AT_FDCWD, path, 0); }
long __syscall_rmdir(long path) { return __syscall_unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

long __syscall_renameat(long from_folder, long from, long to_folder, long to) {
  return system_rename((int)from_folder, (const char*)from, strlen((const char*)from), (int)to_folder,
                       (const char*)to, strlen((const char*)to));
}
long __syscall_rename(long from, long to) { return __syscall_renameat(AT_FDCWD, from, AT_FDCWD, to); }

long __syscall_mkdirat(long folder, long path, long mode) {
  return system_make_folder((int)folder, (const char*)path, strlen((const char*)path));
}
long __syscall_mkdir(long path, long mode) { return __syscall_mkdirat(AT_FDCWD, path, mode); }

long __syscall_chdir(long path) { return system_change_folder((const char*)path, strlen((const char*)path)); }
long __syscall_getcwd(long path, long most) { return system_current_folder((char*)path, (size_t)most); }

long __syscall_getdents64(long folder, long to, long most) {
  char* const begin = (char*)to;
  char* end = begin;
  while (end + sizeof(struct dirent) <= begin + most) {
    struct dirent* entry = (struct dirent*)end;
    struct SystemStatus status;
    const int length = system_next_name((int)folder, entry->d_name, sizeof entry->d_name, &status);
    if (length < 0) return length;
    if (length == 0) break;
    entry->d_ino = (ino_t)status.number;
    entry->d_off = 0;
    entry->d_reclen = sizeof *entry;
    entry->d_type = status.is_folder ? DT_DIR : DT_REG;
    end += sizeof *entry;
  }
  return end - begin;
}

long __syscall_truncate64(long path, long size, long high) {
  const long file = open_path(AT_FDCWD, path, O_WRONLY);
  if (file < 0) return file;
  const int result = system_resize((int)file, size);
  system_close((int)file);
  return result;
}

// Rights, owners and times of files do not exist in the page: setting them succeeds.
long __syscall_chmod(long path, long mode) { return 0; }
long __syscall_fchmod(long file, long mode) { return 0; }
long __syscall_fchmodat(long folder, long path, long mode, ...) { return 0; }
long __syscall_utimensat(long folder, long path, long times, long flags) { return 0; }

// Calls that no program in a page can make.
#define UNSUPPORTED(name, ...) \
  long __syscall_##name(__VA_ARGS__) { return -ENOSYS; }
UNSUPPORTED(chown32, long path, long owner, long group)
UNSUPPORTED(fchown32, long file, long owner, long group)
UNSUPPORTED(lchown32, long path, long owner, long group)
UNSUPPORTED(fchownat, long folder, long path, long owner, long group, long flags)
UNSUPPORTED(fallocate, long file, long mode, long low, long high, long length_low, long length_high)
UNSUPPORTED(fchdir, long file)
UNSUPPORTED(linkat, long from_folder, long from, long to_folder, long to, long flags)
UNSUPPORTED(mknod, long path, long mode, long device)
UNSUPPORTED(mknodat, long folder, long path, long mode, long device)
UNSUPPORTED(pipe, long files)
UNSUPPORTED(poll, long files, long count, long timeout)
UNSUPPORTED(statfs64, long path, long size, long to)
UNSUPPORTED(fstatfs64, long file, long size, long to)
UNSUPPORTED(symlink, long target, long path)
UNSUPPORTED(symlinkat, long target, long folder, long path)

// EINVAL: the path exists and is no symbolic link.
long __syscall_readlinkat(long folder, long path, long to, long most) {
  const long result = __syscall_faccessat(folder, path, 0, 0);
  return result < 0 ? result : -EINVAL;
}
long __syscall_readlink(long path, long to, long most) {
  return __syscall_readlinkat(AT_FDCWD, path, to, most);
}

long __syscall_getuid32(void) { return 1000; }
long __syscall_geteuid32(void) { return 1000; }
long __syscall_getgid32(void) { return 1000; }
long __syscall_getegid32(void) { return 1000; }

int getpwnam_r(const char* name, struct passwd* to, char* text, size_t most, struct passwd** found) {
  *found = NULL;
  return ENOENT;
}
int getpwuid_r(uid_t number, struct passwd* to, char* text, size_t most, struct passwd** found) {
  return getpwnam_r(NULL, to, text, most, found);
}

int system(const char* command) {
  errno = ENOSYS;
  return command ? -1 : 0;
}
FILE* popen(const char* command, const char* mode) {
  errno = ENOSYS;
  return NULL;
}
int pclose(FILE* stream) { return -1; }

// ---- time. A program that sleeps does not wait: its clocks advance.

static double slept_seconds;

void system_sleep(double seconds) {
  slept_seconds += seconds;
  system_check_time();
}

static double clock_seconds(clockid_t clock) {
  if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
    return system_clock(SYSTEM_PROCESSOR);
  return slept_seconds + system_clock(clock == CLOCK_REALTIME ? SYSTEM_WALL : SYSTEM_MONOTONIC);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  const double seconds = clock_seconds(clock);
  time->tv_sec = (time_t)seconds;
  time->tv_nsec = (long)((seconds - (double)time->tv_sec) * 1e9);
  return 0;
}
int __clock_gettime(clockid_t clock, struct timespec* time) { return clock_gettime(clock, time); }

int clock_getres(clockid_t clock, struct timespec* time) {
  if (time) *time = (struct timespec){0, 1000};
  return 0;
}

clock_t clock(void) { return (clock_t)(system_clock(SYSTEM_PROCESSOR) * CLOCKS_PER_SEC); }

int nanosleep(const struct timespec* time, struct timespec* rest) {
  system_sleep((double)time->tv_sec + (double)time->tv_nsec * 1e-9);
  if (rest) *rest = (struct timespec){0, 0};
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* rest) {
  if (!(flags & TIMER_ABSTIME)) return nanosleep(time, rest);
  const double seconds = (double)time->tv_sec + (double)time->tv_nsec * 1e-9 - clock_seconds(clock);
  if (seconds > 0) system_sleep(seconds);
  return 0;
}

int usleep(unsigned microseconds) {
  system_sleep(microseconds * 1e-6);
  return 0;
}

unsigned sleep(unsigned seconds) {
  system_sleep(seconds);
  return 0;
}

unsigned alarm(unsigned seconds) { return 0; }

int getentropy(void* bytes, size_t size) {
  for (size_t k = 0; k < size; ++k) ((unsigned char*)bytes)[k] = (unsigned char)system_random();
  return 0;
}

int emscripten_futex_wake(volatile void* address, int count) { return 0; }
int emscripten_num_logical_cores(void) { return 1; }
