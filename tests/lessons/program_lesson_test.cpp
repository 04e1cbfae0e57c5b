// Lessons on CUDA files: tests/lessons/course, as a lecturer lays out a folder of lessons and programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/lessons/answers.hpp"
#include "app/lessons/lesson.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/programs.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/own_program.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/picture.hpp"
#include "engine/analysis/run.hpp"
#include "tests/at_once.hpp"
#include "tests/cli/run_support.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string course = BARRIERSCOPE_ROOT "/tests/lessons/course";
const std::string shift = course + "/en/01-shift.md", neighbours = course + "/programs/neighbours.cu";

/// A lesson in that folder whose programs may run, as when it was named on a command line.
Lesson lesson_with(const std::string& text) {
  Lesson l = parse_lesson(text, course + "/en/07-mine.md");
  allow_programs_of(l);
  return l;
}
Lesson shift_lesson() {
  Lesson l = parse_lesson(test::read_file(shift), shift);
  allow_programs_of(l);
  return l;
}
std::vector<std::string> sentences_of(const Lesson& l) {
  std::vector<std::string> all;
  for (const Mistake& m : check_lesson(l)) all.push_back(message_of(l, m).english());
  return all;
}
std::string program_step_with(const std::string& settings, const std::string& text = "Words.") {
  return "# A lesson\nfamily: course\n## A step\n```show\nfile: neighbours.cu\n" + settings + "```\n" + text +
         "\n";
}

TEST(ProgramLessons, TheRunIsTheFilesAndGoesOnFromStepToStep) {
  const Lesson l = shift_lesson();
  EXPECT_THAT(sentences_of(l), IsEmpty());
  ASSERT_EQ(l.steps.size(), 4u);
  EXPECT_EQ(l.family, "course");
  const Target& first = l.steps[0].target;
  EXPECT_EQ(first.file, neighbours);
  EXPECT_THAT(first.program.arguments, ElementsAre("7"));
  EXPECT_THAT(first.program.constants, ElementsAre(cuda::Setting{"N", "40"}, cuda::Setting{"BLOCK", "8"}));
  EXPECT_TRUE(same_target(first, l.steps[1].target));
  EXPECT_FALSE(same_target(first, l.steps[2].target));
  EXPECT_THAT(l.steps[2].target.program.constants,
              ElementsAre(cuda::Setting{"BLOCK", "8"}, cuda::Setting{"N", "16"}));
  EXPECT_FALSE(l.steps[3].target.is_file());
  EXPECT_THAT(programs_of(l), ElementsAre(neighbours));
}

TEST(ProgramLessons, EachStepShowsItsPlaceAndFillsInItsNumbers) {
  const Lesson l = shift_lesson();
  LoadedState s = at_lesson_step({}, l, 0);
  ASSERT_TRUE(s.run) << s.error.english();
  EXPECT_EQ(s.cursor.block, 1);
  EXPECT_EQ(s.cursor.thread, 3);
  EXPECT_GT(s.cursor.line, 0);
  EXPECT_FALSE(strayed(s, l.steps[0], s.cursor));
  const auto words = [&](int step, int part) {
    std::vector<Mistake> mistakes;
    LessonRuns runs(runs_at_once());
    s = at_lesson_step(std::move(s), l, step, runs_at_once(), part);
    const auto& text = l.steps[size_t(step)].parts[size_t(part)];
    return filled(text.text, text.line, l.steps[size_t(step)], *s.run, s.cursor, runs, mistakes);
  };
  // in[k] is 7 + k, and block 1 begins at 8
  EXPECT_THAT(words(0, 0), HasSubstr("A block of 8 threads, 5 blocks for 40 elements. `tile[1]` holds 15."));
  EXPECT_THAT(words(0, 1), HasSubstr("`tile[4]` is 18"));
  EXPECT_THAT(words(1, 0), HasSubstr("`out[9]` is 15"));
  EXPECT_THAT(words(2, 0), HasSubstr("Now 2 blocks, still of 8. With larger blocks there are 1; 2"));
  EXPECT_THAT(words(3, 0), HasSubstr("8 elements in 1 block"));
}

