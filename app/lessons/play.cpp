#include "app/lessons/play.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string_view>
#include <utility>

#include "app/lessons/answers.hpp"
#include "app/lessons/links.hpp"
#include "app/lessons/picture.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/progress.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/tabs/memory/memory_state.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {
namespace {

/// Whether the step or one of its answers has lanes beside the source's lines.
bool shows_lanes(const LessonStep& step) {
  return !step.lanes.empty() || std::ranges::any_of(step.parts, [](const LessonStep::TextPart& part) {
    return part.shows && !part.shows->lanes.empty();
  });
}

}  // namespace

bool same_target(const Target& a, const Target& b) {
  const auto plain = [](RunSpec q) {
    if (q.pattern.empty()) q.pattern = "random";  // which is what it means
    if (q.values) q.pattern.clear();
    q.input_name.clear();
    std::sort(q.set.begin(), q.set.end());
    return q;
  };
  const auto program = [](const Target& t) {
    cuda::Program p = t.program;
    if (p.files == std::vector{t.file}) p.files.clear();  // which is what it means
    return p;
  };
  if (a.file != b.file || a.schedule.kind != b.schedule.kind || a.schedule.seed != b.schedule.seed)
    return false;
  if (a.is_program()) return program(a) == program(b);
  return a.device == b.device && plain(a.request) == plain(b.request);
}

/// Whether the text ends with a question mark.
static bool is_question(std::string_view text) {
  const size_t end = text.find_last_not_of(" \n*");
  text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  return text.ends_with('?') || text.ends_with("？");
}
/// Whether the part asks something: it ends in a question, or quotes one in a line of its own. Its answer is
/// the next part, or the next step.
static bool holds_question(std::string_view text) {
  if (is_question(text)) return true;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with("> ") && is_question(line)) return true;
    at = end + 1;
  }
  return false;
}
static bool leaves_open(const LessonStep& step, int part) {
  return part + 1 < int(step.parts.size()) || holds_question(step.parts[size_t(part)].text);
}

/// Notes whether the part of the step that is shown leaves a question open, and which.
static void set_asking(LessonState& l, const LessonStep& step) {
  l.asking = leaves_open(step, l.part);
  l.asks_for_line = step.parts[size_t(l.part)].question.form == Question::Form::line;
}

/// Whether a step after this one asks about the run that is shown now, and has not been done yet.
static bool asks_later(const LessonState& l, const Lesson& lesson, const Target& shown) {
  for (int k = l.step + 1; k < int(lesson.steps.size()); ++k) {
    const LessonStep& later = lesson.steps[size_t(k)];
    if (leaves_open(later, 0) && same_target(later.target, shown) && !is_done(l, lesson.id, k)) return true;
  }
  return false;
}

