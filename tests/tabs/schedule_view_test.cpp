// The Schedule tab's picture: what is in it, and what touching it does.
#include <gmock/gmock.h>

#include <chrono>
#include <map>

#include "app/measure/timeline_bench.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_services.hpp"
#include "app/tabs/schedule/picture.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/simt/stamps.hpp"
#include "engine/timing/timeline.hpp"
#include "tests/at_once.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;

LoadedState schedule_on(const std::string& kernel) {
  LoadedState s;
  Target t;
  t.request.kernel = kernel;
  s = opened(std::move(s), t, Where::nowhere);
  s.tab = "schedule";
  return s;
}
Picture drawn(const LoadedState& s, TabServices& services, float w = 1600, float h = 900) {
  const Theme t = theme(s.theme, h);
  const Metrics m = fixed_metrics();
  const RunQueries model(s.run);
  return tab_of(s).picture({s, model, t, m, services}, w, h);
}
const HitRegion* hit(const Picture& p, const std::string& name) {
  const auto it = std::ranges::find(p.hits, name, &HitRegion::name);
  return it == p.hits.end() ? nullptr : &*it;
}
std::string words_of(const Picture& p) {
  std::string all;
  for (const Shape& s : p.shapes) all += s.words + "|";
  return all;
}
size_t bars_in(const Picture& p) {
  return size_t(
      std::ranges::count_if(p.hits, [](const HitRegion& h) { return h.name.starts_with("block "); }));
}

TEST(ScheduleView, ShowsWhatWasRecordedAndSaysSo) {
  LoadedState s = schedule_on("scan/look-back");
  TabServices services;
  const Picture p = drawn(s, services);
  EXPECT_THAT(words_of(p), HasSubstr("H200"));
  EXPECT_THAT(words_of(p), HasSubstr("recorded 2026-11-23"));
  EXPECT_THAT(words_of(p), HasSubstr("132 multiprocessors"));
  EXPECT_THAT(words_of(p), HasSubstr("look back"));
  EXPECT_GT(bars_in(p), 200u);
  EXPECT_NE(hit(p, "wait 1"), nullptr);
}

// Each colour of the bars below is explained beside them, at a desk and on a projector.
TEST(ScheduleView, ColoursOfTheBarsAreExplained) {
  for (const char* kernel : {"scan/look-back", "reduce/warp-shuffle"})
    for (const ThemeName look : {ThemeName::dark, ThemeName::projector}) {
      LoadedState s = schedule_on(kernel);
      s.theme = look;
      TabServices services;
      const Picture p = drawn(s, services);
      float heading = 0;
      for (const Shape& shape : p.shapes)
        if (shape.words == "Where the time goes") heading = shape.box.centre().y;
      ASSERT_GT(heading, 0);
      std::string beside;
      for (const Shape& shape : p.shapes)
        if (shape.type == Shape::text && std::abs(shape.box.centre().y - heading) < 12)
          beside += shape.words + "|";
      const bool others = kernel == std::string("scan/look-back");
      if (others) EXPECT_THAT(beside, HasSubstr("for other blocks"));
      // where both have no room, the legend of the rows above has the pale one
      if (!others || look == ThemeName::dark) EXPECT_THAT(beside, HasSubstr("pale"));
    }
}

// Numbers that stand side by side below the rows are the axis': whatever the zoom, each says another moment,
// and they are as far apart in microseconds as they stand.
TEST(ScheduleView, TicksTellMomentsApart) {
  LoadedState s = schedule_on("reduce/warp-shuffle");
  TabServices services;
  for (int zoom = 0; zoom <= ScheduleState::most_zoom; zoom += 2) {
    s.of<ScheduleState>().resident = 8;
    s.of<ScheduleState>().zoom = zoom;
    const Picture p = drawn(s, services);
    std::map<float, std::map<float, double>> by_height;  // y, x
    for (const Shape& shape : p.shapes)
      if (shape.type == Shape::text && shape.font == Font::text && shape.points.at(0).x > 350 &&
          shape.words.find_first_not_of("0123456789.") == std::string::npos && !shape.words.empty())
        by_height[shape.points.at(0).y][shape.points.at(0).x] = std::stod(shape.words);
    bool found = false;
    for (const auto& [y, ticks] : by_height) {
      if (ticks.size() < 3) continue;
      found = true;
      auto before = ticks.begin();
      const double each = std::next(before)->second - before->second;
      for (auto it = std::next(before); it != ticks.end(); before = it++)
        EXPECT_NEAR(it->second - before->second, each, 1e-6) << "zoom " << zoom;
      EXPECT_GT(each, 0) << "zoom " << zoom;
    }
    EXPECT_TRUE(found) << "no axis at zoom " << zoom;
  }
}

TEST(ScheduleView, ARowWithoutBarsSaysThatNoneAreKept) {
  LoadedState s = schedule_on("reduce/warp-shuffle");
  TabServices services;
  EXPECT_THAT(words_of(drawn(s, services)), HasSubstr("no blocks kept"));
  const Picture p = drawn(s = schedule_on("scan/look-back"), services);
  EXPECT_THAT(words_of(p), testing::Not(HasSubstr("no blocks kept"))) << "all of it is kept";
}

