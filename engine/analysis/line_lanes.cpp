#include "engine/analysis/line_lanes.hpp"

namespace bscope {

std::map<int, LineLanes> line_lanes(const Launch& l) {
  std::map<int, LineLanes> all;
  for (const BlockRun& b : l.blocks) {
    bool inside = false;
    uint32_t further = 0;  // cells of one vector access: it is one lane's, once
    for (const Event& e : b.events) {
      if (e.op == Op::together) {
        further = e.a;
        continue;
      }
      if (touches(e.op) && further > 0) {
        const bool first = !inside;
        inside = --further > 0;
        if (!first) continue;
      }
      long LineLanes::*what = nullptr;
      if (is_atomic(e.op))
        what = &LineLanes::updated;
      else if (is_barrier(e.op))
        what = &LineLanes::met;
      else if (e.op == Op::shuffle || e.op == Op::reduce || e.op == Op::ballot || e.op == Op::match)
        what = &LineLanes::exchanged;
      else if (touches(e.op) && e.op != Op::complete)
        what = writes(e.op) && !reads(e.op) ? &LineLanes::wrote : &LineLanes::read;
      else if (computes(e.op) && e.op != Op::convert)
        what = &LineLanes::computed;
      if (what) ++(all[e.line].*what);
    }
  }
  return all;
}

}  // namespace bscope
