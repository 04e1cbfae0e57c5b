// The border between a user's program and the page that runs it: what the program imports from the page
// (module "system", implemented by program.js), and what it exports to the page. Pointers are those of the
// program's memory. Texts have a length and end with no zero, unless a comment says otherwise.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SYSTEM(name) __attribute__((import_module("system"), import_name(#name)))

// ---- files. A result below zero is an errno, negated. `folder` is where a relative path begins: an open
// folder, or AT_FDCWD.

struct SystemStatus {
  int64_t size;
  int64_t is_folder;
  int64_t is_stream;  ///< standard input, output and errors
  int64_t number;     ///< the same for the same file
  double changed;     ///< seconds since 1970
};

SYSTEM(open) int system_open(int folder, const char* path, size_t length, int flags);
SYSTEM(close) int system_close(int file);
SYSTEM(read) long system_read(int file, void* bytes, size_t size);
SYSTEM(write) long system_write(int file, const void* bytes, size_t size);
SYSTEM(seek) long system_seek(int file, long offset, int whence);
SYSTEM(resize) int system_resize(int file, long size);
SYSTEM(duplicate) int system_duplicate(int file, int as);  // as < 0: any number
SYSTEM(status) int system_status(int folder, const char* path, size_t length, struct SystemStatus* status);
SYSTEM(file_status) int system_file_status(int file, struct SystemStatus* status);
SYSTEM(remove) int system_remove(int folder, const char* path, size_t length, int is_folder);
SYSTEM(rename)
int system_rename(int from_folder, const char* from, size_t from_length, int to_folder, const char* to,
                  size_t to_length);
SYSTEM(make_folder) int system_make_folder(int folder, const char* path, size_t length);
SYSTEM(change_folder) int system_change_folder(const char* path, size_t length);
/// The current folder's path, with a zero behind it. Returns its length with the zero.
SYSTEM(current_folder) int system_current_folder(char* path, size_t most);
/// The next name in an open folder, with a zero behind it. Returns its length, or 0 at the end.
SYSTEM(next_name) int system_next_name(int folder, char* name, size_t most, struct SystemStatus* status);

// ---- clocks, random numbers, arguments

enum SystemClock { SYSTEM_WALL, SYSTEM_MONOTONIC, SYSTEM_PROCESSOR };
SYSTEM(clock) double system_clock(enum SystemClock clock);  // seconds
SYSTEM(random) uint32_t system_random(void);
/// The program's name and its arguments, each with a zero behind it. Returns how many there are.
SYSTEM(arguments) int system_arguments(char* texts, size_t most);

// ---- the end. The page notes why; the program then traps, which no catch (...) of a user's catches.

SYSTEM(exit) void system_exit(int code, int main_has_returned);
SYSTEM(abort) void system_abort(void);
/// An access to memory that is not the program's. `stack` is the stack's pointer: below the stack's end if it
/// is full.
SYSTEM(bad_address) void system_bad_address(uint64_t address, int writes, int64_t stack);
/// A thread waits for what only another one could do, while threads run in turn.
SYSTEM(deadlock) void system_deadlock(void);
/// Whether the program's time is over. `grace`: seconds beyond it that are given.
SYSTEM(is_time_up) int system_is_time_up(double grace);
/// An exception is thrown: the page notes the stack, because an uncaught one has left it when it is noticed.
SYSTEM(thrown) void system_thrown(void);
/// No exception that is thrown from now on belongs to the user.
SYSTEM(terminates) void system_terminates(void);
/// The uncaught exception: its type's mangled name, and what() where it is a std::exception (else a null
/// pointer).
SYSTEM(uncaught)
void system_uncaught(const char* type, size_t type_length, const char* what, size_t what_length);

// ---- where the program is

/// The offsets of the calls that are running, in the code section, as DWARF counts them; innermost first.
/// Returns how many.
SYSTEM(stack) int system_stack(uint64_t* offsets, int most);
/// The line of an instruction, 0 where it is not known, and its file and function, each with a zero behind it
/// and empty where it is not known. `depth`: how many functions that were inlined there are passed over.
/// Below zero: there are no more.
SYSTEM(place)
int system_place(uint64_t offset, int depth, char* file, size_t most_file, char* function,
                 size_t most_function);

// ---- within the program

/// Ends the program. The page knows the reason already.
__attribute__((noreturn)) static inline void system_trap(void) { __builtin_trap(); }
/// How long beyond its time the program may go on now. Optional; 0 without.
__attribute__((__weak__)) double system_grace(void);
/// Traps if the program's time is over: for calls that may take long. Other parts of the page call it after
/// theirs.
void system_check_time(void);
/// A bit of addresses that the host may use, whose accesses are all looked at (narrow.js). Where it is set,
/// an access goes to the address without it.
#define SYSTEM_MARK (1ull << 40)
/// Whether an access to such an address is right. Optional.
__attribute__((__weak__)) int system_may_touch(uint64_t address, int writes);
/// Called behind all handlers of the program's when main has returned, or exit() was called. Optional.
__attribute__((__weak__)) void system_at_exit(int code);
/// Runs a thread's function. An exception that it does not catch ends the program.
void* system_run_thread(void* (*start)(void*), void* argument);
__attribute__((noreturn)) void system_exit_thread(void* result);
/// libunwind calls it for each exception that is thrown.
void system_note_throw(void* exception);
/// Advances all clocks: how programs sleep.
void system_sleep(double seconds);
/// Runs the destructors of the main thread's thread_local objects.
void system_end_main_thread(void);

// clang-format off
// ---- exports, beside the user's own
//   begin()                       runs main, and never returns: it ends by a trap
//   bad_address(address, writes)  narrow.js: an access outside of 4 GB, or in the first 64 KB. Returns where it is right
//   tick()                        narrow.js: loops call it now and then
//   flush()                       writes what is left in the buffers of the standard streams, after a crash
//   report_uncaught(exception)    names an exception that left main, by system_uncaught, and ends
//   allocate(size)                malloc
//   release(bytes)                free
//   memory, __stack_pointer, and __cpp_exception where exceptions are thrown
// clang-format on

#ifdef __cplusplus
}
#endif
