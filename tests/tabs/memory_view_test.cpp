// The Memory tab: what a request touches, computed from a real run's addresses.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <semaphore>
#include <set>

#include "app/parts/partners.hpp"
#include "app/parts/pattern.hpp"
#include "app/run/run_store.hpp"
#include "app/session/state.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/banks/picture.hpp"
#include "app/tabs/banks/scene.hpp"
#include "app/tabs/memory/memory_state.hpp"
#include "app/tabs/memory/picture.hpp"
#include "app/tabs/memory/scene.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_queries.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

RequestScene memory_scene_of(const std::shared_ptr<const Run>& run, int step) {
  RequestScene scene;
  scene.here = {run, at_step(*run, {}, step), -1};
  return scene;
}
LoadedState playing(const PatternState& p) {
  LoadedState s;
  s.run = traced("scan/blelloch");
  s.of<BanksState>().playing = s.of<MemoryState>().playing = true;
  s.of<BanksState>().pattern = s.of<MemoryState>().pattern = p;
  return s;
}

TEST(MemoryView, TheWholeRunIsWhatItsBarsAddUpTo) {
  // one block: its bars are the run's
  const auto run = traced("reduce/bulk-copy", "", 32, 32);
  ASSERT_EQ(run->trace.launches.size(), 1u);
  ASSERT_EQ(run->trace.launches[0].grid, 1);
  const RequestSums sums = request_sums(*run);
  EXPECT_GT(sums.engine, 0);
  long bars = 0;
  for (size_t k = 0; k < run->report.flow.intervals.size(); ++k) {
    for (const WarpAccess& q : run->report.requests_of(k)) bars += q.shared() ? 0 : q.sectors;
    for (const EngineCopy& c : engine_copies(*run, run->report.flow.intervals[k])) bars += c.sectors;
  }
  const Picture p =
      memory_view(memory_scene_of(run, 0), theme(ThemeName::dark, 900), fixed_metrics(), 1600, 690);
  EXPECT_TRUE(says(p, "whole run: " + std::to_string(bars) + ", " + std::to_string(sums.engine) +
                          " of them by the copy engine"));
}

TEST(MemoryView, TheLegendNamesNothingThatNoBarHas) {
  std::set<bool> seen;
  for (const char* kernel : {"scan/blelloch", "scan/kogge-stone", "histogram/global-atomics"}) {
    const auto run = traced(kernel, "", 32, 32);
    ASSERT_EQ(run->trace.launches[0].grid, 1) << kernel;
    bool avoidable = false;
    for (size_t k = 0; k < run->report.flow.intervals.size(); ++k)
      for (const WarpAccess& q : run->report.requests_of(k))
        avoidable |= !q.shared() && q.sectors > q.ideal_sectors;
    const Picture p =
        memory_view(memory_scene_of(run, 0), theme(ThemeName::dark, 900), fixed_metrics(), 1600, 690);
    const bool named = std::ranges::any_of(p.shapes, [](const Shape& s) { return s.words == "avoidable"; });
    EXPECT_EQ(named, avoidable) << kernel;
    seen.insert(named);
  }
  EXPECT_EQ(seen.size(), 2u) << "both kinds of charts were seen";
}

