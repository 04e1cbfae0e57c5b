#include "engine/analysis/selection.hpp"

#include <algorithm>
#include <limits>

#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {
namespace {

/// Keeps the node of the highest score, of equal ones the latest.
struct Best {
  int node = -1, score = 0;
  void take(int id, int worth) {
    if (worth > 0 && worth >= score) node = id, score = worth;
  }
};

}  // namespace

Selection select(const RunQueries& model, const Moment& c) {
  Selection out;
  const auto& launches = model.trace().launches;
  if (c.cell && !launches.empty() && exists(model.trace(), launches[size_t(model.block(c).launch)], *c.cell))
    out.cell = c.cell;
  const Step* step = model.step(c);
  if (!step) return out;
  const WarpInstruction* sub = model.instruction(c);
  const auto& all = model.flow().nodes;
  const int threads = launches[size_t(step->interval->launch)].block;
  const int first = step->interval->block * threads;
  const int asked = c.thread >= 0 ? first + std::min(c.thread, threads - 1) : -1;
  const std::vector<int>& nodes = sub ? sub->nodes : step->interval->nodes;
  // an instruction of loads moves all that it reads; of a step only what waits in a register
  const auto waits = [&](int id) {
    return sub || std::binary_search(step->held().begin(), step->held().end(), id);
  };
  const auto touched = [&](int id) {
    out.node = id;
    out.here = true;
    out.cell = all[size_t(id)].place;
    out.thread = all[size_t(id)].thread - first;
  };

  Best best;
  if (out.cell) {
    // a cell was asked for: select its writer, too, and first the thread that was asked for
    for (int id : nodes) {
      const Node& n = all[size_t(id)];
      if (n.place != *out.cell) continue;
      const bool own = n.thread == asked;
      best.take(id, writes(n.op) ? own ? 4 : 2 : own ? 3 : waits(id) ? 1 : 0);
    }
    if (best.node >= 0)
      touched(best.node);
    else
      out.node = sub ? model.holder(*sub, *out.cell) : model.holder(*step, *out.cell);
    return out;
  }
  constexpr int everything = std::numeric_limits<int>::max();
  const bool chosen = c.array >= 0 && !sub;
  if (asked >= 0) {
    // a thread was asked for: select the last cell that it wrote, too, first in the array that is shown
    const int wanted = sub && sub->request ? sub->request->array : chosen ? c.array : step->to();
    for (int id : nodes) {
      const Node& n = all[size_t(id)];
      if (n.thread != asked) continue;
      const bool there = n.place.array == wanted;
      best.take(id, writes(n.op) ? there ? 6 : 4 : !there ? 1 : chosen ? 5 : waits(id) ? 3 : 2);
    }
    out.thread = asked - first;
    if (best.node >= 0) touched(best.node);
    return out;
  }
  // nothing was: the cell written most often, the last of them
  const int wanted = sub ? sub->request ? sub->request->array : -1
                     : chosen && !step->written_in(c.array, 0, everything).empty() ? c.array
                                                                                   : step->to();
  int times = 0, index = -1;
  for (const auto& [key, w] : sub ? sub->written : step->written()) {
    const CellRef p{int(key >> 32), int(uint32_t(key))};
    if (p.array != wanted || w.times < times || (w.times == times && p.index < index)) continue;
    times = w.times;
    index = p.index;
    best.node = w.node;
  }
  // or the last one read
  if (best.node < 0)
    for (int id : sub ? sub->nodes : step->held())
      if (const Node& n = all[size_t(id)]; n.place.array == wanted && n.place.index >= index) {
        index = n.place.index;
        best.node = id;
      }
  if (best.node >= 0) touched(best.node);
  return out;
}

}  // namespace bscope
