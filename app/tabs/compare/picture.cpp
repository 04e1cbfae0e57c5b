#include "app/tabs/compare/picture.hpp"

#include "app/draw/controls.hpp"
#include "app/draw/upright.hpp"
#include "app/run/values.hpp"
#include "app/session/control.hpp"
#include "app/session/state.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/sheet.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

using compare::CompareSheet;

CompareSheet sheet(const Theme& t, const Comparison& c, const CompareLook& look, bool low = false) {
  CompareSheet s{t, c, look, low};
  s.look.scale = compare::shown_scale(c, look.scale);
  const auto& steps = c.steps[size_t(look.sync)];
  s.now = steps[size_t(std::clamp(look.position, 0, int(steps.size()) - 1))];
  return s;
}

/// A lane a side: its phases over the positions, and where both stand.
void lanes(const CompareSheet& s, const DrawContext& p, Box in) {
  const Theme& t = p.t;
  const auto& steps = s.c.steps[size_t(s.look.sync)];
  const int length = int(steps.size()), at = std::clamp(s.look.position, 0, length - 1);
  const float label = t.label();
  // in the projector's bar lanes are too low for words: the panels above say which is which
  float names = 0;
  const bool named = (in.h - t.px(5)) / 2 > label;
  for (const auto& name : s.names) names = std::max(names, named ? p.pen.width(name, label) : 0);
  if (named) names = std::min(names, in.w * 0.2f) + t.px(12);
  const Box lanes{in.x + names, in.y, in.w - names, in.h};
  const float tall = (lanes.h - t.px(5)) / 2, pitch = lanes.w / float(length);
  for (size_t side = 0; side < 2; ++side) {
    const float y = lanes.y + float(side) * (tall + t.px(5));
    if (named)
      p.pen.text({in.x, y + tall / 2}, p.pen.fitted(s.names[side], names - t.px(10), label), label, t.ink2);
    const auto& rows = s.c.sides[side].rows;
    if (rows.empty()) continue;
    for (int first = 0, end; first < length; first = end) {
      const auto row = [&](int k) -> const RunRows::RunRow& { return rows[size_t(steps[size_t(k)][side])]; };
      const auto waits = [&](int k) { return k > 0 && steps[size_t(k)][side] == steps[size_t(k) - 1][side]; };
      for (end = first + 1; end < length && row(end).phase == row(first).phase &&
                            row(end).launch == row(first).launch && waits(end) == waits(first);)
        ++end;
      const Box b{lanes.x + float(first) * pitch, y, float(end - first) * pitch - t.px(1.5f), tall};
      const Colour band = waits(first) ? t.panel : t.phase(row(first).phase);
      p.pen.rect(b, band, waits(first) ? t.line : 0, t.thin(), t.px(3));
      if (waits(first) && b.w > t.px(8)) p.pen.hatch(b, t.line, t.px(7), t.thin());
      if (!waits(first) && label < tall)
        p.pen.text(
            {b.x + t.px(6), y + tall / 2},
            spelled(p.pen,
                    {phase_name(s.c.runs[side]->trace,
                                s.c.runs[side]->trace.launches[size_t(row(first).launch)], row(first).phase)},
                    b.w - t.px(12), label),
            label, t.on(band));
    }
  }
  const float x = lanes.x + (float(at) + 0.5f) * pitch;
  p.pen.rect(
      {x - std::max(t.px(2), pitch / 2), lanes.y - t.px(3), std::max(t.px(4), pitch), lanes.h + t.px(6)}, 0,
      t.present(), t.thin(2.5f), t.px(3));
  // presses mean positions: a pitch's middle is its own
  p.pen.hit({.what = HitRegion::other,
             .box = {lanes.x + pitch / 2, lanes.y, std::max(1.0f, lanes.w - pitch), lanes.h},
             .a = 0,
             .b = length - 1,
             .tip = tr("Drag: both sides go to this step."),
             .name = "position",
             .drag = drags_time(length - 1)});
}

