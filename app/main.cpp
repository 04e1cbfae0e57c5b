// barrierscope: flags to one verb.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/console.hpp"
#ifdef BARRIERSCOPE_PICTURES
#include "app/export/export.hpp"
#endif
#ifdef BARRIERSCOPE_WINDOW
#include "app/window/window.hpp"
#endif
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace {

/// A closed stdin, stdout or stderr would be the next file that is opened: what is printed would go into it.
/// Their places are filled with descriptors that cannot be read or written, so that errors are reported.
void fill_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)!open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

/// The last words of a program. Where it cannot even make a string they are in English, whatever it speaks.
[[noreturn]] void end_with(const char* sentence) {
  for (const char* words : {"barrierscope: ", sentence, ".\n"})
    if (write(STDERR_FILENO, words, std::strlen(words)) < 0) break;
  _exit(1);
}

/// Reports an end that no handler of an exception sees: memory that ends in a
/// thread, or in a library that takes it for granted where `ulimit -v` says how much there is.
void prepare_last_words() {
  std::set_terminate([] {
    try {
      if (const auto why = std::current_exception()) std::rethrow_exception(why);
    } catch (const std::bad_alloc&) {
      end_with("there is not enough memory for this run: take a smaller --n");
    } catch (const std::exception& e) {
      std::string words;
      try {
        words = bscope::tr(bscope::message_of(e));
      } catch (const std::exception&) {  // no memory for a translation
        end_with(e.what());
      }
      end_with(words.c_str());
    } catch (...) {}
    std::abort();
  });
  rlimit room{};
  if (getrlimit(RLIMIT_AS, &room) != 0 || room.rlim_cur == RLIM_INFINITY) return;
  alignas(16) static char stack[1 << 16];
  stack_t own{};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = [](int) {
    end_with(
        "there is not enough memory, as far as can be told: `ulimit -v` leaves this program less than it "
        "takes");
  };
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bscope;
  fill_closed_streams();
  prepare_last_words();
  // A file over the limit is then an error of write(), which is reported as a sentence.
  std::signal(SIGXFSZ, SIG_IGN);
  std::ios::sync_with_stdio(false);

  auto set = [](const char* name) {
    const char* v = std::getenv(name);
    return v && *v;
  };
  Console console{std::cout, std::cerr};
  console.colours = isatty(STDOUT_FILENO) && !set("NO_COLOR");
  console.display = set("DISPLAY") || set("WAYLAND_DISPLAY");
  console.width = terminal_width();
  std::optional<Keyboard> keyboard;
  if (interactive())
    console.key = [&] {
      if (!keyboard) keyboard.emplace();
      return keyboard->wait();
    };

  Window window;
#ifdef BARRIERSCOPE_PICTURES
  window.figure = [](const Export& e) { export_now(e); };
#endif
#ifdef BARRIERSCOPE_WINDOW
  window.open = [](const WindowOptions& o) {
    try {
      return open_window(o);
    } catch (const NoDisplay& e) { throw NoWindow(e.message()); }
  };
  window.render = [](const Export& e) { render_picture(e); };
#endif
  return command({argv + 1, argv + argc}, console, window);
}
