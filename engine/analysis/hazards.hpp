// Two threads, one cell, at least one write, and nothing that orders the two.
#pragma once
#include "engine/analysis/dataflow_graph.hpp"
namespace bscope {

/// What a search found in one launch.
struct Hazards {
  std::vector<Hazard> list;  ///< at most `most`: one for each pair of lines on an array first, then others
  size_t found = 0;          ///< pairs of accesses that were seen to race
  /// Pairs of lines in which threads store one value in a cell. CUDA keeps one of them, so they are no races
  /// of a user's own program, and not counted.
  std::vector<Hazard> same_value;
  bool complete = true;  ///< false: so many accesses wait for each other that the search was cut short
};
/// What orders two accesses of different threads: a barrier that their block, or the grid, met in between; a
/// sync_warp of their warp; a release whose value an acquire or a wait saw; a fence before an atomic whose
/// value another atomic saw; all that these add up to (docs/hazards.md); two launches. No order is made by
/// shuffles or votes, and by atomics without a fence in their own cell only. Atomics, acquires and releases
/// do not race with each other, nor with a plain read whose value a compare-and-swap checks.
///
/// No race is missed: whenever an access races with any earlier access of its cell, it is found with one of
/// the same line (and, except where sync_warp or flags order hundreds of accesses of one cell, with one for
/// each such line).
///
/// With `without_line` the barriers in that line (closing an interval there) order nothing: the result is
/// what would race without them. `most` 1 stops at the first.
Hazards find_hazards(const Trace&, const DataflowGraph&, int launch, int without_line = 0, size_t most = 64);
/// All launches but those known to be `clean`; fills in DataflowGraph::hazards and hazards_found.
void fill_in_hazards(const Trace&, DataflowGraph&, const std::vector<bool>& clean = {});

}  // namespace bscope
