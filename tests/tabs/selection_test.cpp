// One selection: the thread, the cell, the source and the sentence are about the same, whatever the cursor
// says and leaves open.
#include "engine/analysis/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "app/lessons/play.hpp"
#include "app/parts/partners.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/banks/picture.hpp"
#include "app/tabs/banks/scene.hpp"
#include "app/tabs/memory/memory_state.hpp"
#include "app/tabs/memory/picture.hpp"
#include "app/tabs/memory/scene.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/two_runs.hpp"
#include "engine/simt/element.hpp"
#include "engine/timing/timeline.hpp"
#include "tests/at_once.hpp"
#include "tests/cli/run_support.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

std::string joined(const Picture& p) {
  std::string out;
  for (const std::string& s : texts(p)) out += s + " ";
  return out;
}
bool has(const std::string& text, const std::string& words) {
  const size_t at = text.find(words);
  if (at == std::string::npos) return false;
  const size_t end = at + words.size();
  // "Thread 1" is not in "Thread 12"
  return end >= text.size() || !std::isdigit(static_cast<unsigned char>(text[end])) ||
         !std::isdigit(static_cast<unsigned char>(words.back())) || has(text.substr(end), words);
}
/// Whether there is a frame in the ink's colour about the hit of that name.
bool framed(const Picture& p, const Theme& t, const std::string& name) {
  for (const HitRegion& h : p.hits)
    if (h.name == name)
      for (const Shape& s : p.shapes)
        if (s.type == Shape::rect && s.stroke == t.ink && s.box.w < h.box.w + t.px(10) &&
            std::abs(s.box.centre().x - h.box.centre().x) < 2 &&
            std::abs(s.box.centre().y - h.box.centre().y) < 2)
          return true;
  return false;
}

/// Of the lanes (hits "lane 0" ...) of a picture of a request, those that are framed.
std::vector<int> framed_lanes(const Picture& p, const Theme& t, const std::string& prefix = "") {
  std::vector<int> all;
  for (int lane = 0; lane < warp_size; ++lane)
    if (framed(p, t, prefix + "lane " + std::to_string(lane))) all.push_back(lane);
  return all;
}

/// Banks and Memory mark the thread that Watch follows, wherever a request of its warp is shown, and no
/// other; it is asked for a request of each warp.
void expect_agreement_of_requests(const RunQueries& m, const Cursor& c) {
  const Selection selection = m.selection(c);
  const Theme t = theme(ThemeName::dark, 900);
  LoadedState s;
  s.run = std::shared_ptr<const Run>(std::shared_ptr<void>(), &m.run());
  s.cursor = c;
  s.of<BanksState>().beside = false;
  for (const MemorySpace space : {MemorySpace::shared, MemorySpace::global}) {
    std::map<int, const WarpAccess*> of_warp;
    for (const WarpAccess* q : requests_at(m.run(), c, space)) {
      const WarpAccess*& one = of_warp[q->warp];
      const auto takes_part = [&](const WarpAccess& r) {
        return std::ranges::any_of(
            r.lanes, [&](const auto& l) { return r.warp * warp_size + l.lane == selection.thread; });
      };
      if (!one || takes_part(*q)) one = q;
    }
    RunStore runs;
    PatternSweeps pattern;
    RequestScene scene =
        space == MemorySpace::shared ? banks_scene(s, m, runs, pattern) : memory_scene(s, m, runs, pattern);
    for (const auto& [warp, q] : of_warp) {
      scene.here.request = number_of(*q);
      const Picture p = space == MemorySpace::shared ? banks_view(scene, t, fixed_metrics(), 1600, 690)
                                                     : memory_view(scene, t, fixed_metrics(), 1600, 690);
      std::vector<int> wanted;
      for (const auto& l : q->lanes)
        if (warp * warp_size + l.lane == selection.thread) wanted.push_back(l.lane);
      EXPECT_EQ(framed_lanes(p, t), wanted)
          << (space == MemorySpace::shared ? "Banks" : "Memory") << " warp " << warp;
    }
  }
}

