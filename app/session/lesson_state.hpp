// What is remembered of lessons.
#pragma once

#include <string>

namespace bscope {

/// The lesson that is played beside every tab.
struct LessonState {
  bool open = false;         ///< its column (on the projector its strip) is on screen
  std::string lesson;        ///< id of the one that is played; empty: the list
  int step = 0;              ///< from 0
  int part = 0;              ///< how many answers of the step have been asked for
  int scroll = 0;            ///< first line of its text that is shown
  int chosen = 0;            ///< in the list
  std::string progress;      ///< of all lessons, see app/lessons/play.hpp
  std::string answers;       ///< what was answered last to each question, see app/lessons/progress.hpp
  std::string answer;        ///< to the open question, as far as it is typed or chosen
  std::string wrong_answer;  ///< the last one that was judged and found wrong
  int input = 0;             ///< which other input the step shows; 0: its own
  int right = 0, asked = 0;  ///< the prediction's score when the step began
  bool asking = false;       ///< the step's question is open; follows from the step, so that no file keeps it
  bool asks_later = false;   ///< a later step asks about the same run; follows from the lesson, too
  std::string asks_in = {};  ///< the tab that it is asked in
  bool asks_for_line = false;  ///< a line of the source answers the open question; follows from the step
  /// The open program is a puzzle whose wrong line is asked for: views name nothing that is wrong with it.
  /// Follows from the program and from `progress`.
  bool line_asked = false;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("open", s.open);
    visit("lesson", s.lesson);
    visit("step", s.step);
    visit("part", s.part);
    visit("scroll", s.scroll);
    visit("chosen", s.chosen);
    visit("progress", s.progress);
    visit("answers", s.answers);
    visit("answer", s.answer);
    visit("wrong_answer", s.wrong_answer);
    visit("input", s.input);
    visit("right", s.right);
    visit("asked", s.asked);
  }
  /// A question is open, or will be: views show nothing of the run that comes after the cursor.
  bool hides_future() const { return open && !lesson.empty() && (asking || asks_later); }
  /// A question is open: races often are its answer.
  bool hides_races() const { return open && !lesson.empty() && asking; }
  /// As hides_future, of lines of the source; not where one of them is asked for.
  bool hides_code() const { return hides_future() && !(asking && asks_for_line); }
  bool operator==(const LessonState&) const = default;
};

/// What is done in either of two texts of LessonState::progress. Of a step that both have, `own` says the
/// score.
std::string merged_progress(const std::string& own, const std::string& other);

}  // namespace bscope
