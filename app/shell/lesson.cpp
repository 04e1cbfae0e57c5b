// The lesson beside every tab: a column, on the projector a strip.
#include "app/shell/lesson.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "app/assignments/assignment.hpp"
#include "app/assignments/course.hpp"
#include "app/assignments/puzzle.hpp"
#include "app/lessons/answers.hpp"
#include "app/lessons/links.hpp"
#include "app/lessons/picture.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/programs.hpp"
#include "app/lessons/progress.hpp"
#include "app/lessons/quiz.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/assets.hpp"
#include "app/run/run.hpp"
#include "app/shell/assignment.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/files.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {

/// What is kept of lessons from frame to frame: the files as read, and the step as it is shown.
struct LessonPanel {
  explicit LessonPanel(RunStore& store) : runs(store) {}
  LessonShelf shelf;
  double looked = -1e9;                   ///< when the files were last looked at, seconds
  Language looked_in = Language::en;      ///< the language then: a page has the files of others later
  AssetState files = AssetState::coming;  ///< of the lessons; until they are here the shelf is empty
  int lines = 0, first = 0, shown = 0, furthest = 0;  ///< of the text on screen

  // the step's words, filled in once
  std::string lesson;
  int step = -1, part = -1, version = -1;
  Language language = Language::en;
  std::shared_ptr<const Run> run;  ///< of the step: not always the one that is open
  Cursor place;
  std::string text;
  std::vector<Mistake> mistakes;
  std::string derived_key;  ///< of `derived`
  Lesson derived;           ///< a quiz, or a lesson with another input in the step that is shown
  int input = 0;
  std::string wrong_answer;  ///< that `question` speaks to
  QuestionView question;     ///< of the part that is shown, without what is typed
  Cursor selected;  ///< what was selected in the frame before: a click on something else may be an answer
  LessonRuns runs;
  uint64_t made = 0;  ///< goes up when the words are filled in anew
};

