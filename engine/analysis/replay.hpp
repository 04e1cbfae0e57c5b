// The two ways to replay a trace, for each other and for tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/library_calls.hpp"

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
/// A thread comes to an event that begins a phase or enters or leaves a call of a library's function;
/// `library` is the open interval's.
template <class Thread>
void take_mark(Thread& t, const Event& e, uint32_t& library) {
  if (enters_library(e) || leaves_library(e)) {
    t.library = e.bits;
    if (!library) library = e.bits;
    return;
  }
  t.phase = e.bits;
  ++t.phases;
}
/// The library's function that one of the threads is in when an interval opens; 0: none is.
template <class Threads>
uint32_t library_at_open(const Threads& threads) {
  for (const auto& t : threads)
    if (t.library) return t.library;
  return 0;
}
/// What an interval of a launch is called that no phase names: a user's own kernel has its name where other
/// intervals are a library's.
std::string unnamed_phase(const Trace&, const Launch&);
/// Fills in DataflowGraph::writes_of from global_writes.
void index_global_writes(const Trace&, DataflowGraph&);

}  // namespace bscope
