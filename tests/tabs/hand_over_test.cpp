// Hand-overs between threads, against the trace; what it says on screen.
#include "app/tabs/watch/hand_over.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "tests/at_once.hpp"
#include "tests/tabs/layout_support.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

/// The kernels that hand something over in their default run.
const std::set<std::string> handing_over{"scan/look-back"};

/// An acquire that saw another thread's release, both of one cell, in one launch: nodes.
struct Seen {
  int release, acquire;
};
std::vector<Seen> seen_in(const DataflowGraph& flow, CellRef flag) {
  std::vector<Seen> all;
  for (size_t k = 0; k < flow.nodes.size(); ++k) {
    const Node& n = flow.nodes[k];
    if ((n.op != Op::acquire && n.op != Op::wait) || n.place != flag || n.a < 0) continue;
    const Node& from = flow.nodes[size_t(n.a)];
    if (from.op == Op::release && from.thread != n.thread && from.launch == n.launch)
      all.push_back({n.a, int(k)});
  }
  return all;
}

/// The words that stand in a box, or in all of the picture, without their blanks.
std::string words_in(const Picture& p, const Box* box = nullptr) {
  std::string all;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text && (!box || box->contains(s.box.centre()))) all += without_blanks(s.words);
  return all;
}

/// What the figure says of the selected cell, word for word, held to the trace's events. Returns whether
/// there is a hand-over.
bool expect_true(const RunQueries& m, const Cursor& c) {
  const DataflowGraph& flow = m.flow();
  const Picture p = hand_over(m, c, theme(ThemeName::dark, 900), fixed_metrics(), 1400, 500);
  const auto flag = m.selected(c);
  const std::vector<Seen> pairs = flag ? seen_in(flow, *flag) : std::vector<Seen>{};
  std::map<std::string, Box> boxes;
  for (const HitRegion& h : p.hits)
    if (h.name.starts_with("hand-over:")) boxes[h.name.substr(10)] = h.box;
  if (pairs.empty()) {
    EXPECT_TRUE(boxes.empty());
    EXPECT_EQ(words_in(p), "Hand-overNothreadhasacquiredwhatanotherreleasedhere:selectaflag.");
    return false;
  }
  // Whether this node is "release", "published[0] = 1", "thread 3 of block 1", "57",
  // "store_release(published[tile], 1);".
  const auto tells = [&](const std::string& what, int id) {
    const Node& n = flow.nodes[size_t(id)];
    const Launch& l = m.trace().launches[size_t(n.launch)];
    const uint64_t bits = writes(n.op) ? written_bits(flow, n) : n.bits;
    std::istringstream source(m.trace().sources[size_t(l.source)].text);
    std::string code;
    for (int line = 0; line < n.line; ++line) std::getline(source, code);
    return words_in(p, &boxes.at(what)) ==
           without_blanks(what + m.name(n.launch, n.place) + "=" + text_of(ElementType(n.kind), bits) +
                          tr(thread_message(l, n.thread)) + std::to_string(n.line) + code);
  };
  if (!boxes.contains("release") || !boxes.contains("acquire")) {
    ADD_FAILURE() << "what was handed over is not shown";
    return true;
  }
  EXPECT_EQ(boxes.contains("store"), boxes.contains("read"));
  EXPECT_EQ(boxes.size(), boxes.contains("read") ? 4u : 2u);
  const bool told = std::ranges::any_of(pairs, [&](const Seen& one) {
    if (!tells("release", one.release) || !tells("acquire", one.acquire)) return false;
    if (!boxes.contains("read")) return true;
    const Node &release = flow.nodes[size_t(one.release)], &acquire = flow.nodes[size_t(one.acquire)];
    // what the giver stored before, and the taker reads afterwards
    for (size_t k = 0; k < flow.nodes.size(); ++k) {
      const Node& read = flow.nodes[k];
      if (read.thread != acquire.thread || read.launch != acquire.launch || read.event <= acquire.event ||
          !reads(read.op) || read.a < 0)
        continue;
      const Node& store = flow.nodes[size_t(read.a)];
      if (store.thread != release.thread || store.launch != release.launch || store.event >= release.event)
        continue;
      const std::string whole = words_in(p), value = text_of(ElementType(read.kind), read.bits);
      if (tells("store", read.a) && tells("read", int(k)) &&
          whole.find("readaftertheacquire:" + m.name(read.launch, read.place) + "is" + value + "for") !=
              std::string::npos)
        return true;
    }
    return false;
  });
  EXPECT_TRUE(told) << words_in(p);
  return true;
}