namespace {

void look(LessonPanel& k) {
  k.looked = ImGui::GetTime();
  k.files = offered_assets();
  if (k.files == AssetState::here) k.shelf.refresh();
}

/// The shelf, read when it is first asked for.
LessonPanel& lesson_panel(const UiState& ui) {
  auto& panel = ui.of<std::shared_ptr<LessonPanel>>();
  if (!panel) panel = std::make_shared<LessonPanel>(ui.runs);
  if (panel->files != AssetState::here) look(*panel);
  return *panel;
}

const Lesson* played(const LoadedState& s, const UiState& k) {
  const std::string& id = s.lesson.lesson;
  if (id.empty()) return nullptr;
  LessonPanel& panel = lesson_panel(k);
  LessonShelf& shelf = panel.shelf;
  const std::string quizzed = lesson_of_quiz(id), &own = quizzed.empty() ? id : quizzed;
  if (own.ends_with(".md")) shelf.add(own);
  const Lesson* lesson = shelf.find(own, s.language);
  if (!lesson || (quizzed.empty() && s.lesson.input == 0)) return lesson;
  const std::string key = fmt::format("{} {} {} {} {}", id, quizzed.empty() ? s.lesson.step : 0,
                                      s.lesson.input, shelf.version(), int(s.language));
  if (panel.derived_key != key || panel.derived.steps.empty()) {
    panel.derived = quizzed.empty() ? with_other_input(*lesson, s.lesson.step, s.lesson.input)
                                    : quiz_of(*lesson, seed_of_quiz(id), panel.runs);
    panel.derived_key = key;
  }
  return &panel.derived;
}

const Question* asked_now(const LoadedState& s, const UiState& k) {
  const Lesson* lesson = s.lesson.open ? played(s, k) : nullptr;
  return lesson ? open_question(s, *lesson) : nullptr;
}

int last_step(const Lesson& l) { return std::max(0, int(l.steps.size()) - 1); }

/// Opens a program or a recording of the course, begins an assignment.
void start_item(LoadedState& s, UiState& k, const CourseItem& item) {
  if (item.category != CourseItem::Category::assignment) return open_path(s, k, item.file.string());
  const CourseAssignment& a = item.assignment;
  if (!a.assignment) return refuse(s, a.mistake, Where::file);
  begin_assignment(s, k, a.assignment, a.name);
}

void start(LoadedState& s, UiState& k, const std::string& id) {
  const LessonShelf& shelf = lesson_panel(k).shelf;
  const auto& ids = shelf.ids();
  if (const CourseItem* item = shelf.course().item(id)) {
    s.lesson.chosen = int(std::ranges::find(ids, id) - ids.begin());
    return start_item(s, k, *item);
  }
  const Lesson* lesson = shelf.find(id, s.language);
  if (!lesson) return;
  s.lesson.chosen = int(std::ranges::find(ids, id) - ids.begin());
  // where it was left; from the beginning if it was done
  int step = 0;
  while (step < last_step(*lesson) && is_done(s.lesson, id, step)) ++step;
  if (steps_done(s.lesson, id) > last_step(*lesson)) step = 0;
  s = at_lesson_step(std::move(s), *lesson, step, k.runs);
  s.lesson.open = true;
  s.lesson.lesson = id;
}

void to_lesson_step(LoadedState& s, UiState& k, int step) {
  if (const Lesson* lesson = played(s, k)) s = at_lesson_step(std::move(s), *lesson, step, k.runs);
}

void show_list(LoadedState& s) {
  s.lesson.open = true;
  s.lesson.lesson.clear();
}

// --- commands ----------------------------------------------------------------------------------------

bool in_list(const LoadedState& s, const UiState&) { return s.lesson.open && s.lesson.lesson.empty(); }
bool in_lesson(const LoadedState& s, const UiState&) { return s.lesson.open && !s.lesson.lesson.empty(); }
bool is_open(const LoadedState& s, const UiState&) { return s.lesson.open; }

/// What was asked has been answered, so that it can be asked of other numbers.
bool can_ask_again(const LoadedState& s, const UiState& k) {
  const Lesson* lesson = s.lesson.open ? played(s, k) : nullptr;
  if (!lesson || s.lesson.step >= int(lesson->steps.size())) return false;
  const LessonStep& step = lesson->steps[size_t(s.lesson.step)];
  return asks_of_values(step) && s.lesson.part + 1 >= int(step.parts.size());
}
void ask_again(LoadedState& s, UiState& k) {
  ++s.lesson.input;
  to_lesson_step(s, k, s.lesson.step);
}

/// Of a lesson that is no quiz itself.
bool can_quiz(const LoadedState& s, const UiState&) {
  return s.lesson.open && !s.lesson.lesson.empty() && lesson_of_quiz(s.lesson.lesson).empty();
}
/// The window's quizzes differ from each other: their seed is random.
void start_quiz(LoadedState& s, UiState& k) {
  const Lesson* lesson = played(s, k);
  if (!lesson) return;
  const uint32_t seed = std::random_device()() % 1'000'000;
  const Lesson quiz = quiz_of(*lesson, seed, lesson_panel(k).runs);
  if (quiz.steps.empty()) return;
  s.lesson = without_quizzes(std::move(s.lesson), lesson->id);
  s = at_lesson_step(std::move(s), quiz, 0, k.runs);
}

bool is_answered(const LoadedState& s, const UiState& k) {
  const Question* q = asked_now(s, k);
  return q && q->form != Question::Form::choice && !s.lesson.answer.empty();
}
bool is_chosen_from(const LoadedState& s, const UiState& k) {
  const Question* q = asked_now(s, k);
  return q && q->form == Question::Form::choice;
}

void open_or_hide(LoadedState& s, UiState&) { s.lesson.open = !s.lesson.open; }
void all_lessons(LoadedState& s, UiState&) { show_list(s); }

void choose_lesson(LoadedState& s, UiState& k, int by) {
  const int n = int(lesson_panel(k).shelf.ids().size());
  if (n) s.lesson.chosen = std::clamp(s.lesson.chosen + by, 0, n - 1);
}

/// Reads on, then the answer, then the next step; after the last one back to the list, at the next lesson.
void next(LoadedState& s, UiState& k) {
  if (in_list(s, k)) return choose_lesson(s, k, 1);
  const Lesson* lesson = played(s, k);
  if (!lesson || lesson->steps.empty()) return show_list(s);
  LessonPanel& panel = lesson_panel(k);
  LessonState& l = s.lesson;
  l.step = std::clamp(l.step, 0, last_step(*lesson));
  if (panel.shown < panel.lines && panel.lesson == l.lesson && panel.step == l.step && panel.part == l.part) {
    l.scroll = std::max(l.scroll + 1, panel.shown);
    return;
  }
  if (l.part + 1 < int(lesson->steps[size_t(l.step)].parts.size())) {
    s = with_answer_given(std::move(s), *lesson, panel.runs, k.runs, true);
    return;
  }
  const int done = l.step;
  l = with_done(std::move(l), lesson->id, done);
  if (done < last_step(*lesson)) return to_lesson_step(s, k, done + 1);
  const auto& ids = panel.shelf.ids();
  const std::string quizzed = lesson_of_quiz(l.lesson);
  const auto here = std::ranges::find(ids, quizzed.empty() ? l.lesson : quizzed);
  if (here != ids.end()) l.chosen = int(std::min(here + 1, ids.end() - 1) - ids.begin());
  show_list(s);
}

void back_one(LoadedState& s, UiState& k) {
  if (in_list(s, k)) return choose_lesson(s, k, -1);
  if (lesson_panel(k).first > 0)
    s.lesson.scroll = 0;
  else if (s.lesson.step > 0)
    to_lesson_step(s, k, s.lesson.step - 1);
}

void start_chosen(LoadedState& s, UiState& k) {
  const auto& ids = lesson_panel(k).shelf.ids();
  if (s.lesson.chosen >= 0 && s.lesson.chosen < int(ids.size())) start(s, k, ids[size_t(s.lesson.chosen)]);
}

void check_answer(LoadedState& s, UiState& k) {
  if (const Lesson* lesson = played(s, k))
    s = with_answer_given(std::move(s), *lesson, lesson_panel(k).runs, k.runs);
}

void erase_answer(LoadedState& s, UiState&) {
  if (!s.lesson.answer.empty()) s.lesson.answer.pop_back();
}

void choose(LoadedState& s, UiState& k, size_t which) {
  const Question* q = asked_now(s, k);
  if (!q || q->form != Question::Form::choice || which >= q->choices.size()) return;
  s.lesson.answer = q->choices[which];
  check_answer(s, k);
}
template <size_t Which>
void choose_key(LoadedState& s, UiState& k) {
  choose(s, k, Which);
}

void type_character(LoadedState& s, const Question& q, char32_t c) {
  LessonState& l = s.lesson;
  if (l.answer == l.wrong_answer) l.answer.clear();  // what is typed after a wrong answer is another one
  type_answer(q.form, l.answer, c);
}

void return_to_step(LoadedState& s, UiState& k) {
  const int step = s.lesson.step, part = s.lesson.part, scroll = s.lesson.scroll;
  if (const Lesson* lesson = played(s, k)) s = at_lesson_step(std::move(s), *lesson, step, k.runs, part);
  s.lesson.scroll = scroll;
  lesson_panel(k).selected = s.cursor;
}

void begin_again(LoadedState& s, UiState& k) {
  s.lesson = afresh(std::move(s.lesson), s.lesson.lesson);
  to_lesson_step(s, k, 0);
}

constexpr CommandGroup group{tr_noop("Lessons")};
const RegisterCommands lessons{
    group("lesson.open", tr_noop("Show or hide the lessons"), {ImGuiKey_L}, open_or_hide),
    when(is_open, group("lesson.next", tr_noop("Go on in the lesson"), {ImGuiKey_N}, next)),
    when(is_open,
         group("lesson.back", tr_noop("Go back in the lesson"), {ImGuiMod_Shift | ImGuiKey_N}, back_one)),
    first(when(in_list,
               group("lesson.down", tr_noop("Choose the next lesson"), {ImGuiKey_DownArrow}, next, true))),
    first(when(in_list,
               group("lesson.up", tr_noop("Choose the lesson before"), {ImGuiKey_UpArrow}, back_one, true))),
    when(in_list, group("lesson.start", tr_noop("Open the chosen lesson"),
                        {ImGuiKey_Enter, ImGuiKey_KeypadEnter}, start_chosen)),
    first(when(is_answered, group("lesson.check", tr_noop("Check your answer"),
                                  {ImGuiKey_Enter, ImGuiKey_KeypadEnter}, check_answer))),
    first(when(is_answered, group("lesson.erase", tr_noop("Take back the last character of your answer"),
                                  {ImGuiKey_Backspace}, erase_answer, true))),
    first(when(is_chosen_from,
               group("lesson.choose1", tr_noop("Take the first choice"), {ImGuiKey_1}, choose_key<0>))),
    first(when(is_chosen_from,
               group("lesson.choose2", tr_noop("Take the second choice"), {ImGuiKey_2}, choose_key<1>))),
    first(when(is_chosen_from,
               group("lesson.choose3", tr_noop("Take the third choice"), {ImGuiKey_3}, choose_key<2>))),
    first(when(is_chosen_from,
               group("lesson.choose4", tr_noop("Take the fourth choice"), {ImGuiKey_4}, choose_key<3>))),
    first(when(is_chosen_from,
               group("lesson.choose5", tr_noop("Take the fifth choice"), {ImGuiKey_5}, choose_key<4>))),
    first(when(is_chosen_from,
               group("lesson.choose6", tr_noop("Take the sixth choice"), {ImGuiKey_6}, choose_key<5>))),
    when(in_lesson, group("lesson.return", tr_noop("Come back to the lesson's step"),
                          {ImGuiMod_Shift | ImGuiKey_L}, return_to_step)),
    group("lesson.all", tr_noop("Show the list of all lessons"), {ImGuiMod_Alt | ImGuiKey_L}, all_lessons),
    when(can_ask_again, group("lesson.another", tr_noop("Ask again with other numbers"), {}, ask_again)),
    when(can_quiz, group("lesson.quiz", tr_noop("Take a quiz on the lesson"), {}, start_quiz)),
    when(in_lesson, group("lesson.again", tr_noop("Begin the lesson again"), {}, begin_again)),
};

// --- drawing -----------------------------------------------------------------------------------------

/// What was answered to the question of a part, and what it is worth, as a paragraph of the text; empty:
/// nothing was.
std::string verdict_on(const Lesson& lesson, const LessonState& l, int part, LessonRuns& runs) {
  const Question& q = lesson.steps[size_t(l.step)].parts[size_t(part)].question;
  const std::string given = q.is_asked() ? answer_given(l, lesson.id, l.step, part) : std::string();
  if (given.empty()) return {};
  const auto judged = judged_answer(lesson, l.step, part, given, runs);
  if (!judged) return {};
  std::string what = q.form == Question::Form::line ? tr("line {}", given) : given;
  if (const auto choice = std::ranges::find(q.choices, given); choice != q.choices.end())
    what = choice_texts(lesson, l.step, part, runs)[size_t(choice - q.choices.begin())];
  if (judged->is_right) return tr("**Right:** {}", what) + "\n\n";
  return tr("**Your answer:** {}", what) + (judged->sentence.empty() ? "" : ". " + judged->sentence) + "\n\n";
}

QuestionView question_view(const Lesson& lesson, const Question& q, const LessonState& l, LessonRuns& runs) {
  QuestionView view{
      q.form, q.takes_several(), choice_texts(lesson, l.step, l.part, runs), {}, l.wrong_answer};
  if (const auto wrong = std::ranges::find(q.choices, l.wrong_answer); wrong != q.choices.end())
    view.wrong = view.choices[size_t(wrong - q.choices.begin())];
  if (l.wrong_answer.empty()) return view;
  if (const auto judged = judged_answer(lesson, l.step, l.part, l.wrong_answer, runs))
    view.sentence = judged->sentence;
  return view;
}

/// The step's words and place, made again when the lesson, the step or the file changed.
void fill_in(View& v, const Lesson& lesson) {
  LessonPanel& k = *v.ui.of<std::shared_ptr<LessonPanel>>();
  LessonState& l = v.state.lesson;
  const LessonStep& step = lesson.steps[size_t(l.step)];
  l.part = std::clamp(l.part, 0, int(step.parts.size()) - 1);
  if (k.lesson == l.lesson && k.step == l.step && k.part == l.part && k.version == k.shelf.version() &&
      k.language == v.state.language && k.input == l.input && k.wrong_answer == l.wrong_answer)
    return;
  k.runs.know(v.state.target, v.state.run);
  std::shared_ptr<const Run> run;
  Cursor place;
  std::string text;
  std::vector<Mistake> mistakes = lesson.mistakes;
  const Question& asked = step.parts[size_t(l.part)].question;
  QuestionView question = asked.is_asked() ? question_view(lesson, asked, l, k.runs) : QuestionView();
  const LessonStep* shown = nullptr;
  for (int p = 0; p <= l.part; ++p) {
    const LessonStep* const next = &shown_at(step, p);
    if (next != shown) {
      shown = next;
      try {
        run = same_target(v.state.target, shown->target) ? v.state.run : k.runs.of(shown->target);
      } catch (const std::exception& e) {
        run.reset();
        mistakes.push_back({shown->line_of_run(), message_of(e)});
      }
      if (run) place = find_place(*shown, *run, mistakes);
    }
    const auto& part = step.parts[size_t(p)];
    if (p) text += "\n\n---\n\n" + verdict_on(lesson, l, p - 1, k.runs);
    text +=
        run && steps(*run) ? filled(part.text, part.line, *shown, *run, place, k.runs, mistakes) : part.text;
  }
  ++k.made;
  if (const Message awaited = k.runs.take_awaited(); !awaited.empty()) {  // asked for again in each frame
    k.lesson.clear();
    k.run.reset();
    k.text = tr(awaited);
    k.mistakes.clear();
    return;
  }
  k.lesson = l.lesson;
  k.step = l.step;
  k.part = l.part;
  k.version = k.shelf.version();
  k.language = v.state.language;
  k.input = l.input;
  k.wrong_answer = l.wrong_answer;
  k.question = std::move(question);
  k.run = std::move(run);
  k.place = place;
  k.text = std::move(text);
  k.mistakes = std::move(mistakes);
  k.selected = v.state.cursor;
}

/// A cell, a thread or a line that was selected since the frame before is the answer, or one of several. A
/// second click takes one of several back.
void take_selection(LoadedState& s, const Question& q, Cursor& before) {
  const Cursor now = s.cursor, old = std::exchange(before, s.cursor);
  LessonState& l = s.lesson;
  const auto take = [&](const std::string& name) {
    if (!q.takes_several() || l.answer == l.wrong_answer) {
      l.answer = name;
      return;
    }
    std::vector<std::string> all = words_in(l.answer);
    if (!std::erase(all, name)) all.push_back(name);
    l.answer.clear();
    for (const std::string& each : all) l.answer += (l.answer.empty() ? "" : " ") + each;
  };
  if (q.form == Question::Form::cells && now.cell && now.cell != old.cell)
    take(cell_name(s.run->trace, now.launch, *now.cell));
  if (q.form == Question::Form::threads && now.thread >= 0 && now.thread != old.thread)
    take(std::to_string(now.thread));
  if (q.form == Question::Form::line && now.line > 0 && now.line != old.line) take(std::to_string(now.line));
}

/// Characters that were typed in this frame, and what was selected.
void take_answer(View& v) {
  const Question* q = asked_now(v.state, v.ui);
  LessonPanel& k = lesson_panel(v.ui);
  const LessonState& l = v.state.lesson;
  const bool shown = k.lesson == l.lesson && k.step == l.step && k.part == l.part && k.input == l.input;
  if (!q || !shown) return;  // what a step selects by itself is no answer
  take_selection(v.state, *q, k.selected);
  if (ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) return;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) type_character(v.state, *q, char32_t(c));
}

