#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "app/parts/partners.hpp"
#include "app/run/run_store.hpp"
#include "app/session/state.hpp"
#include "app/tabs/banks/picture.hpp"
#include "app/tabs/banks/scene.hpp"
#include "engine/analysis/bank_slots.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_queries.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

int depth(const std::vector<BankSlot>& slots) {
  int n = 0;
  for (const auto& s : slots) n = std::max(n, s.wavefront + 1);
  return n;
}

RequestScene scene_of(const std::shared_ptr<const Run>& run, const Cursor& c, int request = -1) {
  RequestScene scene;
  scene.here = {run, c, request};
  return scene;
}
std::vector<int> shared_requests(const Run& run, const Cursor& c) {
  return numbers_at(run, c, MemorySpace::shared);
}

TEST(BanksView, SaysWhyBlellochQueues) {
  const auto run = traced("scan/blelloch", "", 1024, 512);
  const Cursor c = at_step(*run, {}, 5);
  const Picture p = banks_view(scene_of(run, c), theme(ThemeName::dark, 900), fixed_metrics(), 1600, 856);
  EXPECT_TRUE(says(p, "32"));
  EXPECT_TRUE(says(p, "(32t + 15) mod 32"));
  EXPECT_TRUE(says(p, "ideal 1"));
  const auto all = shared_requests(*run, c);
  ASSERT_EQ(all.size(), 3u);
  for (int k : all) EXPECT_TRUE(hit_named(p, "request " + std::to_string(k)));
  EXPECT_EQ(hit_named(p, "interval 5")->a, 5);
  const Picture chosen =
      banks_view(scene_of(run, c, all[2]), theme(ThemeName::dark, 900), fixed_metrics(), 1600, 856);
  EXPECT_TRUE(says(chosen, "Warp 0, store sum"));
}

// However many wavefronts there are, a row of banks stands above them, with the lines that lead to it.
TEST(BanksView, ManyWavefrontsLeaveTheBanksTheirRoom) {
  const auto run = traced("scan/blelloch", "", 1024, 512);
  const Theme t = theme(ThemeName::projector, 720);
  const Picture p = banks_view(scene_of(run, at_step(*run, {}, 5)), t, fixed_metrics(), 1266, 362);
  EXPECT_TRUE(says(p, "banks"));
  ASSERT_TRUE(hit_named(p, "bank 15"));
  EXPECT_GT(hit_named(p, "bank 15")->box.h, t.px(8));
  float lowest = 1e9f;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::curve) lowest = std::min(lowest, s.points[3].y - s.points[0].y);
  EXPECT_GT(lowest, t.px(30));
  EXPECT_LT(lowest, 1e9f);
}

TEST(RequestChoice, PutsTheWorstFirst) {
  const auto run = traced("scan/blelloch", "", 1024, 512);
  const Cursor c = at_step(*run, {}, 5);
  const auto waste = [](const WarpAccess* q) { return answers(*q) - fewest(*q); };
  const auto in_order = requests_at(*run, c, MemorySpace::shared), sorted = costliest_first(in_order);
  EXPECT_TRUE(std::ranges::is_permutation(in_order, sorted));
  EXPECT_TRUE(std::ranges::is_sorted(sorted, std::greater{}, waste));
  const auto numbers = numbers_at(*run, c, MemorySpace::shared, true);
  ASSERT_EQ(numbers.size(), sorted.size());
  for (size_t k = 0; k < sorted.size(); ++k) EXPECT_EQ(numbers[k], number_of(*sorted[k]));

  const WarpAccess* worst = worst_request(*run, MemorySpace::shared);
  ASSERT_TRUE(worst);
  for (int step = 0; step < steps(*run); ++step)
    for (const WarpAccess* q : requests_at(*run, at_step(*run, {}, step), MemorySpace::shared))
      EXPECT_LE(waste(q), waste(worst));
  const auto there = requests_at(*run, moment_of(*worst), MemorySpace::shared);
  EXPECT_TRUE(
      std::ranges::count(there, number_of(*worst), [](const WarpAccess* q) { return number_of(*q); }));
  EXPECT_EQ(worst_request(*traced("reduce/warp-shuffle", "", 64, 64), MemorySpace::shared), nullptr);
}

