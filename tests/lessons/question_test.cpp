// Questions of lessons: what can be written, how answers are judged, what a step does with them; quizzes.
#include "app/lessons/question.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "app/lessons/answers.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/progress.hpp"
#include "app/lessons/quiz.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/run_store.hpp"
#include "app/run/target.hpp"
#include "engine/analysis/run.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Lesson lesson_that_asks(const std::string& answer_block, const std::string& show = "phase: up-sweep 1") {
  return parse_lesson("# T\n## A\n```show\nkernel: scan/blelloch\nn: 16\nblock: 8\n" + show +
                          "\n```\n> How many?\n\n```answer\n" + answer_block + "\n```\n---\nSo many.\n",
                      "x.md");
}
std::string mistakes_in(const Lesson& lesson) {
  std::string all;
  for (const Mistake& m : check_lesson(lesson, runs_at_once())) all += tr(message_of(lesson, m)) + "\n";
  return all;
}
JudgedAnswer judged(const Lesson& lesson, const std::string& answer) {
  LessonRuns runs(runs_at_once());
  const auto result = judged_answer(lesson, 0, 0, answer, runs);
  EXPECT_TRUE(result.has_value());
  return result.value_or(JudgedAnswer());
}

TEST(LessonQuestion, EveryFormIsJudged) {
  const Lesson number =
      lesson_that_asks("number: {working}\nwrong {n}: those are {n} values\nhint: count the arrows");
  EXPECT_EQ(mistakes_in(number), "");
  EXPECT_TRUE(judged(number, "8").is_right);
  EXPECT_TRUE(judged(number, "8.0").is_right);
  EXPECT_EQ(judged(number, "16").sentence, "those are 16 values");
  EXPECT_EQ(judged(number, "3").sentence, "count the arrows");
  EXPECT_FALSE(judged(number, "").is_right);

  const Lesson choice = lesson_that_asks("choice: all\nright: half\nwrong all: half of them wait");
  EXPECT_EQ(mistakes_in(choice), "");
  EXPECT_TRUE(judged(choice, "half").is_right);
  EXPECT_EQ(judged(choice, "all").sentence, "half of them wait");

  const Lesson cells = lesson_that_asks("cells: sum[1] sum[3]");
  EXPECT_EQ(mistakes_in(cells), "");
  EXPECT_TRUE(judged(cells, "sum[3] sum[1]").is_right);
  EXPECT_FALSE(judged(cells, "sum[3]").is_right);

  const Lesson threads = lesson_that_asks("threads: 0 2");
  EXPECT_TRUE(judged(threads, "2 0").is_right);
  EXPECT_FALSE(judged(threads, "2").is_right);

  const Lesson line = lesson_that_asks("line: sum[n - 1] = identity");
  EXPECT_EQ(mistakes_in(line), "");
  const std::string& text = runs_at_once().find(line.steps[0].target)->value().run->trace.sources[0].text;
  const auto at = text.find("sum[n - 1] = identity");
  EXPECT_TRUE(
      judged(line, std::to_string(1 + std::count(text.begin(), text.begin() + long(at), '\n'))).is_right);
  EXPECT_FALSE(judged(line, "1").is_right);
}

TEST(LessonQuestion, IsComputedWhereTheAnswerLooks) {
  const std::string text =
      "# T\n## A\n```show\nkernel: scan/blelloch\nn: 16\nblock: 8\nphase: up-sweep 1\n```\n> How many next?\n"
      "```answer\nnumber: {working}\nat: answer\n```\n---\n```show\nphase: up-sweep 2\n```\nFour.\n";
  const Lesson lesson = parse_lesson(text, "x.md");
  EXPECT_TRUE(judged(lesson, "4").is_right);
  EXPECT_FALSE(judged(lesson, "8").is_right);
}