/// The cell that a piece of code names in the open run.
std::optional<CellRef> cell_named(const LoadedState& s, const std::string& code) {
  if (s.run->trace.launches.empty()) return {};
  return cell_of(*s.run, s.cursor.launch, code);
}

/// Beside the lesson's own file lie what it links to and its exercises; all others come with the program.
void follow_lesson(LoadedState& s, UiState& k, const std::string& id) {
  const Lesson* here = played(s, k);
  if (here && here->id.ends_with(".md"))
    if (const std::string beside = lesson_beside(here->path, id); !beside.empty()) {
      lesson_panel(k).shelf.add(beside);
      return start(s, k, beside);
    }
  start(s, k, id);
}

void follow_assignment(LoadedState& s, UiState& k, const std::string& name) {
  const Lesson* here = played(s, k);
  if (here && here->id.ends_with(".md"))
    if (const auto file = assignment_beside(here->path, name); !file.empty()) try {
        return begin_assignment(s, k, std::make_shared<const Assignment>(read_assignment(file)), name);
      } catch (const BadFile& e) { return refuse(s, e, Where::file); }
  for (const auto& assignment : built_in_assignments())  // another name is one of the lesson's mistakes
    if (assignment->name == name) return begin_assignment(s, k, assignment, name);
}

void follow(LoadedState& s, UiState& k, const std::string& target) {
  const std::string which = target.substr(target.find(':') + 1);
  const long long step = target.starts_with("step:") ? as_whole(which).value_or(0) : 0;
  if (target.starts_with("lesson:"))
    follow_lesson(s, k, which);
  else if (target.starts_with("assignment:"))
    follow_assignment(s, k, which);
  else if (step > 0)
    to_lesson_step(s, k, int(std::min(step, 1000LL)) - 1);
  else
    s = followed(std::move(s), target, k.runs);
}