TEST(ScheduleView, ABlockIsChosenByAPressAndLetGoByAnother) {
  LoadedState s = schedule_on("scan/look-back");
  TabServices services;
  Picture p = drawn(s, services);
  const HitRegion* bar = hit(p, "block 0:3");
  ASSERT_NE(bar, nullptr);
  EXPECT_THAT(bar->tip, HasSubstr("Block 3 on multiprocessor"));
  bar->press(s, 0);
  EXPECT_EQ(s.of<ScheduleState>().block, 3);
  EXPECT_EQ(s.cursor.block, 3) << "the open run has such a block, too";
  p = drawn(s, services);
  hit(p, "block 0:3")->press(s, 0);
  EXPECT_EQ(s.of<ScheduleState>().block, -1);
  hit(p, "block 0:200")->press(s, 0);
  EXPECT_EQ(s.of<ScheduleState>().block, 200);
  EXPECT_EQ(s.cursor.block, 3) << "and none of this number";
}

TEST(ScheduleView, TheWheelZoomsAboutItsPlace) {
  LoadedState s = schedule_on("scan/look-back");
  TabServices services;
  Picture p = drawn(s, services);
  const auto short_one = std::ranges::find_if(p.hits, [](const HitRegion& h) {
    return h.name.starts_with("block ") && h.box.x > 700 && h.box.right() < 1450;
  });
  ASSERT_NE(short_one, p.hits.end());
  const std::string name = short_one->name;
  const HitRegion* bar = hit(p, name);
  for (int k = 0; k < 5; ++k) {
    const float before = bar->box.centre().x;
    bar->wheel(s, 1);
    EXPECT_EQ(s.of<ScheduleState>().zoom, 2 * (k + 1));
    p = drawn(s, services);
    bar = hit(p, name);
    ASSERT_NE(bar, nullptr);
    if (k < 1) EXPECT_NEAR(bar->box.centre().x, before, 2);  // wider, it reaches beyond what is in view
  }
  EXPECT_LT(bars_in(p), 240u) << "what is out of view is left out";
  for (int k = 0; k < 60; ++k) hit(p, "ground 5")->wheel(s, -1);
  EXPECT_EQ(s.of<ScheduleState>().zoom, 0);
}

TEST(ScheduleView, RunsWithFewerBlocksAreChosen) {
  LoadedState s = schedule_on("reduce/warp-shuffle");
  TabServices services;
  Picture p = drawn(s, services);
  for (const char* k : {"1", "2", "4", "8"}) ASSERT_NE(hit(p, std::string("resident:") + k), nullptr) << k;
  hit(p, "resident:1")->press(s, 0);
  EXPECT_EQ(s.of<ScheduleState>().resident, 1);
  EXPECT_THAT(words_of(drawn(s, services)), HasSubstr("16.0 waves"));
  s.of<ScheduleState>().resident = 3;  // none was recorded with so many: one beside it
  EXPECT_THAT(words_of(drawn(s, services)), HasSubstr("waves in"));
}

TEST(ScheduleView, AKernelThatWasNotRecordedSaysWhatToDo) {
  LoadedState s = schedule_on("patterns/shared-stride");
  TabServices services;
  const std::string words = words_of(drawn(s, services));
  EXPECT_THAT(words, HasSubstr("No schedule has been recorded"));
}

// As many blocks as a long run has: few enough shapes to be drawn in a frame.
TEST(ScheduleView, ThousandsOfBlocksAreDrawnTogether) {
  Timeline t{
      .device = "NVIDIA H200", .kernel = "reduce/shared", .n = 1, .multiprocessors = 132, .clock_mhz = 1980};
  TimelineLaunch& l = t.launches.emplace_back();
  l.name = "reduce";
  l.block = 256;
  l.resident = 8;
  l.phases[10] = "add";
  l.paths = {{{Stamp::phase, 10}, {Stamp::arrival, 12}, {Stamp::release, 12}}};
  const int blocks = test::all_or_part(20'000, 4'000);
  for (int k = 0; k < blocks; ++k) {
    const long long begin = k / 1056 * 1000LL + k % 7;
    TimelineBlock& b = l.blocks.emplace_back();
    b.multiprocessor = k % 132;
    b.number = k;
    for (int w = 0; w < 8; ++w)
      b.warps.push_back({begin, begin + 990, 0, {begin + 200, begin + 500, begin + 700}});
  }
  l.grid = blocks;
  const std::vector<ShownTimeline> all{ShownTimeline(t)};
  ScheduleInput in;
  in.kernel = t.kernel;
  in.all = &all;
  for (const ThemeName name : {ThemeName::dark, ThemeName::projector}) {
    const Picture p = schedule_view(in, theme(name, 900), fixed_metrics(), 1600, 900);
    EXPECT_LT(p.shapes.size(), 6000u);
    EXPECT_LT(p.hits.size(), 6000u);
  }
}

TEST(ScheduleView, ProposesNoCommandThatWouldBeRefused) {
  const auto said = [](bool recordable) {
    ScheduleInput in;
    in.kernel = recordable ? "scan/three-phase" : "yours/hot";
    in.recordable = recordable;
    std::string all;
    for (const Shape& s : schedule_view(in, theme(ThemeName::dark, 900), fixed_metrics(), 1600, 900).shapes)
      all += s.words + "\n";
    return all;
  };
  EXPECT_THAT(said(true), HasSubstr("timeline"));
  EXPECT_THAT(said(false), testing::Not(HasSubstr("timeline")));
  EXPECT_THAT(said(false), HasSubstr("No schedule"));
}

}  // namespace
}  // namespace bscope
