// Where a verb reads and writes: streams, colours, keys. Tests hand in their own.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

struct termios;

namespace bscope {

/// What a piece of text is; decides its colour.
enum class Role { plain, title, read, write, changed, thread, idle, race, atomic, phase };

/// Paints text with the terminal's own sixteen colours, so that it is readable on dark and on light ground.
class Ink {
 public:
  explicit Ink(bool colours) : colours_(colours) {}
  std::string operator()(Role, std::string_view) const;

 private:
  bool colours_;
};

/// One key of the walk.
enum class ConsoleKey { next, back, first, last, quit };

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool colours = false;                  ///< stdout is a terminal and NO_COLOR is not set
  bool display = false;                  ///< there is a display to open a window on
  int width = 100;                       ///< columns of the terminal
  std::function<ConsoleKey()> key = {};  ///< waits for a key; empty: there is no keyboard
  Ink ink() const { return Ink(colours); }
};

/// Reads keys of the terminal one by one while it lives; puts the terminal's mode back at the end.
class Keyboard {
 public:
  Keyboard();
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  ConsoleKey wait();

 private:
  std::unique_ptr<termios> before_;
};
/// Whether stdin and stdout are a terminal.
bool interactive();
/// Columns of the terminal behind stdout; 100 if there is none.
int terminal_width();

}  // namespace bscope