void clicked(LoadedState& s, UiState& k, const std::string& name) {
  if (name == "close") s.lesson.open = false;
  if (name == "all") show_list(s);
  if (name == "next") next(s, k);
  if (name == "back") {
    if (s.lesson.step > 0) to_lesson_step(s, k, s.lesson.step - 1);
  }
  if (name == "return") return_to_step(s, k);
  if (name == "another") ask_again(s, k);
  if (name == "quiz") start_quiz(s, k);
  if (name == "check") check_answer(s, k);
  if (name == "erase") erase_answer(s, k);
  if (name.starts_with("choose ")) choose(s, k, size_t(std::stoi(name.substr(7))));
  if (const Question* q = name.starts_with("digit ") ? asked_now(s, k) : nullptr)
    type_character(s, *q, char32_t(name.back()));
  if (name.starts_with("step ")) to_lesson_step(s, k, std::stoi(name.substr(5)));
  if (name.starts_with("lesson ")) start(s, k, name.substr(7));
  if (name.starts_with("link ")) follow(s, k, name.substr(name.find(' ', 5) + 1));
}

LessonPage page_of(const View& v, const Lesson& lesson, LessonPanel& k) {
  const LessonState& l = v.state.lesson;
  LessonPage page;
  page.title = lesson.title;
  // the title of a step that is still to come would answer the question before it
  const auto reached = [&](int i) {
    return i <= l.step || is_done(l, lesson.id, i) || is_done(l, lesson.id, i - 1);
  };
  for (int i = 0; i < int(lesson.steps.size()); ++i)
    page.steps.push_back({reached(i) ? lesson.steps[size_t(i)].title : tr("Step {}", step_number(i)),
                          is_done(l, lesson.id, i), score_of(l, lesson.id, i)});
  page.step = l.step;
  page.text = k.text;
  page.scroll = l.scroll;
  page.can_ask_again = can_ask_again(v.state, v.ui);
  page.has_quiz = can_quiz(v.state, v.ui) && l.step == last_step(lesson);
  page.more = l.part + 1 < int(lesson.steps[size_t(l.step)].parts.size());
  if (open_question(v.state, lesson)) {
    page.question = k.question;
    page.question.answer = l.answer;
  }
  page.strayed = k.run && strayed(v.state, shown_at(lesson.steps[size_t(l.step)], l.part), k.place);
  for (const Mistake& m : k.mistakes) page.mistakes.push_back(tr(message_of(lesson, m)));
  page.score = score_of(l, lesson.id);
  const auto& ids = k.shelf.ids();
  const auto here = std::ranges::find(ids, lesson.id);
  if (here != ids.end() && here + 1 != ids.end())
    if (const Lesson* after = k.shelf.find(*(here + 1), v.state.language)) page.next = after->title;
  page.cell = [&v](const std::string& code) { return cell_named(v.state, code); };
  return page;
}

