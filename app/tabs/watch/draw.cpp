#include "app/tabs/watch/draw.hpp"

#include <algorithm>
#include <cmath>

#include "app/run/values.hpp"
#include "app/session/motion.hpp"
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

float progress(float phase, float start, float end) {
  return std::clamp((phase * step_ms - start) / (end - start), 0.0f, 1.0f);
}
float ease_in_out(float t) { return t < 0.5f ? 4 * t * t * t : 1 - std::pow(2 - 2 * t, 3.0f) / 2; }
float ease_out(float t) { return 1 - std::pow(1 - t, 3.0f); }

}  // namespace bscope
