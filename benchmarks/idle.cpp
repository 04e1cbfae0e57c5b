// Whether the real window rests. Each tab in the app under Xvfb, left alone:
//   benchmark_idle [SECONDS [PROGRAM]]
// Prints the processor time that the app takes of each second. Exit 1 if a tab takes 1% or more, 77 where
// there is no Xvfb.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "app/run/own_program.hpp"
#include "app/session/session_file.hpp"
#include "app/session/state.hpp"

namespace {
using namespace bscope;
using Clock = std::chrono::steady_clock;

/// A program that ends with this object.
class Child {
 public:
  /// `told`: the write end of a pipe that it inherits; -1: none.
  Child(const std::vector<std::string>& words, int told = -1) : pid_(::fork()) {
    if (pid_ != 0) return;
    if (told < 0) {  // its words are not of interest
      const int nothing = ::open("/dev/null", O_WRONLY);
      ::dup2(nothing, 1), ::dup2(nothing, 2);
    }
    std::vector<char*> arguments;
    for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  bool alive() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }
  /// Of all its threads, in user and system mode.
  double processor_seconds() const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream rest(line.substr(std::min(line.size(), line.rfind(')') + 2)));
    std::string skipped;
    for (int k = 0; k < 11; ++k) rest >> skipped;
    double user = 0, system = 0;
    rest >> user >> system;
    return (user + system) / double(::sysconf(_SC_CLK_TCK));
  }

 private:
  pid_t pid_;
};

void wait(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }
}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::max(1.0, std::atof(argv[1])) : 5;
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string program = argc > 2 ? argv[2] : (here.parent_path() / "barrierscope").string();
  int ends[2];
  if (::pipe(ends) != 0) return 1;
  const Child screen({"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", "1600x900x24"}, ends[1]);
  ::close(ends[1]);
  char number[16] = {};
  if (::read(ends[0], number, sizeof number - 1) <= 0) {
    std::printf("no Xvfb: the window was not measured\n");
    return 77;
  }
  ::setenv("DISPLAY", (":" + std::to_string(std::atoi(number))).c_str(), 1);
  // the window must not find a person's own settings
  const auto folder =
      std::filesystem::temp_directory_path() / ("barrierscope-idle-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"})
    ::setenv(name, folder.c_str(), 1);
  int missed = 0;
  LoadedState s;
  s.target.request.kernel = "scan/blelloch";
  s.run = open_now(s.target).run;
  for (const auto& [tab, name] : {std::pair{"watch", "Watch"},
                                  {"banks", "Banks"},
                                  {"memory", "Memory"},
                                  {"atomics", "Atomics"},
                                  {"compare", "Compare"},
                                  {"time", "Time"}}) {
    s.tab = tab;
    const std::string file = (folder / "idle.bscope").string();
    save_session(s, file);
    const Child app({program, file});
    // starting, and the bars of the kernel list, are no rest
    double before = app.processor_seconds();
    for (int k = 0; k < 60; ++k) {
      wait(0.5);
      const double now = app.processor_seconds();
      const bool rests = now > 0.05 && now - before < 0.011;
      before = now;
      if (rests && k > 2) break;
    }
    if (!app.alive()) {
      std::printf("%-8s did not start\n", name);
      ++missed;
      continue;
    }
    const auto from = Clock::now();
    const double used = app.processor_seconds();
    wait(seconds);
    const double share =
        (app.processor_seconds() - used) / std::chrono::duration<double>(Clock::now() - from).count();
    std::printf("%-8s at rest %.2f%% of a processor%s\n", name, share * 100,
                share < 0.01 ? "" : " (goal 1%: missed)");
    missed += share >= 0.01;
  }
  std::filesystem::remove_all(folder);
  return missed > 0;
}
