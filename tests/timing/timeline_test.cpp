#include "engine/timing/timeline.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include "engine/trace/read_file.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double mhz = 1500;
constexpr uint64_t timer_step = 32;

/// A launch as a GPU would tell it: blocks of two warps, each of a phase in line 10 and a barrier in line 12.
/// Times are in nanoseconds.
struct TimelineBuilder {
  StampedLaunch l;
  std::vector<uint64_t> of_multiprocessor{(uint64_t(1) << 48) - 500, 77'000'000};  ///< its clock at time 0
  TimelineBuilder() {
    l.name = "reduce";
    l.block = 64;
    l.registers = l.untraced_registers = 20;
    l.resident = l.untraced_resident = 1;
    l.room = 4;
    l.grid = 0;
  }
  uint64_t clock(uint32_t multiprocessor, double ns) const {
    return of_multiprocessor[multiprocessor] + uint64_t(std::llround(ns * mhz * 1e-3));
  }
  static uint64_t time(double ns) { return 5'000'000 + uint64_t(ns) / timer_step * timer_step; }
  void warp(uint32_t multiprocessor, double begin, double phase, double arrival, double release, double end) {
    l.warps.push_back({clock(multiprocessor, begin), time(begin), clock(multiprocessor, end), time(end),
                       multiprocessor, 3});
    const auto stamp = [&](Stamp::Kind kind, uint32_t line, double ns) {
      l.words.push_back(Stamp::word(kind, line) | (clock(multiprocessor, ns) & Stamp::clock_mask));
    };
    stamp(Stamp::phase, 10, phase);
    stamp(Stamp::arrival, 12, arrival);
    stamp(Stamp::release, 12, release);
    l.words.push_back(0);
  }
  /// Both warps: the second comes to the barrier later.
  void block(uint32_t multiprocessor, double begin) {
    ++l.grid;
    warp(multiprocessor, begin, begin + 100, begin + 300, begin + 720, begin + 1000);
    warp(multiprocessor, begin + 8, begin + 120, begin + 700, begin + 720, begin + 1100);
  }
  Timeline timeline() const {
    Timeline t{.kernel = "reduce/shared", .n = 5, .multiprocessors = 2, .clock_mhz = mhz};
    t.launches = timeline_of({l}, t.clock_mhz);
    return t;
  }
};

/// Blocks one after the other on two multiprocessors for 40 microseconds.
TimelineBuilder building_two_rows() {
  TimelineBuilder builder;
  for (int k = 0; k < 30; ++k)
    for (uint32_t m = 0; m < 2; ++m) builder.block(m, 1300 * k + 37 * m);
  return builder;
}

TEST(Timeline, ClocksOfMultiprocessorsAreSetByTheGpusTime) {
  Timeline t = building_two_rows().timeline();
  EXPECT_NEAR(t.clock_mhz, mhz, mhz * 0.002);
  const auto& blocks = t.launches.at(0).blocks;
  ASSERT_EQ(blocks.size(), 60u);
  EXPECT_EQ(blocks[0].multiprocessor, 0);
  EXPECT_EQ(blocks[1].multiprocessor, 1);
  // The second one's clock reads something else entirely, and its blocks begin 37 ns later.
  for (size_t b = 0; b < blocks.size(); b += 2)
    EXPECT_NEAR(double(blocks[b + 1].begin() - blocks[b].begin()), 37 * mhz * 1e-3, timer_step * mhz * 1e-3)
        << b;
  // Within one multiprocessor every cycle is kept, also over the wrap of what a stamp holds.
  const TimelineWarp& w = blocks[0].warps[0];
  EXPECT_THAT(w.at, ElementsAre(w.begin + 150, w.begin + 450, w.begin + 1080));
  EXPECT_EQ(w.end, w.begin + 1500);
  EXPECT_THAT(t.launches[0].paths,
              ElementsAre(ElementsAre(TimelinePlace{Stamp::phase, 10}, TimelinePlace{Stamp::arrival, 12},
                                      TimelinePlace{Stamp::release, 12})));
  EXPECT_THAT(contradictions(t), IsEmpty());
}