/// What is shown of the lesson; of one that has no steps yet, what is wrong with it.
LessonPage page_now(View& v, const Lesson& lesson) {
  if (lesson.steps.empty()) {
    LessonPage page;
    page.title = lesson.title;
    for (const Mistake& m : lesson.mistakes) page.mistakes.push_back(tr(message_of(lesson, m)));
    return page;
  }
  int& step = v.state.lesson.step;
  step = std::clamp(step, 0, last_step(lesson));
  fill_in(v, lesson);
  return page_of(v, lesson, *v.ui.of<std::shared_ptr<LessonPanel>>());
}

/// The lesson's box in the area, drawn, and what it leaves; without a page: the list's.
std::pair<Box, Box> places(View& v, Box area, const LessonPage* page, bool alone) {
  const Theme& t = v.theme;
  if (alone) {
    v.frame(area);
    return {area, {}};
  }
  const float gap = t.px(8);
  Box box = area, rest = area, around{area.x - gap, area.y - gap, area.w + 2 * gap, area.h + 2 * gap};
  if (t.projector()) {
    // the list lies over nothing that is explained: it may take what all of it needs
    box.h = page ? lesson_strip_height(*page, t, v.metrics, area.w, area.h * 0.24f)
                 : lesson_list_height(lesson_panel(v.ui).shelf.ids().size(), t, area.w, area.h * 0.48f);
    rest.y += box.h + gap;
    rest.h -= box.h + gap;
    around.h = box.h + gap;
  } else {
    box.w = lesson_column_width(t);
    rest.x += box.w + gap;
    rest.w -= box.w + gap;
    around.w = box.w + gap;
  }
  if (v.on_panels)
    v.panels(around, {box});
  else
    v.frame(box);
  return {box, rest};
}

