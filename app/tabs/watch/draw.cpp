#include "app/tabs/watch/draw.hpp"

#include <algorithm>
#include <cmath>

#include "app/run/values.hpp"
#include "app/session/motion.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {

std::string phase_name(const RunQueries& m, const Step& s) { return phase_name(m.trace(), *s.interval); }

Colour shade(const Theme& t, double value, double largest) {
  const double part =
      largest > 0 && std::isfinite(value) ? std::log1p(std::fabs(value)) / std::log1p(largest) : 0;
  const float share = 0.12f + 0.75f * float(std::clamp(part, 0.0, 1.0));
  return mix(t.ink3, t.cell, share);
}

std::string words_for_shades(const Theme& t) {
  return t.dark() ? tr("lighter: a larger value") : tr("darker: a larger value");
}

void draw_stuck_frame(Pen& pen, const Theme& t, const Box& b) {
  // a small one has thinner dashes, within its box: frames of neighbours do not touch
  const bool small = b.w < t.px(20);
  const float dash = small ? t.px(2) : t.px(4), thick = small ? t.px(1.5f) : t.px(2);
  const Box in = grown(b, -thick / 2);
  const Point corners[] = {{in.x, in.y}, {in.right(), in.y}, {in.right(), in.bottom()}, {in.x, in.bottom()}};
  for (int k = 0; k < 4; ++k) pen.line(corners[k], corners[(k + 1) % 4], t.barrier, thick, dash);
}

float progress(float phase, float start, float end) {
  return std::clamp((phase * step_ms - start) / (end - start), 0.0f, 1.0f);
}
float ease_in_out(float t) { return t < 0.5f ? 4 * t * t * t : 1 - std::pow(2 - 2 * t, 3.0f) / 2; }
float ease_out(float t) { return 1 - std::pow(1 - t, 3.0f); }

}  // namespace bscope
