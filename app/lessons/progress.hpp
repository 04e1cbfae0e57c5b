// What a student has done of the lessons, kept as one text in LessonState::progress: "blelloch/0
// blelloch/5=3:4" (done; done with 3 of 4 predictions right).
#pragma once

#include <string>

namespace bscope {

struct LessonState;

bool is_done(const LessonState&, const std::string& lesson, int step);
int steps_done(const LessonState&, const std::string& lesson);
LessonState with_done(LessonState, const std::string& lesson, int step);

struct Score {
  int right = 0, asked = 0;
  bool operator==(const Score&) const = default;
};
/// Of one step, or of all steps (step -1).
Score score_of(const LessonState&, const std::string& lesson, int step = -1);
LessonState with_score(LessonState, const std::string& lesson, int step, Score);
/// What was answered last to the question of a step's part; empty: nothing.
std::string answer_given(const LessonState&, const std::string& lesson, int step, int part);
LessonState with_answer(LessonState, const std::string& lesson, int step, int part,
                        const std::string& answer);
/// Forgets the quizzes on a lesson.
LessonState without_quizzes(LessonState, const std::string& lesson);
/// Forgets what was done in a lesson.
LessonState afresh(LessonState, const std::string& lesson);

}  // namespace bscope
