#include "engine/analysis/why_idle.hpp"

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

WhyIdle why_idle(const Trace& trace, const Interval& v, int rank) {
  WhyIdle out;
  const Launch& l = trace.launches[size_t(v.launch)];
  if (size_t(v.block) >= l.blocks.size()) return out;
  int barriers = 0;
  for (const Event& e : l.blocks[size_t(v.block)].log(rank)) {
    if (is_barrier(e.op) && ++barriers > v.index) return out;
    if (barriers == v.index && e.op == Op::branch && e.bits == 0 && !out.line) out.line = e.line;
  }
  out.ended = barriers < v.index;
  return out;
}

}  // namespace bscope
