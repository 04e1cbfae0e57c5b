// The lesson beside every tab: its steps with what is done, the words of the step, and where to go on. A
// column; on the projector a strip above the tab. And the list of all lessons, in the same place.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/lessons/progress.hpp"
#include "app/lessons/question_form.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Theme;

/// A value of LessonState::scroll in place of a line: so far that the answer that was given last is on
/// screen, below its question if both have room.
inline constexpr int scrolled_to_answer = -1;

struct LessonPage {
  std::string title;
  struct StepMark {
    std::string title;
    bool done = false;
    Score score;  ///< of a prediction; asked 0: none
  };
  std::vector<StepMark> steps;
  int step = 0;
  std::string text;            ///< markdown of the parts that are shown, placeholders filled
  int scroll = 0;              ///< first line shown, or `scrolled_to_answer`
  QuestionView question = {};  ///< that is open, where it takes an answer
  bool can_ask_again = false;  ///< with other numbers
  bool has_quiz = false;       ///< that can be begun here
  bool more = false;           ///< the step has an answer that is not shown yet
  bool strayed = false;
  std::vector<std::string> mistakes;  ///< of the lesson's file; shown above the text
  Score score;                        ///< of the whole lesson
  std::string next;                   ///< title of the lesson after this; empty: none
  std::function<std::optional<CellRef>(const std::string& code)> cell = {};
};

struct LessonEntry {
  std::string id, family, title, about;
  int steps = 0, done = 0;
  Score score;
  bool broken = false;
  std::string heading = {};  ///< above it and its like; empty: the family's name
  std::string kind = {};     ///< of what is no lesson, in words, in place of steps
};

/// What was drawn, and how far the text can be scrolled.
struct LessonPicture {
  Picture picture;
  int lines = 0;     ///< of the text
  int first = 0;     ///< on screen
  int shown = 0;     ///< one past the last that is on screen
  int furthest = 0;  ///< the largest scroll that shows something more
};
/// Hits: "step 3", "next", "back", "return" (to the step), "another" (input), "quiz", "all" (lessons),
/// "close", "link 0 TARGET", cells, and those of question_form.
LessonPicture lesson_page(const LessonPage&, const Theme&, const Metrics&, float w, float h);
/// Hits: "lesson ID", "close". `chosen` is highlighted and always in view.
Picture lesson_list(const std::vector<LessonEntry>&, int chosen, const Theme&, const Metrics&, float w,
                    float h);
/// Where lessons stand: width of the column; height of the strip for a page, and for the list of so many.
float lesson_column_width(const Theme&);
float lesson_strip_height(const LessonPage&, const Theme&, const Metrics&, float w, float most);
float lesson_list_height(size_t lessons, const Theme&, float w, float most);

}  // namespace bscope
