// From runs to the queues that are shown side by side.
#include <algorithm>

#include "app/run/titles.hpp"
#include "app/tabs/atomics/picture.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

int AtomicsModel::time(int t) const { return std::clamp(t < 0 ? sides[1].total : t, 0, end); }

AtomicsModel atomics_model(const Run& left, const Run& right, const Run* racy, int bin) {
  AtomicsModel m;
  m.n = int(left.report.input.size());
  m.order = left.trace.device;
  m.sides[0] = {address_queues(left.report, bin), title_of(left.trace.kernel)};
  const bool both = m.sides[0].histogram;  // bins are the same on both sides; other addresses are not
  m.sides[1] = {address_queues(right.report, both ? m.sides[0].chosen : bin), title_of(right.trace.kernel)};
  m.bin = m.sides[0].histogram || !m.sides[1].histogram ? m.sides[0].chosen : m.sides[1].chosen;
  m.end = std::max({m.sides[0].total, m.sides[1].total, 1});
  if (racy) m.racy = losses(racy->report, m.bin);
  return m;
}

AtomicsModel atomics_model(const Run& run, int bin) {
  AtomicsModel m = atomics_model(run, run, nullptr, bin);
  m.alone = true;
  Losses racy = losses(run.report, m.bin);
  const auto lost = [](const Losses::UpdateCount& c) { return c.performed - c.present; };
  const auto worst = std::ranges::max_element(racy.cells, {}, lost);
  if (worst == racy.cells.end() || lost(*worst) == 0) return m;
  if (!m.has_queues()) {  // the cell that loses most, where no queue says which
    const int cells = int(racy.cells.size());
    m.bin = bin >= 0 && bin < cells ? bin : int(worst - racy.cells.begin());
    for (auto& side : m.sides) {
      const ArrayInfo& output = run.trace.arrays[size_t(run.trace.output)];
      side.place = output.name + "[" + std::to_string(m.bin) + "]";
    }
    racy = losses(run.report, m.bin);
  }
  m.racy = std::move(racy);
  return m;
}

}  // namespace bscope
