#include <gtest/gtest.h>

#include <numeric>

#include "app/view/atomics.hpp"
#include "app/view/chart.hpp"
#include "tests/view/layout_support.hpp"

namespace bscope {
namespace {

struct Runs {
  std::shared_ptr<const Run> global, shared, racy;
};
Runs runs(const std::string& preset, long long n = 0, long long block = 0) {
  return {traced("histogram/global-atomics", preset, n, block),
          traced("histogram/shared-atomics", preset, n, block), traced("histogram/racy", preset, n, block)};
}
const Runs& preset() {
  static const Runs r = runs("queue-7x20");
  return r;
}
Picture draw(const Runs& r, const AtomicsCursor& c = {}) {
  const Theme t = theme(ThemeName::dark, 900);
  return atomics_view(*r.global, *r.shared, *r.racy, c, t, fixed_metrics(), 1600, 856);
}

TEST(AtomicsModel, QueuesOfThePreset) {
  const AtomicsModel m = atomics_model(*preset().global, *preset().shared, *preset().racy);
  EXPECT_EQ(m.bin, 5);
  EXPECT_EQ(m.blocks, 7);
  EXPECT_EQ(m.threads, 32);
  EXPECT_EQ(m.global_queue, 140);
  EXPECT_EQ(m.shared_queue, 20);
  EXPECT_EQ(m.merge_queue, 7);
  EXPECT_EQ(m.shared_total(), 27);
  // every time unit serves one atomic, of one block
  std::vector<int> served(140);
  ASSERT_EQ(m.global.size(), 7u);
  for (const auto& row : m.global) {
    EXPECT_EQ(row.size(), 20u);
    for (int t : row) ++served.at(size_t(t));
  }
  EXPECT_EQ(served, std::vector<int>(140, 1));
  for (const auto& row : m.shared) EXPECT_EQ(row.size(), 20u);
  EXPECT_EQ(std::accumulate(m.queue_of.begin(), m.queue_of.end(), 0), 224);
}

TEST(AtomicsModel, LostUpdatesAreCountedAndPlaced) {
  const AtomicsModel m = atomics_model(*preset().global, *preset().shared, *preset().racy);
  EXPECT_EQ(m.performed, 224);
  EXPECT_GT(m.lost, 0);
  long performed = 0, present = 0;
  for (const auto& c : m.racy) performed += c.performed, present += c.present;
  EXPECT_EQ(performed, 224);
  EXPECT_EQ(performed - present, m.lost);
  const auto& bin = m.racy.at(5);
  EXPECT_EQ(bin.performed, 140);
  EXPECT_EQ(m.lost_in_warps + m.lost_in_blocks + m.lost_between_blocks, bin.performed - bin.present);
  EXPECT_NE(m.racy_line.find("++"), std::string::npos);
  // a warp a block, and each reads before it writes; what overtakes it stands in between
  ASSERT_EQ(m.updates.size(), 7u);
  for (const auto& u : m.updates) {
    EXPECT_EQ(u.lanes, 20);
    EXPECT_LT(u.reads_at, u.writes_at);
    EXPECT_EQ(u.wrote[0], u.read[0] + 1);
    for (int step : u.overtaken_at) EXPECT_TRUE(step > u.reads_at && step < u.writes_at);
  }
}

TEST(AtomicsView, SaysTheNumbers) {
  const Picture p = draw(preset());
  for (const char* words : {"Who waits for bin 5?", "140", "20 + 7", "113 waits saved: 5.2 times shorter",
                            "t = 27", "Bins at t = 27", "27 of 140", "12 bins are finished", "7 x 20 = 140"})
    EXPECT_TRUE(says(p, words)) << words;
  const Theme t = theme(ThemeName::dark, 900);
  int slots = 0, dimmed = 0, merges = 0;
  for (const Shape& s : p.shapes) {
    if (s.type != Shape::rect || s.box.y > 400 || s.box.y < 60) continue;
    slots += s.fill == t.atomic;
    dimmed += s.fill == mix(t.atomic, t.panel, 0.55f);
    merges += s.fill == t.write;
  }
  EXPECT_EQ(slots, 27 + 140) << "27 of the global queue and all of the shared ones are past";
  EXPECT_EQ(dimmed, 113);
  EXPECT_EQ(merges, 7);
}

TEST(AtomicsView, TheCursorMovesTime) {
  EXPECT_TRUE(says(draw(preset(), {.t = 0}), "t = 0"));
  EXPECT_TRUE(says(draw(preset(), {.t = 100000}), "t = 140")) << "clamped to the longest queue";
  EXPECT_TRUE(says(draw(preset(), {.bin = 6}), "Who waits for bin 6?"));
  EXPECT_TRUE(says(draw(preset(), {.bin = 6}), "7 x 1 = 7"));
}

TEST(AtomicsView, ControlsAreNamed) {
  const Picture p = draw(preset());
  for (const char* name : {"time", "skew", "blocks", "threads", "bin 0", "bin 15"})
    EXPECT_TRUE(hit_named(p, name)) << name;
  const Hit& blocks = *hit_named(p, "blocks");
  EXPECT_EQ(slider_value(blocks, blocks.box.x), 1);
  EXPECT_EQ(slider_value(blocks, blocks.box.right() + 50), 16);
  const Hit& threads = *hit_named(p, "threads");
  EXPECT_EQ(slider_value(threads, 0), 32);
  EXPECT_EQ(slider_value(threads, 1600), 256);
  const Hit& time = *hit_named(p, "time");
  EXPECT_EQ(slider_value(time, time.box.centre().x), 70);
}

TEST(AtomicsView, IsCleanEverywhere) {
  const Runs uniform = runs("", 224), one_block = runs("", 20, 32), many = runs("", 2000, 64);
  const auto check = [](const char* name, const Runs& r, AtomicsCursor c) {
    expect_clean_everywhere(name, [&](const Theme& t, const Metrics& m, float w, float h) {
      return atomics_view(*r.global, *r.shared, *r.racy, c, t, m, w, h);
    });
  };
  check("preset", preset(), {});
  for (int t : {0, 3, 12, 26, 60, 130, 140}) check("preset in time", preset(), {.t = t});
  for (int bin : {0, 3, 15}) check("another bin", preset(), {.bin = bin});
  check("uniform", uniform, {});
  check("one block", one_block, {});
  check("many", many, {.t = 2});
  check("last bin", many, {.bin = 255});
}

}  // namespace
}  // namespace bscope
