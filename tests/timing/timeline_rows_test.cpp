// Timelines as they are drawn: blocks in their rows, warps that were there, who waited for whom; and the
// timelines that come with the program.
#include "engine/timing/timeline_rows.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "tests/places.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Two multiprocessors; blocks of two warps, of a phase in line 10 and a barrier in line 12.
Timeline two_rows() {
  Timeline t{.kernel = "reduce/shared", .n = 5, .multiprocessors = 2, .clock_mhz = 1000};
  TimelineLaunch& l = t.launches.emplace_back();
  l.name = "reduce";
  l.block = 64;
  l.resident = 2;
  l.phases[10] = "add";
  l.paths = {{{Stamp::phase, 10}, {Stamp::arrival, 12}, {Stamp::release, 12}}};
  const auto block = [&](int multiprocessor, long long begin) {
    TimelineBlock& b = l.blocks.emplace_back();
    b.multiprocessor = multiprocessor;
    b.number = l.grid++;
    b.warps.push_back({begin, begin + 100, 0, {begin + 10, begin + 30, begin + 60}});
    b.warps.push_back({begin + 5, begin + 90, 0, {begin + 15, begin + 60, begin + 60}});
  };
  block(0, 0);
  block(0, 40);   // beside the first
  block(0, 100);  // after it
  block(1, 20);
  return t;
}

TEST(TimelineRows, BlocksThatOverlapStandInDifferentSlots) {
  const TimelineRows r = rows_of(two_rows());
  ASSERT_EQ(r.rows.size(), 2u);
  ASSERT_EQ(r.rows[0].bars.size(), 3u);
  EXPECT_EQ(r.rows[0].slots, 2);
  EXPECT_EQ(r.rows[1].slots, 1);
  EXPECT_EQ(r.most_slots, 2);
  EXPECT_EQ(r.rows[0].bars[0].slot, 0);
  EXPECT_EQ(r.rows[0].bars[1].slot, 1);
  EXPECT_EQ(r.rows[0].bars[2].slot, 0);
  EXPECT_EQ(r.end, 200);
  EXPECT_THAT(r.phases, ElementsAre("", "add"));
}

TEST(TimelineRows, ABlockWaitsWhenMostOfItsWarpsDo) {
  TimelineRows r = rows_of(two_rows());
  const auto& all = r.rows[0].bars[0].stretches;
  // One of two warps at the barrier is not more than half.
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].phase, 0);
  EXPECT_EQ(all[1].phase, 1);
  EXPECT_EQ(all[1].activity, WarpActivity::work);
  Timeline early = two_rows();
  early.launches[0].blocks[0].warps[1].at[1] = 20;  // both wait from 30 to 60
  r = rows_of(early);
  const auto& waits = r.rows[0].bars[0].stretches;
  ASSERT_EQ(waits.size(), 4u);
  EXPECT_EQ(waits[2].activity, WarpActivity::barrier);
  EXPECT_EQ(waits[2].begin, 30);
  EXPECT_EQ(waits[2].end, 60);
}

TEST(TimelineRows, CountsTheWarpsThatAreThere) {
  const Timeline t = two_rows();
  const TimelineRows r = rows_of(t);
  // From 45 on both blocks of the first multiprocessor and the one of the second are there: six warps on two.
  EXPECT_DOUBLE_EQ(resident_between(r, 46, 47).all(), 3);
  EXPECT_DOUBLE_EQ(resident_between(r, 46, 47).at_barrier, 0.5);
  EXPECT_DOUBLE_EQ(resident_between(r, 199, 200).all(), 0.5);
  EXPECT_NEAR(resident_between(r, 0, r.end).all(), measures_of(t, t.launches[0]).warps, 1e-9);
  EXPECT_NEAR(resident_between(r, 0, r.end).at_barrier, measures_of(t, t.launches[0]).waiting_warps, 1e-9);
}

