// The replay: from the logs to one graph of values, and to the intervals between barriers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/analysis/bulk.hpp"
#include "engine/analysis/cure.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// An event that makes, moves or uses a value, or a sync_warp (bits: its mask). The nodes it comes from stand
/// before it in DataflowGraph::nodes, and a launch's nodes stand together, in the order of the replay.
struct Node {
  Op op;
  uint8_t kind;   ///< ElementType of the value (of the array's cells for accesses)
  uint16_t line;  ///< in the launch's source file
  int32_t launch;
  int32_t thread;          ///< of the grid: block * block size + rank
  int32_t interval;        ///< of its block
  int32_t event;           ///< number of the event in its thread's log, 0-based
  CellRef place;           ///< for accesses; for shuffles index = the thread (of the grid) read from
  uint64_t bits;           ///< the value (accesses: read, or written; atomics: the old value)
  int32_t a = -1, b = -1;  ///< sources. load: a = the store (or atomic) that wrote the cell, -1 the input or
                           ///< nothing. store: a = the value. atomic: a = the cell's last writer, b = the
                           ///< operand (none if it writes nothing). compute: left, right
  int32_t address = -1;    ///< the value the index was computed from, if the data chose it
  uint8_t bytes = whole_cell;  ///< for accesses: those of the cell that it touches, a bit each
};

/// What one block did between two barriers.
struct Interval {
  int launch = 0, block = 0, index = 0;  ///< index restarts in each block and launch
  int line = 0;                          ///< of the barrier that closed it; 0: the block's exit
  bool of_grid = false;                  ///< that barrier was one of the whole grid
  std::string phase;                     ///< in force at the interval's first access, "load" before any
  std::vector<int> nodes;                ///< its accesses (DataflowGraph::nodes), in the order of the replay
  std::vector<int> copies;               ///< those of `nodes` that the copy engine makes
  std::vector<int> work;  ///< its computations (Op computes, and reduce's adds), in the order of the replay
  /// The block's shared memory at the end, as replayed. Where the real snapshot holds the same bytes, as it
  /// should, these are the snapshot's own: the trace must outlive its flow.
  std::span<const std::byte> shared;
  /// One a byte of `shared`: whether it was ever written. Intervals that add nothing share it.
  std::shared_ptr<const std::vector<bool>> written;
  /// What `holders` answers, kept for some intervals only, so that no answer costs more than a few thousand
  /// accesses; empty: not kept.
  std::vector<int32_t> kept_holders;

  bool wrote(size_t byte) const { return written && byte < written->size() && (*written)[byte]; }
};

/// Two accesses of one cell by two threads, at least one a write, that nothing orders.
struct Hazard {
  int launch = 0, block = 0;  ///< block of the second access
  CellRef place;
  std::string array;
  std::array<int, 2> lines{};    ///< of the two accesses, the earlier one in the replay first
  std::array<int, 2> threads{};  ///< of the grid
  std::array<bool, 2> writes{};  ///< what each of the two does
  Message message;               ///< what, and where
  Message help;                  ///< the cure in words; empty where none is known
  Cure cure;
  /// Further races in the same lines on the same array; -1: an earlier one counts this one.
  long alike = -1;
  /// Blocks in which these lines race, where this one counts its likes.
  int first_block = 0, last_block = 0;
  /// What happened, and what to change.
  Message sentences() const { return followed_by(message, help); }
  template <class Self, class Visit>
  static void fields(Self& h, Visit&& visit) {
    visit("launch", h.launch);
    visit("block", h.block);
    visit("place", h.place);
    visit("array", h.array);
    visit("lines", h.lines);
    visit("threads", h.threads);
    visit("writes", h.writes);
    visit("message", h.message);
    visit("help", h.help);
    visit("cure", h.cure);
    visit("alike", h.alike);
    visit("first_block", h.first_block);
    visit("last_block", h.last_block);
  }
};

/// The writes of each global cell, in the order of the replay.
struct CellWrites {
  std::vector<uint32_t> first_cell;  ///< of each global array, when cells are counted through; one more
  std::vector<uint32_t> first;       ///< of each cell, where its writes begin in `nodes`; one more
  std::vector<int32_t> nodes;
  /// Those of one cell, ascending.
  std::span<const int32_t> of(CellRef p) const {
    if (p.shared() || p.array < 0 || size_t(p.array) + 1 >= first_cell.size() || p.index < 0) return {};
    const uint32_t cell = first_cell[size_t(p.array)] + uint32_t(p.index);
    if (cell >= first_cell[size_t(p.array) + 1]) return {};
    return {nodes.data() + first[cell], first[cell + 1] - first[cell]};
  }
};

