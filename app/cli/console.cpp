#include "app/cli/console.hpp"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>

namespace bscope {
namespace {

int byte() {
  unsigned char c = 0;
  return read(STDIN_FILENO, &c, 1) == 1 ? c : -1;
}

}  // namespace

std::string Ink::operator()(Role role, std::string_view text) const {
  const char* code = "";
  switch (role) {
    case Role::plain: break;
    case Role::title: code = "1"; break;
    case Role::read: code = "36"; break;
    case Role::write: code = "33"; break;
    case Role::changed: code = "1;30;43"; break;
    case Role::thread: code = "32"; break;
    case Role::idle: code = "90"; break;
    case Role::race: code = "1;31"; break;
    case Role::atomic: code = "35"; break;
    case Role::phase: code = "1;34"; break;
  }
  if (!colours_ || !*code || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

bool interactive() { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }

int terminal_width() {
  winsize w{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_col) return 100;
  return std::max(40, int(w.ws_col));
}

Keyboard::Keyboard() : before_(std::make_unique<termios>()) {
  tcgetattr(STDIN_FILENO, before_.get());
  termios raw = *before_;
  // Ctrl+C is a key too: else it would leave the terminal in this mode.
  raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG);
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}
Keyboard::~Keyboard() { tcsetattr(STDIN_FILENO, TCSANOW, before_.get()); }

ConsoleKey Keyboard::wait() {
  for (;;) {
    switch (byte()) {
      case '\r':
      case '\n':
      case ' ':
      case 'n':
      case 'l': return ConsoleKey::next;
      case 'p':
      case 'h':
      case 'b':
      case 0x7f: return ConsoleKey::back;
      case 'q':
      case 3:
      case 4:
      case -1: return ConsoleKey::quit;
      case 'g': return ConsoleKey::first;
      case 'G': return ConsoleKey::last;
      case 0x1b: {
        // An arrow key sends ESC [ C; ESC alone is the key itself. The rest of a sequence is there at once.
        int waiting = 0;
        if (ioctl(STDIN_FILENO, FIONREAD, &waiting) || !waiting) return ConsoleKey::quit;
        const int kind = byte();
        if (kind != '[' && kind != 'O') break;
        int c = byte();
        const int number = c >= '0' && c <= '9' ? c : 0;
        while (c >= '0' && c <= ';') c = byte();  // parameters: ESC [ 1 ; 2 C
        if (c == 'C' || c == 'B') return ConsoleKey::next;
        if (c == 'D' || c == 'A') return ConsoleKey::back;
        if (c == 'H' || (c == '~' && (number == '1' || number == '7'))) return ConsoleKey::first;
        if (c == 'F' || (c == '~' && (number == '4' || number == '8'))) return ConsoleKey::last;
        break;
      }
      default: break;
    }
  }
}

}  // namespace bscope
