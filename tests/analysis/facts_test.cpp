// A counted figure is declared once: it is in `show` and its JSON, in lessons and in Compare, and nothing of
// it is left where it is taken out.
#include "engine/analysis/facts.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "app/lessons/answers.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/run/run.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/analysis/run_rows.hpp"
#include "tests/analysis/moments_support.hpp"
#include "tests/at_once.hpp"
#include "tests/cli/run_support.hpp"

namespace bscope {
namespace {

using test::barrierscope;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

Fact loads() {
  return {.name = "loads", .words = "loads", .of_node = [](const DataflowGraph&, const Node& n) {
            return long(n.op == Op::load);
          }};
}

const std::vector<std::string> show{"show", "scan/blelloch", "--values", "3,1,7,0,4,1,6,3", "--block", "4"};

nlohmann::json shown_as_json() {
  auto args = show;
  args.emplace_back("--json");
  return nlohmann::json::parse(barrierscope(args).out);
}

/// What a lesson's first step on that run says.
std::string told(const std::string& text) {
  const Lesson l = parse_lesson(
      "# T\n## S\n```show\nkernel: scan/blelloch\nvalues: 3 1 7 0 4 1 6 3\nblock: 4\nstep: 2\n```\n" + text +
          "\n",
      "x.md");
  LessonRuns runs(runs_at_once());
  const auto run = runs.of(l.steps[0].target);
  std::vector<Mistake> mistakes;
  const Cursor place = find_place(l.steps[0], *run, mistakes);
  return filled(l.steps[0].parts[0].text, 1, l.steps[0], *run, place, runs, mistakes);
}

/// What Compare writes.
std::set<std::string> compared_texts() {
  RunSpec left{.kernel = "scan/kogge-stone", .n = 8}, right{.kernel = "scan/blelloch", .n = 8};
  const Picture p = compare_view(comparison(open_run(left), open_run(right)), {}, {},
                                 theme(ThemeName::dark, 900), fixed_metrics(), 1600, 800);
  std::set<std::string> all;
  for (const Shape& s : p.shapes)
    if (!s.words.empty()) all.insert(s.words);
  return all;
}

TEST(Facts, ANewFactIsWhereverFiguresAre) {
  const auto before = shown_as_json();
  {
    const RegisterFact here(loads());
    auto json = shown_as_json();
    const long all = json["totals"]["loads"];
    EXPECT_GT(all, 8);
    long sum = 0;
    for (const auto& v : json["launches"][0]["intervals"]) sum += v["loads"].get<long>();
    EXPECT_EQ(sum, all);
    EXPECT_THAT(barrierscope(show).out, HasSubstr("\ncounted   " + std::to_string(all) + " loads\n"));
    EXPECT_EQ(told("{loads} {loads step} {loads - loads step}"), fmt::format("{} 8 {}", all, all - 8));
    EXPECT_THAT(compared_texts(), Contains("loads"));
    const Comparison both = comparison(open_run({.kernel = "scan/kogge-stone", .n = 8}),
                                       open_run({.kernel = "scan/blelloch", .n = 8}));
    EXPECT_THAT(both.scales(), testing::ElementsAre("work", "wavefronts", "sectors", "loads", "threads"));
    long in_rows = 0;
    for (const auto& row : both.sides[1].rows) in_rows += both.count(row, "loads");
    EXPECT_EQ(in_rows, here.fact.of_run(both.runs[1]->report));
    const Picture strip =
        compare_transport(both, {.scale = "loads"}, theme(ThemeName::dark, 900), fixed_metrics(), 1300, 120);
    EXPECT_TRUE(std::ranges::count(strip.hits, "scale loads", &HitRegion::name));
    // nothing else has changed
    json["totals"].erase("loads");
    for (auto& v : json["launches"][0]["intervals"]) v.erase("loads");
    EXPECT_EQ(json, before);
  }
  EXPECT_EQ(shown_as_json(), before);
  EXPECT_THAT(barrierscope(show).out, Not(HasSubstr("loads")));
  EXPECT_EQ(told("{loads}"), "{loads}");
  EXPECT_THAT(compared_texts(), Not(Contains("loads")));
}

TEST(Facts, OnlyWhatHasAnIdealIsComparedWithIt) {
  EXPECT_EQ(fact_named(""), nullptr);
  std::set<std::string> ideals;
  for (const std::string& text : compared_texts())
    if (text.starts_with("ideal ")) ideals.insert(text);
  EXPECT_THAT(ideals, testing::IsEmpty()) << "neither scan has a bank conflict";
}

// `show`, the Memory tab and Compare count the same sectors, the copy engine's among them.
TEST(Facts, SectorsAreTheSameWhereverTheyStand) {
  long engine = 0;
  for (const Algorithm* a : catalog()) {
    SCOPED_TRACE(a->name);
    RunSpec r;
    r.kernel = a->name;
    const auto run = traced_run(r);
    const RequestSums memory = request_sums(*run);
    engine += memory.engine;
    const Fact &used = *fact_named("global_sectors"), &ideal = *fact_named("global_sectors_ideal");
    EXPECT_EQ(used.of_run(run->report), memory.sectors());
    EXPECT_EQ(ideal.of_run(run->report), memory.ideal_sectors());
    EXPECT_LE(memory.ideal_sectors(), memory.sectors());
    long of_steps = 0, ideal_of_steps = 0, of_lines = 0, bars = 0;
    for (size_t k = 0; k < run->report.flow.intervals.size(); ++k) {
      of_steps += used.of_step(run->report, k);
      ideal_of_steps += ideal.of_step(run->report, k);
    }
    for (const LineCount& l : lines_of(used, run->report)) of_lines += l.count;
    const RunRows rows = run_rows(run->report);
    for (size_t f = 0; f < rows.counted.size(); ++f)
      if (rows.counted[f] == &used)
        for (const auto& row : rows.rows) bars += row.counts[f];
    EXPECT_EQ(of_steps, memory.sectors());
    EXPECT_EQ(ideal_of_steps, memory.ideal_sectors());
    EXPECT_EQ(of_lines, memory.sectors());
    EXPECT_EQ(bars, memory.sectors());
  }
  EXPECT_GT(engine, 0) << "no kernel asks the copy engine";
}

// Two sums of the same numbers read the same bytes, whether threads or the copy engine move them.
TEST(Facts, ABulkCopyMovesAsMuchAsLoadsDo) {
  const auto sectors = [](const char* kernel) {
    const auto args = std::vector<std::string>{"show", kernel, "--n", "4096", "--block", "256", "--json"};
    return nlohmann::json::parse(barrierscope(args).out).at("totals").at("global_sectors").get<double>();
  };
  EXPECT_NEAR(sectors("reduce/bulk-copy") / sectors("reduce/shared"), 1, 0.05);
}

TEST(Facts, JsonKeepsItsNamesAndTheirOrder) {
  std::vector<std::string> totals, steps;
  for (const Fact* f : facts()) {
    if (!f->name.empty() && f->of_run) totals.push_back(f->name);
    if (!f->name.empty() && f->of_step) steps.push_back(f->name);
  }
  EXPECT_THAT(totals, testing::ElementsAre("barriers", "adds", "span", "active_lanes", "warp_instructions",
                                           "shared_wavefronts", "shared_wavefronts_ideal", "global_sectors",
                                           "global_sectors_ideal", "longest_shared_queue",
                                           "longest_global_queue", "lost_updates", "events"));
  EXPECT_THAT(steps, testing::ElementsAre("active_threads", "adds", "shared_requests", "shared_wavefronts",
                                          "shared_wavefronts_ideal", "global_requests", "global_sectors",
                                          "global_sectors_ideal"));
}

TEST(Facts, AreToldApartAndSaidInChinese) {
  std::set<std::string> names, of_runs, of_steps;
  for (const Fact* f : facts()) {
    EXPECT_TRUE(f->words.empty() || known(Language::zh, f->words)) << f->words;
    EXPECT_TRUE(f->ideal.empty() || fact_named(f->ideal)) << f->ideal;
    EXPECT_TRUE(f->of_run || f->of_step) << f->name << f->asked;
    if (!f->name.empty()) { EXPECT_TRUE(names.insert(f->name).second) << f->name; }
    if (f->of_run && !f->asked_as().empty()) {
      EXPECT_TRUE(of_runs.insert(f->asked_as()).second) << f->asked_as();
    }
    if (f->of_step && !f->asked_as().empty()) {
      EXPECT_TRUE(of_steps.insert(f->asked_as()).second) << f->asked_as();
    }
  }
}

}  // namespace
}  // namespace bscope