TEST(LessonQuestion, AMistakeInTheBlockIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"hint: count", "no answer"},
      {"number: 1\nthread: 2", "in one way"},
      {"number: {steps of}", "{steps of}"},
      {"number: many", "is no number"},
      {"choice: a\nchoice: b", "none of the choices is right"},
      {"right: a", "no choice"},
      {"right: a\nright: b", "one choice is right"},
      {"cell: sum[99]", "no cell sum[99]"},
      {"thread: x", "is no thread"},
      {"line: nothing like it", "has no line"},
      {"number: 8\nwrong {working}: so", "right answer"},
      {"right: a\nchoice: b\nwrong c: so", "none of the choices"},
      {"number: 8\nat: home", "neither"},
      {"size: 8", "has no \"size\""},
      {"number", "sets nothing"},
  };
  for (const auto& [block, part] : cases)
    EXPECT_THAT(mistakes_in(lesson_that_asks(block)), HasSubstr(part)) << block;
  EXPECT_THAT(mistakes_in(lesson_that_asks("number: 1", "predict: yes\nphase: up-sweep 1")),
              HasSubstr("prediction"));
  const Lesson unanswered = parse_lesson(
      "# T\n## A\n```show\nkernel: scan/blelloch\n```\n> How?\n```answer\nnumber: 1\n```\n", "x.md");
  EXPECT_THAT(mistakes_in(unanswered), HasSubstr("no answer's text"));
}

/// What is typed, character by character.
LoadedState typed(LoadedState s, const Lesson& lesson, const std::string& keys) {
  for (const char c : keys) type_answer(open_question(s, lesson)->form, s.lesson.answer, char32_t(c));
  return s;
}

TEST(LessonQuestion, OnlyWhatWasRightAtOnceCounts) {
  const Lesson lesson = lesson_that_asks("number: {working}");
  LessonRuns runs(runs_at_once());
  const LoadedState begun = at_lesson_step({}, lesson, 0, runs_at_once());
  ASSERT_TRUE(open_question(begun, lesson));

  LoadedState right = with_answer_given(typed(begun, lesson, "x8"), lesson, runs, runs_at_once());
  EXPECT_EQ(right.lesson.part, 1);
  EXPECT_EQ(score_of(right.lesson, lesson.id), (Score{1, 1}));
  EXPECT_EQ(answer_given(right.lesson, lesson.id, 0, 0), "8");

  LoadedState wrong = with_answer_given(typed(begun, lesson, "7"), lesson, runs, runs_at_once());
  EXPECT_EQ(wrong.lesson.part, 0);
  EXPECT_EQ(wrong.lesson.wrong_answer, "7");
  EXPECT_FALSE(is_done(wrong.lesson, lesson.id, 0));  // or the title of the next step would be shown
  wrong.lesson.answer = "8";
  wrong = with_answer_given(std::move(wrong), lesson, runs, runs_at_once());
  EXPECT_EQ(wrong.lesson.part, 1);
  EXPECT_EQ(score_of(wrong.lesson, lesson.id), (Score{0, 1}));

  // once more, and right: the first time stands
  wrong = with_answer_given(typed(at_lesson_step(std::move(wrong), lesson, 0, runs_at_once()), lesson, "8"),
                            lesson, runs, runs_at_once());
  EXPECT_EQ(score_of(wrong.lesson, lesson.id), (Score{0, 1}));

  // a lecturer shows the answer, and no score is kept
  const LoadedState shown = with_answer_given(begun, lesson, runs, runs_at_once(), true);
  EXPECT_EQ(shown.lesson.part, 1);
  EXPECT_EQ(score_of(shown.lesson, lesson.id), Score());

  EXPECT_EQ(afresh(right.lesson, lesson.id).answers, "");
}

/// A window's runs of programs are made in the background, and the store drops them once they are shown.
TEST(LessonQuestion, OnAProgramIsJudgedByTheOpenRunOrWaitsForAnother) {
  const std::string begin = "# T\n## A\n```show\nfile: a.cu\n```\n> How many?\n\n```answer\nnumber: 40\n";
  const Lesson here = parse_lesson(begin + "```\n---\nSo many.\n", "x.md");
  const Lesson later =
      parse_lesson(begin + "at: answer\n```\n---\n```show\nconst: N=2\n```\nSo many.\n", "x.md");
  RunStore runs;
  runs.wake = [] {};
  size_t asked = 0;
  runs.load_remotely = [&](const Target&, Progress&, const auto&) { ++asked; };
  LessonRuns judged_by(runs);
  LoadedState s;
  s.run = at_lesson_step({}, lesson_that_asks("number: 8"), 0, runs_at_once()).run;
  s.target = here.steps[0].target;
  s.lesson.open = true;
  s.lesson.lesson = here.id;
  s.lesson.answer = "7";

  const LoadedState judged = with_answer_given(s, here, judged_by, runs);
  EXPECT_EQ(judged.lesson.wrong_answer, "7");
  EXPECT_FALSE(judged.awaits);
  EXPECT_EQ(asked, 0u);

  const LoadedState waiting = with_answer_given(s, later, judged_by, runs);
  EXPECT_EQ(waiting.lesson.wrong_answer, "");
  ASSERT_TRUE(waiting.awaits && waiting.awaits->run);
  EXPECT_EQ(waiting.awaits->run->program.constants.size(), 1u);
  EXPECT_EQ(asked, 1u);
}

