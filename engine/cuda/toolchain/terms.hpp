// A user's program on other terms than its own: under an assignment, which says what it should compute, or
// with a change that is tried.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/line_edits.hpp"

namespace bscope {
struct Schedule;
}
namespace bscope::cuda {

struct Program;
struct ProgramRun;

/// What a program should compute, as an assignment states it: `out = inclusive_scan(in)`.
struct Stated {
  std::string text, file;  ///< and where it stands
  int line = 0;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("text", s.text);
    visit("file", s.file);
    visit("line", s.line);
  }
  bool operator==(const Stated&) const = default;
};

struct Terms {
  /// What goes before the program's own comments; with an empty text, no result is stated.
  std::optional<Stated> stated = {};
  int shown_launches = 4;            ///< of each kernel that are traced in full
  std::vector<LineEdit> edits = {};  ///< made in a copy
  template <class Self, class Visit>
  static void fields(Self& t, Visit&& visit) {
    visit("stated", t.stated);
    visit("shown_launches", t.shown_launches);
    visit("edits", t.edits);
  }
  bool operator==(const Terms&) const = default;
};
ProgramRun run_program(const Program&, const Schedule&, const Terms&);

}  // namespace bscope::cuda
