// barrierscope: flags to one verb.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "app/cli/command.hpp"
#ifdef BARRIERSCOPE_PICTURES
#include "app/export/export.hpp"
#endif
#ifdef BARRIERSCOPE_WINDOW
#include "app/window/window.hpp"
#endif

/// A closed stdin, stdout or stderr would be the next file that is opened: what is printed would go into it.
/// In their places stands what cannot be read or written, so that it is told.
static void fill_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)!open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

int main(int argc, char** argv) {
  using namespace bscope;
  fill_closed_streams();
  // A file over the limit is then an error of write(), which is told in words.
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
  window.figure = figure_command;
#endif
#ifdef BARRIERSCOPE_WINDOW
  window.open = [](const WindowOptions& o) {
    try {
      return open_window(o);
    } catch (const NoDisplay& e) { throw NoWindow(e.what()); }
  };
  window.render = render_command;
#endif
  return command({argv + 1, argv + argc}, console, window);
}
