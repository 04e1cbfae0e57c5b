#include "engine/cuda/toolchain/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "engine/cuda/toolchain/confinement.hpp"
#include "engine/cuda/toolchain/environment.hpp"
#include "engine/cuda/toolchain/vfork.hpp"
#include "engine/trace/descriptor.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/progress.hpp"

namespace bscope::cuda {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  Descriptor out{-1}, in{-1};
};
Pipe new_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw SystemError(message("no pipe can be made"), {errno, std::generic_category()});
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// What exec takes, made before the child starts, which may allocate no memory.
class ArgumentList {
 public:
  explicit ArgumentList(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& w : words_) pointers_.push_back(w.data());
    pointers_.push_back(nullptr);
  }
  char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

struct Starting {
  const char* program;
  const ArgumentList& words;
  const ArgumentList& environment;
  const char* where;
  const char* input;
  const Cage* cage;
  int output, trouble;
  pid_t parent;
};

/// Whether our standard input is a file: opened once more it begins anew, for each run of a program. A pipe
/// gives its text once, and may never end.
bool input_is_file() {
  struct stat input {};
  return ::fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode);
}

/// In the child. Only what may be called between vfork and exec; says errno through `trouble` if it fails.
[[noreturn]] void become(const Starting& s) noexcept {
  const auto fail = [&](int error) {
    [[maybe_unused]] const ssize_t said = ::write(s.trouble, &error, sizeof error);
    ::_exit(127);
  };
  ::setsid();  // no terminal to type into
  const int input = ::open(s.input, O_RDONLY);
  if (input < 0 || ::dup2(input, 0) < 0 || ::dup2(s.output, 1) < 0 || ::dup2(s.output, 2) < 0) fail(errno);
  for (int k = 1; k < 32; ++k) ::signal(k, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  if (s.cage && !s.cage->enter()) fail(EPERM);
  if (!s.cage) ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != s.parent) ::_exit(127);  // it has ended meanwhile
  if (::chdir(s.where) != 0) fail(errno);
  ::execve(s.program, s.words.get(), s.environment.get());
  fail(errno);
  ::_exit(127);
}

/// A child that runs; ended and waited for, whatever happens.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ > 0) {
      end();
      wait(0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// And all that it has started.
  void end() const {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
  }
  /// Whether it has ended. Its status then is here.
  bool wait(int flags) {
    pid_t got = 0;
    while ((got = ::waitpid(pid_, &status_, flags)) < 0 && errno == EINTR) {}
    if (got == 0) return false;
    ::kill(-pid_, SIGKILL);  // what it has left behind
    pid_ = -1;
    return true;
  }
  int status() const { return status_; }
  pid_t id() const { return pid_; }

 private:
  pid_t pid_;
  int status_ = 0;
};

/// What has come through the pipe so far. Returns false at its end.
bool take_output(int fd, size_t most, Ended& ended) {
  char piece[1 << 14];
  const ssize_t n = ::read(fd, piece, sizeof piece);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  const size_t room = most - std::min(most, ended.output.size());
  ended.output.append(piece, std::min(size_t(n), room));
  ended.cut = ended.cut || size_t(n) > room;
  return n > 0;
}

void watch(Child& child, int output, const ProcessCommand& c, Ended& ended) {
  constexpr auto between_looks = std::chrono::milliseconds(400);
  const auto end = Clock::now() + std::chrono::duration<double>(c.seconds);
  auto next_look = Clock::now() + between_looks;
  bool open = true;
  for (bool runs = true; runs;) {
    throw_if_cancelled();
    pollfd ready{output, POLLIN, 0};
    if (open && ::poll(&ready, 1, 20) > 0) open = take_output(output, c.most_output, ended);
    if (!open) ::usleep(500);
    runs = !child.wait(WNOHANG);
    if (!runs || ended.out_of_time || ended.exceeded != Exceeded::nothing) continue;
    const auto now = Clock::now();
    ended.out_of_time = now > end;
    if (c.cage && now > next_look) {
      ended.exceeded = c.cage->exceeded_by(child.id());
      next_look = Clock::now() + between_looks;
    }
    if (ended.out_of_time || ended.exceeded != Exceeded::nothing) child.end();
  }
  ::fcntl(output, F_SETFL, O_NONBLOCK);  // a process that it left behind may hold the other end
  for (pollfd ready{output, POLLIN, 0}; open && ::poll(&ready, 1, 0) > 0;)
    open = take_output(output, c.most_output, ended);
}

}  // namespace

std::string name_of_signal(int signal) {
  const char* const name = ::sigdescr_np(signal);
  return name ? name : "";
}

Ended run(const ProcessCommand& c) {
  throw_if_cancelled();
  Pipe output = new_pipe(), trouble = new_pipe();
  std::vector<std::string> argv = c.words;
  if (!c.called.empty()) argv.front() = c.called;
  const ArgumentList words(std::move(argv)), environment(environment_with(c.environment));
  const std::string where = c.where.string();
  const Starting starting{c.words.front().c_str(),
                          words,
                          environment,
                          where.c_str(),
                          c.reads_input && input_is_file() ? "/proc/self/fd/0" : "/dev/null",
                          c.cage,
                          output.in.get(),
                          trouble.in.get(),
                          ::getpid()};
  const pid_t pid = vfork_and([&] { become(starting); });
  if (pid < 0) throw SystemError(message("no process can be started"), {errno, std::generic_category()});
  Child child(pid);
  output.in.close();
  trouble.in.close();
  int error = 0;
  ssize_t told = 0;
  while ((told = ::read(trouble.out.get(), &error, sizeof error)) < 0 && errno == EINTR) {}
  if (told == ssize_t(sizeof error))
    throw SystemError(message("cannot start {}", c.words.front()), {error, std::generic_category()});
  Ended ended;
  watch(child, output.out.get(), c, ended);
  const int status = child.status();
  if (WIFEXITED(status)) ended.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

}  // namespace bscope::cuda
