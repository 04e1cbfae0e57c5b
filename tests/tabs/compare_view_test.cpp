#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/run/own_program.hpp"
#include "app/session/before_change.hpp"
#include "app/session/state.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/tabs/compare/sheet.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/words/glossary.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/simt/algorithm.hpp"
#include "tests/at_once.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

Comparison comparison_of(const std::string& left, const std::string& right, long long n,
                         long long left_block = 0, long long right_block = 0) {
  return comparison(traced(left, "", n, left_block), traced(right, "", n, right_block));
}
const Comparison& scans() {
  static const Comparison c = comparison_of("scan/kogge-stone", "scan/blelloch", 32);
  return c;
}
Picture draw_comparison(const Comparison& c, const CompareLook& look = {},
                        const std::vector<Recording>& recordings = {}) {
  const Theme t = theme(ThemeName::dark, 900);
  return compare_view(c, look, recordings, t, fixed_metrics(), 1600, 690);
}

// Two buffers that take turns stand on one row's columns, as the one of Kogge and Stone does.
TEST(CompareView, ManyBlocksThatDoTheSameLookTheSame) {
  // a comb of columns that are there and columns that are not would say what is not so
  const Comparison c = comparison_of("reduce/shared", "reduce/warp-shuffle", 100'000);
  const Picture p = draw_comparison(c, {.position = 5});
  int strips = 0;
  for (const Shape& s : p.shapes) {
    if (s.type != Shape::strip) continue;
    ++strips;
    std::set<Colour> colours(s.colours.begin(), s.colours.end());
    EXPECT_LE(colours.size(), 4u);
  }
  EXPECT_GT(strips, 20);
  EXPECT_LT(p.shapes.size(), 1000u);
}

// A program that was changed and saved is compared with itself before that; another file's is not.
TEST(Comparison, OfAProgramWithItselfBeforeAChange) {
  const auto program = [](const char* text) {
    auto p = std::make_shared<cuda::ProgramRun>();
    p->text = text;
    return p;
  };
  Target file;
  file.file = "mine.cu";
  LoadedState s;
  s = with_run(std::move(s), file, {traced("scan/kogge-stone", "", 32), program("first")});
  EXPECT_EQ(before_change(s), nullptr);
  const auto before = s.run;
  s = with_run(std::move(s), file, {traced("scan/blelloch", "", 32), program("second")});
  EXPECT_EQ(before_change(s), before);
  s = compared(std::move(s), runs_at_once());
  ASSERT_TRUE(s.error.empty()) << s.error.english();
  const CompareRuns& runs = compare_runs(s);
  ASSERT_TRUE(runs.comparison);
  EXPECT_EQ(runs.other, before);
  EXPECT_EQ(names_of(*runs.comparison),
            (std::array<std::string, 2>{"Blelloch, now", "Kogge-Stone, before the change"}));

  // run again with the same text: what it was before the change stays
  s = with_run(std::move(s), file, {traced("scan/blelloch", "", 64), program("second")});
  EXPECT_EQ(before_change(s), before);
  file.file = "other.cu";
  s = with_run(std::move(s), file, {traced("scan/blelloch", "", 32), program("third")});
  EXPECT_EQ(before_change(s), nullptr);
  s.of<CompareState>().right = {.kernel = before_the_change};
  s = compared(std::move(s), runs_at_once());
  EXPECT_FALSE(s.error.empty());
}

TEST(Comparison, SaysWhatDiffers) {
  EXPECT_EQ(ratio_words("adds", 10, 5), "half the adds");
  EXPECT_EQ(ratio_words("adds", 10, 20), "twice the adds");
  EXPECT_EQ(ratio_words("adds", 10, 10), "as many adds");
  EXPECT_EQ(ratio_words("adds", 10, 3), "30% of the adds");
  EXPECT_EQ(ratio_words("adds", 10, 25), "2.5 times the adds");
  EXPECT_EQ(ratio_words("adds", 0, 25), "25 adds instead of none");
  EXPECT_EQ(ratio_words("adds", 25, 0), "no adds");
  const std::string words = difference(scans());
  EXPECT_TRUE(words.starts_with("Blelloch compared with Kogge-Stone: 48% of the adds")) << words;
  const Comparison same = comparison_of("scan/blelloch", "scan/blelloch", 32);
  EXPECT_EQ(difference(same), "Blelloch counts the same as Blelloch.");
  EXPECT_TRUE(difference(comparison_of("histogram/racy", "histogram/global-atomics", 224))
                  .starts_with("Global atomics compared with Racy: 224 atomics instead of adds"))
      << "an atomic add is no missing one";
  EXPECT_TRUE(difference(comparison_of("histogram/global-atomics", "histogram/racy", 224))
                  .starts_with("Racy compared with Global atomics: 224 adds instead of atomics"));
  const Comparison blocks = comparison_of("scan/blelloch", "scan/blelloch", 32, 16, 4);
  EXPECT_EQ(names_of(blocks)[1], "Blelloch, block = 4");
}

// A word that the glossary has is defined under the mouse, in either language.
TEST(CompareView, RowsOfCountsAreDefined) {
  for (const Language language : {Language::en, Language::zh}) {
    speak(language);
    const Picture p = draw_comparison(scans());
    std::map<std::string, std::string> tips;
    for (const HitRegion& h : p.hits)
      if (h.name.starts_with("count:")) tips[h.name.substr(6)] = h.tip;
    for (const auto& [row, word] : {std::pair("steps", "step"), std::pair("barriers", "barrier"),
                                    std::pair("span", "span"), std::pair("wavefronts", "wavefront"),
                                    std::pair("sectors", "sector"), std::pair("slots", "threads at work")}) {
      EXPECT_FALSE(definition(word).empty()) << word;
      EXPECT_EQ(tips[row], definition(word)) << row;
    }
    // the sum of what the bars show step by step, under the same name
    EXPECT_TRUE(says(p, compare::counted_thing(scans(), "threads")));
  }
  speak(Language::en);
}

// What the table counts is on screen, or it says how many rows are not.
TEST(CompareView, NoCountIsLeftOutInSilence) {
  const auto named = [](const Picture& p) {
    std::set<std::string> out;
    for (const Shape& s : p.shapes)
      for (const char* row : {"steps", "barriers", "adds", "shared atomics", "global atomics", "span",
                              "wavefronts", "sectors", "longest queue", "threads at work", "active lanes"})
        if (s.type == Shape::text && s.words == row) out.insert(row);
    return out;
  };
  const Comparison all[] = {comparison_of("scan/blelloch", "scan/blelloch-padded", 16),
                            comparison_of("scan/kogge-stone", "scan/brent-kung", 64),
                            comparison_of("histogram/shared-atomics", "histogram/privatised", 0),
                            comparison_of("reduce/shared", "reduce/warp-shuffle", 0)};
  for (const Comparison& c : all)
    for (const ThemeName look : {ThemeName::dark, ThemeName::projector})
      // the tab's area in a window 720 high, with and without a line above it; and a very low one
      for (const float h : {540.0f, 500.0f, 300.0f}) {
        const Theme t = theme(look, 720);
        const auto count = [&](const Picture& p) {
          size_t more = 0;
          for (const Shape& s : p.shapes)
            if (s.type == Shape::text && s.words.find(" no room here") != std::string::npos)
              more = size_t(std::stoi(s.words));
          return more;
        };
        const Picture whole = compare_view(c, {}, {}, t, fixed_metrics(), 1264, 2000),
                      low = compare_view(c, {}, {}, t, fixed_metrics(), 1264, h);
        EXPECT_EQ(count(whole), 0u);
        EXPECT_GT(named(whole).size(), 4u);
        EXPECT_EQ(named(low).size() + count(low), named(whole).size())
            << names_of(c)[1] << ", " << name_of(look) << ", " << h;
        if (h >= 500 && named(whole).size() < 8) {
          EXPECT_EQ(count(low), 0u) << names_of(c)[1] << ", " << name_of(look) << ", " << h;
        }
      }
}

TEST(CompareView, CountsBesideFormulas) {
  const Picture p = draw_comparison(scans(), {.position = 11});
  for (const char* words :
       {"Kogge-Stone", "Blelloch", "129", "62", "2(n-1) = 62", "x 0.48",
        "Done after 11 steps. The other has 1 more.", "No time of either kernel has been recorded."})
    EXPECT_TRUE(says(p, words)) << words;
  EXPECT_EQ(hit_named(p, "left 3")->b, 3);
  EXPECT_TRUE(hit_named(p, "right 12"));

  Recording run{"A GPU", "1", "2025-01-02T00:00:00Z", 1000, 0, 0, {}};
  for (const char* kernel : {"scan/kogge-stone", "scan/blelloch", "cub/scan"}) {
    Record r;
    r.kernel = kernel;
    r.n = 1 << 20;
    r.bytes = 8e6;
    r.samples = {kernel == std::string("scan/blelloch") ? 1.6e-5 : 2e-5};
    complete(r, run);
    run.records.push_back(r);
  }
  const Picture measured = draw_comparison(scans(), {.position = 4}, {run});
  for (const char* words : {"Recorded:", "400", "40%", "500", "Blelloch is 25% faster than Kogge-Stone."})
    EXPECT_TRUE(says(measured, words)) << words;
  // runs over several GPUs and on uneven data say something else, though they are longer
  Recording more = run;
  for (Record r : run.records) {
    r.n = 1 << 24;
    r.gb_per_s = 9999;
    r.gpus = 4;
    more.records.insert(more.records.begin(), r);
    r.gpus = 1;
    r.parameters["skew"] = "0.5";
    more.records.insert(more.records.begin(), r);
  }
  const Picture usual = draw_comparison(scans(), {.position = 4}, {more});
  EXPECT_TRUE(says(usual, "Blelloch is 25% faster than Kogge-Stone."));
  EXPECT_FALSE(says(usual, "9,999"));
  using Names = std::array<std::string, 2>;
  EXPECT_EQ(quoted_names({"Blelloch", "Kogge-Stone"}), (Names{"Blelloch", "Kogge-Stone"}));
  EXPECT_EQ(quoted_names({"Blelloch", "Blelloch, padded"}),
            (Names{"\u201cBlelloch\u201d", "\u201cBlelloch, padded\u201d"}));
  EXPECT_EQ(quoted_names({"Blelloch\uff0c带填充", "x"})[1], "\u201cx\u201d");
  // a slower device that came with the program stands aside, though it comes later
  Recording slower = run;
  slower.device = "A slower GPU";
  slower.aside = true;
  EXPECT_TRUE(says(draw_comparison(scans(), {.position = 4}, {run, slower}), "A GPU, 2025-01-02"));
  EXPECT_TRUE(says(draw_comparison(scans(), {.position = 4}, {slower}), "A slower GPU"));
  Recording older = slower;
  older.device = "An older recording's GPU";
  EXPECT_TRUE(says(draw_comparison(scans(), {.position = 4}, {slower, older}), "A slower GPU"))
      << "the newest stands first";
  expect_clean_everywhere("measured", [&](const Theme& th, const Metrics& m, float w, float h) {
    return compare_view(scans(), {.position = 4}, {run}, th, m, w, h - th.px(th.projector() ? 154 : 168));
  });
}

TEST(CompareView, TheTransportsStripNamesItsChoices) {
  const Theme t = theme(ThemeName::dark, 900);
  const Picture p = compare_transport(scans(), {.position = 3}, t, fixed_metrics(), 1300, 118);
  for (const char* name : {"position", "sync by interval", "sync by phase", "sync by work", "scale work",
                           "scale wavefronts", "scale sectors", "scale threads"})
    EXPECT_TRUE(hit_named(p, name)) << name;
  const HitRegion& position = *hit_named(p, "position");
  EXPECT_EQ(slider_value(position, 0), 0);
  EXPECT_EQ(slider_value(position, 1300), int(scans().steps[0].size()) - 1);
}

TEST(CompareView, IsCleanEverywhere) {
  const auto check = [](const Comparison& c, const std::string& name, CompareLook look) {
    for (Language language : {Language::en, Language::zh}) {
      speak(language);
      expect_clean_everywhere(
          name + " " + name_of(language), [&](const Theme& t, const Metrics& m, float w, float h) {
            return compare_view(c, look, {}, t, m, w, h - t.px(t.projector() ? 154 : 168));
          });
      expect_clean_everywhere(
          name + " transport " + name_of(language), [&](const Theme& t, const Metrics& m, float w, float) {
            const float bar = t.px(t.projector() ? 94 : 120);
            return compare_transport(c, look, t, m, w - t.px(t.projector() ? 406 : 242), bar - 2);
          });
    }
    speak(Language::en);
  };
  const Comparison large =
      comparison(traced("scan/kogge-stone", "", 32, 32), traced("scan/blelloch", "", 1024, 512));
  const Comparison shuffles = comparison_of("reduce/tree-mask", "reduce/warp-shuffle", 64);
  const Comparison histograms = comparison_of("histogram/global-atomics", "histogram/shared-atomics", 0);
  const Comparison launches =
      comparison(traced("reduce/interleaved-global"), traced("scan/blelloch", "", 300, 32));
  for (int position : {0, 3, 50}) {
    check(scans(), "scans", {.sync = SyncBy::phase, .position = position});
    check(large, "large", {.position = position});
    check(shuffles, "shuffles", {.scale = "sectors", .position = position});
    check(histograms, "histograms", {.sync = SyncBy::work, .scale = "threads", .position = position});
    check(launches, "launches", {.scale = "wavefronts", .position = position});
  }
}

LoadedState comparison_on(const std::string& kernel, RunSpec r = {}) {
  Target target;
  target.request = std::move(r);
  target.request.kernel = kernel;
  LoadedState s = opened(LoadedState{}, target, Where::parameters);
  s.tab = "compare";
  return s;
}

TEST(CompareState, OpensWithTheNextRung) {
  const LoadedState s = compared(comparison_on("scan/blelloch", {.n = 24}));
  EXPECT_EQ(s.results.of<CompareRuns>().other->trace.kernel, "scan/blelloch-padded");
  EXPECT_EQ(s.results.of<CompareRuns>().other->report.input, s.run->report.input);
  EXPECT_EQ(compared(s).results.of<CompareRuns>().comparison, s.results.of<CompareRuns>().comparison)
      << "nothing is made twice";
}

TEST(CompareState, AnyTwoRuns) {
  LoadedState s = compared(comparison_on("scan/blelloch", {.n = 24}));
  for (const Algorithm* a : catalog()) {
    if (a->family() == "patterns") continue;  // as many elements as its pattern takes
    s.of<CompareState>().right = {.kernel = a->name};
    s = compared(std::move(s));
    EXPECT_EQ(s.error.english(), "") << a->name;
    ASSERT_TRUE(s.results.of<CompareRuns>().other) << a->name;
    EXPECT_EQ(s.results.of<CompareRuns>().other->trace.kernel, a->name);
    EXPECT_EQ(s.results.of<CompareRuns>().other->report.input.size(), 24u) << a->name;
  }
  s.of<CompareState>().right = {.kernel = "scan/blelloch", .n = 50, .block = 8, .set = "type=float"};
  s = compared(std::move(s));
  EXPECT_EQ(s.error.english(), "");
  EXPECT_EQ(s.results.of<CompareRuns>().other->report.input.size(), 50u);
  EXPECT_EQ(s.results.of<CompareRuns>().other->trace.launches[0].block, 8);
  EXPECT_EQ(s.run->trace.launches[0].block, 16);
  s.of<CompareState>().right = {.file = "no-such-file.bscope"};
  s = compared(std::move(s));
  EXPECT_EQ(s.error_at, Where::compare);
  EXPECT_FALSE(s.results.of<CompareRuns>().comparison);
  s.of<CompareState>().right = {.kernel = "scan/kogge-stone"};
  s = compared(std::move(s));
  EXPECT_EQ(s.error.english(), "");
  // from a preset of one family to another
  LoadedState h = compared(comparison_on("histogram/shared-atomics", {.preset = "queue-7x20"}));
  for (const char* kernel : {"scan/blelloch", "reduce/one-atomic", "histogram/racy"}) {
    h.of<CompareState>().right = {.kernel = kernel};
    h = compared(std::move(h));
    EXPECT_EQ(h.error.english(), "") << kernel;
    EXPECT_EQ(h.results.of<CompareRuns>().other->report.input.size(), 224u) << kernel;
  }
}

TEST(CompareState, OneTransportMovesBoth) {
  LoadedState s = compared(comparison_on("scan/kogge-stone", {.n = 32}));
  s.of<CompareState>().right = {.kernel = "scan/blelloch"};
  s = compared(std::move(s));
  s = last(std::move(s));
  EXPECT_EQ(s.of<CompareState>().position, 12) << "to the end of the longer side";
  EXPECT_EQ(s.cursor.interval, 10);
  s = first(std::move(s));
  s = forward(std::move(s));
  EXPECT_EQ(s.of<CompareState>().position, 1);
  EXPECT_EQ(s.cursor.interval, 1);
  s = next_phase(std::move(s));
  EXPECT_GT(s.of<CompareState>().position, 1);
  s = first(std::move(s));
  s = play_or_pause(std::move(s));
  for (int k = 0; k < 10000 && s.playing; ++k) s = advanced(std::move(s), 16);
  EXPECT_EQ(s.of<CompareState>().position, 12);
  // the cursor of another tab is where both stand
  s.cursor = at_step(*s.run, s.cursor, 4);
  s = compared(std::move(s));
  EXPECT_EQ(s.of<CompareState>().position, 4);
}

}  // namespace
}  // namespace bscope