/// What is no lesson, in the list of them.
LessonEntry entry_of(const std::string& id, const CourseItem& item, const std::string& course) {
  LessonEntry e{id, {}, item.title, item.about, 0, 0, {}, false, course};
  switch (item.category) {
    case CourseItem::Category::program: e.kind = tr("program"); break;
    case CourseItem::Category::recording: e.kind = tr("recorded run"); break;
    case CourseItem::Category::assignment: {
      const auto& a = item.assignment.assignment;
      e.broken = !a;
      e.kind = a && a->is_puzzle() ? tr("puzzle") : tr("assignment");
      e.about = a ? tr(a->task) : tr(item.assignment.mistake);
    }
  }
  return e;
}

}  // namespace

std::vector<LessonEntry> lesson_entries(const LoadedState& s, UiState& k) {
  const LessonShelf& shelf = lesson_panel(k).shelf;
  const std::string& course = shelf.course().title();
  std::vector<LessonEntry> all;
  if (const AssetState files = lesson_panel(k).files; files != AssetState::here) {
    LessonEntry& awaited = all.emplace_back();
    awaited.title = awaited.heading = tr("Lessons");
    awaited.about = files == AssetState::lost
                        ? tr("There is no connection: lessons are fetched when it is back.")
                        : tr("Lessons are being fetched.");
    awaited.kind = "...";
  }
  for (const std::string& id : shelf.ids())
    if (const CourseItem* item = shelf.course().item(id))
      all.push_back(entry_of(id, *item, course));
    else if (const Lesson* l = shelf.find(id, s.language))
      all.push_back({id, l->family, l->title, l->about, int(l->steps.size()), steps_done(s.lesson, id),
                     score_of(s.lesson, id), !l->mistakes.empty(),
                     shelf.is_of_course(id) ? course : std::string()});
  return all;
}

