// Every lesson that comes with the program is played through, in both languages; broken ones give sentences.
#include "app/lessons/lesson.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "app/assignments/assignment.hpp"
#include "app/lessons/answers.hpp"
#include "app/lessons/document.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/progress.hpp"
#include "app/lessons/settings.hpp"
#include "app/lessons/shelf.hpp"
#include "app/measure/recorded.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/tabs/atomics/steps.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/timing/kinds.hpp"
#include "tests/at_once.hpp"
#include "tests/cli/run_support.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string root = BARRIERSCOPE_ROOT "/assets/lessons";

std::vector<fs::path> files(const std::string& language) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(root + "/" + language)) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}
Lesson lesson_of(const fs::path& path) { return parse_lesson(test::read_file(path), path.string()); }

std::vector<std::string> sentences(const Lesson& l, const std::vector<Mistake>& mistakes) {
  std::vector<std::string> all;
  for (const Mistake& m : mistakes) all.push_back(message_of(l, m).english());
  return all;
}

// --- those that come with the program ----------------------------------------------------------------

TEST(Lessons, AreThereForEverySubject) {
  std::set<std::string> ids;
  for (const auto& path : files("en")) ids.insert(lesson_id(path.string()));
  for (const char* id : {"tree", "unrolling", "hillis-steele", "kogge-stone-brent-kung", "blelloch", "banks",
                         "three-phase", "any-length", "look-back", "races", "atomics", "coarsening"})
    EXPECT_TRUE(ids.contains(id)) << id;
}

class EveryLesson : public testing::TestWithParam<std::string> {};

TEST_P(EveryLesson, PlaysThrough) {
  const Lesson lesson = lesson_of(GetParam());
  EXPECT_THAT(sentences(lesson, check_lesson(lesson)), IsEmpty());
  EXPECT_GE(lesson.steps.size(), 5u);
  EXPECT_LE(lesson.steps.size(), 10u);
  EXPECT_FALSE(lesson.about.empty());
  LoadedState s;
  std::vector<std::pair<int, int>> all;  // each step, and each of its answers
  for (int k = 0; k < int(lesson.steps.size()); ++k)
    for (int p = 0; p < int(lesson.steps[size_t(k)].parts.size()); ++p) all.emplace_back(k, p);
  for (const auto& [k, p] : all) {
    const LessonStep& step = shown_at(lesson.steps[size_t(k)], p);
    SCOPED_TRACE(step.title);
    s = p ? answered(std::move(s), lesson) : at_lesson_step(std::move(s), lesson, k);
    ASSERT_TRUE(s.run);
    EXPECT_EQ(s.error.english(), "");
    EXPECT_EQ(s.lesson.step, k);
    EXPECT_EQ(s.lesson.part, p);
    EXPECT_EQ(asks(s, lesson), p + 1 < int(lesson.steps[size_t(k)].parts.size()));
    EXPECT_EQ(s.tab, step.tab);
    EXPECT_TRUE(same_target(s.target, step.target));
    std::vector<Mistake> mistakes;
    const Cursor place = find_place(step, *s.run, mistakes);
    EXPECT_FALSE(strayed(s, step, place));
    // the place is what the words say, not only somewhere
    if (!step.location.phase.empty()) { EXPECT_EQ(interval_at(*s.run, s.cursor).phase, step.location.phase); }
    if (!step.location.cell.empty()) {
      ASSERT_TRUE(s.cursor.cell);
      EXPECT_EQ(cell_name(s.run->trace, s.cursor.launch, *s.cursor.cell), step.location.cell);
    }
    if (step.location.thread >= 0) { EXPECT_EQ(s.cursor.thread, step.location.thread); }
    EXPECT_EQ(s.cursor.line > 0, !step.location.line.empty());
    if (step.tab == "compare" && step.compare.file.empty()) {
      ASSERT_TRUE(s.results.of<CompareRuns>().other);
      EXPECT_EQ(s.results.of<CompareRuns>().other->trace.kernel,
                step.compare.kernel.empty() ? next_variant(step.target.request.kernel) : step.compare.kernel);
    }
    // no number is left to be filled in
    LessonRuns runs(runs_at_once());
    const auto& part = lesson.steps[size_t(k)].parts[size_t(p)];
    const std::string text = filled(part.text, part.line, step, *s.run, s.cursor, runs, mistakes);
    for (size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1))
      EXPECT_FALSE(at + 1 < text.size() && std::islower(static_cast<unsigned char>(text[at + 1])))
          << text.substr(at, 40);
    // short enough for one look
    EXPECT_LE(text.size(), 1400u);
    EXPECT_THAT(sentences(lesson, mistakes), IsEmpty());
  }
}

