// The end of the run, whichever it is: main returns, exit(), a crash of the host's code, an exception that
// is not caught, time that is up. What was traced until then is kept.
//
// After a crash the heap may be broken, and at any moment the program may be in the middle of malloc: then
// another thread, which has a heap of its own and was started with the program, writes the report while the
// broken one waits.
#include <cxxabi.h>
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <typeinfo>
#include <utility>

#include "engine/cuda/runtime/async_order.hpp"
#include "engine/cuda/runtime/crash_messages.hpp"
#include "engine/cuda/runtime/host_watch.hpp"
#include "engine/cuda/runtime/report.hpp"

namespace bscope::cuda {
namespace {

constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int stop_signal = SIGUSR2;
constexpr int grace_of_calls = 2;  // seconds for a call of ours to come to its end
constexpr int grace_of_reports = 60;

/// What the thread that stopped leaves for the one that writes.
struct Stopped {
  int signal = 0;
  uintptr_t address = 0, stack_pointer = 0;
  bool writing = false, in_call = false;  ///< whether it wrote; whether it was in a call of CUDA
  Stack stack;
};
Stopped stopped;
sem_t somebody_stopped;
pthread_t main_thread, writer;
bool has_writer = false;
std::atomic<bool> reported = false;
std::atomic<bool> time_is_up = false;
thread_local int depth_inside = 0;
char exception_text[512] = "";

/// Bytes that the report can be written in where memory has come to its end.
void* reserve = nullptr;
constexpr size_t reserve_bytes = 32u << 20;

void report_once(const ProgramEnd& end) {
  if (reported.exchange(true)) return;
  fflush(stdout);
  std::free(std::exchange(reserve, nullptr));
  try {
    look_at_host_accesses(Runtime::get());
    write_report(Runtime::get(), end);
  } catch (const std::exception&) {
    // nothing can be written: the parent process finds no report
  }
}

// ---- messages

/// Whether the address lies where the stack would have grown next.
bool is_stack_overflow(uintptr_t address, uintptr_t stack_pointer) {
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  const uintptr_t near = 1u << 20;
  return address + near > stack_pointer && address < stack_pointer + near && limit.rlim_cur != RLIM_INFINITY;
}

/// Whether the C library's allocator was running. Unless the stack is full, it crashes only over lists
/// that others have overwritten.
bool in_allocator(const Stack& stack) {
  constexpr const char* functions[] = {"malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc"};
  return std::any_of(stack.at, stack.at + stack.depth, [&](uintptr_t at) {
    Dl_info info;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code
    if (!dladdr(reinterpret_cast<void*>(at), &info) || !info.dli_sname) return false;
    return std::ranges::any_of(functions, [&](const char* f) { return !std::strcmp(f, info.dli_sname); });
  });
}

Message message_of_stop(const Runtime& runtime) {
  switch (stopped.signal) {
    case SIGSEGV:
    case SIGBUS:
      if (in_allocator(stopped.stack) && !is_stack_overflow(stopped.address, stopped.stack_pointer))
        return message(
            "The host's heap is damaged: the host has written outside of what malloc or new gave it, or has "
            "freed something twice, before this was noticed.");
      if (auto known = message_of_bad_access(
              runtime, {stopped.address, stopped.writing, stopped.in_call, &stopped.stack}))
        return *std::move(known);
      if (is_stack_overflow(stopped.address, stopped.stack_pointer))
        return message(
            "The host's stack is full: a recursion without end, or an array of the host that is too large "
            "for it.");
      return stopped.writing ? message("The host writes memory that is not the program's.")
                             : message("The host reads memory that is not the program's.");
    case SIGFPE: return message("The host divides an integer by zero.");
    case SIGILL: return message("The host runs into an instruction that is none.");
    case SIGABRT:
      if (!std::strcmp(exception_text, "std::bad_alloc"))
        return message(
            "The host asks for more memory than a program may have here (5 GB): make the input smaller.");
      if (*exception_text) return message("Nobody catches an exception: {}.", exception_text);
      return message("The program gives up (abort, or an assert that fails).");
  }
  return message_of_time(runtime, stopped.in_call);
}

[[noreturn]] void write_and_leave() {
  Runtime& runtime = Runtime::get();
  const bool crash = stopped.signal != stop_signal;
  const int code = crash ? 128 + stopped.signal : 124;
  HostLine at = students_line(stopped.stack, runtime.settings);
  if (!at.line && stopped.in_call) at = students_line(runtime.latest_launch, runtime.settings);
  const bool limit = !crash || !std::strcmp(exception_text, "std::bad_alloc");  // of ours
  report_once({limit ? ProgramEnd::stopped : ProgramEnd::crashed, code, message_of_stop(runtime), at});
  _exit(code);
}

// ---- the thread that stops

/// Leaves the rest to the writer; without one it writes itself, as well as it can.
[[noreturn]] void stop_here() {
  if (!has_writer || pthread_equal(pthread_self(), writer)) write_and_leave();
  sem_post(&somebody_stopped);
  for (int k = 0; k < grace_of_reports; ++k) sleep(1);
  _exit(128 + stopped.signal);
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  const bool writing = registers[REG_ERR] & 2;
  if (signal == SIGSEGV && HostWatch::get().caught(address, writing)) return;  // it is tried again
  if (signal == stop_signal && depth_inside > 0 && !time_is_up.exchange(true))
    return;  // ApiCallGuard's end comes back
  // the writer itself fell, or a second thread of the program: the first one's report is being written
  static std::atomic<bool> entered = false;
  if (entered.exchange(true)) {
    if (has_writer && pthread_equal(pthread_self(), writer)) _exit(128 + signal);
    while (true) pause();
  }
  stopped.signal = signal;
  stopped.address = address;
  stopped.stack_pointer = uintptr_t(registers[REG_RSP]);
  stopped.writing = writing;
  stopped.in_call = depth_inside > 0;
  stopped.stack = Stack::now();
  stop_here();
}

// ---- the thread that writes

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

/// Seconds until the program's time may be over: of the processor, and of the wall.
double seconds_left(const RuntimeSettings& settings, double began) {
  const double left = settings.seconds - seconds_of(CLOCK_PROCESS_CPUTIME_ID),
               at_all = settings.patience - (seconds_of(CLOCK_MONOTONIC) - began);
  constexpr double least = 0.02;  // it may have several threads, which use it up faster
  return left <= 0 || at_all <= 0 ? 0 : std::max(least, std::min(left / 4, at_all));
}

/// False: no thread has stopped for so long.
bool somebody_stops_within(double seconds) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  const auto whole = time_t(seconds);
  until.tv_sec += whole;
  until.tv_nsec += long((seconds - double(whole)) * 1e9);
  if (until.tv_nsec >= 1'000'000'000) ++until.tv_sec, until.tv_nsec -= 1'000'000'000;
  int result;
  do result = sem_timedwait(&somebody_stopped, &until);
  while (result && errno == EINTR);
  return result == 0;
}

void wait_for_somebody() {
  while (sem_wait(&somebody_stopped) && errno == EINTR) {}
}

void* wait_and_write(void*) {
  const RuntimeSettings& settings = Runtime::get().settings;
  const double began = seconds_of(CLOCK_MONOTONIC);
  if (settings.seconds <= 0) {
    wait_for_somebody();
    write_and_leave();
  }
  for (double left; (left = seconds_left(settings, began)) > 0;)
    if (somebody_stops_within(left)) write_and_leave();
  do pthread_kill(main_thread, stop_signal);  // the second time it stops wherever it is
  while (!somebody_stops_within(grace_of_calls));
  write_and_leave();
}

// ---- beginnings and ends

void start_writer() {
  sem_init(&somebody_stopped, 0, 0);
  main_thread = pthread_self();
  // the program's signals are for the program
  sigset_t all, before;
  sigfillset(&all);
  for (int signal : crashes) sigdelset(&all, signal);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  has_writer = pthread_create(&writer, nullptr, wait_and_write, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void catch_signals() {
  static char stack[256 << 10];
  const stack_t alternative{stack, 0, sizeof stack};
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  for (int signal : crashes) sigaction(signal, &action, nullptr);
  sigaction(stop_signal, &action, nullptr);
}

/// Keeps the message of an uncaught exception; the library's own words go to stderr as ever.
std::terminate_handler terminate_before = nullptr;
void on_terminate() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::exception& e) {
    std::snprintf(exception_text, sizeof exception_text, "%s", e.what());
  } catch (...) { std::snprintf(exception_text, sizeof exception_text, "it is no std::exception"); }
  terminate_before ? terminate_before() : std::abort();
}

void on_exit_of_program(int code, void*) {
  const RuntimeSettings& settings = Runtime::get().settings;
  const HostLine at = students_line(Stack::now(), settings);
  report_once({at.line ? ProgramEnd::exited : ProgramEnd::returned, code, {}, at});
}

struct StartTime {
  StartTime() {
    Runtime::get();
    HostWatch::get();
    Stack::now();  // reads what it needs of the program while all is well
    reserve = std::malloc(reserve_bytes);
    on_exit(on_exit_of_program, nullptr);
    terminate_before = std::set_terminate(on_terminate);
    catch_signals();
    start_writer();
  }
} beginning;

}  // namespace

namespace {
std::recursive_mutex& one_at_a_time() {
  static auto* const mutex = new std::recursive_mutex;
  return *mutex;
}
}  // namespace

void end_program(const ProgramEnd& end) {
  report_once(end);
  _exit(end.exit);
}

ApiCallGuard::ApiCallGuard() {
  one_at_a_time().lock();
  if (++depth_inside == 1) look_at_host_accesses(Runtime::get());
}
ApiCallGuard::~ApiCallGuard() {
  if (depth_inside == 1) watch_host_accesses(Runtime::get());
  --depth_inside;
  one_at_a_time().unlock();
  if (depth_inside == 0 && time_is_up && pthread_equal(pthread_self(), main_thread)) raise(stop_signal);
}

}  // namespace bscope::cuda