/// A trace, replayed. The trace must outlive it.
struct DataflowGraph {
  Op plus = Op::add;  ///< the run's operator: add, min, max or compose
  Bulk<Node> nodes;
  std::vector<Interval> intervals;  ///< by launch, then block, then index
  /// For each launch, for each global array, for each cell: the node that it ends the launch with, -1 the
  /// initial value. Empty for an array that was created after the launch.
  std::vector<std::vector<std::vector<int32_t>>> last;
  std::vector<Hazard> hazards;  ///< at most 64, distinct by lines and array first
  size_t hazards_found = 0;
  std::vector<Hazard> same_value_stores;  ///< no races: see Hazards::same_value
  std::vector<Finding> faults;    ///< reads of shared memory never written, values that no order explains
  bool snapshots_match = true;    ///< every real snapshot equals the replay
  size_t snapshots = 0;           ///< how many were compared
  bool order_matters = false;     ///< waits, acquires, volatile reads, or an atomic's old value in use
  std::vector<int32_t> sequence;  ///< accesses (nodes) in the global order of the replay: ascending
  std::vector<int32_t> global_writes;  ///< those of them that write global memory
  CellWrites writes_of;                ///< the same, cell by cell
  /// Vector accesses: the node of the first cell and the number of cells, which the thread's next accesses
  /// are. Ascending.
  std::vector<std::pair<int32_t, int32_t>> vectors;
  std::vector<bool> finer_order;  ///< for each launch: does it order threads by more than barriers
                                  ///< (sync_warp, acquire, wait, fences)
  /// For each launch: whether a block read what another block of it wrote.
  std::vector<bool> blocks_meet;
  /// Shared memory as replayed, of intervals whose snapshot differs or is missing.
  std::vector<std::shared_ptr<const std::vector<std::byte>>> own_memory;

  std::span<const Interval> of_block(int launch, int block) const;
};

/// Replays the logs in the recorded turns; a GPU trace has none, so an order is found that explains every
/// value. Where turns were recorded, blocks are replayed side by side on all processors, and their accesses
/// to global memory put together afterwards; the answer does not depend on it.
DataflowGraph replay_trace(const Trace&);
/// The same, event by event on one processor: what finds orders, and explains whatever is wrong with a trace.
DataflowGraph replay_in_order(const Trace&);

/// Whether another order of the threads could give another trace (hazards, waits, used atomic results,
/// findings).
bool order_matters(const Trace&);
bool order_matters(const Trace&, const DataflowGraph&);

/// For each cell of the launch's shared arrays, array after array: the node that wrote what it holds at the
/// end of the interval, -1: never written.
std::vector<int32_t> holders(const Trace&, const DataflowGraph&, const Interval&);
/// The node whose write a cell holds at the end of an interval; -1: it was not written since the start.
int holder(const Trace&, const DataflowGraph&, const Interval&, CellRef);
/// The node whose write a global cell holds at the end of the run; -1: its initial value.
int final_holder(const DataflowGraph&, CellRef);
/// The number of a shared array's first cell when the cells of a launch's shared arrays are counted through.
int first_cell(const Launch&, int array);
/// Whether the launch has such an array, and the array such a cell.
bool exists(const Trace&, const Launch&, CellRef);
/// Whether it is a shared array that plain CUDA declares in rows.
bool is_tile(const Trace&, const Launch&, int array);
/// "sum[15]"; of a shared array that plain CUDA declares in rows, "tile[3][15]".
std::string cell_name(const Trace&, int launch, CellRef);
/// "thread 3", or "thread 3 of block 1" where a launch has several blocks, each with its place where it has
/// more than one dimension: "thread 37 (x 5, y 2)". Takes a thread of the grid.
std::string thread_name(const Launch&, int thread);
Message thread_message(const Launch&, int thread);
/// The same as a sentence begins: "Thread 3".
Message thread_message_at_start(const Launch&, int thread);
/// The initial bits of a cell of global memory.
uint64_t initial_bits(const Trace&, CellRef);

}  // namespace bscope
