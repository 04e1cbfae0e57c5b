// A lesson as it is played: its steps on the state, its placeholders from the run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson.hpp"
#include "app/lessons/progress.hpp"

namespace bscope {

/// The runs that a lesson's sentences speak of, each opened once. At most a handful are kept.
class LessonRuns {
 public:
  explicit LessonRuns(Open open = open_target) : open_(std::move(open)) {}
  /// Throws UsageError and what opening throws.
  std::shared_ptr<const Run> of(const Target&);

 private:
  Open open_;
  std::map<std::string, std::shared_ptr<const Run>> kept_;
};

/// Do both open the same run?
bool same_target(const Target&, const Target&);

/// "sum[15]" as a cell of the launch; shared arrays go before global ones. Nothing if there is none.
std::optional<Place> cell_of(const Run&, int launch, const std::string& cell);
/// "sum[0] to sum[15], in[0] to in[31]": what cells there are.
std::string arrays_of(const Run&, int launch);

/// Where the step's words point to in its run. What is not there becomes a mistake, and the rest stays.
Cursor find_place(const LessonStep&, const Run&, std::vector<Mistake>& mistakes);

/// The state that a step (from 0) asks for: run, cursor, tab; `part`: with as many of its answers. If the run
/// cannot be opened, only `error` and the lesson's own place change. `LessonState::scroll` begins anew.
State at_lesson_step(State, const Lesson&, int step, const Open& = open_target, int part = 0);
/// Gives the next answer of the step, with what it shows; what was predicted is revealed.
State answered(State, const Lesson&, const Open& = open_target);
/// Is an answer of the step still held back, and its run on screen? Then nothing else may tell it either.
bool asks(const State&, const Lesson&);
/// The score of a step that asks, as far as it was revealed, goes into the lesson's; the answer in its words
/// follows the revealed one, and the other way round (Next reveals). What was left empty does not count.
State with_prediction(State, const Lesson&);
/// Has the user left what the step shows (another run, tab, block or step)? Selections do not count.
bool strayed(const State&, const LessonStep&, const Cursor& place);

/// The text with each {placeholder} replaced by what the run says (docs/lessons.md lists them). What cannot
/// be answered stays as it is and becomes a mistake; `line` is where the text begins in its file.
std::string filled(const std::string& text, int line, const LessonStep&, const Run&, const Cursor&,
                   LessonRuns&, std::vector<Mistake>& mistakes);

/// Plays a lesson through without a window: every mistake of the text, of the runs, of places and
/// placeholders.
std::vector<Mistake> check_lesson(const Lesson&, const Open& = open_target);

}  // namespace bscope
