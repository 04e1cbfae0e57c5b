#include "app/lessons/quiz.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <set>

#include "app/lessons/answers.hpp"
#include "app/lessons/place.hpp"
#include "app/run/cursor.hpp"
#include "app/run/run.hpp"
#include "app/session/prediction.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// std::uniform_int_distribution differs between libraries; a quiz of one seed is the same everywhere.
class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  int below(int n) { return n < 2 ? 0 : int(random_() % unsigned(n)); }
  template <class T>
  void shuffle(std::vector<T>& all) {
    for (size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[size_t(below(int(k)))]);
  }

 private:
  std::mt19937 random_;
};

/// As many other values between the least and the greatest of them.
std::vector<double> other_values(const std::vector<double>& own, Dice& dice) {
  if (own.empty()) return own;
  const auto [least, greatest] = std::ranges::minmax(own);
  const int range = int(std::min(greatest - least, 1e6)) + 1;
  std::vector<double> values;
  for (size_t k = 0; k < own.size(); ++k) values.push_back(least + dice.below(std::max(range, 2)));
  return values;
}

void vary_values(RunSpec& spec, Dice& dice) {
  if (spec.values)
    spec.values = other_values(*spec.values, dice);
  else
    spec.seed += 1 + uint32_t(dice.below(1000));
}

/// Twice as many values in blocks twice as large.
void double_size(RunSpec& spec, Dice& dice) {
  const std::optional<long long> n = spec.values ? std::optional<long long>(spec.values->size()) : spec.n;
  if (!n || !spec.block || *n > 256 || *spec.block > 256) return;
  spec.n = 2 * *n;
  spec.block = 2 * *spec.block;
  spec.values.reset();
  spec.pattern.clear();
  vary_values(spec, dice);
}

/// A number that can be asked for: its placeholder, and the question.
struct AskedField {
  const char* placeholder;
  const char* question;
  bool of_step = true;  ///< of the next step; else of the whole run
};
constexpr std::array fields{
    AskedField{"working", tr_noop("How many threads work in the next step?")},
    AskedField{"adds step", tr_noop("How many adds does the next step make?")},
    AskedField{"stride", tr_noop("What is the stride of the next step?")},
    AskedField{"changed", tr_noop("How many cells does the next step change?")},
    AskedField{"wavefronts step", tr_noop("How many wavefronts of shared memory does the next step take?")},
    AskedField{"ways step", tr_noop("How many wavefronts does the worst request of the next step take?")},
    AskedField{"sectors step", tr_noop("How many sectors of global memory does the next step touch?")},
    AskedField{"queue shared step",
               tr_noop("How long is the longest queue of shared atomics in the next step?")},
    AskedField{"adds", tr_noop("How many adds does the whole run make, for {} values in blocks of {}?"),
               false},
    AskedField{
        "wavefronts",
        tr_noop(
            "How many wavefronts of shared memory does the whole run take, for {} values in blocks of {}?"),
        false},
    AskedField{
        "sectors",
        tr_noop("How many sectors of global memory does the whole run touch, for {} values in blocks of {}?"),
        false},
};

bool names(const Lesson& lesson, const std::string& placeholder) {
  const std::string braced = "{" + placeholder + "}";
  return std::ranges::any_of(lesson.steps, [&](const LessonStep& s) {
    return std::ranges::any_of(s.parts, [&](const LessonStep::TextPart& p) {
      return p.text.find(braced) != std::string::npos || p.question.answer == braced;
    });
  });
}

StepLocation at_interval(const Trace& t, const Cursor& c, int interval) {
  StepLocation location;
  location.launch = launch_number(t, c.launch);
  location.block = c.block;
  location.step = interval + 1;
  return location;
}

/// A step of the quiz before it has its number.
struct QuizItem {
  std::string kind;  ///< of which a quiz has one: a placeholder, or "predict"
  LessonStep step;
};

class QuizMaker {
 public:
  QuizMaker(const Lesson& lesson, uint32_t seed, LessonRuns& runs)
      : lesson_(lesson), runs_(runs), dice_(seed) {}

  Lesson quiz(uint32_t seed) {
    for (const LessonStep& step : lesson_.steps) {
      collect(step);
      for (const auto& part : step.parts)
        if (part.shows) collect(*part.shows);
    }
    dice_.shuffle(items_);
    Lesson quiz;
    quiz.id = quiz_id(lesson_.id, seed);
    quiz.title = tr("Quiz: {}", lesson_.title);
    quiz.family = lesson_.family;
    quiz.path = lesson_.path;
    std::set<std::string> asked;
    constexpr size_t most = 5;
    for (QuizItem& item : items_)
      if (quiz.steps.size() < most && asked.insert(item.kind).second)
        quiz.steps.push_back(std::move(item.step));
    for (size_t k = 0; k < quiz.steps.size(); ++k)
      quiz.steps[k].title = tr("Question {} of {}", k + 1, quiz.steps.size());
    return quiz;
  }