TEST(TimelineRows, OfSomeMultiprocessorsTellTheWhole) {
  const Timeline all = two_rows(), one = thinned(all, 1);
  ASSERT_EQ(one.launches[0].blocks.size(), 3u);
  EXPECT_EQ(one.launches[0].blocks[2].number, 2);
  const TimelineMeasures a = measures_of(all, all.launches[0]), b = measures_of(one, one.launches[0]);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.multiprocessors, b.multiprocessors);
  EXPECT_EQ(a.warps, b.warps);
  EXPECT_EQ(to_json(read_timeline(to_json(one), "t.json")), to_json(one));
  EXPECT_EQ(to_json(thinned(one, 1)), to_json(one));
}

/// Tiles 0, 1, 2, a block each: 1 waits for 0, then 2 for 1.
Timeline three_tiles() {
  Timeline t{.kernel = "scan/look-back", .n = 5, .multiprocessors = 3, .clock_mhz = 1000};
  TimelineLaunch& l = t.launches.emplace_back();
  l.name = "scan";
  l.block = 32;
  l.grid = 3;
  l.resident = 1;
  l.paths = {{{Stamp::tile, 5}, {Stamp::publish, 6}},
             {{Stamp::tile, 5}, {Stamp::wait, 7}, {Stamp::seen, 8}, {Stamp::publish, 6}}};
  l.blocks.resize(3);
  for (int k = 0; k < 3; ++k) l.blocks[size_t(k)].multiprocessor = l.blocks[size_t(k)].number = k;
  l.blocks[0].warps.push_back({0, 100, 0, {1, 50}, {{0, 0}, {0, 0}}});
  l.blocks[1].warps.push_back({0, 130, 1, {2, 10, 52, 60}, {{1, 1}, {0, 0}, {1, 1}}});
  l.blocks[2].warps.push_back({0, 150, 1, {3, 12, 63, 70}, {{2, 2}, {0, 1}, {2, 2}}});
  return t;
}

TEST(TimelineRows, AWaitIsForTheBlockThatPublishedLast) {
  const TimelineRows r = rows_of(three_tiles());
  ASSERT_EQ(r.waits.size(), 2u);
  EXPECT_EQ(r.waits[0].block, 1);
  EXPECT_EQ(r.waits[0].from, 0);
  EXPECT_EQ(r.waits[0].published, 50);
  EXPECT_EQ(r.waits[1].block, 2);
  EXPECT_EQ(r.waits[1].from, 1) << "of tiles 0 and 1 the last one came at 60";
  EXPECT_EQ(r.waits[1].from_tile, 1);
  EXPECT_THAT(chain_of(r, r.waits[1]), ElementsAre(&r.waits[1], &r.waits[0]));
  EXPECT_THAT(waits_of(r, 0, -1), ElementsAre(&r.waits[1])) << "it waited longest";
  EXPECT_THAT(waits_of(r, 0, 1), ElementsAre(&r.waits[0]));
  EXPECT_THAT(waits_of(r, 0, 0), IsEmpty());
  // No warp waits for what is there already.
  Timeline early = three_tiles();
  early.launches[0].blocks[1].warps[0].at[1] = 51;
  EXPECT_EQ(rows_of(early).waits[1].from, -1);
  const TimelineMeasures m = measures_of(three_tiles(), three_tiles().launches[0]);
  EXPECT_EQ(m.phases.at(0).awaiting, 42 + 51);
}

TEST(TimelineRows, WhatIsSaidOfTilesIsKeptInTheFile) {
  const Timeline t = three_tiles();
  const Timeline again = read_timeline(to_json(t), "t.json");
  EXPECT_EQ(again.launches[0].blocks[2].warps[0].tiles, t.launches[0].blocks[2].warps[0].tiles);
  EXPECT_EQ(to_json(again), to_json(t));
  std::string damaged = to_json(t);
  damaged.replace(damaged.find("[0,1]"), 5, "[1,0]");
  EXPECT_ANY_THROW(read_timeline(damaged, "t.json"));
}

TEST(TimelineRows, AStampSaysItsTiles) {
  EXPECT_EQ(StampedTiles::of(Stamp::tiles_word(3, 70'000)), (StampedTiles{3, 70'000}));
  EXPECT_EQ(StampedTiles::of(Stamp::tiles_word(-1, -1)), (StampedTiles{}));
  EXPECT_EQ(Stamp::kind_of(Stamp::tiles_word(5, 6)), Stamp::number);
}