// Two orders never stand on one screen: what the tab runs beside the step is in the step's own.
TEST_P(EveryLesson, AtomicsShowTheRunThatTheWordsAreAbout) {
  const Lesson lesson = lesson_of(GetParam());
  for (int k = 0; k < int(lesson.steps.size()); ++k)
    for (int p = 0; p < int(lesson.steps[size_t(k)].parts.size()); ++p) {
      const LessonStep& step = shown_at(lesson.steps[size_t(k)], p);
      if (step.tab != "atomics") continue;
      SCOPED_TRACE(step.title);
      const LoadedState s = with_queues(at_lesson_step({}, lesson, k, runs_at_once(), p));
      ASSERT_TRUE(s.results.of<AtomicsQueues>().runs);
      int same = 0;
      for (const auto& shown :
           {s.results.of<AtomicsQueues>().runs->left, s.results.of<AtomicsQueues>().runs->right,
            s.results.of<AtomicsQueues>().runs->racy}) {
        ASSERT_TRUE(shown);
        EXPECT_EQ(shown->report.input, s.run->report.input);
        if (shown->trace.kernel != s.run->trace.kernel) continue;
        ++same;
        EXPECT_EQ(shown->trace.device, s.run->trace.device);
        EXPECT_EQ(shown->report.output, s.run->report.output);
        EXPECT_EQ(shown->report.lost().lost, s.run->report.lost().lost);
      }
      EXPECT_GT(same, 0);
    }
}

TEST_P(EveryLesson, LinksLeadSomewhere) {
  const Lesson lesson = lesson_of(GetParam());
  LessonShelf shelf({root});
  shelf.refresh();
  for (const LessonStep& step : lesson.steps)
    for (const auto& part : step.parts)
      for (const Spans& words : prose_of(read_markdown(part.text)))
        for (const TextSpan& s : words) {
          if (s.link.empty()) continue;
          SCOPED_TRACE(step.title + ": " + s.link);
          const std::string which = s.link.substr(s.link.find(':') + 1);
          if (s.link.starts_with("kernel:") || s.link.starts_with("compare:"))
            EXPECT_NO_THROW(find(which));
          else if (s.link.starts_with("order:"))
            EXPECT_NO_THROW(parse_schedule(which));
          else if (s.link.starts_with("lesson:"))
            EXPECT_TRUE(shelf.find(which, Language::en));
          else if (s.link.starts_with("step:"))
            EXPECT_TRUE(std::stoi(which) >= 1 && std::stoi(which) <= int(lesson.steps.size()));
          else if (s.link.starts_with("assignment:"))
            EXPECT_TRUE(std::ranges::any_of(known_assignments(),
                                            [&](const KnownAssignment& a) { return a.name == which; }));
          else
            EXPECT_TRUE(s.link.starts_with("cell:") || s.link.starts_with("thread:"));
        }
}

