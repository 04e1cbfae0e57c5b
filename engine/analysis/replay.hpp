// The two ways to replay a trace, for each other and for tests.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

/// How many accesses may lie between two intervals whose holders are kept (or as many as there are cells).
inline constexpr size_t kept_apart = 4096;

/// Replays recorded turns, all blocks side by side. None where anything is out of the ordinary (no turns, a
/// value that the memory does not explain, a snapshot that differs, reductions...): then `replay_in_order`
/// says what.
std::optional<DataflowGraph> replay_blocks(const Trace&);
/// The phase of an open interval: the earliest that one of the block's threads (`phase`,
/// `phases` begun) has begun in it. `phase` and `phases` of the block are as before it, and stay if none has.
template <class Threads>
void take_earliest_phase(const Threads& threads, uint32_t& phase, uint32_t& phases) {
  const uint32_t before = phases;
  for (const auto& t : threads)
    if (t.phases > before && (phases == before || t.phases < phases)) {
      phase = t.phase;
      phases = t.phases;
    }
}
/// Fills in DataflowGraph::writes_of from global_writes.
void index_global_writes(const Trace&, DataflowGraph&);

}  // namespace bscope
