// Who handed what to whom, against the trace; what it says on screen.
#include "app/view/watch/hand_over.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "app/state/lesson_play.hpp"
#include "app/state/lesson_shelf.hpp"
#include "app/view/watch/state.hpp"
#include "app/words/words.hpp"
#include "tests/view/layout_support.hpp"
#include "tests/view/watch_support.hpp"

namespace bscope {
namespace {

std::string without_blanks(std::string s) {
  std::erase(s, ' ');
  return s;
}

// In every kernel with flags: each acquire of a release by another thread is told, with accesses that
// happened in this order, by these two threads.
TEST(HandOver, IsWhatHappenedInEveryKernel) {
  int kernels = 0, numbers = 0;
  for (const Algorithm* a : catalog()) {
    const WatchModel model = model_of(a->name);
    const Flow& flow = model.flow();
    const auto node = [&](int id) -> const Node& { return flow.nodes[size_t(id)]; };
    std::set<Place> flags;
    std::map<Place, int> seen;
    for (const int id : flow.sequence) {
      const Node& n = node(id);
      if (n.op == Op::release) flags.insert(n.place);
      if ((n.op == Op::acquire || n.op == Op::wait) && n.a >= 0 && node(n.a).op == Op::release &&
          node(n.a).thread != n.thread && node(n.a).launch == n.launch)
        ++seen[n.place];
    }
    kernels += !seen.empty();
    for (const Place flag : flags) {
      const auto all = hand_overs(flow, flag);
      EXPECT_EQ(int(all.size()), seen[flag]) << a->name;
      for (const HandOver& h : all) {
        const Node &release = node(h.release), &acquire = node(h.acquire);
        EXPECT_LT(h.release, h.acquire);
        EXPECT_EQ(release.place, flag);
        EXPECT_EQ(acquire.place, flag);
        EXPECT_EQ(written_bits(flow, release), acquire.bits) << a->name;
        EXPECT_EQ(h.store < 0, h.load < 0);
        if (h.store < 0) continue;
        ++numbers;
        const Node &store = node(h.store), &load = node(h.load);
        EXPECT_LT(h.store, h.release);
        EXPECT_LT(h.acquire, h.load);
        EXPECT_EQ(store.thread, release.thread);
        EXPECT_EQ(load.thread, acquire.thread);
        EXPECT_EQ(store.place, load.place);
        EXPECT_EQ(written_bits(flow, store), load.bits) << a->name;
      }
    }
  }
  EXPECT_GT(kernels, 0);
  EXPECT_GT(numbers, 10);
}

TEST(HandOver, NothingIsMadeUp) {
  const WatchModel model = model_of("scan/blelloch");
  Cursor c;
  c.cell = Place{first_shared, 0};
  EXPECT_FALSE(hand_over_shown(model, c));
  const Metrics m = fixed_metrics();
  const Picture p = hand_over(model, c, theme(ThemeName::dark, 900), m, 870, 290);
  std::string words;
  for (const Shape& s : p.shapes) words += s.words + " ";
  EXPECT_NE(words.find("acquired"), std::string::npos) << words;
}

// The lesson's step shows it: one that the block looked at takes, and all that is said of it.
TEST(HandOver, ALessonShowsIt) {
  for (const Language language : {Language::en, Language::zh}) {
    const Lesson lesson = choose_lesson("look-back", language).lesson;
    int shown = 0;
    for (int k = 0; k < int(lesson.steps.size()); ++k) {
      const State s = at_lesson_step({}, lesson, k);
      EXPECT_EQ(s.watch.hand_over, lesson.steps[size_t(k)].hand_over);
      if (!s.watch.hand_over) continue;
      ++shown;
      const WatchModel model = make_watch_model(s.run);
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