std::vector<std::string> all_lessons() {
  std::vector<std::string> all;
  for (const char* language : {"en", "zh"})
    for (const auto& path : files(language)) all.push_back(path.string());
  return all;
}
INSTANTIATE_TEST_SUITE_P(Shipped, EveryLesson, testing::ValuesIn(all_lessons()), [](const auto& info) {
  const fs::path path = info.param;
  std::string name = path.parent_path().filename().string() + "_" + lesson_id(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// The settings of a step as they were written.
std::vector<std::string> settings_of(const fs::path& path) {
  std::vector<std::string> all;
  std::ifstream in(path);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) all.push_back("step");
    if (line == "---") all.push_back("answer");
    if (line.starts_with("```")) {
      inside = line == "```show";
      continue;
    }
    if (inside) all.push_back(line);
  }
  return all;
}

TEST(Lessons, AreTheSameInBothLanguages) {
  const auto en = files("en"), zh = files("zh");
  ASSERT_EQ(en.size(), zh.size());
  for (size_t k = 0; k < en.size(); ++k) {
    EXPECT_EQ(en[k].filename(), zh[k].filename());
    EXPECT_EQ(settings_of(en[k]), settings_of(zh[k])) << en[k];
    // a lesson in Chinese is Chinese: more of its letters than not lie beyond ASCII in every step
    const Lesson other = lesson_of(zh[k]);
    for (const LessonStep& step : other.steps) {
      const std::string text = step.title + step.parts[0].text;
      const auto beyond = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
      EXPECT_GT(beyond, 40) << zh[k] << ", " << step.title;
    }
  }
}

// --- the format --------------------------------------------------------------------------------------

std::string step_with(const std::string& settings, const std::string& text = "Words.") {
  return "# A lesson\n\n## A step\n```show\nkernel: scan/blelloch\n" + settings + "```\n" + text + "\n";
}
std::vector<std::string> mistakes_of(const std::string& text) {
  const Lesson l = parse_lesson(text, "x/07-mine.md");
  return sentences(l, check_lesson(l));
}

TEST(LessonFormat, AWholeStepIsRead) {
  const Lesson l = parse_lesson(
      "# Title\nabout: What it is about.\n\n## One\n```show\nkernel: scan/kogge-stone\nvalues: 3, 1 "
      "7\nblock: 4\n"
      "set: scan=exclusive\nphase: steps 2\nthread: 1\ncell: sum[2]\ntab: "
      "banks\n```\nText.\n\nMore.\n\n---\n\nAnswer.\n"
      "\n## Two\n```show\nn: 8\n```\nText.\n",
      "a/03-mine.md");
  EXPECT_THAT(l.mistakes, IsEmpty());
  EXPECT_EQ(l.id, "mine");
  EXPECT_EQ(l.title, "Title");
  EXPECT_EQ(l.family, "scan");
  ASSERT_EQ(l.steps.size(), 2u);
  const LessonStep& one = l.steps[0];
  EXPECT_THAT(*one.target.request.values, ElementsAre(3, 1, 7));
  EXPECT_EQ(one.tab, "banks");
  EXPECT_EQ(one.location.phase, "steps");
  EXPECT_EQ(one.location.step, 2);
  ASSERT_EQ(one.parts.size(), 2u);
  EXPECT_EQ(one.parts[0].text, "Text.\n\nMore.");
  EXPECT_EQ(one.parts[1].text, "Answer.");
  // the run goes on, the place does not
  const LessonStep& two = l.steps[1];
  EXPECT_EQ(two.target.request.kernel, "scan/kogge-stone");
  EXPECT_EQ(two.target.request.set, one.target.request.set);
  EXPECT_EQ(two.target.request.n, 8);
  EXPECT_FALSE(two.target.request.values);
  EXPECT_EQ(two.location.phase, "");
}

TEST(LessonFormat, AMistakeIsToldWithItsLineAndWhatToDo) {
  struct Case {
    std::string text, says;
  };
  const Case cases[] = {
      {"", "07-mine.md, line 1: this lesson has no title"},
      {"# T\n", "this lesson has no steps"},
      {"# T\n## S\nText.\n", "line 2: this step has no kernel"},
      {"# T\nstray\n## S\n```show\nkernel: scan/blelloch\n```\nText.\n",
       "line 2: \"stray\" stands before the first step"},
      {"# T\n## S\n```show\nkernel: scan/bleloch\n```\nText.\n",
       "line 4: there is no kernel \"scan/bleloch\": did you mean scan/blelloch?"},
      {step_with("stepp: 3\n"), "line 6: there is no setting \"stepp\": did you mean step?"},
      {step_with("n: many\n"), "line 6: \"n: many\" is not a number of elements"},
      {step_with("n: 16\nn: 8\n"), "line 7: \"n\" is set twice"},
      {step_with("values: 1 2 x\n"), "line 6: \"x\" is not a number"},
      {step_with("values: 1 2 3\nblock: 3\n"), "line 5: "},
      {step_with("set: scan\n"), "line 6: \"scan\" sets no parameter"},
      {step_with("set: colour=red\n"), "line 5: "},
      {step_with("pattern: waves\n"), "there is no pattern \"waves\""},
      {step_with("order: backwards\n"), "line 6: "},
      {step_with("step: 99\n"), "line 6: there is no step 99 here: there are "},
      {step_with("step: zero\n"), "line 6: \"step: zero\" is not a step"},
      {step_with("phase: sideways\n"),
       "line 6: there is no phase \"sideways\" here: this block has load, up-sweep"},
      {step_with("phase: up-sweep 9\n"), "line 6: there is no step 9 here"},
      {step_with("launch: 4\n"), "line 6: there is no launch 4: this run has 1"},
      {step_with("look: block 7\n"), "line 6: there is no block 7"},
      {step_with("look: seven\n"), "line 6: \"look: seven\" names no block"},
      {step_with("cell: sum[99]\n"), "line 6: there is no cell sum[99] here: the run has sum[0] to sum[15]"},
      {step_with("cell: sum\n"), "line 6: \"cell: sum\" names no cell"},
      {step_with("array: product\n"), "line 6: there is no array product here"},
      {step_with("thread: 8\n"), "line 6: there is no thread 8: a block of this run has 8"},
      {step_with("line: goto fail\n"), "line 6: the source of this kernel has no line \"goto fail\""},
      {step_with("tab: lunch\n"), "line 6: there is no tab \"lunch\""},
      {step_with("file: x.cu\n"), "line 5: this step has a kernel and a file"},
      {step_with("const: N=3\n"), "line 6: \"const\" is for programs: name one with file:"},
      {step_with("args: 3\n"), "line 6: \"args\" is for programs"},
      {step_with("compare: none.cu\n"), "line 6: there is no file none.cu beside the lesson"},
      {step_with("compare: scan/none\n"), "line 6: there is no kernel \"scan/none\" to compare with"},
      {step_with("time: n=99\n"), "line 6: \"n=99\" sets nothing in Time"},
      {step_with("predict: perhaps\n"), "line 6: \"predict: perhaps\" is neither yes nor no"},
      {step_with("zoom: wide\n"), "line 6: \"zoom: wide\" is no zoom"},
      {step_with("figure: pie\n"), "line 6: there is no figure \"pie\""},
      {step_with("figure: hand-over\n"), "line 6: this figure is of a flag"},
      {step_with("cell: sum[1]\nfigure: hand-over\n"),
       "line 7: no thread acquired what another released in sum[1]"},
      {step_with("alone\n"), "line 6: \"alone\" sets nothing"},
      {step_with("", ""), "there is nothing to read here"},
      {step_with("", "It made {ads} adds."), "line 7: nothing is known as \"ads\""},
      {step_with("", "One.\n\nIt is {value sum[99]}."), "line 9: there is no cell sum[99]"},
      {step_with("", "It is {adds / hazards}."), "divides by zero"},
      {step_with("", "It is {adds of scan/none}."), "line 7: "},
      {step_with("", "One.\nIt is {value sum[1] now."), "line 8: this placeholder has no end"},
      {step_with("", "It is {value sum[1]\n} now."), "line 7: this placeholder has no end"},
      {step_with("", "It is {Adds}."), "line 7: nothing is known as \"Adds\""},
      {step_with("", "It is value sum[1]} now."), "line 7: this } closes no placeholder"},
      {step_with("", "It is {" + std::string(100000, 'a') + "}."), "line 7: this placeholder is too long"},
      {step_with("", "It \x1b[2J."), "line 7: this line holds a control character"},
      {step_with("", "See `sum[1] and so on."), "line 7: this piece of code has no end"},
      {"# T\n## Of {n}\n```show\nkernel: scan/blelloch\n```\nText.\n", "line 2: a title is shown as it is"},
      {step_with("", "See [banks](lesson:bank)."),
       "line 7: there is no lesson \"bank\": did you mean banks?"},
      {step_with("", "One.\n\nSee [it](step:2)."),
       "line 9: there is no step 2 in this lesson: they are 1 to 1"},
      {step_with("", "See [it](step:0)."), "there is no step 0"},
      {step_with("", "See [it](step:one)."), "there is no step one"},
      {step_with("", "See [it](kernel:scan/bleloch)."), "there is no kernel \"scan/bleloch\": did you mean"},
      {step_with("", "See [it](kernel:scan/\nbl)."), "there is no kernel \"scan/ bl\": did you mean"},
      {step_with("", "See [it](compare:scan/none)."), "there is no kernel \"scan/none\""},
      {step_with("", "See [it](cell:sum[99])."), "line 7: there is no cell sum[99] here"},
      {step_with("", "See [it](cell:)."), "there is no cell"},
      {step_with("", "See [it](thread:8)."), "there is no thread 8: a block of this run has 8"},
      {step_with("", "See [it](https://example.org)."), "leads nowhere"},
      {step_with("", "See [it](banks)."), "leads nowhere"},
      {step_with("", "See [it]()."), "leads nowhere"},
      {step_with("", "See [it](lesson:banks"), "this link has no end"},
      {step_with("", "See [](lesson:banks)."), "has no words"},
      {step_with("", "One\nis ** bold**."), "line 8: these ** make nothing bold"},
      {step_with("", "一个**（线程）**和"), "line 7: these ** make nothing bold"},
      {step_with("", "It is {output 16}."), "is out of range"},
      {step_with("n: 2^28\n"), "line 5: "},
      {step_with("", "It took {gbps of scan/nowhere}."), "no recorded time fits"},
      {step_with("", "Asks.\n\n---\n```show\nn: many\n```\nAnswers."),
       "line 11: \"n: many\" is not a number"},
      {step_with("", "Asks.\n\n---\nAnswers.\n```show\nn: 8\n```"),
       "line 11: the ```show block stands after the answer's text"},
      {step_with("", "Asks.\n\n---\n```show\nn: 8\npredict: yes\n```\nAnswers."),
       "line 12: an answer asks nothing"},
      {step_with("predict: yes\n", "Asks.\n\n---\n```show\nn: 8\n```\nAnswers."),
       "line 11: this step is a prediction, which shows its own answer"},
      {step_with("", "Asks.\n\n---\n```show\nphase: sideways\n```\nAnswers."), "line 11: there is no phase"},
      {step_with("", "It lost {lost in bins[5]}."), "line 7: nothing is known as \"lost in bins[5]\""},
      {"# T\n## S\n```show\nkernel: scan/blelloch\n", "line 3: this ```show block has no end"},
      {"# T\n## S\nText.\n```show\nkernel: scan/blelloch\n```\n",
       "line 4: the ```show block stands after the text"},
      {"# T\n# U\n## S\n```show\nkernel: scan/blelloch\n```\nText.\n", "line 2: a lesson has one title"},
  };
  // two words of English in a row that are no quotation, no command and nothing to write
  const std::regex aside("`[^`]*`|“[^”]*”|\"[^\"]*\"|：[^：]*写.*"), english("[a-z]{3,} [a-z]{2,}");
  for (const Case& c : cases) {
    const Lesson lesson = parse_lesson(c.text, "x/07-mine.md");
    const std::vector<Mistake> mistakes = check_lesson(lesson);
    EXPECT_THAT(sentences(lesson, mistakes), testing::Contains(HasSubstr(c.says))) << c.text;
    for (const Mistake& mistake : mistakes) {
      const Message told = message_of(lesson, mistake);
      EXPECT_THAT(told.english(), testing::StartsWith("07-mine.md, line "));
      EXPECT_EQ(told.english().find('\n'), std::string::npos) << told.english();
      speak(Language::zh);
      const std::string chinese = std::regex_replace(tr(told), aside, "");
      speak(Language::en);
      EXPECT_FALSE(std::regex_search(chinese, english)) << chinese;
    }
  }
  EXPECT_THAT(mistakes_of(step_with("step: last\n", "It made {adds} adds in {barriers} barriers.")),
              IsEmpty());
}

TEST(LessonFormat, WhatLeadsSomewhereIsNoMistake) {
  for (const char* text :
       {"See [it](step:1), [banks](lesson:banks) and\n[two\nwords](kernel:scan/brent-kung).",
        "See [it](compare:scan/brent-kung), [`sum[3]`](cell:sum[3]) and [t{n / 8}](thread:{n / 8}).",
        "Code: `[x](y) { }` and { }.\n\n```\n[x](nowhere) } {value\n```"})
    EXPECT_THAT(mistakes_of(step_with("", text)), IsEmpty()) << text;
}

TEST(LessonFormat, ALongLineIsNoLongWait) {
  std::string chain = "2^";
  for (int k = 0; k < 100000; ++k) chain += "2^";
  for (const std::string& settings :
       {"n: " + chain + "\n", "kernel: " + chain + "\n", chain + ": 1\n", "values: " + chain + "\n"})
    EXPECT_FALSE(mistakes_of(step_with(settings)).empty());
  std::string many;
  for (int k = 0; k < 20000; ++k) many += "## " + std::to_string(k) + "\nText.\n";
  EXPECT_THAT(mistakes_of("# T\n" + many), testing::Contains(HasSubstr("at most 200 steps")));
}

TEST(LessonFormat, AnyBytesAreALessonOrMistakes) {
  // cut anywhere, a lesson is still read without harm
  const std::string whole = test::read_file(files("en")[0]);
  for (size_t cut = 0; cut < whole.size(); cut += 37) {
    const Lesson l = parse_lesson(whole.substr(0, cut), "cut.md");
    EXPECT_TRUE(!l.mistakes.empty() || !l.steps.empty());
  }
  parse_lesson(std::string("\0# \xff\xfe```show\n:::\n[[[", 20), "odd.md");
}

TEST(LessonFormat, TheManualNamesEverySetting) {
  const std::string manual = test::read_file(BARRIERSCOPE_ROOT "/docs/lessons.md");
  EXPECT_GE(step_settings().size(), 26u);
  for (const StepSetting& setting : step_settings())
    EXPECT_THAT(manual, HasSubstr("`" + std::string(setting.name) + ": ")) << setting.name;
}

// --- numbers in sentences ----------------------------------------------------------------------------

std::string say_of(const std::string& settings, const std::string& text) {
  const Lesson l = parse_lesson(step_with(settings, text), "x.md");
  LessonRuns runs(runs_at_once());
  const auto run = runs.of(l.steps[0].target);
  std::vector<Mistake> mistakes;
  const Cursor c = find_place(l.steps[0], *run, mistakes);
  std::string out = filled(l.steps[0].parts[0].text, 1, l.steps[0], *run, c, runs, mistakes);
  for (const std::string& s : sentences(l, mistakes)) out += " | " + s;
  return out;
}

TEST(LessonNumbers, ComeFromTheRun) {
  const std::string eight = "values: 3 1 7 0 4 1 6 3\nblock: 4\n";
  EXPECT_EQ(say_of(eight, "{n} {block} {adds} {barriers} {span}"), "8 4 14 8 5");
  EXPECT_EQ(
      say_of(eight + "phase: up-sweep 1\n", "{before sum[1]} {value sum[1]} {word sum[1]} {working} {idle}"),
      "1 4 x0..x1 4 0");
  EXPECT_EQ(say_of(eight + "phase: up-sweep 3\n", "{value sum[7]} {working} of {block}"), "25 1 of 4");
  EXPECT_EQ(say_of(eight, "{input 2} {output 2} {expected 7} {formula adds}"), "7 4 22 14");
  EXPECT_EQ(say_of(eight, "{adds / 4} {adds - n} {adds + 1} {n * 2} {log2 n}"), "3.5 6 15 16 3");
  EXPECT_EQ(say_of(eight, "{adds of scan/kogge-stone block=8}"), "17");
  EXPECT_EQ(
      say_of(eight + "phase: up-sweep 2\n",
             "{phase step} of {phase steps}, stride {stride}, {workers}, {changed} cells, {inputs sum[7]}"),
      "2 of 3, stride 2, t0, t1, 2 cells, 4");
  EXPECT_EQ(say_of(eight, "{rule adds} {rule span} {formula span}"), "2(n-1) 2 log2 n - 1 5");
  EXPECT_EQ(say_of(eight, "{stride}"),
            "{stride} | x.md, line 1: the moves of this step have no stride in common");
  EXPECT_EQ(say_of(eight, "{adds of scan/kogge-stone n=2^10 block=1024}"), "9,217");
}

// Recordings hold minima too, which may be faster; a lesson's runs add.
TEST(LessonNumbers, ARecordedTimeIsOfASumInTheFirstRecording) {
  const Recording& first = recorded_curves().front();
  double sum = 0, any = 0;
  for (const Record& r : first.records) {
    if (r.kernel != "cub/scan" || r.type != "int32" || r.n != 1 << 28 || !is_usual(r)) continue;
    const auto with = r.parameters.find("operator");
    any = std::max(any, r.gb_per_s);
    if (with == r.parameters.end() || with->second == "add") sum = std::max(sum, r.gb_per_s);
  }
  EXPECT_GT(any, sum) << "else this test shows nothing";
  EXPECT_EQ(say_of("", "{gbps of cub/scan n=2^28}"), grouped(std::lround(sum)));
  EXPECT_EQ(say_of("", "{device}"), first.device);
}

TEST(LessonNumbers, LostUpdatesAreCountedOfTheRunOrOfACell) {
  const Lesson l = parse_lesson(
      "# T\n## A\n```show\nkernel: histogram/racy\npreset: queue-7x20\n```\n{updates} {lost} {lost in warps} "
      "{lost in blocks} {lost between blocks}; {lost bins[5]} {lost in warps bins[5]} {lost in blocks "
      "bins[5]} "
      "{lost between blocks bins[5]} {expected 5} {output 5}\n",
      "x.md");
  LessonRuns runs(runs_at_once());
  const auto run = runs.of(l.steps[0].target);
  std::vector<Mistake> mistakes;
  std::istringstream in(filled(l.steps[0].parts[0].text, 1, l.steps[0], *run,
                               find_place(l.steps[0], *run, mistakes), runs, mistakes));
  EXPECT_THAT(sentences(l, mistakes), IsEmpty());
  int updates = 0, lost = 0, warps = 0, blocks = 0, between = 0, of = 0, w = 0, b = 0, o = 0, expected = 0,
      is = 0;
  std::string sign;
  in >> updates >> lost >> warps >> blocks >> sign >> of >> w >> b >> o >> expected >> is;
  between = std::stoi(sign);
  EXPECT_EQ(updates, 224);
  EXPECT_EQ(lost, warps + blocks + between);
  EXPECT_EQ(of, w + b + o);
  EXPECT_EQ(expected - is, of);
  EXPECT_LT(of, lost);
}

TEST(LessonNumbers, LeaveCodeAlone) {
  EXPECT_EQ(say_of("", "`if (x) { y }` and { } stay"), "`if (x) { y }` and { } stay");
  EXPECT_EQ(say_of("", "a\n```\nfor (;;) {adds}\n```\n{n}"), "a\n```\nfor (;;) {adds}\n```\n16");
}

// --- playing -----------------------------------------------------------------------------------------

TEST(LessonPlay, AnOpenQuestionHidesWhatFollows) {
  const Lesson l = parse_lesson(
      "# T\n## A\n```show\nkernel: scan/blelloch\n```\nWhat?\n\n---\n\nThat.\n## B\nNo question.\n"
      "## C\n**And then?**\n",
      "x.md");
  ASSERT_EQ(l.steps.at(0).parts.size(), 2u);
  LoadedState s = at_lesson_step({}, l, 0);
  EXPECT_TRUE(s.lesson.hides_future());
  LoadedState other = opened(s, {.request = {.kernel = "scan/kogge-stone"}}, Where::nowhere);
  EXPECT_FALSE(other.lesson.hides_future());  // it is about another run
  s.lesson.open = false;
  EXPECT_FALSE(s.lesson.hides_future());
  s.lesson.open = true;
  s = answered(std::move(s), l);
  EXPECT_TRUE(s.lesson.hides_future());  // for the question of the last step, which is about this run
  EXPECT_TRUE(at_lesson_step(s, l, 1).lesson.hides_future());
  EXPECT_TRUE(at_lesson_step(s, l, 2).lesson.hides_future());
  s.lesson = with_done(std::move(s.lesson), l.id, 2);
  EXPECT_FALSE(at_lesson_step(std::move(s), l, 1).lesson.hides_future());
}

TEST(LessonPlay, OneBarrierFurtherIsSeenToHappen) {
  const Lesson l = parse_lesson(
      "# T\n## A\n```show\nkernel: scan/blelloch\nstep: 1\n```\nA.\n## B\n```show\nstep: 2\n```\nB.\n## C\n"
      "```show\nstep: 4\n```\nC.\n",
      "x.md");
  LoadedState s = at_lesson_step({}, l, 0);
  EXPECT_EQ(s.cursor.phase, 1);
  const auto run = s.run;
  s = at_lesson_step(std::move(s), l, 1);
  EXPECT_EQ(s.cursor.phase, 0);
  EXPECT_EQ(s.run, run);  // not traced again
  EXPECT_EQ(at_lesson_step(s, l, 2).cursor.phase, 1);
  s.reduced_motion = true;
  s = at_lesson_step(at_lesson_step(std::move(s), l, 0), l, 1);
  EXPECT_EQ(s.cursor.phase, 1);
}

TEST(LessonPlay, AnAnswerMayShowAnotherPlace) {
  const Lesson l = parse_lesson(
      "# T\n## A\n```show\nkernel: scan/blelloch\nn: 16\nphase: load\n```\nAsks.\n\n---\n```show\nn: "
      "8\nphase: clear\n```\nAnswers {n}.\n## B\n```show\nphase: load\n```\nB {n}.\n",
      "x.md");
  EXPECT_THAT(sentences(l, check_lesson(l)), IsEmpty());
  ASSERT_EQ(l.steps[0].parts.size(), 2u);
  EXPECT_EQ(l.steps[0].parts[1].text, "Answers {n}.");
  EXPECT_EQ(shown_at(l.steps[0], 0).target.request.n, 16);
  EXPECT_EQ(shown_at(l.steps[0], 1).target.request.n, 8);
  EXPECT_EQ(l.steps[1].target.request.n, 8);  // the run goes on from what was shown last
  LoadedState s = at_lesson_step({}, l, 0);
  EXPECT_TRUE(asks(s, l));
  EXPECT_EQ(interval_at(*s.run, s.cursor).phase, "load");
  s = answered(std::move(s), l);
  EXPECT_FALSE(asks(s, l));
  EXPECT_EQ(s.lesson.part, 1);
  EXPECT_EQ(s.run->report.input.size(), 8u);
  EXPECT_EQ(interval_at(*s.run, s.cursor).phase, "clear");
  EXPECT_EQ(answered(s, l).lesson.part, 1);  // there is no more
  // the same at once, and from the command line
  EXPECT_EQ(at_lesson_step({}, l, 0, runs_at_once(), 1).cursor, s.cursor);
  EXPECT_EQ(choose_lesson("blelloch:7+", Language::en).part, 1);
  EXPECT_EQ(choose_lesson("blelloch:7", Language::en).part, 0);
  EXPECT_EQ(choose_lesson("blelloch:2+", Language::en).part, 0);
}

TEST(LessonPlay, AnAnswerAloneMayShowLanes) {
  const Lesson l = parse_lesson(
      "# T\n## A\n```show\nkernel: scan/blelloch\nn: 16\n```\nAsks.\n\n---\n```show\nlanes: "
      "step\n```\nAnswers.\n## B\nB.\n",
      "x.md");
  EXPECT_THAT(sentences(l, check_lesson(l)), IsEmpty());
  const auto profile = [&](int step, int part) {
    return at_lesson_step({}, l, step, runs_at_once(), part).of<WatchState>().profile;
  };
  EXPECT_EQ(profile(0, 0), Profile::values);
  EXPECT_EQ(profile(0, 1), Profile::step);
  EXPECT_EQ(profile(1, 0), Profile::values);
}

TEST(LessonPlay, WhoeverHasLeftIsAskedNothing) {
  const Lesson l = parse_lesson(step_with("", "Asks.\n\n---\n\nAnswers."), "x.md");
  LoadedState s = at_lesson_step({}, l, 0);
  EXPECT_TRUE(asks(s, l));
  LoadedState hidden = s;
  hidden.lesson.open = false;
  EXPECT_FALSE(asks(hidden, l));
  Target other = s.target;
  other.request.n = 64;
  EXPECT_FALSE(asks(opened(s, other, Where::parameters), l));
}

TEST(LessonPlay, WanderingOffIsNoticedAndUndone) {
  const Lesson l = parse_lesson(step_with("phase: up-sweep 2\ncell: sum[7]\n"), "x.md");
  LoadedState s = at_lesson_step({}, l, 0);
  const Cursor place = s.cursor;
  EXPECT_FALSE(strayed(s, l.steps[0], place));
  LoadedState other = s;
  other.cursor.cell.reset();
  other.cursor.thread = 1;
  EXPECT_FALSE(strayed(other, l.steps[0], place));  // looking closer is not leaving
  EXPECT_TRUE(strayed(forward(s, false), l.steps[0], place));
  other.tab = "banks";
  EXPECT_TRUE(strayed(other, l.steps[0], place));
  Target target = s.target;
  target.request.n = 64;
  other = opened(s, target, Where::parameters);
  EXPECT_TRUE(strayed(other, l.steps[0], place));
  other = at_lesson_step(std::move(other), l, 0);
  EXPECT_FALSE(strayed(other, l.steps[0], place));
  EXPECT_EQ(other.cursor, place);
}

TEST(LessonPlay, ARunThatCannotBeOpenedLeavesTheOneBefore) {
  const Lesson l = parse_lesson(
      "# T\n## A\n```show\nkernel: scan/blelloch\n```\nA.\n## B\n```show\nblock: 3\n```\nB.\n", "x.md");
  LoadedState s = at_lesson_step({}, l, 0);
  const auto run = s.run;
  s = at_lesson_step(std::move(s), l, 1);
  EXPECT_EQ(s.run, run);
  EXPECT_EQ(s.lesson.step, 1);
  EXPECT_NE(s.error.english(), "");
}

TEST(LessonProgress, IsKept) {
  LessonState s;
  s = with_done(s, "tree", 0);
  s = with_done(s, "tree", 10);
  s = with_done(s, "tree", 0);
  s = with_score(s, "tree", 1, {2, 4});
  s = with_score(s, "tree", 3, {1, 1});
  s = with_score(s, "tree-2", 1, {9, 9});
  EXPECT_TRUE(is_done(s, "tree", 0));
  EXPECT_TRUE(is_done(s, "tree", 1));
  EXPECT_FALSE(is_done(s, "tree", 2));
  EXPECT_FALSE(is_done(s, "tre", 0));
  EXPECT_EQ(steps_done(s, "tree"), 4);
  EXPECT_EQ(score_of(s, "tree"), (Score{3, 5}));
  EXPECT_EQ(score_of(s, "tree", 1), (Score{2, 4}));
  EXPECT_EQ(score_of(s, "tree", 0), (Score{}));
  s = with_score(s, "tree", 1, {4, 4});
  EXPECT_EQ(score_of(s, "tree"), (Score{5, 5}));
  s = with_done(s, "tree", 1);  // keeps its score
  EXPECT_EQ(score_of(s, "tree", 1), (Score{4, 4}));
  s = afresh(s, "tree");
  EXPECT_EQ(steps_done(s, "tree"), 0);
  EXPECT_EQ(steps_done(s, "tree-2"), 1);
}

// A lesson of one's own is named by its path.
TEST(LessonProgress, OfAPathWithASpaceIsKept) {
  LessonState s = with_done({}, "tree", 0);
  const std::string path = "/home/a b/x=1 100%.md";
  for (int k = 0; k < 2; ++k) s = with_done(s, path, 3);
  s = with_score(s, path, 4, {1, 2});
  EXPECT_TRUE(is_done(s, path, 3));
  EXPECT_EQ(steps_done(s, path), 2);
  EXPECT_EQ(score_of(s, path), (Score{1, 2}));
  EXPECT_EQ(afresh(s, path).progress, "tree/0");
}

// --- files -------------------------------------------------------------------------------------------

struct Folder : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("lessons-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(folder / "zh"); }
  ~Folder() override { fs::remove_all(folder); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    // a clock of whole seconds must not hide a change
    fs::last_write_time(folder / name, fs::file_time_type::clock::now() + std::chrono::seconds(++written));
  }
  int written = 0;
};

TEST_F(Folder, IsReadAgainWhenItChanges) {
  LessonShelf shelf({folder});
  EXPECT_FALSE(shelf.refresh());
  write("02-b.md", step_with(""));
  write("01-a.md", step_with(""));
  EXPECT_TRUE(shelf.refresh());
  EXPECT_THAT(shelf.ids(), ElementsAre("a", "b"));
  EXPECT_FALSE(shelf.refresh());
  write("01-a.md", "# New\n" + step_with("").substr(12));
  EXPECT_TRUE(shelf.refresh());
  EXPECT_EQ(shelf.find("a", Language::en)->title, "New");
  write("zh/01-a.md", "# 新\n" + step_with("").substr(12));
  EXPECT_TRUE(shelf.refresh());
  EXPECT_EQ(shelf.find("a", Language::zh)->title, "新");
  EXPECT_EQ(shelf.find("a", Language::en)->title, "New");
  EXPECT_EQ(shelf.find("b", Language::zh)->title, "A lesson");  // not translated
  fs::remove(folder / "01-a.md");
  fs::remove(folder / "zh/01-a.md");
  EXPECT_TRUE(shelf.refresh());
  EXPECT_FALSE(shelf.find("a", Language::en));
}

TEST_F(Folder, TheUsersOwnGoesBeforeTheProgramsOfTheSameName) {
  fs::create_directories(folder / "mine");
  write("tree.md", step_with(""));
  write("mine/tree.md", "# My own\n" + step_with("").substr(12));
  LessonShelf shelf({folder, folder / "mine"});
  shelf.refresh();
  EXPECT_EQ(shelf.find("tree", Language::en)->title, "My own");
  EXPECT_THAT(shelf.ids(), ElementsAre("tree"));
}

TEST_F(Folder, WhatIsNoTextIsToldInWords) {
  write("binary.md", std::string("# \xff\xfe\x00", 5));
  write("latin.md", "# caf\xe9\n");
  write("large.md", std::string(2'000'000, 'x'));
  LessonShelf shelf({folder});
  shelf.refresh();
  EXPECT_THAT(shelf.find("binary", Language::en)->mistakes[0].message.english(),
              HasSubstr("is a binary file"));
  EXPECT_THAT(shelf.find("latin", Language::en)->mistakes[0].message.english(),
              HasSubstr("save it as UTF-8"));
  EXPECT_THAT(shelf.find("large", Language::en)->mistakes[0].message.english(), HasSubstr("too large"));
}

TEST_F(Folder, ALessonIsCheckedOnTheCommandLine) {
  write("good.md", step_with(""));
  auto r = test::barrierscope({"check", (folder / "good.md").string()});
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, HasSubstr("1 steps, all as they should be"));
  write("bad.md", step_with("cell: sum[99]\n"));
  r = test::barrierscope({"check", (folder / "bad.md").string()});
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, HasSubstr("bad.md, line 6: there is no cell sum[99]"));
  r = test::barrierscope({"check", (folder / "none.md").string()});
  EXPECT_EQ(r.code, 2);
  EXPECT_THAT(r.err, HasSubstr("there is no file"));
}

TEST(LessonCommandLine, NamesALessonAndItsStep) {
  EXPECT_EQ(choose_lesson("blelloch:3", Language::en).step, 2);
  EXPECT_EQ(choose_lesson("blelloch", Language::zh).lesson.title.substr(0, 8), "Blelloch");
  for (const char* words : {"nothing", "blelloch:0", "blelloch:99", "blelloch:x", "no/such.md"})
    EXPECT_THROW(choose_lesson(words, Language::en), UsageError) << words;
  EXPECT_THAT(test::barrierscope({"list"}).out, HasSubstr("barrierscope --lesson blelloch"));
}

}  // namespace
}  // namespace bscope