void expect_agreement(const RunQueries& m, const Cursor& c) {
  SCOPED_TRACE(m.trace().kernel + " launch " + std::to_string(c.launch) + " block " +
               std::to_string(c.block) + " interval " + std::to_string(c.interval) + " thread " +
               std::to_string(c.thread) + " cell " + (c.cell ? m.name(c.launch, *c.cell) : "-") + " array " +
               std::to_string(c.array) + " substep " + std::to_string(c.substep));
  if (!m.step(c) || m.block(c).main < 0) return;
  const Selection s = m.selection(c);
  const Theme t = theme(ThemeName::dark, 900);
  const WatchPictures p = watch_pictures(m, c, ThemeName::dark, fixed_metrics(), 1600, 900);
  const std::string why = joined(p.why), source = joined(p.source);
  const WarpInstruction* sub = m.instruction(c);

  // in brief, where the switch between CUDA and dialect takes the room
  EXPECT_EQ(s.thread >= 0, has(source, "thread " + std::to_string(s.thread))) << source.substr(0, 80);
  if (c.thread >= 0 && !c.cell) { EXPECT_EQ(s.thread, c.thread); }
  if (c.cell) { EXPECT_EQ(s.cell, c.cell); }
  if (s.here) {
    const Node& n = m.flow().nodes[size_t(s.node)];
    const int threads = int(m.step(c)->works.size());
    ASSERT_EQ(s.cell, n.place);
    EXPECT_EQ(n.thread, m.step(c)->interval->block * threads + s.thread);
    EXPECT_TRUE(has(why, "Thread " + std::to_string(s.thread))) << why;
    EXPECT_TRUE(m.step(c)->works[size_t(s.thread)]);
  } else if (s.thread >= 0 && !s.cell) {
    EXPECT_TRUE(has(why, "thread " + std::to_string(s.thread))) << why;
  }
  if (s.cell) { EXPECT_TRUE(has(why, m.name(c.launch, *s.cell))) << why; }
  expect_agreement_of_requests(m, c);
  // the thread's box is framed, where each has one
  if (s.thread >= 0 && (!sub || m.selection(c).here) && shown_part(m, c).array >= 0 &&
      !framed(p.array, t, "thread:" + std::to_string(s.thread)))
    for (const HitRegion& h : p.array.hits)
      if (h.name == "thread:" + std::to_string(s.thread) && m.trace().launches[size_t(c.launch)].block <= 32)
        ADD_FAILURE() << "thread " << s.thread << " is not framed";
  // what lights up in the whole run is the selected cell's
  for (const std::string& words : texts(p.whole))
    if (const size_t at = words.find("everything inside "); at != std::string::npos) {
      ASSERT_TRUE(s.cell) << words;
      EXPECT_TRUE(has(words, "everything inside " + m.name(c.launch, *s.cell))) << words;
    }
}

TEST(OneSelection, AtAnyCursor) {
  std::mt19937 random(20261122);
  const auto below = [&](int n) { return int(random() % unsigned(std::max(1, n))); };
  for (const Algorithm* a : catalog()) {
    if (a->family() == "mistakes" || a->family() == "patterns") continue;
    RunSpec r;
    r.kernel = a->name;
    r.n = 20 + below(50);
    std::optional<RunQueries> m;
    try {
      m.emplace(traced_run(r));
    } catch (const UsageError&) {  // an n that the kernel does not take
      r.n.reset();
      m.emplace(traced_run(r));
    }
    for (int k = 0; k < 10; ++k) {
      Cursor c = at_step(m->run(), {}, below(steps(m->run())));
      const Launch& l = m->trace().launches[size_t(c.launch)];
      if (below(2)) c.thread = below(l.block);
      const auto& parts = m->block(c).parts;
      if (!parts.empty()) {
        const auto part = std::next(parts.begin(), below(int(parts.size())))->second;
        if (!below(3) && c.thread < 0) c.cell = CellRef{part.array, part.first + below(part.size)};
        if (!below(4)) c.array = part.array;
      }
      if (!below(4)) c.substep = below(6);
      expect_agreement(*m, c);
    }
  }
}

