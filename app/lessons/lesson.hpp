// A lesson: one markdown file whose sections are steps. Each step says in a fenced block what the app shows,
// then in words what there is to see. docs/lessons.md is its manual.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lessons/question.hpp"
#include "app/session/run_choice.hpp"
#include "app/session/state.hpp"
#include "app/tabs/time/time_state.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

/// What is wrong with a lesson, for the person who writes it.
struct Mistake {
  int line = 0;     ///< in the file, from 1
  Message message;  ///< what, and what to do
  bool operator==(const Mistake&) const = default;
};

/// Where in its run a step looks, in the words of the screen. Resolved by `find_place`.
struct StepLocation {
  std::optional<int> launch;  ///< from 1
  std::optional<int> block;   ///< number of the block looked at, from 0
  std::optional<int> step;    ///< of the block, from 1; 0: the last. With a phase: counted within it
  std::string phase;          ///< empty: any
  std::string cell, array;    ///< "sum[15]", "sum"; empty: none chosen
  std::string line;           ///< a source line's number, or a part of its text; empty: none
  int thread = -1;            ///< followed; -1: none
  float zoom = 1;
  int first_cell = 0;  ///< where the zoomed view begins
};

struct LessonStep {
  std::string title;
  int line = 0;   ///< of its heading
  Target target;  ///< its run, with what it keeps from the steps before
  StepLocation location;
  std::string tab = main_tab;       ///< Tab::name
  RunChoice compare;                ///< second run of Compare; of neither kernel nor file: the next variant
  std::optional<int> log_n, block;  ///< of the Time tab
  std::optional<TimeFacet> chart;   ///< of the Time tab, beside throughput; none: as it was
  std::optional<bool> padded;       ///< Banks: the padded twin beside it
  std::vector<std::pair<std::string, int>>
      controls;          ///< of the tab, by Control::name, and where they are put
  bool predict = false;  ///< the changed cells are asked for before they are shown
  bool arrows = true;
  std::string lanes;            ///< beside the source's lines, of the "step" or the "run"; empty: values
  std::optional<bool> machine;  ///< the source panel tells of the kernel's machine code; not said: as it was
  bool hand_over = false;       ///< the selected flag's hand-over in the whole run's place
  struct TextPart {
    std::string text;  ///< markdown with placeholders
    int line = 0;      ///< where it begins
    /// What an answer shows, where it has settings of its own; null: as the part before it. Without parts.
    std::shared_ptr<const LessonStep> shows = {};
    Question question =
        {};  ///< that it ends with, where it takes an answer; the next part is the answer's text
  };
  std::vector<TextPart> parts;  ///< at least one; those after the first answer when Next is pressed
  /// Line of the setting in the file; the heading's if it is not there.
  int line_of(std::string_view setting) const;
  /// The same of the setting that says what is run: "kernel" or "file".
  int line_of_run() const { return line_of(target.is_file() ? "file" : "kernel"); }
  std::vector<std::pair<std::string, int>> lines;
};

/// What the step shows when this many of its answers have been asked for.
const LessonStep& shown_at(const LessonStep&, int part);

struct Lesson {
  std::string id;      ///< file name without number and ending: "blelloch"
  std::string title;   ///< its first heading
  std::string family;  ///< reduce, scan, histogram, basics, course, ... ; empty: its first kernel's
  std::string about;   ///< one sentence for the list
  std::string path;    ///< as errors name it
  std::vector<LessonStep> steps;
  std::vector<Mistake> mistakes;  ///< found in the text alone, see also `check_lesson`
};

/// Reads a lesson from its text. Never fails: what cannot be understood becomes a mistake, and the rest
/// stays.
Lesson parse_lesson(std::string_view text, const std::string& path);
/// "04-blelloch.md, line 12: ..."
Message message_of(const Lesson&, const Mistake&);
/// The id of a lesson's file: "assets/lessons/en/04-blelloch.md" is "blelloch".
std::string lesson_id(const std::string& path);

}  // namespace bscope
