#include <gtest/gtest.h>

#include <set>

#include "app/draw/chart.hpp"
#include "app/session/state.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/tabs/compare/sheet.hpp"
#include "app/tabs/compare/steps.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

Comparison of(const std::string& left, const std::string& right, long long n, long long left_block = 0,
              long long right_block = 0) {
  return comparison(traced(left, "", n, left_block), traced(right, "", n, right_block));
}
const Comparison& scans() {
  static const Comparison c = of("scan/kogge-stone", "scan/blelloch", 32);
  return c;
}
Picture draw(const Comparison& c, const CompareLook& look = {},
             const std::vector<Recording>& recordings = {}) {
  const Theme t = theme(ThemeName::dark, 900);
  return compare_view(c, look, recordings, t, fixed_metrics(), 1600, 690);
}

TEST(CompareSide, CountsEachInterval) {
  const auto run = traced("scan/blelloch", "", 16, 8);
  const CompareSide side = compare_side(*run);
  EXPECT_EQ(side.figures[0].columns, 16);
  EXPECT_TRUE(side.figures[0].cells);
  EXPECT_EQ(side.adds, 30);
  EXPECT_EQ(side.rows[0].name, "load");
  EXPECT_EQ(side.rows[1].name, "up-sweep 1");
  EXPECT_EQ(side.rows[1].adds, 8);
  ASSERT_EQ(side.rows[1].dots.size(), 8u);
  EXPECT_EQ(side.rows[1].dots[0].column, 1);
  EXPECT_EQ(side.rows[1].dots[0].from, std::vector<int>{0});
  EXPECT_TRUE(side.rows[1].dots[0].add);
  EXPECT_TRUE(side.rows[1].dots[0].self);
  // the last cell of the exclusive scan comes from all cells but itself
  int lineage = 0;
  for (const auto& d : side.rows[0].dots) lineage += d.lineage;
  EXPECT_EQ(lineage, 15);
}

// Two buffers that take turns stand on one row's columns, as the one of Kogge and Stone does.
TEST(CompareSide, BuffersThatTakeTurnsStandOnTheSameColumns) {
  const CompareSide two = compare_side(*traced("scan/hillis-steele", "", 16, 8)),
                    one = compare_side(*traced("scan/kogge-stone", "", 16, 8));
  EXPECT_EQ(two.figures[0].columns, 16);
  EXPECT_EQ(two.figures[0].columns, one.figures[0].columns);
  EXPECT_EQ(two.adds, one.adds);
  // in each level what stands left of a cell by the stride goes into it
  int stride = 1;
  for (const auto& row : two.rows) {
    if (row.launch > 0 || row.phase != "doubling") continue;
    for (const auto& d : row.dots)
      EXPECT_EQ(d.from, d.column % 8 >= stride ? std::vector{d.column - stride} : std::vector<int>{})
          << row.name;
    stride *= 2;
  }
  EXPECT_EQ(stride, 8);
}

TEST(CompareSide, EveryKernelHasAFigureWhoseRowsAddUp) {
  for (const Algorithm* a : catalog()) {
    SCOPED_TRACE(a->name);
    for (long long n : {0ll, 200ll, 3000ll}) {
      std::shared_ptr<const bscope::Run> run;
      try {
        run = traced(a->name, "", n);
      } catch (const UsageError&) {
        continue;  // a size that this kernel refuses
      }
      const CompareSide side = compare_side(*run);
      const Flow& flow = run->report.flow;
      if (flow.intervals.empty()) continue;
      const RequestTotals sums = total(run->report.requests());
      long adds = 0, atomics = 0, wavefronts = 0, sectors = 0, dots = 0;
      for (const auto& r : side.rows) {
        adds += r.adds, atomics += r.atomics, wavefronts += r.wavefronts, sectors += r.sectors;
        dots += long(r.dots.size());
        for (const auto& part : r.parts) dots += part.adds + part.copies;
        for (const auto& d : r.dots) {
          ASSERT_GE(d.column, 0);
          ASSERT_LT(d.column, side.figures[size_t(r.launch)].columns);
          for (int from : d.from) ASSERT_LT(from, side.figures[size_t(r.launch)].columns);
        }
      }
      long all_atomics = 0;
      for (const Node& node : flow.nodes) all_atomics += is_atomic(node.op);
      EXPECT_EQ(adds, run->report.work().adds);
      EXPECT_EQ(atomics, all_atomics);
      EXPECT_EQ(wavefronts, sums.shared_wavefronts);
      EXPECT_EQ(sectors, sums.global_sectors);
      EXPECT_GT(dots, 0) << "an empty half panel";
    }
  }
}