LoadedState at_lesson_step(LoadedState s, const Lesson& lesson, int number, RunStore& runs, int part) {
  if (lesson.steps.empty()) return s;
  number = std::clamp(number, 0, int(lesson.steps.size()) - 1);
  part = std::clamp(part, 0, int(lesson.steps[size_t(number)].parts.size()) - 1);
  const LessonStep& step = shown_at(lesson.steps[size_t(number)], part);
  if (s.lesson.lesson != lesson.id || s.lesson.step != number) s.lesson.input = 0;
  s.lesson.open = true;
  s.lesson.lesson = lesson.id;
  s.lesson.step = number;
  s.lesson.part = part;
  s.lesson.scroll = part ? scrolled_to_answer : 0;
  s.lesson.answer.clear();
  s.lesson.wrong_answer.clear();
  s.lesson.asking = s.lesson.asks_later = false;  // until its run is there
  s.playing = false;
  const bool same = s.run && same_target(s.target, step.target);
  const int before = same ? step_of(*s.run, s.cursor) : -1;
  if (!same && step.target.is_program() && runs_programs && !may_run(step.target.file)) {
    s.asks_to_run = step.target.file;
    return s;
  }
  if (!same) {
    LoadedState after = opened(s, step.target, Where::nowhere, runs);
    if (after.awaits) return after;
    if (!after.error.empty()) {
      refuse(s, after.error, Where::nowhere);
      return s;
    }
    s = std::move(after);
  }
  forgive(s);
  std::vector<Mistake> unused;
  s.cursor = find_place(step, *s.run, unused);
  s.held = 0;
  s.tab = step.tab;
  s.of<WatchState>().hand_over = step.hand_over;
  if (step.machine) s.of<WatchState>().machine_code = *step.machine;
  s.of<WatchState>().all_blocks = s.of<WatchState>().all_arrays = false;
  if (std::ranges::any_of(lesson.steps, shows_lanes))
    s.of<WatchState>().profile = step.lanes == "step"  ? Profile::step
                                 : step.lanes == "run" ? Profile::run
                                                       : Profile::values;
  const Tab& tab = tab_of(s);
  if (tab.compares) {
    RunChoice other = step.compare;
    if (other == RunChoice{}) other.kernel = next_variant(step.target.request.kernel);
    const CompareRuns& shown = compare_runs(s);
    if (!same || !shown.other || shown.compared_to != other) s = with_other(std::move(s), other, runs);
    if (s.awaits) return s;
  }
  s.of<BanksState>().request = s.of<MemoryState>().request = -1;
  s.of<BanksState>().playing = s.of<MemoryState>().playing = false;
  if (tab.begin_lesson_step) tab.begin_lesson_step(s);
  if (step.padded) s.of<BanksState>().beside = *step.padded;
  if (step.log_n) s.of<TimeState>().log_n = *step.log_n;
  if (step.block) s.of<TimeState>().block = *step.block;
  if (step.chart) s.of<TimeState>().facet = *step.chart;
  for (const auto& [name, value] : step.controls)
    for (const Control& c : tab_of(s).controls)
      if (c.name == name) c.set(s, value);
  s = leave_prediction(std::move(s));
  set_asking(s.lesson, lesson.steps[size_t(number)]);
  s.lesson.asks_later = asks_later(s.lesson, lesson, step.target);
  s.lesson.asks_in = step.tab;
  s.lesson.right = s.prediction.right;
  s.lesson.asked = s.prediction.asked;
  if (step.predict && part == 0) s = predict(std::move(s));
  // one barrier further in the same run: the step is seen to happen
  if (same && !s.reduced_motion && step_of(*s.run, s.cursor) == before + 1 && step.tab == main_tab &&
      !step.predict)
    s.cursor.phase = 0;
  return s;
}

LoadedState answered(LoadedState s, const Lesson& lesson, RunStore& runs) {
  LessonState& l = s.lesson;
  if (l.lesson != lesson.id || l.step < 0 || l.step >= int(lesson.steps.size())) return s;
  const auto& parts = lesson.steps[size_t(l.step)].parts;
  if (l.part + 1 >= int(parts.size())) return s;
  ++l.part;
  l.answer.clear();
  l.wrong_answer.clear();
  l.scroll = scrolled_to_answer;
  set_asking(l, lesson.steps[size_t(l.step)]);
  if (s.prediction.hides()) s = reveal(std::move(s));
  if (!parts[size_t(s.lesson.part)].shows) return s;
  const auto [step, part] = std::pair(s.lesson.step, s.lesson.part);
  return at_lesson_step(std::move(s), lesson, step, runs, part);
}

const Question* open_question(const State& s, const Lesson& lesson) {
  if (!asks(s, lesson)) return nullptr;
  const Question& q = lesson.steps[size_t(s.lesson.step)].parts[size_t(s.lesson.part)].question;
  return q.is_asked() ? &q : nullptr;
}

