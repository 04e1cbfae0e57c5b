// Assignments: what a lecturer's file may say, and what is reported of one that is wrong.
#include "app/assignments/assignment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/pfr/core.hpp>

#include "app/assignments/assignment_file.hpp"
#include "app/assignments/derived.hpp"
#include "app/assignments/json_lines.hpp"
#include "app/assignments/puzzle.hpp"
#include "app/lessons/puzzle_progress.hpp"
#include "app/run/run.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Assignments : public testing::Test {
 protected:
  Assignments() { fs::create_directories(folder_); }
  ~Assignments() override { fs::remove_all(folder_); }

  Assignment read(const std::string& text) const {
    write_whole(folder_ / "a.json", text);
    write_whole(folder_ / "start.cu", "const int N = 64;\n__global__ void k(int* out) {}\nint main() {}\n");
    return read_assignment(folder_ / "a.json");
  }
  std::string refused(const std::string& text) const {
    try {
      read(text);
    } catch (const BadFile& e) { return e.what(); }
    return "";
  }
  /// With the members that each needs.
  static std::string with(const std::string& more) {
    return "{\"format\": \"barrierscope.assignment/1\",\n" + more + "}\n";
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("assignments-" + std::to_string(::getpid()));
};

TEST_F(Assignments, SayRunsLimitsAndPoints) {
  const Assignment a =
      read(with(R"~("title": "T", "task": ["one", "two"], "start": "start.cu", "may_change": ["k"],
    "expect": "out = sum(in)", "points": {"result": 2.5},
    "runs": [{"constants": {"N": 128, "B": "2 * 8"}, "arguments": ["7"], "seconds": 3, "schedule": "lockstep"}, {}],
    "requirements": [{"what": "wavefronts", "kernel": "k", "at_most": "2 * N", "points": 1, "hint": "h"},
                     {"what": "shared_wavefronts", "at_least": 1}])~"));
  EXPECT_EQ(a.title, "T");
  EXPECT_EQ(a.task, "one\ntwo");
  EXPECT_TRUE(a.guards);
  EXPECT_THAT(a.given, HasSubstr("void k"));
  EXPECT_EQ(a.expected.text, "out = sum(in)");
  EXPECT_EQ(a.points.at("result"), 2.5);
  ASSERT_EQ(a.runs.size(), 2u);
  EXPECT_EQ(a.runs[0].name, "N=128, B=2 * 8 -- 7");
  EXPECT_EQ(a.runs[0].schedule.kind, Schedule::lockstep);
  EXPECT_EQ(a.runs[1].name, "run 2");
  ASSERT_EQ(a.requirements.size(), 2u);
  EXPECT_EQ(a.requirements[0].fact, a.requirements[1].fact);
  EXPECT_EQ(a.requirements[0].at_most, "2 * N");
  EXPECT_EQ(a.requirements[1].at_least, "1");
}

TEST_F(Assignments, ThatAreWrongAreToldInTheirLine) {
  EXPECT_THAT(refused("{\n\"title\": \"T\"\n\"task\": \"\"}"), HasSubstr("a.json:3: this is no JSON"));
  EXPECT_THAT(refused("[]"), HasSubstr("a.json:1: an assignment is a JSON object"));
  EXPECT_THAT(refused("{\"title\": \"T\"}"), HasSubstr("write \"format\": \"barrierscope.assignment/1\""));
  const std::pair<const char*, const char*> wrong[] = {
      {"\"titel\": \"T\"", "a.json:2: \"titel\" is not known here"},
      {"\"title\": 3", "a.json:2: \"title\" is no text"},
      {"\"runs\": 3", "a.json:2: \"runs\" is no list"},
      {"\"runs\": [\n3]", "a.json:3: \"runs.0\" is no object"},
      {"\"runs\": [{},\n{\"seconds\": 0}]", "a.json:3: \"runs.1.seconds\" is not a number from 0.1 to 3600"},
      {"\"runs\": [{\n\"constants\": {\n\"N\": []}}]",
       "a.json:4: \"runs.0.constants.N\" is neither a number nor a text"},
      {"\"runs\": [{\"constants\": {\"N\": \"1;\"}}]", "N=1; is no constant and value"},
      {"\"runs\": [{\"schedule\": \"fast\"}]", "a.json:2:"},
      {"\"start\": \"gone.cu\"", "a.json:2: there is no file"},
      {"\"solution\": \"gone.cu\"", "a.json:2: there is no file gone.cu"},
      {"\"start\": \"start.cu\", \"lines\": [1,\n9]", "a.json:3: \"lines\" are lines of the file"},
      {"\"lines\": [1]", "a.json:2: \"lines\" are lines of the file"},
      {"\"level\": 6", "a.json:2: \"level\" is not a"},
      {"\"may_change\": [\"k\"]", "needs the file that it is about"},
      {"\"start\": \"start.cu\", \"may_change\": [\n\"other\"]", "a.json:3: start.cu declares no \"other\""},
      {"\"points\": {\n\"beauty\": 3}", "a.json:3: nothing that is always asked goes by \"beauty\""},
      {"\"requirements\": [{\n\"what\": \"speed\"}]",
       "a.json:3: no figure is called \"speed\": there are barriers"},
      {"\"requirements\": [\n{\"what\": \"barriers\"}]", "a.json:3: a requirement needs \"at_most\""},
      {"\"requirements\": [{\"what\": \"barriers\", \"atmost\": 3}]",
       "\"atmost\" is not known here: it may be what"},
      {"\"points\": {\n\"result\": -1}", "a.json:3: \"points.result\" is not a number from 0 to 1000000"},
      {"\"task\": [\n1]", "a.json:2: \"task\" is no text"}};
  for (const auto& [text, sentence] : wrong) EXPECT_THAT(refused(with(text)), HasSubstr(sentence)) << text;
}

TEST(AssignmentFiles, ListEveryMember) {
  EXPECT_EQ(count_fields<AssignmentFile>(), boost::pfr::tuple_size_v<AssignmentFile>);
  EXPECT_EQ(count_fields<AssignedRunEntry>(), boost::pfr::tuple_size_v<AssignedRunEntry>);
  EXPECT_EQ(count_fields<RequirementEntry>(), boost::pfr::tuple_size_v<RequirementEntry>);
}

TEST_F(Assignments, ThatComeWithTheProgramCanBeRead) {
  EXPECT_GE(known_assignments().size(), 9u);
  for (const KnownAssignment& known : known_assignments()) {
    const Assignment a = read_assignment(known.file);
    EXPECT_NE(a.title, "") << known.name;
    EXPECT_NE(a.task, "") << known.name;
    EXPECT_TRUE(a.guards) << known.name;
    // without an expected result the given main checks it, and may not change
    EXPECT_TRUE(!a.expected.text.empty() || std::ranges::count(a.may_change, "main") == 0) << known.name;
    std::vector<std::string> texts{a.title, a.task, a.hint, a.series};
    texts.insert(texts.end(), a.hints.begin(), a.hints.end());
    for (const std::string& text : texts)
      EXPECT_TRUE(text.empty() || bscope::known(Language::zh, text)) << text;
    EXPECT_EQ(a.name, known.name);
    EXPECT_EQ(a.is_puzzle(), !known.series.empty()) << known.name;
    if (a.is_puzzle()) EXPECT_TRUE(!a.solution.empty() && a.hints.size() >= 2) << known.name;
    EXPECT_EQ(assignment_begun_by(a.given)->name, known.name);
  }
  EXPECT_EQ(assignment_file("tree-sum").filename(), "assignment.json");
  EXPECT_EQ(assignment_file("gone.json"), "gone.json");
}

TEST(Puzzles, KnowTheWrongLineByItsText) {
  Assignment a;
  a.given = "int a;\n  barrier();\nint b;\n  barrier();\nint c;\n";
  a.lines = {4};
  EXPECT_EQ(names_wrong_line(a, a.given, 4), true);
  EXPECT_EQ(names_wrong_line(a, a.given, 2), false);  // the same text, in another place
  EXPECT_EQ(names_wrong_line(a, "// mine\n" + a.given, 5), true);
  EXPECT_EQ(names_wrong_line(a, "int d;\n", 1), std::nullopt);
  EXPECT_EQ(names_wrong_line(a, a.given, 0), std::nullopt);
  EXPECT_EQ(names_wrong_line(a, a.given, 99), std::nullopt);
}

TEST(Puzzles, CountTriesUntilTheyAreSolved) {
  Assignment a;
  a.name = "a folder/a.json";
  a.lines = {1};
  LessonState s = with_line_named({.progress = "tree/0"}, a, false);
  EXPECT_EQ(progress_of(s, a).failed, 1);
  EXPECT_FALSE(progress_of(s, a).may_see_fault());
  const LessonState found = with_line_named(s, a, true);
  EXPECT_TRUE(progress_of(found, a).found && progress_of(found, a).may_see_fault());
  EXPECT_FALSE(progress_of(found, a).may_see_solution());
  EXPECT_EQ(with_line_named(found, a, false), found);
  s = with_repair_judged(s, a, false);
  EXPECT_TRUE(progress_of(s, a).may_see_solution() && !progress_of(s, a).solved);
  s = with_repair_judged(s, a, true);
  EXPECT_TRUE(progress_of(s, a).solved);
  EXPECT_EQ(with_repair_judged(s, a, false), s);
  EXPECT_EQ(progress_of({}, a).failed, 0);
  Assignment other;
  other.name = "another";
  EXPECT_EQ(progress_of(s, other).failed, 0);
}

TEST(Puzzles, AreShuffledAlikeOnEveryMachine) {
  EXPECT_EQ(shuffled_order(5, 2026), (std::vector<size_t>{4, 2, 3, 0, 1}));
  EXPECT_EQ(shuffled_order(0, 1).size(), 0u);
}

TEST(JsonLines, AreThoseOfNames) {
  const auto lines = json_lines("{\"a\": [\n1,\n{\"b\":\n {}}],\n\"c\": null}");
  EXPECT_EQ(lines.at("/a"), 1);
  EXPECT_EQ(lines.at("/a/1"), 3);
  EXPECT_EQ(lines.at("/a/1/b"), 3);
  EXPECT_EQ(lines.at("/c"), 5);
  EXPECT_TRUE(json_lines("{").empty());
}

TEST(Derived, IsWhatKernelsComputeFromTheInput) {
  for (const char* kernel :
       {"scan/blelloch", "reduce/shared", "histogram/shared-atomics", "scan/hierarchical"})
    EXPECT_TRUE(not_derived(*open_run({.kernel = kernel})).empty()) << kernel;
}

TEST(Figures, OfLinesAddUpToTheRuns) {
  const auto run = open_run({.kernel = "scan/hierarchical"});
  for (const char* name : {"barriers", "wavefronts", "sectors", "bank conflicts", "divergent passes"}) {
    const Fact* f = fact_of_runs(name);
    ASSERT_TRUE(f) << name;
    long sum = 0;
    for (const LineCount& l : lines_of(*f, run->report)) sum += l.count;
    EXPECT_EQ(sum, f->of_run(run->report)) << name;
  }
  EXPECT_EQ(fact_of_runs("span"), fact_named("span"));
  EXPECT_EQ(fact_of_runs(""), nullptr);
}

TEST(Launches, ByThemselvesCountWhatTheyDidInTheRun) {
  const auto run = open_run({.kernel = "scan/hierarchical"});
  ASSERT_GT(run->trace.launches.size(), 1u);
  for (const char* name : {"barriers", "wavefronts", "sectors", "adds", "divergent passes"}) {
    long sum = 0;
    for (size_t k = 0; k < run->trace.launches.size(); ++k)
      sum += fact_of_runs(name)->of_run(one_launch(run->trace, k)->report);
    EXPECT_EQ(sum, fact_of_runs(name)->of_run(run->report)) << name;
  }
}

}  // namespace
}  // namespace bscope