TEST(BanksView, ListsTheWorstFirstWhereThatIsAskedFor) {
  const auto run = traced("scan/blelloch", "", 1024, 512);
  const Cursor c = at_step(*run, {}, 5);
  const auto sorted = numbers_at(*run, c, MemorySpace::shared, true);
  ASSERT_EQ(sorted.size(), 3u);
  RequestScene scene = scene_of(run, c);
  scene.by_cost = true;
  const Picture p = banks_view(scene, theme(ThemeName::dark, 900), fixed_metrics(), 1600, 856);
  EXPECT_TRUE(hit_named(p, "sort"));
  float above = 0;
  for (const int number : sorted) {
    const HitRegion* row = hit_named(p, "request " + std::to_string(number));
    ASSERT_TRUE(row);
    EXPECT_GT(row->box.y, above);
    above = row->box.y;
  }
  EXPECT_EQ(next_request(*run, c, MemorySpace::shared, sorted[0], 1, true), sorted[1]);
}

/// The texts whose middle lies in the box.
std::vector<const Shape*> texts_in(const Picture& p, const Box& b) {
  std::vector<const Shape*> all;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text && b.contains({s.points[0].x, s.points[0].y + s.size * text_height / 2}))
      all.push_back(&s);
  return all;
}

TEST(BanksView, NoRowsNameIsTheIdeals) {
  for (const int interval : {1, 2, 5}) {
    const auto run = traced("scan/blelloch", "", 1024, 512);
    const Cursor c = at_step(*run, {}, interval);
    const WarpAccess& q = *request_at(*run, c, MemorySpace::shared, -1);
    const Picture p = banks_view(scene_of(run, c), theme(ThemeName::dark, 900), fixed_metrics(), 1600, 856);
    const auto left_of_row = [&](int wavefront) {
      const BankSlot* slot = nullptr;
      const auto slots = bank_slots(q);
      for (const BankSlot& s : slots)
        if (s.wavefront == wavefront) slot = &s;
      const HitRegion* hit =
          hit_named(p, "slot " + std::to_string(slot->bank) + " " + std::to_string(wavefront));
      return Box{0, hit->box.y, hit_named(p, "lane 0")->box.x, hit->box.h};
    };
    for (const Shape* s : texts_in(p, left_of_row(q.ideal))) EXPECT_FALSE(s->words.starts_with("ideal"));
    const auto last = texts_in(p, left_of_row(q.wavefronts - 1));
    ASSERT_EQ(last.size(), 1u) << "the last wavefront's number";
    EXPECT_EQ(last[0]->words, std::to_string(q.wavefronts));
  }
}

TEST(BanksView, AListThatIsCutSaysSo) {
  for (const auto& [kernel, interval] : {std::pair("scan/blelloch", 0), std::pair("scan/blelloch", 1),
                                         std::pair("scan/blelloch", 9), std::pair("scan/three-phase", 2)}) {
    const auto run = traced(kernel, "", 1024, 512);
    const Cursor c = at_step(*run, {}, interval);
    const size_t all = shared_requests(*run, c).size();
    for (const ThemeName name : {ThemeName::dark, ThemeName::projector}) {
      const Picture p = banks_view(scene_of(run, c), theme(name, 900), fixed_metrics(), 1600, 690);
      size_t shown = 0;
      for (const HitRegion& h : p.hits) shown += h.name.starts_with("request ");
      ASSERT_GT(shown, 0u);
      const bool said = std::ranges::any_of(p.shapes, [&](const Shape& s) {
        return s.words.ends_with(std::to_string(all - shown) + " more") ||
               s.words == std::to_string(all - shown) + " more requests";
      });
      EXPECT_EQ(said, shown < all) << kernel << " " << interval << ": " << shown << " of " << all;
    }
  }
}