TEST(OneSelection, InThePaddedTwinAndOfNoPattern) {
  LoadedState s;
  s.target.request.kernel = "scan/blelloch";
  s.target.request.n = 64;
  s.run = open_now(s.target).run;
  s = to_step(std::move(s), 2);
  const RunQueries m(s.run);
  const Theme t = theme(ThemeName::dark, 900);
  RunStore runs;
  PatternSweeps pattern;
  for (const int thread : {-1, 5}) {
    s.cursor.thread = thread;
    const int followed = m.followed(s.cursor);
    ASSERT_GE(followed, 0);
    const RequestScene scene = banks_scene(s, m, runs, pattern);
    ASSERT_TRUE(scene.beside);
    const Picture p = banks_view(scene, t, fixed_metrics(), 1600, 690);
    EXPECT_EQ(framed_lanes(p, t), std::vector{followed});
    EXPECT_EQ(framed_lanes(p, t, "padded "), std::vector{followed});
  }
  s.of<BanksState>().playing = s.of<MemoryState>().playing = true;
  EXPECT_TRUE(
      framed_lanes(banks_view(banks_scene(s, m, runs, pattern), t, fixed_metrics(), 1600, 690), t).empty());
  PatternSweeps global;
  EXPECT_TRUE(
      framed_lanes(memory_view(memory_scene(s, m, runs, global), t, fixed_metrics(), 1600, 690), t).empty());
}

// The lanes of a warp that hand each other values: the same thread's boxes are framed.
TEST(OneSelection, AmongTheLanesOfAWarp) {
  for (const char* kernel : {"reduce/warp-shuffle", "scan/look-back", "reduce/grid-stride"}) {
    const RunQueries m = model_of(kernel, 96, 64);
    const Theme t = theme(ThemeName::dark, 900);
    int seen = 0;
    for (int step = 0; step < std::min(12, steps(m.run())); ++step)
      for (const int thread : {-1, 3, 40}) {
        Cursor c = at_step(m.run(), {}, step);
        c.thread = thread;
        const Picture p = array_view(m, c, t, fixed_metrics(), 956, 420);
        std::set<int> lanes, all;
        for (const HitRegion& h : p.hits)
          if (h.what == HitRegion::thread && (h.name.starts_with("lane:") || h.name.starts_with("brings:"))) {
            all.insert(h.a);
            if (framed(p, t, h.name)) lanes.insert(h.a);
          }
        if (all.empty()) continue;
        ++seen;
        const int followed = m.followed(c);
        EXPECT_EQ(lanes, all.contains(followed) ? std::set{followed} : std::set<int>{})
            << kernel << " step " << step << " thread " << thread;
      }
    EXPECT_GT(seen, 0) << kernel;
  }
}

class EveryLessonHasOneSelection : public testing::TestWithParam<std::string> {};

TEST_P(EveryLessonHasOneSelection, OnEveryScreen) {
  const Lesson lesson = parse_lesson(test::read_file(GetParam()), GetParam());
  LoadedState s;
  for (int k = 0; k < int(lesson.steps.size()); ++k) {
    s = at_lesson_step(std::move(s), lesson, k);
    ASSERT_TRUE(s.run);
    if (s.tab == "watch") expect_agreement(RunQueries(s.run), s.cursor);
  }
}
std::vector<std::string> lessons() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(BARRIERSCOPE_ROOT "/assets/lessons/en"))
    all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, EveryLessonHasOneSelection, testing::ValuesIn(lessons()), [](const auto& p) {
  std::string name = std::filesystem::path(p.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace bscope