TEST(LessonQuestion, AnswersAreRememberedAsTheyWere) {
  LessonState l;
  for (const char* answer : {"sum[1] sum[3]", "half = 50%", "%zz", "%4"}) {
    l = with_answer(std::move(l), "my lesson.md", 2, 1, answer);
    EXPECT_EQ(answer_given(l, "my lesson.md", 2, 1), answer);
  }
  EXPECT_EQ(answer_given(l, "my lesson.md", 2, 0), "");
}

TEST(LessonQuestion, NumbersAreReadAsTheyAreWritten) {
  EXPECT_EQ(answer_number("1,024"), 1024);
  EXPECT_EQ(answer_number("0,5"), 0.5);
  EXPECT_EQ(answer_number("-3"), -3);
  EXPECT_EQ(answer_number("2.50"), 2.5);
  EXPECT_TRUE(std::isnan(answer_number("")));
  EXPECT_TRUE(std::isnan(answer_number("4x")));
}

/// Every lesson that comes with the program.
std::vector<Lesson> shipped() {
  LessonShelf shelf;
  shelf.refresh();
  std::vector<Lesson> all;
  for (const std::string& id : shelf.ids()) all.push_back(*shelf.find(id, Language::en));
  return all;
}

TEST(Quiz, IsNoMistakeForAnyLesson) {
  LessonRuns runs(runs_at_once());
  for (const Lesson& lesson : shipped())
    for (const uint32_t seed : {1u, 2u}) {
      const Lesson quiz = quiz_of(lesson, seed, runs);
      EXPECT_EQ(mistakes_in(quiz), "") << lesson.id << " " << seed;
      for (const LessonStep& step : quiz.steps)
        EXPECT_TRUE(step.predict || step.parts[0].question.is_asked()) << lesson.id;
    }
}

TEST(Quiz, IsTheSameForASeedAndAnotherForAnother) {
  LessonRuns runs(runs_at_once());
  const Lesson lesson = choose_lesson("blelloch", Language::en).lesson;
  const auto asked = [&](uint32_t seed) {
    std::string all;
    for (const LessonStep& s : quiz_of(lesson, seed, runs).steps)
      all += s.parts[0].text + std::to_string(s.target.request.seed) + "/" +
             std::to_string(s.target.request.n.value_or(0)) +
             (s.target.request.values ? std::to_string(s.target.request.values->at(0)) : "") + "\n";
    return all;
  };
  EXPECT_EQ(asked(7), asked(7));
  std::set<std::string> all;
  for (uint32_t seed = 0; seed < 8; ++seed) all.insert(asked(seed));
  EXPECT_GE(all.size(), 7u);
  EXPECT_EQ(quiz_of(lesson, 7, runs).id, "blelloch?7");
  EXPECT_EQ(lesson_of_quiz("blelloch?7"), "blelloch");
  EXPECT_EQ(seed_of_quiz("blelloch?7"), 7u);
  EXPECT_EQ(lesson_of_quiz("blelloch"), "");
}

TEST(AnotherInput, ShowsOtherValuesInTheSameStep) {
  const Lesson lesson = parse_lesson(
      "# T\n## A\n```show\nkernel: scan/blelloch\nvalues: 3 1 7 0\nblock: 2\nphase: up-sweep 1\ncell: "
      "sum[1]\n```\n> What?\n```answer\nnumber: {value sum[1]}\n```\n---\n{value sum[1]}: so.\n",
      "x.md");
  ASSERT_TRUE(asks_of_values(lesson.steps[0]));
  const Lesson other = with_other_input(lesson, 0, 1);
  const auto& values = other.steps[0].target.request.values;
  ASSERT_TRUE(values);
  EXPECT_EQ(values->size(), 4u);
  EXPECT_NE(*values, *lesson.steps[0].target.request.values);
  EXPECT_THAT(mistakes_in(other), IsEmpty());
  const int sum = int(values->at(0) + values->at(1));
  EXPECT_TRUE(judged(other, std::to_string(sum)).is_right);
  EXPECT_EQ(with_other_input(lesson, 0, 0).steps[0].target, lesson.steps[0].target);
}

}  // namespace
}  // namespace bscope