TEST(Timeline, AShortRunTakesTheClockThatItIsGiven) {
  TimelineBuilder builder;
  builder.block(0, 0);
  EXPECT_EQ(builder.timeline().clock_mhz, mhz);
}

TEST(Timeline, AReleaseBeforeTheLastArrivalIsTold) {
  TimelineBuilder builder;
  builder.warp(0, 0, 10, 20, 90, 200);
  builder.warp(0, 0, 10, 100, 110, 200);
  EXPECT_THAT(
      contradictions(builder.timeline()),
      ElementsAre(
          "in line 12 a warp of block 0 of launch \"reduce\" was let go 15 cycles before the last one "
          "came"));
}

TEST(Timeline, AWarpThatHasReturnedIsNotWaitedFor) {
  TimelineBuilder builder;
  builder.warp(0, 0, 10, 20, 40, 200);
  builder.warp(0, 0, 10, 20, 40, 50);
  builder.l.warps[1].count = 1;
  EXPECT_THAT(contradictions(builder.timeline()), IsEmpty());
}

TEST(Timeline, MoreBlocksThanFitAreTold) {
  TimelineBuilder builder;
  builder.block(1, 0);
  builder.block(1, 1050);  // before the first one's second warp has ended
  EXPECT_THAT(contradictions(builder.timeline()),
              ElementsAre("multiprocessor 1 had 2 blocks of launch \"reduce\" at a time, and 1 fit"));
  builder.l.resident = 2;
  EXPECT_THAT(contradictions(builder.timeline()), IsEmpty());
}

TEST(Timeline, WhatElseCannotBeIsTold) {
  TimelineBuilder backward;
  backward.warp(0, 0, 30, 20, 40, 50);
  backward.warp(0, 0, 10, 20, 40, 50);
  EXPECT_THAT(contradictions(backward.timeline()),
              ElementsAre("warp 0 of block 0 of launch \"reduce\" goes back in time"));
  TimelineBuilder moved;
  moved.warp(0, 0, 10, 20, 40, 50);
  moved.warp(1, 0, 10, 20, 40, 50);
  EXPECT_THAT(contradictions(moved.timeline()),
              testing::Contains("block 0 of launch \"reduce\" was on several multiprocessors"));
  TimelineBuilder dropped;
  dropped.block(0, 0);
  dropped.l.warps[1].count = 9;
  EXPECT_THAT(contradictions(dropped.timeline()),
              testing::Contains("5 stamps of launch \"reduce\" were not kept"));
}

TEST(Timeline, TimeGoesIntoPhasesAndWaiting) {
  TimelineBuilder builder;
  builder.block(0, 0);
  Timeline t = builder.timeline();
  t.launches[0].phases[10] = "add";
  const TimelineMeasures m = measures_of(t, t.launches[0]);
  EXPECT_EQ(m.cycles, 1650);
  EXPECT_EQ(m.multiprocessors, 1);
  EXPECT_EQ(m.most_blocks, 1);
  EXPECT_EQ(m.tail, 1650);  // the other multiprocessor never had one
  ASSERT_EQ(m.phases.size(), 2u);
  EXPECT_EQ(m.phases[0].phase, "");
  EXPECT_EQ(m.phases[0].cycles, 150 + 168);
  EXPECT_EQ(m.phases[0].waiting, 0);
  EXPECT_EQ(m.phases[1].phase, "add");
  EXPECT_EQ(m.phases[1].cycles, 300 + 420 + 870 + 570);
  EXPECT_EQ(m.phases[1].waiting, 630 + 30);
  EXPECT_DOUBLE_EQ(m.warps, (1500 + 1638) / (2 * 1650.0));
  EXPECT_DOUBLE_EQ(m.waiting_warps, 660 / (2 * 1650.0));
}

