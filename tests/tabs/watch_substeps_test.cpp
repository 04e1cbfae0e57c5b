// Sub-steps, lanes, words and blocks of the array view, held against the trace.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/substeps.hpp"
#include "engine/catalog/run_spec.hpp"
#include "tests/tabs/layout_support.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

Cursor at(const RunQueries& m, int step, int substep = -1) {
  Cursor c = at_step(m.run(), {}, step);
  c.substep = substep;
  return c;
}
Picture draw_substeps(const RunQueries& m, const Cursor& c, const WatchState& s = {}, float h = 460) {
  return array_view(m, c, dark_theme(), fixed_metrics(), 956, h, nullptr, s);
}
/// The words drawn within a hit's box.
std::string text_of_hit(const Picture& p, const std::string& hit) {
  const HitRegion* h = hit_named(p, hit);
  if (!h) return "no " + hit;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text && h->box.contains(s.box.centre())) return s.words;
  return {};
}

TEST(WatchSubSteps, EachShowsItsOwnWritesAlone) {
  const RunQueries m = model_of("scan/blelloch", 16);
  const Step& step = *m.step(at(m, 2));
  std::set<uint64_t> written;
  for (int k = 0; k < int(m.substeps(step).size()); ++k) {
    const WarpInstruction& i = *m.instruction(at(m, 2, k));
    const Picture p = draw_substeps(m, at(m, 2, k));
    EXPECT_TRUE(says(p, "Request " + std::to_string(k + 1) + " of 3: line ")) << k;
    for (const auto& [key, w] : i.written) {
      EXPECT_TRUE(written.insert(key).second);
      const int cell = int(uint32_t(key));
      EXPECT_EQ(text_of_hit(p, "after:sum[" + std::to_string(cell) + "]").substr(0, 3), "was");
    }
    // nothing that comes later is shown yet
    for (const auto& [key, w] : step.written()) {
      if (written.contains(key)) continue;
      EXPECT_EQ(text_of_hit(p, "after:sum[" + std::to_string(int(uint32_t(key))) + "]"),
                m.before(step, step.to())->text(int(uint32_t(key))));
    }
  }
  EXPECT_EQ(written.size(), step.written().size());
}

TEST(WatchLanes, ShowWhatEachLaneGaveAndMade) {
  const RunQueries m = model_of("reduce/warp-shuffle", 32, 32);
  const Picture p = draw_substeps(m, at(m, 0), {}, 600);
  const auto& all = m.exchanges(0, 0);
  ASSERT_EQ(all.size(), 5u);
  for (int k = 0; k < 5; ++k)
    for (const Exchange::ExchangeLane& l : all[size_t(k)].lanes)
      EXPECT_EQ(text_of_hit(p, "lane:" + std::to_string(k) + ":" + std::to_string(l.lane)),
                std::to_string(l.given));
  EXPECT_EQ(text_of_hit(p, "lane:5:17"), std::to_string(int(m.run().report.output[0])));
  EXPECT_TRUE(says(p, "xor 16 +"));
  EXPECT_TRUE(says(p, "then lane 0 stores sums[0]"));
}

TEST(WatchLanes, FutureExchangesShowNoAnswers) {
  const RunQueries m = model_of("reduce/warp-shuffle", 32, 32);
  const auto& all = m.substeps(*m.step(at(m, 0)));
  const auto first = std::find_if(all.begin(), all.end(), [](const SubStep& s) { return s.exchange >= 0; });
  const Picture p = draw_substeps(m, at(m, 0, int(first - all.begin())), {}, 600);
  EXPECT_NE(text_of_hit(p, "lane:1:3"), "");
  EXPECT_EQ(text_of_hit(p, "lane:2:3"), "");
  EXPECT_EQ(text_of_hit(p, "lane:5:3"), "");
}

TEST(WatchWords, SayWhichInputsACellHolds) {
  const RunQueries m = model_of("scan/blelloch", 8, 4);
  WatchState words;
  words.words = true;
  const Picture p = draw_substeps(m, at(m, 2), words);
  const auto truth = content(m.trace(), m.flow(), m.run().report.words(), *m.step(at(m, 2))->interval)[0];
  for (int k = 0; k < 8; ++k) {
    std::string shown;
    const HitRegion* h = hit_named(p, "after:sum[" + std::to_string(k) + "]");
    ASSERT_TRUE(h);
    for (const Shape& s : p.shapes)
      if (s.type == Shape::text && h->box.contains(s.box.centre()) && !s.words.starts_with("was"))
        shown = s.words;
    EXPECT_EQ(shown, truth[size_t(k)].text()) << k;
  }
}

