#include "app/tabs/watch/timeline/timeline.hpp"

#include <iterator>
#include <span>

#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/timeline/layout.hpp"
#include "app/tabs/watch/timeline/parts.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/stuck_threads.hpp"

namespace bscope {
namespace {

/// At the left of the rows: their names.
void draw_row_names(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at) {
  if (!at.named) return;
  const std::array<std::string, 4> names = timeline_row_names(steps);
  const float middles[] = {t.px(4) + at.launch_h / 2, at.phase_y + at.phase_h / 2, at.lane_y + at.lane_h / 2,
                           at.traffic_y + at.traffic_h / 2};
  for (size_t k = at.launch_h > 0 ? 0 : 1; k < std::size(names); ++k)
    pen.text({at.left - t.px(12), middles[k]}, names[k], t.label(), t.ink2, Font::text, Align::right);
  pen.hit({.what = HitRegion::other,
           .box = {0, at.traffic_y, at.left - t.px(8), at.traffic_h},
           .tip = (steps.block.sectors
                       ? tr("A sector is 32 bytes of global memory: what one transaction moves.")
                       : tr("A wavefront is one turn of the shared memory's 32 banks; lanes that want "
                            "different words of one bank take extra turns.")) +
                  tr(" Blue: reads; orange: writes; purple: atomics; pink: more than would be "
                     "needed."),
           .name = "timeline:traffic"});
}

std::string tip_of(const TimelineSteps& steps, int k) {
  const Step& s = steps.step(k);
  const std::string phase = phase_name(steps.model, s);
  std::string out = steps.track.by_block ? tr("Block {}, {}", s.interval->block, phase)
                                         : tr("Step {}, {}", step_number(k), phase);
  if (s.stride()) out += tr(", stride {}", s.stride());
  out += tr(": {} of {} threads work", s.working, s.works.size());
  if (const int stuck = count_stuck(stuck_lines(steps.model.trace(), steps.model.flow(), *s.interval)))
    out += tr(", {} wait for ever", stuck);
  const Traffic& t = s.traffic();
  if (t.total())
    out += steps.block.sectors ? tr(", {} sectors", t.total()) : tr(", {} wavefronts", t.total());
  if (t.extra) out += tr(" ({} more than needed)", t.extra);
  if (t.queue > 1) out += tr(", {} atomics in a row on one cell", t.queue);
  return out + tr(".");
}

/// A step's column, and its place for the mouse.
void draw_column(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at, int k) {
  draw_working_threads(pen, t, steps, at, k);
  if (at.traffic_h > 0) draw_timeline_traffic(pen, t, steps, at, k);
  pen.hit({steps.track.by_block ? HitRegion::step : HitRegion::interval,
           {at.x_of(k), at.head_h() + t.px(2), at.pitch, at.height - at.launch_h - at.overview_h - t.px(4)},
           steps.track.by_block ? steps.step(k).flow_index : k,
           0,
           tip_of(steps, k),
           "step:" + std::to_string(k)});
}

}  // namespace

Picture timeline(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                 float height, bool future) {
  Picture picture{width, height, {}, {}};
  if (!model.step(c)) return picture;
  Pen pen(picture, m);
  const TimelineSteps steps = timeline_steps(model, c, future);
  const TimelineLayout at = timeline_layout(steps, pen, t, width, height);
  model.prepare(std::span(steps.track.steps).subspan(size_t(at.first), size_t(at.count)));
  draw_row_names(pen, t, steps, at);
  draw_timeline_launches(pen, t, steps, at);
  draw_timeline_overview(pen, t, steps, at);
  draw_timeline_bands(pen, t, steps, at);
  draw_present_ground(pen, t, steps, at);
  for (int k = at.first; k < at.end(); ++k) draw_column(pen, t, steps, at, k);
  draw_timeline_barriers(pen, t, steps, at);
  draw_present_frame(pen, t, steps, at);
  draw_timeline_phases(pen, t, steps, at);
  return picture;
}

}  // namespace bscope