TEST(BanksView, ASumOfSeveralBlocksSaysSo) {
  const auto one = traced("reduce/shared", "", 1024, 512);
  long blocks = 0;
  for (const Launch& l : one->trace.launches) blocks += l.grid;
  ASSERT_GT(blocks, 1);
  const Picture p = banks_view(scene_of(one, {}), theme(ThemeName::dark, 900), fixed_metrics(), 1600, 856);
  EXPECT_TRUE(says(p, "whole run, " + std::to_string(blocks) + " blocks: "));
}

TEST(BankSlots, AllInOneWavefrontWhereTheyFit) {
  // 8 bytes a lane, but all lanes ask for the same two words: an H200 answers once
  WarpAccess q;
  q.array = first_shared;
  for (int k = 0; k < 32; ++k) q.lanes.push_back({k, 0, 0, 8, -1});
  EXPECT_EQ(depth(bank_slots(q)), 1);
}

std::optional<Twins> twins_of(const std::shared_ptr<const Run>& run) {
  Target t;
  t.request.kernel = run->trace.kernel;
  return padded_twins(t, *run);
}

TEST(PaddedTwins, AreFoundByName) {
  const auto plain = twins_of(traced("scan/blelloch"));
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->padded.request.kernel, "scan/blelloch-padded");
  EXPECT_FALSE(plain->open_is_padded);
  const auto padded = twins_of(traced("scan/blelloch-padded"));
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->plain.request.kernel, "scan/blelloch");
  EXPECT_TRUE(padded->open_is_padded);
  ASSERT_TRUE(twins_of(traced("patterns/shared-stride")));
  EXPECT_FALSE(twins_of(traced("scan/kogge-stone")));
}

TEST(BanksView, ShowsThePaddedTwinAtTheSameStep) {
  LoadedState s;
  s.target.request.kernel = "scan/blelloch";
  s.target.request.n = 1024;
  s.target.request.block = 512;
  s.run = open_now(s.target).run;
  s = to_step(std::move(s), 5);
  RunStore runs;
  PatternSweeps pattern;
  const RequestScene scene = banks_scene(s, RunQueries(s.run), runs, pattern);
  ASSERT_TRUE(scene.beside);
  const Picture p = banks_view(scene, theme(ThemeName::dark, 900), fixed_metrics(), 1600, 720);
  EXPECT_TRUE(says(p, "No padding"));
  EXPECT_TRUE(says(p, "With padding"));
  EXPECT_TRUE(says(p, "(32t + 15) mod 32"));
  EXPECT_TRUE(says(p, "(33t + 15) mod 32"));
  EXPECT_TRUE(says(p, "whole run: 1,594 against 354"));
  EXPECT_TRUE(says(p, "no padding / padded")) << "the list names both kernels";
  EXPECT_TRUE(says(p, "32 / 1"));
  EXPECT_TRUE(says(p, "96 wavefronts against 3 padded"));
  EXPECT_TRUE(hit_named(p, "slot 15 31"));
  EXPECT_FALSE(hit_named(p, "padded slot 15 1")) << "padded, every bank is asked once";
}

TEST(BanksView, IsCleanEverywhere) {
  for (auto [kernel, n, block] : {std::tuple{"scan/blelloch", 16, 8},
                                  {"scan/blelloch", 1024, 512},
                                  {"scan/kogge-stone", 100, 128},
                                  {"reduce/tree-mask", 700, 1024},
                                  {"histogram/shared-atomics", 224, 32},
                                  {"histogram/racy", 224, 32}}) {
    const auto run = traced(kernel, "", n, block);
    const int all = steps(*run);
    LoadedState s;
    s.target.request.kernel = kernel;
    s.target.request.n = n;
    s.target.request.block = block;
    s.run = run;
    for (int step : {0, 1, all / 2, all - 1}) {
      s = to_step(std::move(s), step);
      RunStore runs;
      PatternSweeps pattern;
      const RequestScene scene = banks_scene(s, RunQueries(s.run), runs, pattern);
      expect_clean_everywhere(
          std::string(kernel) + " step " + std::to_string(step),
          [&](const Theme& t, const Metrics& m, float w, float h) { return banks_view(scene, t, m, w, h); });
    }
  }
}

}  // namespace
}  // namespace bscope