LayoutNode sync_choices(SyncBy now) {
  struct SyncChoice {
    const char *name, *label, *tip;
  };
  static constexpr SyncChoice ways[sync_modes] = {
      {"sync by interval", tr_noop("step"),
       tr_noop("Both sides take one step at a time, to the next barrier.")},
      {"sync by phase", tr_noop("phase"),
       tr_noop("Phases of the same name begin together; who is done waits.")},
      {"sync by work", tr_noop("work done"),
       tr_noop("Both sides stand where the same share of their adds is done.")}};
  std::vector<Button> all;
  for (int k = 0; k < sync_modes; ++k)
    all.push_back({.name = ways[k].name,
                   .label = tr(ways[k].label),
                   .tip = tr(ways[k].tip),
                   .on = now == SyncBy(k),
                   .does = [k](LoadedState& s, float) { s.of<CompareState>().sync = SyncBy(k); }});
  return choices(std::move(all));
}

LayoutNode scale_choices(const Comparison& c, const std::string& now) {
  std::vector<Button> all;
  for (const std::string& one : c.scales())
    all.push_back({.name = "scale " + one,
                   .label = compare::counted_thing(c, one),
                   .tip = tr("Bars show of each step: {}.", compare::counted_thing(c, one)),
                   .on = one == now,
                   .does = [one](LoadedState& s, float) { s.of<CompareState>().scale = one; }});
  return choices(std::move(all));
}

}  // namespace

Picture compare_view(const Comparison& c, const CompareLook& look, const std::vector<Recording>& recordings,
                     const Theme& t, const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  pen.rect({0, 0, w, h}, t.window);
  const CompareSheet s = sheet(t, c, look, t.projector() && h < t.px(600));
  const DrawContext paper{pen, t};
  const float gap = t.gap(), half = (w - gap) / 2, wide = w * (t.projector() ? 0.62f : 0.60f);
  if (is_upright(t, w, h)) {
    draw(paper,
         column(gap, {panel(compare::side(s, 0)).grows(), panel(compare::side(s, 1)).grows(),
                      panel(compare::counts(s, true)), panel(compare::measured(s, recordings)).grows(0.8f)}),
         {0, 0, w, h});
    return picture;
  }
  // the counts carry the point: they take from the figures above what their rows need. On the projector the
  // figures keep the sentence's room: the counts tell the same
  const float usual = h * (t.projector() ? 0.62f : 0.61f),
              need = panel(compare::counts(s, !t.projector())).height_at(paper, wide),
              upper = s.low ? h * 0.68f : clamp_or_least(h - gap - need, std::min(usual, h * 0.45f), usual);
  for (size_t k = 0; k < 2; ++k)
    draw(paper, panel(compare::side(s, k)), {float(k) * (half + gap), 0, half, upper});
  const float below = upper + gap;
  draw(paper, panel(compare::counts(s, true)), {0, below, wide, h - below});
  draw(paper, panel(compare::measured(s, recordings)), {wide + gap, below, w - wide - gap, h - below});
  return picture;
}

Picture compare_transport(const Comparison& c, const CompareLook& look, const Theme& t,
                          const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  pen.rect({0, 0, w, h}, t.panel);
  const CompareSheet s = sheet(t, c, look);
  const LayoutNode both = drawing(0, 0, [s](const DrawContext& p, Box b) { lanes(s, p, b); });
  const LayoutNode chosen =
      row(t.px(8),
          {line({tr("keep step by")}, s.label(t.ink2)).gives(2), sync_choices(look.sync), space(t.px(12)),
           line({tr("bars count")}, s.label(t.ink2)).gives(1), scale_choices(c, s.look.scale)});
  draw({pen, t}, padded(column(t.px(10), {LayoutNode(both).grows(), chosen}), t.px(12), t.px(8)),
       {0, 0, w, h});
  return picture;
}

}  // namespace bscope
