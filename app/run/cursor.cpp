#include "app/run/cursor.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/substeps.hpp"

namespace bscope {

Cursor at_step(const Run& run, Cursor c, int step) {
  const auto& all = run.report.flow.intervals;
  if (all.empty()) return c;
  const Interval& i = all[size_t(std::clamp(step, 0, int(all.size()) - 1))];
  c.launch = i.launch;
  c.block = i.block;
  c.interval = i.index;
  c.phase = 1;
  c.substep = -1;
  return c;
}

Cursor fitted(const Run& run, Cursor c) {
  const auto number = [](float v, float least, float most, float otherwise) {
    return std::isfinite(v) ? std::clamp(v, least, most) : otherwise;
  };
  const Cursor asked = c;
  c = at_step(run, c, step_of(run, c));
  if (asked.substep >= 0 &&
      std::tie(asked.launch, asked.block, asked.interval) == std::tie(c.launch, c.block, c.interval))
    c.substep = std::min(asked.substep, count_substeps(run.report, size_t(step_of(run, c))) - 1);
  if (run.trace.launches.empty()) {
    const bool arrows = c.arrows;
    c = Cursor{};
    c.arrows = arrows;
    return c;
  }
  c.launch = std::clamp(c.launch, 0, int(run.trace.launches.size()) - 1);
  const Launch& l = run.trace.launches[size_t(c.launch)];
  const auto holds = [&](CellRef p) { return exists(run.trace, l, p); };
  if (c.thread < -1 || c.thread >= l.block) c.thread = -1;
  if (c.cell && !holds(*c.cell)) c.cell.reset();
  if (c.array != -1 && !holds({c.array, 0})) c.array = -1;
  c.line = std::clamp(c.line, 0, 65535);
  c.zoom = number(c.zoom, 1, most_zoom, 1);
  c.scroll = number(c.scroll, 0, 1e9f, 0);
  return c;
}

}  // namespace bscope
