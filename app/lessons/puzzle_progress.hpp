// How far a student has come with a puzzle, kept with the progress of lessons: its first step is to find the
// line, its second to repair it.
#pragma once

#include <string>

#include "app/session/lesson_state.hpp"

namespace bscope {

struct Assignment;

struct PuzzleProgress {
  bool found = false;   ///< the wrong line was named
  bool solved = false;  ///< a repaired file has met all requirements
  int failed = 0;       ///< tries: lines that were not it, and changed files that did not meet all
  /// The solution may be read.
  bool may_see_solution() const;
  /// Reports may name lines, and what is wrong there.
  bool may_see_fault() const { return found || may_see_solution(); }
};
PuzzleProgress progress_of(const LessonState&, const Assignment&);

/// With one more line named. Nothing changes after the right one.
LessonState with_line_named(LessonState, const Assignment&, bool right);
/// With one more changed file judged. Nothing changes after one that met all.
LessonState with_repair_judged(LessonState, const Assignment&, bool passed);

}  // namespace bscope
