// Runs a list of cases in this program, many a process: command lines as `barrierscope` would take them, and
// files as its window would. tests/fuzz/command_lines.py writes the list and says what to expect.
//
//   command_driver CASES VIOLATIONS
//
// CASES: for each case the exit codes that it may have ("0,2"), the number of arguments and the arguments,
// every one with its length in bytes before it ("3:0,2"). VIOLATIONS gets a line of JSON for each case that
// crashed, took too long or too much memory, ended with another code or said what is no sentence.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <streambuf>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/console.hpp"
#include "app/cli/time.hpp"
#include "app/export/export.hpp"
#include "app/export/figure.hpp"
#include "app/lessons/picture.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/measure/recorded.hpp"
#include "app/run/memory.hpp"
#include "app/session/session_file.hpp"
#include "app/session/settings.hpp"
#include "app/session/tab.hpp"
#include "app/session/typed.hpp"
#include "app/words/words.hpp"
#include "engine/trace/read_file.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

// Of processor, a case: the longest run of its lengths, 6.4 million events, takes 2.5 s on a quiet machine.
constexpr double most_seconds = 8;
constexpr int most_waiting = 20;  // seconds of the clock
constexpr double beside_the_run =
    5e8;  // bytes: the program, its recordings, what the processor's threads keep
constexpr int cases_a_process = 400, go_on = 77;

struct Case {
  std::vector<int> codes;
  std::vector<std::string> args;
};

std::vector<Case> read_cases(const char* path) {
  std::ifstream in(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  size_t at = 0;
  const auto next = [&] {
    const size_t colon = all.find(':', at), size = std::stoul(all.substr(at, colon - at));
    at = colon + 1 + size;
    return all.substr(colon + 1, size);
  };
  std::vector<Case> cases;
  while (at < all.size()) {
    Case c;
    const std::string codes = next();
    for (size_t k = 0; k < codes.size(); k += 2) c.codes.push_back(codes[k] - '0');
    const int args = std::stoi(next());
    for (int k = 0; k < args; ++k) c.args.push_back(next());
    cases.push_back(std::move(c));
  }
  return cases;
}

/// Counts what is printed and keeps its beginning.
class Beginning : public std::streambuf {
 public:
  std::string text;
  size_t size = 0;

 private:
  int overflow(int c) override {
    const char byte = char(c);
    xsputn(&byte, 1);
    return c;
  }
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    size += size_t(n);
    if (text.size() < 4000) text.append(s, std::min<size_t>(size_t(n), 4000));
    return n;
  }
};

// ---- what the window does with files
// -----------------------------------------------------------------------

LoadedState fresh() {
  static const LoadedState begun = [] {
    LoadedState s;
    s.target.request.kernel = "scan/blelloch";
    s.run = open_now(s.target).run;
    return s;
  }();
  return begun;
}

/// Every tab of a state is laid out.
void look_at(LoadedState s) {
  if (!s.run || !steps(*s.run)) return;
  for (const Tab* tab : tabs()) {
    if (!tab->plays) continue;
    s.tab = tab->name;
    try {
      const LoadedState ready = with_needs(s);
      figure(ready, figure_theme(ready, 1280, 720), fixed_metrics(), 1280, 720);
    } catch (const UsageError&) {  // a sentence in the tab's place
    }
  }
}

/// 0: taken; 2: refused, with the sentence in `err`.
int state_code(const LoadedState& s, std::ostream& err) {
  look_at(s);
  if (s.error.empty()) return 0;
  err << "barrierscope: " << tr(s.error) << "\n";
  return 2;
}

