// What the replay event by event knows at any time. The files replay_*.cpp replay one thing each with it.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/analysis/byte_writers.hpp"
#include "engine/analysis/dataflow_graph.hpp"

namespace bscope::replay {

/// How far the search for an order may go to let a thread move. Each is tried when the one before moves no
/// thread.
enum class Lenience {
  strict,     ///< reads must find the value they saw in memory
  past,       ///< or a value that the cell held before: the read came earlier
  unordered,  ///< atomics need not keep to the trail that was laid out for them
  any         ///< whatever comes next, with a fault
};

/// Of the value that an event makes; events on arrays say the array there.
inline ElementType kind_of(const Event& e) {
  return e.array < kind_count ? ElementType(e.array) : ElementType::other;
}

/// A thread of the grid as the replay goes through its log.
struct ReplayThread {
  const Event* log = nullptr;
  uint32_t pos = 0, size = 0;
  uint32_t base = 0;           ///< where its events' nodes stand in ReplayState::node_of
  int32_t address = -1;        ///< the source of the index of its next access
  int32_t reduced = -1;        ///< the result of a reduce that a lane before it has added up
  uint32_t vector_cells = 0;   ///< its next access begins a vector of so many cells
  uint8_t bytes = whole_cell;  ///< of its cell that the next access touches
  uint32_t phase = 0;          ///< hash of its phase's name
  uint32_t phases = 0;         ///< how many it has begun
  uint32_t library = 0;        ///< hash of the name of the library's function that it is in; 0: in none
  bool at_barrier = false, released = false, done = false;

  /// The value of one of its events, with the half that follows it if it is wide.
  uint64_t bits(uint32_t at) const {
    return log[at].bits | (wide(at) ? uint64_t(log[at + 1].bits) << 32 : 0);
  }
  bool wide(uint32_t at) const { return at + 1 < size && log[at + 1].op == Op::high; }
};

/// A block's shared memory, made when it first does something, and its intervals, of which the last is open.
struct ReplayBlock {
  std::vector<std::byte> bytes;
  std::vector<bool> written;
  bool wrote_anew = false;  ///< cells that it had not written before, since the last barrier
  bool odd = false;         ///< its accesses since then do not tell what its cells hold
  size_t accesses = 0;      ///< since holders were kept
  std::vector<int32_t> node, past;
  ByteWriters byte_writers;  ///< by number of the cell
  std::vector<Interval> intervals;
  int waiting = 0, done = 0;
  uint32_t phase = 0, phases = 0;  ///< of the open interval: the earliest that an access was in
  uint32_t library = 0;            ///< the first library's function that a thread was in since it opened
  bool started = false, closed = false;
};

/// The launch at hand, and what has been made of the trace so far.
struct ReplayState {
  explicit ReplayState(const Trace& t) : trace(t) {}

  const Trace& trace;
  DataflowGraph flow;
  int number = 0;  ///< of the launch at hand, to which the rest belongs
  const Launch* launch = nullptr;
  std::vector<ReplayBlock> blocks;
  std::vector<ReplayThread> threads;
  std::vector<int32_t> node_of;  ///< of each event of the launch, -1: none
  bool stopped = false;          ///< it cannot be followed
  Lenience lenience = Lenience::strict;
  size_t patience = 0;  ///< of a search: what it may still try

  /// Nothing says in which order the threads went: an order is searched.
  bool searching() const { return launch->turns.empty(); }
  bool anything_goes() const { return !searching() || lenience == Lenience::any; }

  static constexpr size_t most_faults = 20;
  /// Adds what is wrong, once; `t`: with which thread of the grid, -1: with none alone. Gives the finding if
  /// it is new and kept, until the next one is added; otherwise nullptr.
  Finding* fault(int t, Finding);
  void fault(int t, const Event&, Message);
  Message who(int t) const { return thread_message(*launch, t); }
  /// "interval 2", or "interval 2 of block 1" where there are several.
  Message interval(int index, int block) const;

  int block_of(int t) const { return t / launch->block; }
  ReplayBlock& its_block(int t) { return blocks[size_t(block_of(t))]; }
  int first_lane(int t) const { return t - t % launch->block % warp_size; }
  /// Calls f with each thread of the grid that the mask names in t's warp.
  template <class F>
  void for_lanes(int t, uint32_t mask, F f) const {
    const int first = first_lane(t), end = (block_of(t) + 1) * launch->block;
    for (uint32_t m = mask; m; m &= m - 1)
      if (const int peer = first + std::countr_zero(m); peer < end) f(peer);
  }

  /// A node for the thread's event that comes next, of no kind and place yet.
  Node node(int t, const Event&, uint64_t bits) const;
  int add(const Node&);
  /// The same for an access: it belongs to the thread's interval.
  int add_access(int t, const Node&);
  /// The node of a thread's event by its number; a use of an atomic's old value depends on the order.
  int32_t value(int t, uint32_t source);
};

}  // namespace bscope::replay