TEST(RunStore, LoadsAndCountsLargeRunsWithoutHoldingUpAFrame) {
  LoadedState s;
  s.target.request.kernel = "scan/blelloch";
  s.target.request.n = 4096;
  s.run = open_now(s.target).run;
  ASSERT_GT(s.run->trace.events(), 100'000u);
  std::counting_semaphore<> woken(0);
  RunStore runs;
  runs.wake = [&] { woken.release(); };
  PatternSweeps pattern;
  RequestScene scene = banks_scene(s, RunQueries(s.run), runs, pattern);
  EXPECT_FALSE(scene.beside) << "the twin is not there in the first frame";
  EXPECT_EQ(scene.waits, RequestScene::running);
  EXPECT_TRUE(says(banks_view(scene, theme(ThemeName::dark, 900), fixed_metrics(), 1600, 690),
                   "the padded twin is being run"));
  for (int k = 0; k < 3; ++k) {  // the run's own sums, its twin, and that one's sums
    woken.acquire();
    scene = banks_scene(s, RunQueries(s.run), runs, pattern);
  }
  ASSERT_TRUE(scene.beside);
  EXPECT_EQ(scene.waits, RequestScene::there);
  ASSERT_TRUE(scene.whole && scene.whole_beside);
  EXPECT_EQ(scene.whole->of_warps.shared_wavefronts, request_sums(*s.run).of_warps.shared_wavefronts);
  EXPECT_LT(scene.whole_beside->of_warps.shared_wavefronts, scene.whole->of_warps.shared_wavefronts);
  // small runs are there at once, with and without a window to wake
  s.target.request.n = 64;
  s.run = open_now(s.target).run;
  EXPECT_TRUE(banks_scene(s, RunQueries(s.run), runs, pattern).beside);
}

TEST(MemoryView, SaysWhatComesForNothing) {
  RunStore runs;
  PatternSweeps pattern;
  const LoadedState s = playing({.stride = 8});
  const RequestScene scene = memory_scene(s, RunQueries(s.run), runs, pattern);
  const Picture p = memory_view(scene, theme(ThemeName::dark, 900), fixed_metrics(), 1600, 847);
  EXPECT_TRUE(says(p, "1,024 bytes move where 128 are asked for."));
  EXPECT_TRUE(says(p, "Side by side: coalesced"));
  EXPECT_EQ(scene.sweep[0], 1);
  EXPECT_EQ(scene.sweep[1], 4);
  EXPECT_EQ(scene.sweep[8], 32);
  EXPECT_TRUE(hit_named(p, "stride 64"));
  EXPECT_TRUE(hit_named(p, "beside sector 3"));
}

TEST(MemoryView, SaysWhyOnEveryScreen) {
  // where the whole sentence has no room, its heart is said; it may break anywhere
  RunStore runs;
  PatternSweeps pattern, banks;
  const LoadedState s = playing({.stride = 32, .pad = 1});
  const auto bold = [](const Picture& p, const std::string& begin) {
    return std::any_of(p.shapes.begin(), p.shapes.end(), [&](const Shape& shape) {
      return shape.type == Shape::text && shape.font == Font::text_bold && shape.words.starts_with(begin);
    });
  };
  for (const ThemeName look : {ThemeName::dark, ThemeName::projector})
    for (const auto& [w, h] : {std::pair{1280.0f, 660.0f}, {1584.0f, 839.0f}}) {
      const Theme t = theme(look, look == ThemeName::projector ? h + 64 : h + 60);
      EXPECT_TRUE(bold(
          memory_view(memory_scene(s, RunQueries(s.run), runs, pattern), t, fixed_metrics(), w, h), "1,024"))
          << name_of(look) << " " << w;
      EXPECT_TRUE(bold(banks_view(banks_scene(s, RunQueries(s.run), runs, banks), t, fixed_metrics(), w, h),
                       "32 instead"))
          << name_of(look) << " " << w;
    }
}

TEST(MemoryView, IsCleanEverywhere) {
  for (auto [kernel, n, block] : {std::tuple{"scan/blelloch", 16, 8},
                                  {"reduce/interleaved-global", 700, 64},
                                  {"reduce/bulk-copy", 512, 0},
                                  {"reduce/grid-stride", 1000, 128},
                                  {"scan/look-ahead", 600, 0},
                                  {"histogram/global-atomics", 224, 32},
                                  {"patterns/global-stride", 64, 32}}) {
    const auto run = traced(kernel, "", n, block);
    const int all = steps(*run);
    for (int step : {0, all / 2, all - 1})
      expect_clean_everywhere(std::string(kernel) + " step " + std::to_string(step),
                              [&](const Theme& t, const Metrics& m, float w, float h) {
                                return memory_view(memory_scene_of(run, step), t, m, w, h);
                              });
  }
  for (const PatternState& p : {PatternState{},
                                {.stride = 1},
                                {.stride = 64, .width = 16},
                                {.stride = 5, .offset = 3, .pad = 1, .width = 8},
                                {.stride = 0}}) {
    RunStore runs;
    PatternSweeps pattern, banks;
    const LoadedState s = playing(p);
    const RequestScene scene = memory_scene(s, RunQueries(s.run), runs, pattern),
                       shared = banks_scene(s, RunQueries(s.run), runs, banks);
    const std::string name = "stride " + std::to_string(p.stride);
    expect_clean_everywhere(name, [&](const Theme& t, const Metrics& m, float w, float h) {
      return memory_view(scene, t, m, w, h);
    });
    expect_clean_everywhere("banks, " + name, [&](const Theme& t, const Metrics& m, float w, float h) {
      return banks_view(shared, t, m, w, h);
    });
  }
}

}  // namespace
}  // namespace bscope