 private:
  void collect(const LessonStep& step) {
    if (step.target.is_file() || step.target.request.kernel.empty()) return;
    std::shared_ptr<const Run> run;
    try {
      run = runs_.of(step.target);
    } catch (const std::exception&) { return; }  // the lesson itself says so
    if (!run || !steps(*run)) return;
    std::vector<Mistake> unused;
    const Cursor place = find_place(step, *run, unused);
    if (!unused.empty()) return;
    if (place.interval > 0) predict_cells(step, *run, place);
    for (const AskedField& field : fields)
      if (names(lesson_, field.placeholder) && (!field.of_step || place.interval > 0) &&
          is_known(field, step, *run, place))
        ask_for(field, step, *run, place);
  }

  static LessonStep begun(const LessonStep& of) {
    LessonStep step;
    step.target = of.target;
    step.tab = of.tab;
    step.line = of.line;
    return step;
  }

  /// Some steps have no number for it: no stride where each thread moves as far as it likes.
  bool is_known(const AskedField& field, const LessonStep& step, const Run& run, const Cursor& place) {
    std::vector<Mistake> mistakes;
    const std::string text =
        filled(std::string("{") + field.placeholder + "}", 0, step, run, place, runs_, mistakes);
    return mistakes.empty() && std::isfinite(answer_number(text));
  }

  void predict_cells(const LessonStep& of, const Run& run, const Cursor& place) {
    if (of.tab != main_tab || !changes_shared_cells(run, place)) return;
    LessonStep step = begun(of);
    vary_values(step.target.request, dice_);
    step.location = at_interval(run.trace, place, place.interval);
    step.predict = true;
    step.parts.push_back({tr("> What do the cells hold after this step?"), of.line});
    step.parts.push_back({tr("That was the step."), of.line});
    items_.push_back({"predict", std::move(step)});
  }

  void ask_for(const AskedField& field, const LessonStep& of, const Run& run, const Cursor& place) {
    LessonStep step = begun(of);
    if (dice_.below(2) || !field.of_step)
      double_size(step.target.request, dice_);
    else
      vary_values(step.target.request, dice_);
    auto shown = std::make_shared<LessonStep>(step);
    shown->location = at_interval(run.trace, place, place.interval);
    step.location = at_interval(run.trace, place, field.of_step ? place.interval - 1 : 0);
    const std::string placeholder = std::string("{") + field.placeholder + "}";
    LessonStep::TextPart question{
        "> " + (field.of_step ? tr(field.question) : tr(field.question, "{n}", "{block}")), of.line};
    question.question = {
        .form = Question::Form::number, .answer = placeholder, .of_the_answer = true, .line = of.line};
    step.parts.push_back(std::move(question));
    step.parts.push_back({tr("The answer is {}.", placeholder), of.line, std::move(shown)});
    items_.push_back({field.placeholder, std::move(step)});
  }

  /// Whether a block writes into an array of shared memory there.
  static bool changes_shared_cells(const Run& run, const Cursor& place) {
    const auto& flow = run.report.flow;
    const Interval& here = interval_at(run, place);
    return std::ranges::any_of(here.nodes, [&](int id) {
      const auto& node = flow.nodes[size_t(id)];
      return writes(node.op) && node.place.array >= first_shared;
    });
  }

  const Lesson& lesson_;
  LessonRuns& runs_;
  Dice dice_;
  std::vector<QuizItem> items_;
};

}  // namespace

bool asks_of_values(const LessonStep& step) {
  if (step.target.is_file()) return false;
  if (step.predict) return true;
  return std::ranges::any_of(step.parts, [](const LessonStep::TextPart& part) {
    constexpr std::array of_values{"{value ",    "{before ", "{input ", "{output ",
                                   "{expected ", "{queue",   "{lost"};
    return part.question.is_asked() && std::ranges::any_of(of_values, [&](const char* placeholder) {
             return part.question.answer.starts_with(placeholder);
           });
  });
}

Lesson with_other_input(Lesson lesson, int step, int number) {
  if (number <= 0 || step < 0 || step >= int(lesson.steps.size())) return lesson;
  LessonStep& varied = lesson.steps[size_t(step)];
  const auto vary = [&](LessonStep& s) {
    Dice dice{uint32_t(number)};  // question and answer show the same values
    vary_values(s.target.request, dice);
  };
  vary(varied);
  for (auto& part : varied.parts) {
    if (!part.shows) continue;
    auto shows = std::make_shared<LessonStep>(*part.shows);
    vary(*shows);
    part.shows = std::move(shows);
  }
  return lesson;
}

std::string quiz_id(const std::string& lesson, uint32_t seed) { return lesson + "?" + std::to_string(seed); }
std::string lesson_of_quiz(const std::string& id) {
  const size_t mark = id.rfind('?');
  return mark == std::string::npos ? std::string() : id.substr(0, mark);
}
uint32_t seed_of_quiz(const std::string& id) {
  return uint32_t(as_whole(std::string_view(id).substr(id.rfind('?') + 1)).value_or(0));
}

Lesson quiz_of(const Lesson& lesson, uint32_t seed, LessonRuns& runs) {
  return QuizMaker(lesson, seed, runs).quiz(seed);
}

}  // namespace bscope