namespace {

/// A question's texts with their placeholders filled in.
class AnswerKey {
 public:
  /// Throws what opening the run throws; has no run while it is loading.
  AnswerKey(const LessonStep& step, int part, LessonRuns& runs)
      : question_(step.parts[size_t(part)].question),
        shown_(shown_at(step, question_.of_the_answer ? part + 1 : part)),
        runs_(runs),
        run_(runs.of(shown_.target)) {
    if (run_) place_ = find_place(shown_, *run_, mistakes_);
  }
  bool is_loading() const { return !run_; }
  std::string text(const std::string& t) {
    return filled(t, question_.line, shown_, *run_, place_, runs_, mistakes_);
  }
  /// A line is known by its number, a choice by what was written.
  std::string answer(const std::string& t) {
    if (question_.form == Question::Form::choice) return t;
    if (question_.form != Question::Form::line) return text(t);
    LessonStep step = shown_;
    step.location.line = t;
    return std::to_string(find_place(step, *run_, mistakes_).line);
  }
  bool has_cell(const std::string& name) const { return cell_of(*run_, place_.launch, name).has_value(); }
  const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  const Question& question_;
  const LessonStep& shown_;
  LessonRuns& runs_;
  std::shared_ptr<const Run> run_;
  Cursor place_;
  std::vector<Mistake> mistakes_;
};

/// What is wrong with the question of a part: placeholders, places, wrong answers that are right.
std::vector<Mistake> question_mistakes(const LessonStep& step, int part, LessonRuns& runs) {
  const Question& q = step.parts[size_t(part)].question;
  AnswerKey key(step, part, runs);
  if (key.is_loading()) return {};
  const std::vector<Mistake> before = key.mistakes();  // of the place, which are reported with the step
  const auto wrong = [&](Message m) { return Mistake{q.line, std::move(m)}; };
  std::vector<Mistake> all;
  const std::string answer = key.answer(q.answer);
  if (q.form == Question::Form::number && std::isnan(answer_number(answer)))
    all.push_back(wrong(message("the answer \"{}\" is no number: write one, or one placeholder", answer)));
  if (q.form == Question::Form::threads)
    for (const std::string& word : words_in(answer))
      if (!as_whole(word)) all.push_back(wrong(message("\"{}\" is no thread: write its number", word)));
  if (q.form == Question::Form::cells)
    for (const std::string& word : words_in(answer))
      if (!key.has_cell(word)) all.push_back(wrong(message("there is no cell {} here", word)));
  std::vector<std::string> seen{answer};
  for (const auto& w : q.wrong) {
    const std::string other = key.answer(w.answer);
    if (std::ranges::any_of(seen, [&](const std::string& s) { return same_answer(q.form, s, other); }))
      all.push_back(wrong(message("\"wrong {}\" is the right answer, or stands there twice", w.answer)));
    else if (q.form == Question::Form::choice && std::ranges::find(q.choices, w.answer) == q.choices.end())
      all.push_back(wrong(message("\"wrong {}\" is none of the choices: copy one", w.answer)));
    seen.push_back(other);
    key.text(w.sentence);
  }
  key.text(q.hint);
  for (const std::string& c : q.choices) key.text(c);
  all.insert(all.end(), key.mistakes().begin() + long(before.size()), key.mistakes().end());
  return all;
}

}  // namespace

std::optional<JudgedAnswer> judged_answer(const Lesson& lesson, int step, int part, const std::string& answer,
                                          LessonRuns& runs) {
  const LessonStep& s = lesson.steps[size_t(step)];
  const Question& q = s.parts[size_t(part)].question;
  try {
    AnswerKey key(s, part, runs);
    if (key.is_loading()) return {};
    if (same_answer(q.form, answer, key.answer(q.answer))) return JudgedAnswer{true};
    for (const auto& [wrong, sentence] : q.wrong)
      if (same_answer(q.form, answer, key.answer(wrong))) return JudgedAnswer{false, key.text(sentence)};
    return JudgedAnswer{false, key.text(q.hint)};
  } catch (const std::exception&) { return {}; }
}

std::vector<std::string> choice_texts(const Lesson& lesson, int step, int part, LessonRuns& runs) {
  std::vector<std::string> texts = lesson.steps[size_t(step)].parts[size_t(part)].question.choices;
  try {
    AnswerKey key(lesson.steps[size_t(step)], part, runs);
    if (!key.is_loading())
      for (std::string& text : texts) text = key.text(text);
  } catch (const std::exception&) {}  // that its run cannot be opened is a mistake of the lesson
  return texts;
}

LoadedState with_answer_given(LoadedState s, const Lesson& lesson, LessonRuns& judged_by, RunStore& runs,
                              bool reveal) {
  if (!open_question(s, lesson)) return reveal ? answered(std::move(s), lesson, runs) : s;
  LessonState& l = s.lesson;
  const int step = l.step, part = l.part;
  const std::string given = l.answer.empty() ? l.wrong_answer : l.answer;
  if (given.empty()) return reveal ? answered(std::move(s), lesson, runs) : s;
  judged_by.know(s.target, s.run);
  const auto judged = judged_answer(lesson, step, part, given, judged_by);
  if (!judged) {
    if (judged_by.loading()) s.awaits = Awaited{*judged_by.loading()};
    return s;
  }
  if (!judged->is_right && !reveal) {
    l.wrong_answer = given;
    return s;
  }
  // only the first time counts, and only what was right at once is right
  const bool first = answer_given(l, lesson.id, step, part).empty();
  if (first) {
    const Score before = score_of(l, lesson.id, step);
    const bool right = judged->is_right && l.wrong_answer.empty();
    l = with_score(std::move(l), lesson.id, step, {before.right + right, before.asked + 1});
  }
  l = with_answer(std::move(l), lesson.id, step, part, given);
  return answered(std::move(s), lesson, runs);
}