int on_file(const std::string& what, const std::string& path, std::ostream& err) {
  if (what == "@settings") {
    std::string notice;
    Settings s = read_settings(path, &notice);
    s.speed = s.speed == 2 ? 1 : 2;
    write_settings(s, path);
    std::string again;
    if (read_settings(path, &again) != s || !again.empty())
      throw std::logic_error("settings do not come back");
    if (notice.empty()) return 0;
    err << "barrierscope: " << notice << "\n";
    return 2;
  }
  if (what == "@session") {
    const LoadedState s = with_session(fresh(), read_file(path, 1 << 26));
    if (!s.run) throw std::logic_error("no run is open");
    if (s.error.empty()) {
      const LoadedState again = with_session(s, session_text(s));
      if (!again.error.empty())
        throw std::logic_error("a session that was written is refused: " + again.error.english());
    }
    return state_code(s, err);
  }
  if (what == "@paste")
    return state_code(with_values(fresh(), numbers_in(read_file(path, 1 << 26)), Where::file), err);
  if (what == "@lesson") {
    const Lesson lesson = parse_lesson(as_text(read_file(path, 1 << 20), path), path);
    LoadedState s = fresh();
    for (int k = 0; k < std::min(6, int(lesson.steps.size())); ++k)
      s = at_lesson_step(std::move(s), lesson, k);
    const auto mistakes = check_lesson(lesson);
    const int shown = std::min(6, int(lesson.steps.size()));
    for (int k = 0; k < std::max(1, shown); ++k) {  // one without steps has its page of mistakes
      LessonPage page;
      page.title = lesson.title;
      page.step = k;
      for (const LessonStep& step : lesson.steps) page.steps.push_back({step.title, false, {}});
      if (k < shown)
        for (const auto& part : lesson.steps[size_t(k)].parts) page.text += part.text + "\n\n---\n\n";
      for (const Mistake& m : mistakes) page.mistakes.push_back(tr(message_of(lesson, m)));
      lesson_page(page, theme(ThemeName::dark, 900), fixed_metrics(), 320, 700);
    }
    look_at(s);
    if (mistakes.empty()) return 0;
    err << "barrierscope: " << message_of(lesson, mistakes[0]).english() << "\n";
    return 2;
  }
  if (what == "@drop") {
    const Opening o = opened_path(fresh(), path);
    if (!o.recording.empty()) load_recordings(o.recording);
    return state_code(o.state, err);
  }
  if (what == "@save") {
    save_session(fresh(), path);
    return 0;
  }
  // that what looks for them finds them
  if (what == "@crash") std::raise(SIGSEGV);
  if (what == "@hang")
    for (std::atomic<unsigned> k = 0;; ++k) {}
  if (what == "@memory") {
    std::string much(size_t(3) << 30, 'x');
    return much[size_t(path.size())] == 'x' ? 0 : 2;
  }
  throw std::logic_error("no such case: " + what);
}

// ---- one case
// --------------------------------------------------------------------------------------------------

struct Shared {
  std::atomic<size_t> at;
  std::atomic<size_t> violations;
  std::atomic<size_t> codes[4];
  double slowest;
  size_t slowest_at;
};

rusage used_so_far() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used;
}
double processor_seconds() {
  const rusage used = used_so_far();
  return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/// What is no sentence for users: words of libraries, control characters, more than one line.
std::string not_a_sentence(const std::string& err, bool timed) {
  static const std::regex libraries(
      "std::|basic_|filesystem "
      "error|\\bsto(i|l|ll|d|ul)\\b|map::at|vector::|bad_|what\\(\\)|terminate|\\[json|"
      "parse error|nlohmann|optional|CLI::|fmt|invalid argument|argument out of range|Success$");
  if (std::regex_search(err, libraries)) return "a library's words";
  const auto lines = std::count(err.begin(), err.end(), '\n');
  if (!timed && lines > 1) return "more than one line";
  for (const char c : err)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
      return "a control character";
  if (err.find("not enough memory") != std::string::npos) return "memory ran out";
  return "";
}

double memory_limit(const std::vector<std::string>& args) {
  for (size_t k = 0; k < args.size(); ++k) try {
      if (args[k] == "--max-memory" && k + 1 < args.size()) return std::max(2e9, parse_bytes(args[k + 1]));
      if (args[k].starts_with("--max-memory=")) return std::max(2e9, parse_bytes(args[k].substr(13)));
    } catch (const std::exception&) {  // refused
    }
  return 2e9;
}

void alarms(double processor, int clock) {
  itimerval cpu{}, real{};
  cpu.it_value.tv_sec = long(processor);
  cpu.it_value.tv_usec = long((processor - double(long(processor))) * 1e6);
  real.it_value.tv_sec = clock;
  setitimer(ITIMER_PROF, &cpu, nullptr);
  setitimer(ITIMER_REAL, &real, nullptr);
}

void tell(int file, const Case& c, size_t index, const std::string& what, int code, const std::string& err) {
  nlohmann::json line{
      {"case", index}, {"what", what}, {"code", code}, {"err", err.substr(0, 600)}, {"args", c.args}};
  const std::string text = line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  if (::write(file, text.data(), text.size()) < 0) std::abort();
}

/// Returns what was wrong; empty: nothing.
std::string run(const Case& c, int& code, std::string& said_on_err) {
  Beginning out_bytes, err_bytes;
  std::ostream out(&out_bytes), err(&err_bytes);
  Console console{out, err};
  const size_t seed = std::hash<std::string>()(c.args.empty() ? "" : c.args.back());
  console.colours = seed % 3 == 0;
  console.width = 40 + int(seed % 160);
  int keys = 0;
  if (seed % 5 == 0)
    console.key = [&] {
      static constexpr ConsoleKey all[] = {ConsoleKey::next, ConsoleKey::back, ConsoleKey::first,
                                           ConsoleKey::last, ConsoleKey::next};
      return ++keys > 12 ? ConsoleKey::quit : all[(seed >> keys) % 5];
    };
  Window window;
  window.figure = [](const Export& e) { export_now(e); };
  std::string wrong;
  speak(Language::en);
  try {
    if (!c.args.empty() && c.args[0].starts_with("@")) {
      try {
        code = on_file(c.args[0], c.args.at(1), err);
      } catch (const BadFile& e) {
        code = 2;
        err << "barrierscope: " << tr(message_of(e)) << "\n";
      } catch (const UsageError& e) {
        code = 2;
        err << "barrierscope: " << tr(message_of(e)) << "\n";
      } catch (const SystemError& e) {
        code = 1;
        err << "barrierscope: " << tr(message_of(e)) << "\n";
      }
    } else {
      code = command(c.args, console, window);
    }
  } catch (const std::exception& e) { wrong = std::string("an exception: ") + e.what(); } catch (...) {
    wrong = "an exception";
  }
  said_on_err = err_bytes.text;
  if (!wrong.empty()) return wrong;
  if (std::find(c.codes.begin(), c.codes.end(), code) == c.codes.end()) return "another exit code";
  const bool timed = !c.args.empty() && std::find(c.args.begin(), c.args.end(), "time") != c.args.end();
  if (std::string no = not_a_sentence(said_on_err, timed); !no.empty()) return no;
  // traces come from others: what a terminal obeys is in none of our words
  for (const char b : out_bytes.text)
    if ((static_cast<unsigned char>(b) < 0x20 && b != '\n' && b != 0x1b && b != '\t') || b == 0x7f)
      return "a control character on stdout";
  if (code == 2 && said_on_err.find("barrierscope: ") != 0) return "refused without a sentence";
  if (code == 1 && said_on_err.empty() && !out_bytes.size) return "failed without a word";
  return "";
}

}  // namespace
}  // namespace bscope

