#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/draw/layout.hpp"
#include "app/draw/theme.hpp"
#include "app/run/values.hpp"
#include "app/tabs/watch/source/grid.hpp"
#include "app/tabs/watch/source/lines.hpp"
#include "app/tabs/watch/source/parts.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// As wide as that, whatever is in it.
LayoutNode wide(float w, LayoutNode f) {
  f.wanted = [w](const DrawContext&) { return w; };
  f.least = f.wanted;
  return f;
}

LayoutNode profile_columns(const SourceGrid& at, LayoutNode runs, LayoutNode lanes, LayoutNode active) {
  std::vector<LayoutNode> all;
  if (at.runs_w > 0) all = {wide(at.runs_w, std::move(runs)), space(at.runs_gap)};
  if (at.bar_w > 0) all.push_back(wide(at.bar_w, std::move(lanes)));
  all.push_back(wide(at.active_w, std::move(active)));
  return row(0, std::move(all));
}

}  // namespace

LayoutNode profile_head(const SourceGrid& at, const Theme& t) {
  const auto head = [&](const std::string& words) {
    const float size = t.px(t.size_index, 22);
    LayoutNode form = line({words}, {.size = size, .colour = t.ink2, .align = Align::right});
    form.height = [size](const DrawContext&, float) { return size * 1.15f; };
    return form;
  };
  return row(
      0, {space(0).grows(),
          pressed(profile_columns(at, head(tr("runs")), head(tr("lanes")), head(tr("active"))),
                  {.what = HitRegion::other,
                   .box = {},
                   .tip = tr(
                       "Runs: how often warps ran the line; lanes of a warp that come to it apart run it "
                       "apart. Lanes and active: how many of a warp's lanes took part in its instructions on "
                       "average, of 32 where a block fills its warps; the others were switched off, which is "
                       "divergence. Counted are accesses, arithmetic on data, shuffles and barriers."),
                   .name = "source:columns"}),
          space(at.right)});
}

LayoutNode profile_of_line(const SourceGrid& at, const Theme& t, const ActiveLanes& l) {
  const auto number = [&](const std::string& words, Colour c, bool bold) {
    return line({words}, {.size = std::min(at.size, at.row * 0.8f),
                          .colour = c,
                          .font = bold ? Font::mono_bold : Font::mono,
                          .align = Align::right});
  };
  const LayoutNode bar = drawing(0, at.row * 0.62f, [share = float(l.share())](const DrawContext& p, Box b) {
    p.pen.hatch(b, mix(p.t.idle, p.t.panel, 0.45f), p.t.px(5), p.t.px(1));
    p.pen.rect({b.x, b.y, b.w * share, b.h}, p.t.thread);
    p.pen.rect(b, 0, mix(p.t.idle, p.t.panel, 0.7f), p.t.px(1));
  });
  return profile_columns(at, number(brief(double(l.runs)), t.ink2, false), bar,
                         number(fmt::format("{:.1f}", l.average()), t.ink, l.share() < 0.95));
}

}  // namespace bscope