bool asks(const State& s, const Lesson& lesson) {
  const LessonState& l = s.lesson;
  if (!l.open || l.lesson != lesson.id || l.step < 0 || l.step >= int(lesson.steps.size())) return false;
  const LessonStep& step = lesson.steps[size_t(l.step)];
  return l.part + 1 < int(step.parts.size()) && same_target(s.target, shown_at(step, l.part).target);
}

LoadedState with_prediction(LoadedState s, const Lesson& lesson) {
  LessonState& l = s.lesson;
  if (l.lesson != lesson.id || l.step < 0 || l.step >= int(lesson.steps.size())) return s;
  const LessonStep& step = lesson.steps[size_t(l.step)];
  if (!step.predict) return s;
  const Prediction* p = prediction_on(s);
  if (p && p->revealed && l.part == 0 && step.parts.size() > 1) {
    l.part = 1;
    set_asking(l, step);
  }
  const Score score{s.prediction.right - l.right, s.prediction.asked - l.asked};
  if (score.asked <= 0 || score.right < 0) return s;
  const int at = l.step;
  if (score_of(l, lesson.id, at) != score) l = with_score(std::move(l), lesson.id, at, score);
  return s;
}

bool strayed(const State& s, const LessonStep& step, const Cursor& place) {
  return s.tab != step.tab || s.cursor.launch != place.launch || s.cursor.block != place.block ||
         s.cursor.interval != place.interval || !same_target(s.target, step.target);
}

std::vector<Mistake> check_lesson(const Lesson& lesson, RunStore& runs) {
  std::vector<Mistake> all = lesson.mistakes;
  LessonRuns told(runs);
  const auto check = [&](const LessonStep& s) {
    std::shared_ptr<const Run> run;
    try {
      run = told.of(s.target);
      if (s.compare != RunChoice{}) {
        LoadedState state;
        state.target = s.target;
        state.run = run;
        state = with_other(std::move(state), s.compare, runs);
        if (!state.error.empty()) all.push_back({s.line_of("compare"), state.error});
      }
    } catch (const std::exception& e) {
      // a missing kernel is reported elsewhere, a program that does not compile where it is named
      if (std::none_of(all.begin(), all.end(), [&](const Mistake& m) {
            return m.line == s.line_of_run() || m.message == message_of(e);
          }))
        all.push_back({s.line_of_run(), message_of(e)});
      return std::pair(run, Cursor());
    }
    if (!steps(*run)) {
      all.push_back({s.line_of_run(),
                     s.target.is_program()
                         ? message("this run has no steps that could be shown: no launch of it is traced")
                         : message("this run has no steps that could be shown: take another n or kernel")});
      run.reset();
      return std::pair(run, Cursor());
    }
    const Cursor c = find_place(s, *run, all);
    return std::pair(run, c);
  };
  const auto add = [&](std::vector<Mistake> more) { all.insert(all.end(), more.begin(), more.end()); };
  for (const LessonStep& s : lesson.steps) {
    add(title_mistakes(s.title, s.line));
    const LessonStep* shown = nullptr;
    std::pair<std::shared_ptr<const Run>, Cursor> at;
    for (int k = 0; k < int(s.parts.size()); ++k) {
      const LessonStep* const next = &shown_at(s, k);
      if (next != shown) at = check(*next);
      shown = next;
      const auto& part = s.parts[size_t(k)];
      if (!at.first) continue;
      const auto& [run, c] = at;
      const std::string text = filled(part.text, part.line, *shown, *run, c, told, all);
      add(link_mistakes(text, part.line, {lesson, run, c, shown->target, runs}));
      add(brace_mistakes(part.text, part.line));
      if (part.question.is_asked() && k + 1 < int(s.parts.size())) add(question_mistakes(s, k, told));
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Mistake& a, const Mistake& b) { return a.line < b.line; });
  return all;
}

}  // namespace bscope
