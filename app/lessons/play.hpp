// A lesson as it is played: its steps on the state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson.hpp"
#include "app/run/cursor.hpp"

namespace bscope {

class LessonRuns;
class RunStore;

/// Whether both open the same run.
bool same_target(const Target&, const Target&);

/// The state that a step (from 0) asks for: run, cursor, tab; `part`: with as many of its answers. If the run
/// cannot be opened, only `error` and the lesson's own place change. `LessonState::scroll` begins anew.
LoadedState at_lesson_step(LoadedState, const Lesson&, int step, RunStore&, int part = 0);
/// Gives the next answer of the step, with what it shows; what was predicted is revealed.
LoadedState answered(LoadedState, const Lesson&, RunStore&);
/// The question that the step asks now, where it takes an answer and its run is on screen; null: none.
const Question* open_question(const State&, const Lesson&);
/// What an answer is worth.
struct JudgedAnswer {
  bool is_right = false;
  std::string sentence = {};  ///< why it is wrong, or a hint; may be empty
};
/// Judges an answer to the question of a step's part. Empty while a run that it needs is loading, and where
/// the question cannot be judged: that is one of the lesson's mistakes.
std::optional<JudgedAnswer> judged_answer(const Lesson&, int step, int part, const std::string& answer,
                                          LessonRuns&);
/// A question's choices with their placeholders filled in; as they were written while the run is loading.
std::vector<std::string> choice_texts(const Lesson&, int step, int part, LessonRuns&);
/// Takes what is typed or chosen as the answer. A right one shows the answer's text as `answered` does; a
/// wrong one may be changed, unless the text is to be shown whatever was answered (`reveal`). What was right
/// at once counts as right in the score; a question that nothing was answered to does not count.
LoadedState with_answer_given(LoadedState, const Lesson&, LessonRuns&, RunStore&, bool reveal = false);
/// Whether an answer of the step is still hidden while its run is on screen: then nothing else may show it
/// either.
bool asks(const State&, const Lesson&);
/// The score of a step that asks, as far as it was revealed, goes into the lesson's; the answer in its words
/// follows the revealed one, and the other way round (Next reveals). What was left empty does not count.
LoadedState with_prediction(LoadedState, const Lesson&);
/// Whether the user has left what the step shows (another run, tab, block or step). Selections do not count.
bool strayed(const State&, const LessonStep&, const Cursor& place);

/// Plays a lesson through without a window: every mistake of the text, of the runs, of places and
/// placeholders.
std::vector<Mistake> check_lesson(const Lesson&, RunStore&);

}  // namespace bscope
