// The lanes beside a source line are those of the round whose values stand there.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "app/tabs/watch/source/panel.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_queries.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

/// The strips of lanes in the picture by line: which of their lanes are lit.
std::map<int, std::vector<bool>> strips(const Picture& p, const Theme& t) {
  const float h = t.px(t.size_code) * 0.75f;
  std::map<int, std::vector<bool>> out;
  for (const Shape& s : p.shapes) {
    if (s.type != Shape::rect || std::abs(s.box.h - h) > 0.01f || s.box.w > 3 * h) continue;
    for (const HitRegion& hit : p.hits)
      if (hit.what == HitRegion::line && hit.box.contains(s.box.centre()))
        out[hit.a].push_back(s.fill == t.thread);
  }
  return out;
}

TEST(SourceStrips, AreOfARoundInWhichTheFollowedThreadTakesPart) {
  const Theme& t = theme(ThemeName::dark, 900);
  int seen = 0;
  for (const auto& [kernel, n, block] :
       {std::tuple("mistakes/missing-barrier", 256, 256), std::tuple("mistakes/missing-barrier", 32, 32),
        std::tuple("reduce/shared", 44, 8), std::tuple("mistakes/overlapping-tiles", 224, 16),
        std::tuple("scan/three-phase", 64, 16), std::tuple("reduce/tree-mask", 64, 64)}) {
    const auto run = traced(kernel, "", n, block);
    const RunQueries model(run);
    for (int step = 0; step < steps(*run); ++step)
      for (const int thread : {0, 1, 5}) {
        Cursor c = at_step(*run, {}, step);
        c.thread = thread;
        c.phase = 1;
        const int followed = model.followed(c);
        if (followed < 0) continue;
        const Picture p = source_panel(model, c, t, fixed_metrics(), 360, 800, {}, nullptr);
        std::map<int, bool> took_part;
        for (const WarpAccess& q : run->report.requests_of(size_t(step_of(*run, c))))
          for (const auto& lane : q.lanes) took_part[q.line] |= q.warp * 32 + lane.lane == followed;
        for (const auto& [line, lit] : strips(p, t)) {
          if (!took_part[line]) continue;
          ++seen;
          ASSERT_LT(size_t(followed % 32), lit.size());
          EXPECT_TRUE(lit[size_t(followed % 32)])
              << kernel << " step " << step << " line " << line << ", thread " << followed;
        }
      }
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace bscope