TEST(CompareSide, ManyColumnsAreCountedInPartsThatBlocksShare) {
  // 391 blocks of 256 threads: no screen has a pixel for each
  const auto run = traced("reduce/shared", "", 100'000);
  const CompareSide side = compare_side(*run);
  const auto& f = side.figures[0];
  EXPECT_EQ(f.all, 391 * 256);
  EXPECT_EQ(256 % f.part, 0) << "a block is whole parts";
  for (const auto& row : side.rows) {
    if (row.launch != 0 || row.adds == 0) continue;
    long adds = 0;
    for (const auto& part : row.parts) {
      adds += part.adds;
      EXPECT_LE(part.adds + part.copies, f.part);
    }
    EXPECT_EQ(adds, row.adds) << row.name << ": each add writes a column of its own";
    for (int block = 1; block < 390; ++block)  // the last one has fewer elements
      EXPECT_EQ(row.parts[size_t(block * f.in_block())].adds, row.parts[0].adds) << row.name;
  }
  EXPECT_EQ(columns_together(100'096, 256, 528), 256);
  EXPECT_EQ(columns_together(100'096, 256, 2048), 64);
  EXPECT_EQ(columns_together(100'000, 100'000, 528), 200);
  EXPECT_EQ(columns_together(100, 4, 20), 8) << "whole blocks";
  EXPECT_EQ(columns_together(64, 64, 2048), 1);
}

TEST(CompareView, ManyBlocksThatDoTheSameLookTheSame) {
  // a comb of columns that are there and columns that are not would say what is not so
  const Comparison c = of("reduce/shared", "reduce/warp-shuffle", 100'000);
  const Picture p = draw(c, {.position = 5});
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

TEST(CompareSide, RoundsOfShufflesAreRows) {
  const auto run = traced("reduce/warp-shuffle", "", 32);
  const CompareSide side = compare_side(*run);
  int rounds = 0;
  for (const auto& r : side.rows) rounds = std::max(rounds, r.round);
  EXPECT_EQ(rounds, 5) << "log2 of 32 lanes";
  for (const auto& r : side.rows)
    if (r.round > 0 && r.interval == side.rows.back().interval) { EXPECT_EQ(r.adds, 32); }
}

TEST(Comparison, KeepsStepByIntervalPhaseAndWork) {
  const Comparison& c = scans();
  const int left = int(c.sides[0].rows.size()), right = int(c.sides[1].rows.size());
  for (const auto& steps : c.steps) {
    EXPECT_EQ(steps.back()[0], left - 1);
    EXPECT_EQ(steps.back()[1], right - 1);
    for (size_t k = 1; k < steps.size(); ++k)
      for (size_t s = 0; s < 2; ++s) {
        EXPECT_GE(steps[k][s], steps[k - 1][s]) << "nobody goes back";
        EXPECT_LE(steps[k][s], steps[k - 1][s] + 1 + (&steps == &c.steps[2]) * right);
      }
  }
  const auto& by_interval = c.steps[size_t(SyncBy::interval)];
  EXPECT_EQ(int(by_interval.size()), std::max(left, right));
  EXPECT_EQ(by_interval[3], (std::array<int, 2>{3, 3}));
  // phases of one name begin together: both load first
  const Comparison same = of("scan/blelloch", "scan/blelloch-padded", 32);
  for (const auto& step : same.steps[size_t(SyncBy::phase)])
    EXPECT_EQ(same.sides[0].rows[size_t(step[0])].phase, same.sides[1].rows[size_t(step[1])].phase);
  // the same share of the work is done
  const auto share = [&](size_t s, int row) {
    long sum = 0;
    for (int r = 0; r <= row; ++r) sum += c.sides[s].rows[size_t(r)].adds;
    return double(sum) / double(c.sides[s].adds);
  };
  for (const auto& step : c.steps[size_t(SyncBy::work)]) {
    const double done = std::max(share(0, step[0]), share(1, step[1]));
    for (size_t s = 0; s < 2; ++s)
      if (step[s] + 1 < int(c.sides[s].rows.size())) { EXPECT_GT(share(s, step[s] + 1), done - 1e-9); }
  }
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
  EXPECT_TRUE(words.starts_with("Blelloch beside Kogge-Stone: 48% of the adds")) << words;
  const Comparison same = of("scan/blelloch", "scan/blelloch", 32);
  EXPECT_EQ(difference(same), "Blelloch counts the same as Blelloch.");
  const Comparison blocks = of("scan/blelloch", "scan/blelloch", 32, 16, 4);
  EXPECT_EQ(names_of(blocks)[1], "Blelloch, block = 4");
}

// What the table counts is on screen, or it says how many rows are not.
TEST(CompareView, NoCountIsLeftOutInSilence) {
  const auto named = [](const Picture& p) {
    std::set<std::string> out;
    for (const Shape& s : p.shapes)
      for (const char* row : {"steps", "barriers", "adds", "shared atomics", "global atomics", "span",
                              "wavefronts", "sectors", "longest queue", "thread slots used"})
        if (s.type == Shape::text && s.words == row) out.insert(row);
    return out;
  };
  const Comparison all[] = {of("scan/blelloch", "scan/blelloch-padded", 16),
                            of("scan/kogge-stone", "scan/brent-kung", 64),
                            of("histogram/shared-atomics", "histogram/privatised", 0),
                            of("reduce/shared", "reduce/warp-shuffle", 0)};
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
  const Picture p = draw(scans(), {.position = 11});
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
  const Picture measured = draw(scans(), {.position = 4}, {run});
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
  const Picture usual = draw(scans(), {.position = 4}, {more});
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
  EXPECT_TRUE(says(draw(scans(), {.position = 4}, {run, slower}), "A GPU, 2025-01-02"));
  EXPECT_TRUE(says(draw(scans(), {.position = 4}, {slower}), "A slower GPU"));
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
  const Hit& position = *hit_named(p, "position");
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
  const Comparison shuffles = of("reduce/tree-mask", "reduce/warp-shuffle", 64);
  const Comparison histograms = of("histogram/global-atomics", "histogram/shared-atomics", 0);
  const Comparison launches =
      comparison(traced("reduce/interleaved-global"), traced("scan/blelloch", "", 300, 32));
  for (int position : {0, 3, 50}) {
    check(scans(), "scans", {.sync = SyncBy::phase, .position = position});
    check(large, "large", {.position = position});
    check(shuffles, "shuffles", {.scale = CompareBy::sectors, .position = position});
    check(histograms, "histograms",
          {.sync = SyncBy::work, .scale = CompareBy::threads, .position = position});
    check(launches, "launches", {.scale = CompareBy::wavefronts, .position = position});
  }
}

State on(const std::string& kernel, Request r = {}) {
  Target target;
  target.request = std::move(r);
  target.request.kernel = kernel;
  State s = opened(State{}, target, Where::parameters);
  s.tab = "compare";
  return s;
}

TEST(CompareState, OpensWithTheNextRung) {
  const State s = compared(on("scan/blelloch", {.n = 24}));
  EXPECT_EQ(s.of<CompareState>().other->trace.kernel, "scan/blelloch-padded");
  EXPECT_EQ(s.of<CompareState>().other->report.input, s.run->report.input);
  EXPECT_EQ(compared(s).of<CompareState>().comparison, s.of<CompareState>().comparison)
      << "nothing is made twice";
}

TEST(CompareState, AnyTwoRuns) {
  State s = compared(on("scan/blelloch", {.n = 24}));
  for (const Algorithm* a : catalog()) {
    if (a->family() == "patterns") continue;  // as many elements as its pattern takes
    s.of<CompareState>().right = {.kernel = a->name};
    s = compared(std::move(s));
    EXPECT_EQ(s.error, "") << a->name;
    ASSERT_TRUE(s.of<CompareState>().other) << a->name;
    EXPECT_EQ(s.of<CompareState>().other->trace.kernel, a->name);
    EXPECT_EQ(s.of<CompareState>().other->report.input.size(), 24u) << a->name;
  }
  s.of<CompareState>().right = {.kernel = "scan/blelloch", .n = 50, .block = 8, .set = "type=float"};
  s = compared(std::move(s));
  EXPECT_EQ(s.error, "");
  EXPECT_EQ(s.of<CompareState>().other->report.input.size(), 50u);
  EXPECT_EQ(s.of<CompareState>().other->trace.launches[0].block, 8);
  EXPECT_EQ(s.run->trace.launches[0].block, 16);
  s.of<CompareState>().right = {.file = "no-such-file.bscope"};
  s = compared(std::move(s));
  EXPECT_EQ(s.error_at, Where::compare);
  EXPECT_FALSE(s.of<CompareState>().comparison);
  s.of<CompareState>().right = {.kernel = "scan/kogge-stone"};
  s = compared(std::move(s));
  EXPECT_EQ(s.error, "");
  // from a preset of one family to another
  State h = compared(on("histogram/shared-atomics", {.preset = "queue-7x20"}));
  for (const char* kernel : {"scan/blelloch", "reduce/one-atomic", "histogram/racy"}) {
    h.of<CompareState>().right = {.kernel = kernel};
    h = compared(std::move(h));
    EXPECT_EQ(h.error, "") << kernel;
    EXPECT_EQ(h.of<CompareState>().other->report.input.size(), 224u) << kernel;
  }
}

TEST(CompareState, OneTransportMovesBoth) {
  State s = compared(on("scan/kogge-stone", {.n = 32}));
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
