#include "engine/analysis/row_turns.hpp"

#include <cstddef>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/cell_ref.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

RowTurns row_turns(const Trace& t, const DataflowGraph& flow, int launch, int block, int array) {
  if (array < first_shared) return {};
  const ArrayInfo& info = t.array(t.launches[size_t(launch)], array);
  if (info.rows < 2 || info.size == 0) return {};
  RowTurns out{info.row_size(), {}};
  int last = 0;
  for (const Interval& v : flow.of_block(launch, block)) {
    RowTurns::StepRows step{-1, -1};
    for (const int id : v.nodes) {
      const Node& n = flow.nodes[size_t(id)];
      if (n.place.array != array) continue;
      const int row = n.place.index / out.row;
      if (writes(n.op)) {
        if (step.written >= 0 && step.written != row) return {};
        step.written = row;
      }
      // what the step itself has written is no older row's
      const Node* from = reads(n.op) && n.a >= 0 ? &flow.nodes[size_t(n.a)] : nullptr;
      const bool own = from && from->launch == v.launch && from->interval == v.index;
      if (reads(n.op) && !own) {
        if (step.read >= 0 && step.read != row) return {};
        step.read = row;
      }
    }
    if (step.written >= 0) last = step.written;
    if (step.read < 0) step.read = last;
    if (step.written < 0) step.written = step.read;
    out.steps.push_back(step);
  }
  return out;
}

}  // namespace bscope
