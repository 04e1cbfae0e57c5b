// Relatives of the selected cell in the array view, and all arrays at once: held against the trace.
#include "app/tabs/watch/relatives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/run/values.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/descendants.hpp"
#include "engine/analysis/relatives.hpp"
#include "engine/analysis/why.hpp"
#include "tests/tabs/layout_support.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

int bars(const Picture& p, const Theme& t) {
  return int(std::count_if(p.shapes.begin(), p.shapes.end(), [&](const Shape& s) {
    return s.type == Shape::rect && s.fill == t.read && s.box.h < t.px(5.5f) && s.box.w > s.box.h;
  }));
}

TEST(Relatives, LightTheCellsOfTheArrayView) {
  for (const char* kernel : {"scan/blelloch", "reduce/tree-mask"})
    for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::projector}) {
      const RunQueries m = model_of(kernel, 16);
      const Theme t = theme(name, 900);
      for (int step = 1; step < steps(m.run()); ++step) {
        Cursor c = at_step(m.run(), {}, step);
        const Step& s = *m.step(c);
        if (s.from() != s.to()) continue;
        // not asked for: the array view stays as it is
        EXPECT_EQ(bars(array_view(m, c, t, fixed_metrics(), 956, 340), t), 0);
        c.cell = CellRef{first_shared, 0};
        for (const Relatives which : {Relatives::ancestors, Relatives::both}) {
          WatchState w;
          w.relatives = which;
          const Picture p = array_view(m, c, t, fixed_metrics(), 956, 340, nullptr, w);
          const Related of = related(m, c, which);
          const ArrayRange part = shown_part(m, c);
          const auto lit = [&](bool after) {
            const auto all = holds_relative(m, s, part, after, of);
            return int(std::count(all.begin(), all.end(), true));
          };
          EXPECT_EQ(bars(p, t), lit(false) + lit(true)) << kernel << " step " << step;
          EXPECT_EQ(misplaced_text(p), "") << kernel << " step " << step << " " << name_of(name);
        }
      }
    }
}

TEST(AllArrays, ShowWhatEachHoldsAndWhatTheStepDoes) {
  WatchState w;
  w.all_arrays = true;
  int cells = 0;
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    const Theme t = theme(ThemeName::dark, 900);
    for (int step = 0; step < steps(m.run()) && step < 8; ++step) {
      const Cursor c = at_step(m.run(), {}, step);
      const BlockSteps& b = m.block(c);
      if (b.steps.empty() || b.main < 0) continue;
      const Picture p = array_view(m, c, t, fixed_metrics(), 956, 420, nullptr, w);
      const Step& s = *m.step(c);
      int named = 0;
      for (const auto& [id, part] : b.parts) {
        named += hit_named(p, "array:" + m.array(b.launch, id).name) != nullptr;
        const StatePtr state = m.after(s, part);
        for (int k = part.first; k < part.first + part.size; ++k) {
          const HitRegion* h = hit_named(p, "small:" + m.name(b.launch, {id, k}));
          if (!h || !state->is_known(k)) continue;
          ++cells;
          EXPECT_NE(h->tip.find(" = " + value_text(*state, k) + "."), std::string::npos) << a->name << h->tip;
          const bool changed = std::any_of(p.shapes.begin(), p.shapes.end(), [&](const Shape& x) {
            return x.type == Shape::rect && x.fill == t.changed && h->box.contains(x.box.centre());
          });
          EXPECT_EQ(changed, s.writes_of({id, k}) != nullptr)
              << a->name << " step " << step << " " << h->name;
        }
      }
      EXPECT_EQ(named, int(b.parts.size())) << a->name;
    }
  }
  EXPECT_GT(cells, 1000);
}

TEST(AllArrays, AreCleanOnEveryKernel) {
  WatchState w;
  w.all_arrays = true;
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    const Cursor c = at_step(m.run(), {}, steps(m.run()) / 2);
    if (m.block(c).main < 0) continue;
    expect_clean_everywhere(a->name, [&](const Theme& t, const Metrics& metrics, float width, float) {
      const float k = t.scale;
      return array_view(m, c, t, metrics, std::min(width, (t.projector() ? 1060 : 956) * k), 370 * k, nullptr,
                        w);
    });
  }
}

}  // namespace
}  // namespace bscope