// Recorded on an H200.
TEST(TimelineRows, ThoseThatComeWithTheProgramAreConsistent) {
  int found = 0, with_waits = 0;
  size_t bytes = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(BARRIERSCOPE_ROOT) + "/assets/timelines")) {
    if (file.path().extension() != ".json") continue;
    ++found;
    bytes += file.file_size();
    const Timeline t = load_timeline(file.path());
    EXPECT_THAT(contradictions(t), IsEmpty()) << file.path();
    EXPECT_GT(t.counted_n, 0) << file.path();
    const TimelineRows r = rows_of(t);
    for (const TimelineRows::MultiprocessorRow& row : r.rows)
      for (const TimelineRows::BlockBar& b : row.bars) {
        ASSERT_FALSE(b.stretches.empty());
        EXPECT_EQ(b.stretches.front().begin, b.begin);
        EXPECT_EQ(b.stretches.back().end, b.end);
        for (size_t k = 1; k < b.stretches.size(); ++k)
          EXPECT_EQ(b.stretches[k].begin, b.stretches[k - 1].end) << file.path();
      }
    for (const TimelineLaunch& l : t.launches) {
      const TimelineMeasures m = measures_of(t, l);
      EXPECT_LE(m.most_blocks, l.resident) << file.path();
      if (t.limit) EXPECT_LE(l.resident, t.limit) << file.path();
      double phases = 0;
      for (const TimelineShare& s : m.phases) phases += s.cycles + s.waiting + s.awaiting;
      EXPECT_NEAR(phases, m.warps * double(m.cycles) * t.multiprocessors, 1) << file.path();
    }
    // A row without bars in a launch was idle there, or says that none of its blocks are kept.
    for (size_t k = 0; k < t.launches.size(); ++k) {
      const TimelineLaunch& l = t.launches[k];
      for (const TimelineRows::MultiprocessorRow& row : r.rows) {
        const bool bars =
            std::ranges::find(row.bars, int(k), &TimelineRows::BlockBar::launch) != row.bars.end();
        const bool unkept = std::ranges::find(row.unkept, r.launches[k].begin,
                                              &TimelineRows::TimeSpan::begin) != row.unkept.end();
        EXPECT_EQ(unkept, l.whole && !bars) << file.path() << " launch " << k + 1;
      }
      // Blocks that are kept stand for those that are not: about the same average, for they are a sample.
      const TimelineMeasures m = measures_of(t, l);
      const double shown = resident_between(r, r.launches[k].begin, r.launches[k].end).all();
      EXPECT_LT(shown, 2.5 * m.warps + 0.05) << file.path() << " launch " << k + 1;
      EXPECT_GT(shown, 0.4 * m.warps - 0.05) << file.path() << " launch " << k + 1;
    }
    // No warp sees what is not published yet: clocks of two multiprocessors agree to about a microsecond.
    for (const TimelineRows::Wait& w : r.waits)
      if (w.from >= 0) EXPECT_LT(double(w.published - w.end) / t.clock_mhz, 1.1) << file.path();
    with_waits += !r.waits.empty();
  }
  EXPECT_GE(found, 24);
  EXPECT_EQ(with_waits, 2) << "look-back and look-ahead";
  EXPECT_LT(bytes, 450'000u) << "they travel with the program";
}

// One launch of the same kernel takes less the more blocks are let onto a multiprocessor.
TEST(TimelineRows, MoreBlocksHideMoreLatency) {
  std::map<int, long long> took;
  for (const int k : {1, 2, 4, 8}) {
    const Timeline t = load_timeline(std::string(BARRIERSCOPE_ROOT) +
                                     "/assets/timelines/reduce-warp-shuffle@" + std::to_string(k) + ".json");
    EXPECT_EQ(t.limit, k);
    took[k] = t.launches.at(0).end();
  }
  EXPECT_GT(took[1], took[2]);
  EXPECT_GT(took[2], took[4]);
  EXPECT_GT(took[4], took[8]);
}

}  // namespace
}  // namespace bscope
