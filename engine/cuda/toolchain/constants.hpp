// The constants of a program's text: found, worked out, changed in a copy, and proposed where they make a
// program too large to watch.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope::cuda {

/// `#define N 1024`, `const int N = 1024`, `enum { N = 1024 }`, `int N{1024}`: a name that is given its value
/// where it is declared.
struct Constant {
  std::string name, value;    ///< the value as it is written
  int line = 0;               ///< of its name
  size_t begin = 0, end = 0;  ///< bytes of the value
};
std::vector<Constant> constants(std::string_view text);

/// The value of an expression of numbers and constants (1 << 20, 4 * N, 1e6, sizeof(float)); nothing if it is
/// anything else.
std::optional<double> worked_out(std::string_view expression, const std::vector<Constant>&);

/// A --const option: N=4096, or, where N is declared in several places, N:12=4096 for the one in line 12.
struct Setting {
  std::string name, value;
  int line = 0;  ///< 0: there is one
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("name", s.name);
    visit("value", s.value);
    visit("line", s.line);
  }
  bool operator==(const Setting&) const = default;
};
/// Throws UsageError with a sentence.
Setting parse_setting(const std::string& text);

/// A text of a program and the user's name for its file.
struct NamedText {
  std::string name, text;
  bool header = false;  ///< another text includes it
};
/// The texts with the constant changed, a header's only where no other text declares it; lines stay lines.
/// Throws UsageError with a sentence: it is not there, or there more than once.
void change(std::vector<NamedText>&, const Setting&);

/// A constant that could be smaller.
struct Suggestion {
  std::string name, file;
  int line = 0;
  double is = 0;       ///< its value now
  double smaller = 0;  ///< what it could be
  Message message;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("name", s.name);
    visit("file", s.file);
    visit("line", s.line);
    visit("is", s.is);
    visit("smaller", s.smaller);
    visit("message", s.message);
  }
};
/// For a program whose largest launch has so many threads (0: unknown): integers of a thousand and more that
/// are sizes (see `size_values`), the largest first, divided so that a launch that grows with them has some
/// thousands of threads. Powers of two stay such.
std::vector<Suggestion> suggest(const std::vector<NamedText>&, double threads);

}  // namespace bscope::cuda
