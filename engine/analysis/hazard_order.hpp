// What orders the threads of a launch beyond the barriers of their block: warps that meet, flags, fences with
// atomics, mbarriers. Asked by the search for hazards, access by access in the order of the replay.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

/// A launch cut at its barriers: an epoch of a block lies between two of its barriers that count, an era of
/// the grid between two barriers of the whole grid that do.
class Epochs {
 public:
  /// Barriers in `without_line` do not count.
  Epochs(const Trace&, const DataflowGraph&, int launch, int without_line);
  int epoch(const Node& n) const { return epoch_.empty() ? n.interval : at(epoch_, n); }
  int era(const Node& n) const { return era_.empty() ? 0 : at(era_, n); }

 private:
  using OfIntervals = std::vector<std::vector<int>>;  // of each block
  int at(const OfIntervals& all, const Node& n) const {
    return all[size_t(n.thread / block_)][size_t(n.interval)];
  }
  int block_;
  OfIntervals epoch_, era_;  // empty: the interval's number; none
};

/// A vector clock of the happens-before order: all accesses of some blocks before an epoch, and accesses of
/// single threads up to a node, have happened. Sorted.
struct VectorClock {
  std::vector<std::pair<int, int>> blocks, threads;
};
using SharedClock = std::shared_ptr<const VectorClock>;

/// An access that later ones may be ordered after.
struct Happened {
  int32_t node, thread, epoch;
  int32_t agent = -1;  ///< of a bulk copy: what tells that it is complete
};

/// The mbarrier that a bulk copy's bulk_read names: array << 24, and index + 1. 0: the copy is of a group.
uint32_t mbarrier_of(const Launch&, const Node& copy);

/// The vector clock of each thread of a launch.
class ThreadOrder {
 public:
  ThreadOrder(const Trace&, const DataflowGraph&, int launch, const Epochs&);

  // Called for each access of the launch and for each node that orders, in the replay's order. An access
  // takes two calls: it begins, then `before` answers what comes before it, then it has touched its cell.
  void begin(const Node&);
  void touch(int id, const Node&);
  /// A sync_warp, a fence, a wait for the copy engine; begun before, too.
  void meet(int id, const Node&);

  /// Whether the access is ordered before one that another thread (or the copy engine) makes now.
  bool before(const Happened&, const Node& now) const;
  /// Whether its thread has made the access before it made, or asked for, one that it makes now.
  bool in_program_order(const Happened&, const Node& now) const;
  /// The epoch in which the block's threads have asked for the earliest copy that has not arrived before this
  /// epoch; INT_MAX: all have.
  int epoch_of_pending_copies(int block) const;
  /// Of a bulk copy: its mbarrier, or its thread's group. -1: it is none.
  int agent_of(const Node&) const;
  /// The write of a cell that a bulk copy reads, where the writer has made no fence for the engine since; -1.
  int unseen_by_engine(const Node&) const;
  /// A volatile access that a fence makes a flag: a store after one, a load before one.
  bool is_flag(const Node&) const;
  /// Work done so far.
  size_t steps() const { return steps_; }

 private:
  /// The clocks that a write publishes to its readers.
  struct ReleaseClock {
    SharedClock released;  ///< by a release
    SharedClock fenced;    ///< by a fence before it, of the whole device
    SharedClock in_block;  ///< by one for its block
    int block = -1;
  };
  /// A copy by cp.async: it comes at any time behind what its thread knew when it asked for the copy.
  struct AskedCopy {
    int node, epoch;
    SharedClock own, of_block;
  };
  struct BlockClocks {
    SharedClock clock;            ///< what all its threads have acquired
    SharedClock acquired;         ///< by some thread since the last barrier; joins `clock` at the next one
    SharedClock fenced, fencing;  ///< the same of the clocks that its threads' fences publish
    SharedClock fenced_in_block, fencing_in_block;
    int epoch = 0;
    std::map<int, int> copies;  ///< how many are pending, by the epoch in which they were asked for
  };
  /// What the latest strong reads learnt that lie in one line: of an acquire, its own.
  struct LatestReads {
    int line = 0;
    SharedClock clock, in_block;
  };
  struct ThreadClocks {
    SharedClock clock;
    SharedClock fenced, in_block;     ///< as of its latest fence
    SharedClock seen, seen_in_block;  ///< of relaxed writes that it has read: acquired by its next fence
    LatestReads latest;
    int releasing_line = 0;  ///< the strong writes that follow in this line are a release's; 0: none are
    bool releases_in_block = false;
    std::list<AskedCopy> copies;        ///< asked for and not arrived
    std::optional<AskedCopy> arriving;  ///< the one whose cells it writes now
  };

  int block_of(int thread) const { return thread / launch_.block; }
  SharedClock join(const SharedClock&, const SharedClock&);
  SharedClock clock_of(const Node&, int id);
  void acquire(const Node&, const SharedClock&);
  void look_ahead();
  void find_flags();
  static void mark_flags(const BlockRun&, int thread, std::vector<bool>&);
  ReleaseClock acquire_from_writer(const Node&);
  void publish(int id, const Node&, ReleaseClock);
  void fence(int id, const Node&);
  void acquire_latest(const Node&, bool in_block);
  void at_mbarrier(int id, const Node&);
  int agent_of_mbarrier(int block, int array, int index) const;
  void wait_for_bulk(int id, const Node&);
  void ask_for_copy(int id, const Node&);
  void take_arrival(const Node&);
  void end_arrival(BlockClocks&, ThreadClocks&);
  /// The copy that an access is of; nullptr: of none.
  const AskedCopy* copy_of(const Node&) const;
  void sync_warp(int id, const Node&);

  const DataflowGraph& flow_;
  const Launch& launch_;
  const int number_;
  const Epochs& epochs_;
  size_t steps_ = 0;
  bool fences_ = false;  ///< the launch has some
  int shared_cells_ = 0;
  std::vector<ThreadClocks> threads_;
  std::vector<BlockClocks> blocks_;
  std::unordered_map<int, ReleaseClock> release_clocks_;    // by the writing node
  std::unordered_map<int, SharedClock> mbarrier_clocks_;    // by its agent
  std::unordered_map<int, std::vector<int>> groups_;        // of each thread: the nodes that end them
  std::unordered_map<int, int> fence_async_;                // of each thread: its latest
  std::vector<std::vector<std::pair<int, int>>> meetings_;  // of each thread: its sync_warps, node and mask
  std::vector<uint32_t> met_, joined_;    // of each thread: how many it has left, and joined
  std::vector<std::vector<bool>> flags_;  // of each block, each event; empty: it has none
};

}  // namespace bscope