std::vector<std::shared_ptr<const Assignment>> assignments_of_course(const UiState& k) {
  std::vector<std::shared_ptr<const Assignment>> all;
  const CourseShelf& course = lesson_panel(k).shelf.course();
  for (const std::string& id : course.item_ids())
    if (const auto& a = course.item(id)->assignment.assignment) all.push_back(a);
  return all;
}

void look_for_lessons(UiState& k) { look(lesson_panel(k)); }

void show_course(LoadedState& s, UiState& k, const std::string& folder) {
  lesson_panel(k).shelf.show_course(folder);
  show_list(s);
  s.lesson.chosen = 0;
}

void start_lesson(LoadedState& s, UiState& k, const std::string& id) { start(s, k, id); }

bool answer_is_typed(const LoadedState& s, const UiState& k) {
  const Question* q = asked_now(s, k);
  return q && (q->form == Question::Form::number || q->form == Question::Form::threads);
}

bool is_program_of_lesson(const LoadedState& s, UiState& k, const std::string& file) {
  const Lesson* lesson = s.lesson.open ? played(s, k) : nullptr;
  return lesson && programs_of(*lesson).contains(file);
}

void return_to_lesson(LoadedState& s, UiState& k) { return_to_step(s, k); }

bool answer_is_held_back(const LoadedState& s, UiState& k) {
  const Lesson* lesson = s.lesson.open ? played(s, k) : nullptr;
  return lesson && asks(s, *lesson);
}

