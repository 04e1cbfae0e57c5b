#include "app/tabs/watch/timeline/layout.hpp"

#include <algorithm>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"

namespace bscope {

TimelineSteps timeline_steps(const RunQueries& model, const Moment& m, bool future) {
  TimelineSteps out{model, model.block(m), model.track(m), int(model.trace().launches.size())};
  if (!future) {
    out.track.steps.resize(size_t(out.track.present) + 1);
    out.launches = out.block.launch + 1;
  }
  return out;
}

std::array<std::string, 4> timeline_row_names(const TimelineSteps& steps) {
  return {tr("launch"), steps.track.by_block ? tr("block") : tr("phase"), tr("threads working"),
          steps.block.sectors ? tr("sectors") : tr("wavefronts taken")};
}

TimelineLayout timeline_layout(const TimelineSteps& steps, const Pen& pen, const Theme& t, float width,
                               float height) {
  TimelineLayout out{.width = width, .height = height};
  const bool many = steps.model.trace().launches.size() > 1 && !t.projector();
  out.named = !t.projector() && width > t.px(600);
  out.left = t.px(8);
  if (out.named) {
    float widest = 0;
    for (const std::string& name : timeline_row_names(steps))
      widest = std::max(widest, pen.width(name, t.label()));
    out.left += widest + t.px(12);
  }
  const float room = width - out.left - t.px(10);
  const int all = int(steps.track.steps.size());
  // hundreds of steps: as many as keep a few pixels each, around the present
  const int fit = std::max(1, int(room / t.px(6)));
  out.count = std::min(all, fit);
  out.first = std::clamp(steps.present() - out.count / 2, 0, all - out.count);
  out.pitch = std::min(room / float(out.count), t.px(t.projector() ? 320 : 280));

  out.launch_h = many ? t.px(22) : 0;
  out.overview_h = out.count < all ? t.px(10) : 0;
  const float inner = height - out.launch_h - out.overview_h - t.px(16);
  out.traffic_h = t.projector() ? std::min(t.px(24), inner * 0.31f) : std::min(t.px(26), inner * 0.27f);
  out.phase_h = std::min(t.px(26, 30), inner * 0.42f);
  out.phase_y = out.launch_h + out.overview_h + t.px(8);
  const float rest = inner - out.phase_h - out.traffic_h;
  out.lane_h = std::min(rest * 0.75f, t.px(24));
  out.lane_y = out.phase_y + out.phase_h + (rest - out.lane_h) / 2;
  out.traffic_y = height - t.px(8) - out.traffic_h;
  return out;
}

}  // namespace bscope