TEST(ProgramLessons, ComparesWithOtherConstants) {
  const Lesson l = lesson_with(program_step_with("const: N=32\ntab: compare\ncompare: neighbours.cu N=64\n"));
  EXPECT_THAT(sentences_of(l), IsEmpty());
  const LoadedState s = at_lesson_step({}, l, 0);
  ASSERT_TRUE(s.results.of<CompareRuns>().other) << s.error.english();
  EXPECT_EQ(s.run->trace.launches[0].grid, 1);
  EXPECT_EQ(s.results.of<CompareRuns>().other->trace.launches[0].grid, 2);
  ASSERT_TRUE(s.results.of<CompareRuns>().comparison);
  EXPECT_THAT(names_of(*s.results.of<CompareRuns>().comparison), ElementsAre("N=32", "N=64"));
}

TEST(ProgramLessons, AMistakeIsToldWithItsLineAndWhatToDo) {
  struct Case {
    std::string text, says;
  };
  const Case cases[] = {
      {"# T\nfamily: course\n## S\n```show\nfile: none.cu\n```\nText.\n",
       "line 5: there is no file none.cu beside the lesson, nor in a folder \"programs\""},
      {"# T\nfamily: course\n## S\n```show\nfile: ../programs/neighbours.cu\n```\nText.\n",
       "line 5: \"file: ../programs/neighbours.cu\" names no CUDA file"},
      {"# T\n## S\n```show\nfile: neighbours.cu\n```\nText.\n",
       "line 1: this lesson has no kernel that it could be sorted by: write \"family: course\""},
      {"# T\nfamily: course\n## S\n```show\nfile: broken.cu\n```\nText.\n",
       "line 5: broken.cu does not compile:"},
      {program_step_with("n: 16\n"), "line 6: \"n\" is for kernels: a program takes const: and args:"},
      {program_step_with("set: unroll=4\n"), "line 6: \"set\" is for kernels"},
      {program_step_with("const: N\n"), "line 6: "},
      {program_step_with("const: M=3\n"), "line 5: "},
      {program_step_with("look: block 9\n"), "line 6: there is no block 9: this launch has 2"},
      {program_step_with("cell: tile[99]\n"), "line 6: there is no cell tile[99] here"},
      {program_step_with("line: goto fail\n"), "line 6: the source of this kernel has no line \"goto fail\""},
      {program_step_with("compare: broken.cu\n"), "line 6: broken.cu does not compile"},
      {program_step_with("", "It is {set M}."), "line 7: this program has no constant \"M\""},
      {program_step_with("", "It is {blocks of none.cu}."),
       "line 7: there is no file none.cu beside the step's program"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const Lesson l = lesson_with(c.text);
    const auto said = sentences_of(l);
    EXPECT_THAT(said, testing::Contains(HasSubstr(c.says)));
  }
}

TEST(ProgramLessons, WhatIsFoundElsewhereAsksBeforeItRuns) {
  const fs::path folder = fs::path(testing::TempDir()) / "lesson-elsewhere";
  fs::create_directories(folder);
  fs::copy_file(neighbours, folder / "neighbours.cu", fs::copy_options::overwrite_existing);
  const Lesson l = parse_lesson(program_step_with(""), (folder / "mine.md").string());
  LoadedState s = at_lesson_step({}, l, 0);
  EXPECT_FALSE(s.run);
  EXPECT_EQ(s.asks_to_run, (folder / "neighbours.cu").string());
  allow_programs_of(l);
  s.asks_to_run.clear();
  s = at_lesson_step(std::move(s), l, 0);
  EXPECT_TRUE(s.run) << s.error.english();
  fs::remove_all(folder);
}

}  // namespace
}  // namespace bscope