// At any cell of any kernel, released or not: the figure's words are those of events in the trace, and where
// nothing was handed over it says that alone.
TEST(HandOver, NothingIsMadeUp) {
  std::mt19937 random(20261122);
  const auto below = [&](int n) { return int(random() % unsigned(std::max(1, n))); };
  std::set<std::string> told;
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    if (steps(m.run()) == 0) continue;
    std::set<CellRef> flags;
    for (const Node& n : m.flow().nodes)
      if (n.op == Op::release || n.op == Op::acquire || n.op == Op::wait) flags.insert(n.place);
    std::vector<Cursor> cursors;
    for (int k = 0; k < 6; ++k) {
      Cursor c = at_step(m.run(), {}, below(steps(m.run())));
      const auto& parts = m.block(c).parts;
      if (parts.empty()) continue;
      const ArrayRange part = std::next(parts.begin(), below(int(parts.size())))->second;
      if (k) c.cell = CellRef{part.array, part.first + below(part.size)};
      cursors.push_back(c);
    }
    for (const CellRef flag : flags)
      for (int k = 0; k < 3; ++k) {  // seen from several blocks
        Cursor c = at_step(m.run(), {}, below(steps(m.run())));
        c.cell = flag;
        cursors.push_back(c);
      }
    for (const Cursor& c : cursors) {
      SCOPED_TRACE(a->name + " launch " + std::to_string(c.launch) + " block " + std::to_string(c.block) +
                   " " + (c.cell ? m.name(c.launch, *c.cell) : "-"));
      if (expect_true(m, c)) told.insert(a->name);
    }
  }
  EXPECT_EQ(told, handing_over);
}

// The lesson's step shows it: one that the block looked at takes, and all that is said of it.
TEST(HandOver, ALessonShowsIt) {
  for (const Language language : {Language::en, Language::zh}) {
    const Lesson lesson = choose_lesson("look-back", language).lesson;
    int shown = 0;
    for (int k = 0; k < int(lesson.steps.size()); ++k) {
      const LoadedState s = at_lesson_step({}, lesson, k);
      EXPECT_EQ(s.of<WatchState>().hand_over, lesson.steps[size_t(k)].hand_over);
      if (!s.of<WatchState>().hand_over) continue;
      ++shown;
      const RunQueries model(s.run);
      const auto h = hand_over_shown(model, s.cursor);
      ASSERT_TRUE(h);
      ASSERT_GE(h->load, 0);
      const Node& acquire = model.flow().nodes[size_t(h->acquire)];
      EXPECT_EQ(acquire.thread / s.run->trace.launches[0].block, s.cursor.block);
      expect_clean_everywhere("hand-over", [&](const Theme& t, const Metrics& m, float w, float h) {
        const float wide = w * (t.projector() ? 0.66f : 0.5f);
        const float high = std::max(h * 0.3f, hand_over_height(model, s.cursor, t, m, wide));
        EXPECT_LT(high, h * (t.projector() ? 0.41f : 0.37f)) << "the Watch tab has no more for it";
        Picture p = hand_over(model, s.cursor, t, m, wide, high);
        for (const int node :
             {hand_over_shown(model, s.cursor)->store, hand_over_shown(model, s.cursor)->load}) {
          const Node& n = model.flow().nodes[size_t(node)];
          const std::string cell = model.name(n.launch, n.place);
          EXPECT_TRUE(says(p, cell)) << cell;
        }
        // each access's line of code is whole
        std::string all;
        for (const Shape& s : p.shapes)
          if (s.type == Shape::text) all += without_blanks(s.words);
        for (const int node :
             {hand_over_shown(model, s.cursor)->store, hand_over_shown(model, s.cursor)->release,
              hand_over_shown(model, s.cursor)->acquire, hand_over_shown(model, s.cursor)->load}) {
          const Node& n = model.flow().nodes[size_t(node)];
          const Source& source = s.run->trace.sources[size_t(s.run->trace.launches[size_t(n.launch)].source)];
          std::istringstream in(source.text);
          std::string line;
          for (int k = 0; k < n.line; ++k) std::getline(in, line);
          EXPECT_NE(all.find(std::to_string(n.line) + without_blanks(line)), std::string::npos) << line;
        }
        return p;
      });
    }
    EXPECT_EQ(shown, 1);
  }
}

}  // namespace
}  // namespace bscope