// Recorded on an H200: gpu_checks timeline.
TEST(Timeline, OfAGpuIsConsistent) {
  int found = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(BARRIERSCOPE_ROOT) + "/tests/recorded/timelines")) {
    const Timeline t = load_timeline(file.path());
    EXPECT_THAT(contradictions(t), IsEmpty()) << file.path();
    EXPECT_GT(t.stamped_s, 0) << file.path();
    for (const TimelineLaunch& l : t.launches) {
      const TimelineMeasures m = measures_of(t, l);
      EXPECT_LE(m.most_blocks, l.resident);
      EXPECT_GE(m.warps, m.waiting_warps);
      double shares = 0, warps = 0;
      for (const TimelineShare& s : m.phases) shares += s.cycles + s.waiting;
      for (const TimelineBlock& b : l.blocks)
        for (const TimelineWarp& w : b.warps) warps += double(w.end - w.begin);
      EXPECT_DOUBLE_EQ(shares, warps) << "every cycle of a warp is in one phase";
      // Blocks of one wave begin within a microsecond or two, whichever multiprocessor they are on: had the
      // clocks been set badly, one of them would stand apart.
      if (l.blocks.size() >= size_t(t.multiprocessors)) {
        EXPECT_EQ(m.multiprocessors, t.multiprocessors);
        long long last = 0;
        for (const TimelineBlock& b : l.blocks) last = std::max(last, b.begin());
        EXPECT_LT(double(last) / t.clock_mhz, 2) << file.path();
      }
    }
    // A release moved before the last arrival is noticed.
    Timeline spoiled = t;
    TimelineLaunch& l = spoiled.launches.front();
    TimelineWarp& w = l.blocks.back().warps.front();
    for (size_t k = 0; k < w.at.size(); ++k)
      if (l.paths[size_t(w.path)][k].kind == Stamp::release) {
        w.at[k] = w.begin;
        break;
      }
    EXPECT_THAT(contradictions(spoiled), testing::Not(IsEmpty())) << file.path();
    ++found;
  }
  EXPECT_GE(found, 4);
}

TEST(Timeline, IsKeptWholeInItsFile) {
  Timeline t = building_two_rows().timeline();
  t.device = "a GPU";
  t.parameters["block"] = "64";
  t.untraced_s = 1.25e-5;
  t.stamped_s = 1.5e-5;
  t.launches[0].phases[10] = "add \"up\"";
  const std::string text = to_json(t);
  const Timeline again = read_timeline(text, "t.json");
  EXPECT_EQ(to_json(again), text);
  EXPECT_EQ(again.launches[0].blocks[7].warps[1].at, t.launches[0].blocks[7].warps[1].at);
  EXPECT_EQ(again.launches[0].phases, t.launches[0].phases);
}

TEST(Timeline, AFileThatIsNoneIsRefusedInASentence) {
  const std::string good = to_json(building_two_rows().timeline());
  const auto why = [&](const std::string& from, const std::string& to) -> std::string {
    std::string text = good;
    const size_t at = text.find(from);
    if (at == std::string::npos) return "nothing to spoil";
    text.replace(at, from.size(), to);
    try {
      read_timeline(text, "t.json");
    } catch (const BadFile& e) { return e.what(); }
    return "taken";
  };
  EXPECT_THAT(why("timeline/1", "timeline/9"),
              HasSubstr("t.json is no timeline of a GPU: it is of another format"));
  EXPECT_THAT(why("\"n\":5", "\"n\":\"x\""), HasSubstr("t.json is no timeline of a GPU"));
  EXPECT_THAT(why("\n[0,[0,", "\n[0,[7,"), HasSubstr("a path that is not there"));
  EXPECT_THAT(why("\n[0,[0,", "\n[0,[0,1,"), HasSubstr("more or fewer times"));
  EXPECT_THAT(why("\n[0,[0,", "\n[0,[0],[0,"), HasSubstr("more or fewer warps"));
  EXPECT_THAT(why("\n[0,[0,0,", "\n[0,[0,9000000000000000000,"), HasSubstr("no run takes"));
  EXPECT_THAT(why("\"block\":64", "\"block\":0"),
              HasSubstr("\"launches.0.block\" is not a number from 1 to 1024"));
  EXPECT_THAT(why("\"arrival\"", "\"arrives\""),
              HasSubstr("\"launches.0.paths\" is none of these: phase, arrival, "));
  for (size_t cut = 0; cut < good.size(); cut += good.size() / 50)
    EXPECT_THROW(read_timeline(good.substr(0, cut), "t.json"), BadFile) << cut;
}

}  // namespace
}  // namespace bscope
