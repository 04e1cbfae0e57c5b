#include "app/lessons/puzzle_progress.hpp"

#include <utility>

#include "app/assignments/assignment.hpp"
#include "app/assignments/puzzle.hpp"
#include "app/lessons/progress.hpp"

namespace bscope {
namespace {

constexpr int to_find = 0, to_repair = 1;  // the steps of a puzzle

std::string name_in_progress(const Assignment& a) {
  return a.series.empty() ? a.name : a.series + "/" + a.name;
}

LessonState with_try(LessonState s, const Assignment& a, int step, bool right) {
  const std::string name = name_in_progress(a);
  Score score = score_of(s, name, step);
  if (score.right) return s;
  score.asked += 1;
  score.right = right;
  return with_score(std::move(s), name, step, score);
}

}  // namespace

bool PuzzleProgress::may_see_solution() const { return solved || failed >= tries_before_solution; }

PuzzleProgress progress_of(const LessonState& s, const Assignment& a) {
  const std::string name = name_in_progress(a);
  const Score line = score_of(s, name, to_find), repair = score_of(s, name, to_repair);
  return {.found = line.right > 0,
          .solved = repair.right > 0,
          .failed = line.asked - line.right + repair.asked - repair.right};
}

LessonState with_line_named(LessonState s, const Assignment& a, bool right) {
  return with_try(std::move(s), a, to_find, right);
}
LessonState with_repair_judged(LessonState s, const Assignment& a, bool passed) {
  return with_try(std::move(s), a, to_repair, passed);
}

}  // namespace bscope