TEST(WatchBlocks, AreAllThereUpToFourThousand) {
  for (const auto& [n, block] : {std::pair(40, 4), {1024, 4}, {8192, 1}}) {
    const RunQueries m = model_of("scan/blelloch", n, block);
    WatchState all;
    all.all_blocks = true;
    const int grid = m.trace().launches[0].grid;
    const Picture p = draw_substeps(m, at(m, 1), all, 342);
    for (int b = 0; b < grid; ++b) ASSERT_TRUE(hit_named(p, "block:" + std::to_string(b))) << b;
    EXPECT_EQ(misplaced_text(p), "");
    for (const HitRegion& h : p.hits) {
      EXPECT_LE(h.box.right(), 957) << h.name;
      EXPECT_LE(h.box.bottom(), 343) << h.name;
    }
  }
}

TEST(WatchBlocks, CountWhoWorks) {
  const RunQueries m = model_of("scan/blelloch", 40, 4);
  WatchState all;
  all.all_blocks = true;
  const Picture p = draw_substeps(m, at(m, 2), all);
  for (int b = 0; b < m.trace().launches[0].grid; ++b) {
    const Step& s = m.block(0, b).steps[2];
    EXPECT_NE(hit_named(p, "block:" + std::to_string(b))
                  ->tip.find(std::to_string(s.working) + " of 4 threads work"),
              std::string::npos);
  }
}

class WatchModes : public testing::TestWithParam<const Algorithm*> {};
TEST_P(WatchModes, HaveNoMisplacedText) {
  RunSpec r;
  r.kernel = GetParam()->name;
  const RunQueries m(traced_run(r));
  for (int step = 0; step < std::min(steps(m.run()), 12); ++step)
    for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
      for (const Language language : {Language::en, Language::zh})
        for (int mode = 0; mode < 4; ++mode) {
          Cursor c = at(m, step);
          WatchState s;
          s.words = mode == 1;
          s.all_blocks = mode == 2;
          if (mode == 3) c.substep = step % 3;
          speak(language);
          const Theme t = theme(name, 720);
          const Picture p = array_view(m, c, t, fixed_metrics(), 764, 270, nullptr, s);
          speak(Language::en);
          ASSERT_EQ(misplaced_text(p), "") << "step " << step << " mode " << mode << " " << name_of(name);
          std::set<std::string> names;
          for (const HitRegion& h : p.hits) EXPECT_TRUE(names.insert(h.name).second) << h.name;
        }
}
INSTANTIATE_TEST_SUITE_P(Kernels, WatchModes, testing::ValuesIn(catalog()), [](const auto& info) {
  std::string name = info.param->name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

// Stepping by warp requests, the source lights the line of the request and no other.
TEST(SubStepSource, LightsItsOwnLine) {
  for (const char* kernel : {"scan/blelloch", "reduce/warp-shuffle", "scan/kogge-stone",
                             "histogram/shared-atomics", "scan/look-back", "reduce/serial-in-block"}) {
    const RunQueries m = model_of(kernel);
    for (const ThemeName name : {ThemeName::dark, ThemeName::projector}) {
      const Theme t = theme(name, 900);
      for (int step = 0; step < steps(m.run()) && step < 12; ++step) {
        const Step* here = m.step(at(m, step));
        const int all = int(m.substeps(*here).size());
        for (int k = 0; k < all && k < 24; ++k) {
          const Cursor c = at(m, step, k);
          const int line = m.instruction(c)->what.line;
          const Picture p =
              source_panel(m, c, t, fixed_metrics(), t.projector() ? 508 : 380, t.projector() ? 340 : 516);
          const HitRegion* own = hit_named(p, "line:" + std::to_string(line));
          ASSERT_TRUE(own) << kernel << " step " << step << " request " << k;
          int bands = 0;
          for (const Shape& s : p.shapes)
            if (s.type == Shape::rect && s.fill == t.selected && s.box.w == p.width) {
              ++bands;
              EXPECT_TRUE(own->box.contains(s.box.centre())) << kernel << " line " << line;
            }
          EXPECT_GE(bands, 1) << kernel << " line " << line;
          EXPECT_EQ(misplaced_text(p), "") << kernel << " step " << step << " request " << k;
        }
      }
    }
  }
}

TEST(SubStepSource, KeepsWhatIsStillToComeToItself) {
  const RunQueries m = model_of("scan/blelloch", 16);
  const Theme t = theme(ThemeName::dark, 900);
  const auto shown = [&](int substep) {
    std::string out;
    for (const std::string& words : texts(source_panel(m, at(m, 3, substep), t, fixed_metrics(), 380, 516)))
      if (words.find(" = ") != std::string::npos && words.find("sum[right") == std::string::npos)
        out += words + ";";
    return out;
  };
  EXPECT_NE(shown(0).find("sum[11] = 7;"), std::string::npos) << shown(0);
  EXPECT_EQ(shown(0).find("28"), std::string::npos) << shown(0);
  EXPECT_NE(shown(1).find("sum[15] = 21;"), std::string::npos) << shown(1);
  EXPECT_NE(shown(2).find("7 + 21 = 28;"), std::string::npos) << shown(2);
  EXPECT_EQ(shown(2).find("sum[11]"), std::string::npos) << shown(2);
}

}  // namespace
}  // namespace bscope