namespace {

Box show(View& v, Box area, bool alone) {
  const Theme& t = v.theme;
  LessonPanel& k = lesson_panel(v.ui);
  k.runs.in_cuda = !v.state.dialect;  // lines that are clicked are those on screen
  // A teacher writes with the app open: files are looked at once a second, while frames are drawn.
  if (ImGui::GetTime() - k.looked > 1 || std::exchange(k.looked_in, v.state.language) != v.state.language)
    look(k);
  LessonState& l = v.state.lesson;
  const Lesson* lesson = played(v.state, v.ui);
  if (lesson) v.state = with_prediction(std::move(v.state), *lesson);
  if (lesson) take_answer(v);
  if (!lesson) l.lesson.clear();
  const bool listed = l.lesson.empty();
  const LessonPage page = listed ? LessonPage() : page_now(v, *lesson);
  const auto [box, rest] = places(v, area, listed ? nullptr : &page, alone);

  const uint64_t extra = fingerprint(l) ^ uint64_t(k.shelf.version()) << 48 ^ k.made << 32 ^
                         uint64_t(k.files) << 40 ^ uint64_t(page.strayed) << 63 ^ uint64_t(t.projector());
  const auto draw = [&](float w, float h) {
    if (listed) return lesson_list(lesson_entries(v.state, v.ui), l.chosen, t, v.metrics, w, h);
    LessonPicture made = lesson_page(page, t, v.metrics, w, h);
    k.lines = made.lines;
    k.first = made.first;
    k.shown = made.shown;
    k.furthest = made.furthest;
    return std::move(made.picture);
  };
  const auto touched = v.picture("lesson", box, draw, {.extra = extra, .framed = false, .turns = true});
  if (touched.wheel != 0 && touched.over) {
    if (listed)
      choose_lesson(v.state, v.ui, touched.wheel > 0 ? -1 : 1);
    else
      l.scroll = std::clamp(k.first - int(std::lround(touched.wheel * 2)), 0, std::max(0, k.furthest));
  }
  if (touched.clicked && touched.clicked->what == HitRegion::cell) v.state.tab = main_tab;
  if (touched.clicked && touched.clicked->what == HitRegion::button) {
    const std::string name = touched.clicked->name;  // the picture may go with the state
    v.ui.dispatcher.dispatch(v.state, [&ui = v.ui, name](LoadedState& s) { clicked(s, ui, name); });
  }
  return rest;
}

}  // namespace

Box show_lesson(View& v, Box area) { return show(v, area, false); }
void show_lesson_alone(View& v, Box area) { show(v, area, true); }

}  // namespace bscope