int main(int argc, char** argv) {
  using namespace bscope;
  if (argc != 3) return 2;
  const auto cases = read_cases(argv[1]);
  const int violations = ::open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  auto* shared = static_cast<Shared*>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  recorded_curves();  // read once, for all processes
  size_t first = 0;
  while (first < cases.size()) {
    shared->at = first;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      const int nowhere = ::open("/dev/null", O_RDWR);
      for (const int fd : {0, 1, 2}) ::dup2(nowhere, fd);
#ifndef BARRIERSCOPE_SANITIZED  // sanitizers reserve far more than they use
      const rlimit most{rlim_t(6) << 30, rlim_t(6) << 30};
      setrlimit(RLIMIT_AS, &most);
#endif
      const rlimit none{0, 0};
      setrlimit(RLIMIT_CORE, &none);
      const size_t end = std::min(cases.size(), first + cases_a_process);
      for (size_t k = first; k < end; ++k) {
        shared->at = k;
        const double began = processor_seconds();
        alarms(most_seconds, most_waiting);
        int code = -1;
        std::string err;
        std::string wrong = run(cases[k], code, err);
        alarms(0, 0);
        const double took = processor_seconds() - began;
        if (took > shared->slowest) shared->slowest = took, shared->slowest_at = k;
        const double peak = double(used_so_far().ru_maxrss) * 1024;
        if (wrong.empty() && peak > memory_limit(cases[k].args) + beside_the_run)
          wrong = "memory: " + std::to_string(peak / 1e9) + " GB";
        if (code >= 0 && code < 4) ++shared->codes[code];
        if (!wrong.empty()) {
          ++shared->violations;
          tell(violations, cases[k], k, wrong, code, err);
        }
        // the peak is the process's: after a case that took much, another one begins
        if (k + 1 < end && peak > 6e8) {
          shared->at = k + 1;
          ::_exit(go_on);
        }
      }
      ::_exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      first = std::min(cases.size(), first + cases_a_process);
      continue;
    }
    const size_t at = shared->at;
    if (WIFEXITED(status) && WEXITSTATUS(status) == go_on) {
      first = at;
      continue;
    }
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ++shared->violations;
    tell(violations, cases[at], at,
         signal == SIGPROF   ? "a hang: over 8 s of processor"
         : signal == SIGALRM ? "a hang: over 20 s of waiting"
         : signal            ? "a crash: signal " + std::to_string(signal)
                             : "ended the process with " + std::to_string(WEXITSTATUS(status)),
         -1, "");
    first = at + 1;
  }
  std::printf(
      "%zu cases: exit 0 %zu, 1 %zu, 2 %zu; the slowest took %.2f s of processor (case %zu); violations "
      "%zu\n",
      cases.size(), shared->codes[0].load(), shared->codes[1].load(), shared->codes[2].load(),
      shared->slowest, shared->slowest_at, shared->violations.load());
  return shared->violations ? 1 : 0;
}
