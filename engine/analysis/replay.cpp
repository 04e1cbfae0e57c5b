// The replay: applies every event of every log to a memory of its own, in an order in which it could have
// happened, and so learns which write each read saw.
#include "engine/analysis/replay.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/atomic_order.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/flow.hpp"
#include "engine/analysis/hazards.hpp"
#include "engine/trace/progress.hpp"

namespace bscope {
namespace {

using std::to_string;

/// How far the search for an order may go to let a thread move. Each is tried when the one before moves
/// nobody.
enum class Lenience {
  strict,     ///< reads must find the value they saw in memory
  past,       ///< or a value that the cell held before: the read came earlier
  unordered,  ///< atomics need not keep to the trail that was laid out for them
  any         ///< whatever comes next, with a fault
};

/// A thread of the grid as the replay goes through its log.
struct Thread {
  const Event* log = nullptr;
  uint32_t pos = 0, size = 0;
  uint32_t base = 0;          ///< where its events' nodes stand in Replay::node_of_
  int32_t address = -1;       ///< the source of the index of its next access
  int32_t reduced = -1;       ///< the result of a reduce that a lane before it has added up
  uint32_t vector_cells = 0;  ///< its next access begins a vector of so many cells
  uint32_t phase = 0;         ///< hash of its phase's name
  uint32_t phases = 0;        ///< how many it has begun
  bool at_barrier = false, released = false, done = false;
};

/// A block's shared memory, made when it first does something, and its intervals, of which the last is open.
struct Block {
  std::vector<std::byte> bytes;
  std::vector<bool> written;
  bool wrote_anew = false;  ///< cells that it had not written before, since the last barrier
  bool odd = false;         ///< its accesses since then do not tell what its cells hold
  size_t accesses = 0;      ///< since holders were kept
  std::vector<int32_t> node, past;
  std::vector<Interval> intervals;
  int waiting = 0, done = 0;
  uint32_t phase = 0, phases = 0;  ///< of the open interval: the earliest that an access was in
  bool started = false, closed = false;
};

/// The cells of one array, wherever they are.
struct Cells {
  std::byte* bytes;
  int32_t* node;
  int32_t* past;
  uint32_t size;
  Kind kind;
  uint8_t width;
  uint64_t mask;
};

/// A value that a cell held, who wrote it, and the one before.
struct Past {
  uint64_t bits;
  int32_t node, before;
};

/// Atomics on one cell whose order the values alone do not tell.
struct Trail {
  /// Steps on one value that are still to come: those that leave it, and those that change nothing.
  struct Left {
    int leaving = 0, idle = 0;
  };
  std::vector<std::pair<int, uint32_t>> who;  ///< thread and event
  std::vector<AtomicStep> steps;
  std::vector<int> place;  ///< of each that changes the value: its turn
  std::unordered_map<uint64_t, Left> left;
  int next = 0;
  bool laid_out = false, given_up = false;
};

constexpr size_t most_faults = 20;
constexpr int past_depth = 1024;  // further back no reader is looked for while others may still move
constexpr size_t most_unseen_memory = size_t(256) << 20;  // bytes replayed without a snapshot to compare with

class Replay {
 public:
  explicit Replay(const Trace& trace) : trace_(trace) {}

  Flow run() {
    flow_.nodes.reserve(trace_.events());
    global_bytes_.resize(trace_.arrays.size());
    global_node_.resize(trace_.arrays.size());
    global_past_.resize(trace_.arrays.size());
    for (size_t a = 0; a < trace_.arrays.size(); ++a) {
      const ArrayInfo& array = trace_.arrays[a];
      global_bytes_[a] = array.initial;
      global_bytes_[a].resize(size_t(array.size) * bytes_of(array.kind));
      global_node_[a].assign(array.size, -1);
    }
    for (number_ = 0; number_ < int(trace_.launches.size()) && !stopped_; ++number_) one();
    if (stopped_) return nothing();
    find_what_meets();
    index_global_writes(trace_, flow_);
    fill_in_hazards(trace_, flow_);
    return std::move(flow_);
  }

 private:
  const Trace& trace_;
  Flow flow_;
  std::vector<std::vector<std::byte>> global_bytes_;
  std::vector<std::vector<int32_t>> global_node_, global_past_;
  size_t unseen_ = 0;
  // of the launch at hand
  int number_ = 0;
  const Launch* launch_ = nullptr;
  std::vector<Block> blocks_;
  std::vector<Thread> threads_;
  std::vector<int32_t> node_of_;  // of each event of the launch, -1: none
  std::vector<Cells> global_, shared_;
  int shared_cells_ = 0;
  bool stopped_ = false;
  // of a search
  Lenience lenience_ = Lenience::strict;
  std::vector<Past> history_;
  std::unordered_map<uint64_t, std::pair<int, int>> trail_of_;  // thread and event -> trail, number in it
  std::vector<Trail> trails_;
  size_t patience_ = 0;

  /// For a trace that cannot be followed: no intervals, and why.
  Flow nothing() {
    Flow none;
    none.faults = std::move(flow_.faults);
    none.snapshots_match = false;
    none.last.assign(trace_.launches.size(), std::vector<std::vector<int32_t>>(trace_.arrays.size()));
    none.finer_order.assign(trace_.launches.size(), false);
    return none;
  }

  void find_what_meets() {
    flow_.blocks_meet.assign(trace_.launches.size(), false);
    for (int id : flow_.sequence) {
      const Node& n = flow_.nodes[id];
      if (n.place.shared()) continue;
      if (writes(n.op)) flow_.global_writes.push_back(id);
      if (!reads(n.op) || n.a < 0) continue;
      const Node& from = flow_.nodes[n.a];
      const int size = trace_.launches[n.launch].block;
      if (from.launch == n.launch && from.thread / size != n.thread / size)
        flow_.blocks_meet[n.launch] = true;
    }
  }

  // ---- small helpers -------------------------------------------------------------------------------------
  void fault(const std::string& text) {
    auto& all = flow_.faults;
    if (all.size() < most_faults && std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
  }
  std::string who(int t) const { return thread_name(*launch_, t); }
  std::string where(int block) const {
    return launch_->grid > 1 ? " of block " + to_string(block) : std::string();
  }
  int block_of(int t) const { return t / launch_->block; }
  int first_lane(int t) const {
    const int rank = t % launch_->block;
    return t - rank % warp_size;
  }
  /// Calls f with each thread of the grid that the mask names in t's warp.
  template <class F>
  void for_lanes(int t, uint32_t mask, F f) {
    const int first = first_lane(t), end = (block_of(t) + 1) * launch_->block;
    for (uint32_t m = mask; m; m &= m - 1)
      if (const int peer = first + std::countr_zero(m); peer < end) f(peer);
  }
  int add(const Node& n) {
    flow_.nodes.push_back(n);
    return int(flow_.nodes.size()) - 1;
  }
  /// The node of a thread's event by its number; whoever uses the old value of an atomic depends on the
  /// order.
  int32_t value(int t, uint32_t source) {
    const Thread& of = threads_[t];
    if (source == 0 || source > of.pos) return -1;
    const int32_t id = node_of_[of.base + source - 1];
    if (id >= 0 && is_atomic(flow_.nodes[id].op)) flow_.order_matters = true;
    return id;
  }
  static Kind kind_of(const Event& e) { return e.array < kind_count ? Kind(e.array) : Kind::other; }
  Cells cells(Block& block, int array) {
    if (array < first_shared) return global_[array];
    Cells c = shared_[array - first_shared];
    const int first = first_cell_[array - first_shared];
    c.bytes = block.bytes.data() + launch_->shared[array - first_shared].offset;
    c.node = block.node.data() + first;
    if (searching()) c.past = block.past.data() + first;
    return c;
  }
  std::vector<int> first_cell_;

  // ---- intervals -----------------------------------------------------------------------------------------
  void start(Block& block) {
    block.started = true;
    block.bytes.resize(launch_->shared_bytes);
    block.written.resize(launch_->shared_bytes);
    block.node.assign(shared_cells_, -1);
    if (searching()) block.past.assign(shared_cells_, -1);
  }
  void open(int b) {
    Block& block = blocks_[b];
    const size_t expected = block.intervals.empty() ? 0 : block.intervals.back().nodes.size();
    const size_t computations = block.intervals.empty() ? 0 : block.intervals.back().work.size();
    Interval& v = block.intervals.emplace_back();
    v.launch = number_;
    v.block = b;
    v.index = int(block.intervals.size()) - 1;
    v.nodes.reserve(expected);
    v.work.reserve(computations);
    const Thread& first = threads_[b * launch_->block];
    block.phase = first.phase;
    block.phases = first.phases;
  }
  /// Ends the open interval: keeps the block's memory and holds it against the real snapshot.
  void close(int b, int line) {
    Block& block = blocks_[b];
    Interval& v = block.intervals.back();
    const std::vector<std::byte>& real = launch_->blocks[b].snapshots;
    const size_t size = launch_->shared_bytes, from = size_t(v.index) * size;
    const bool seen = from + size <= real.size();
    if (!seen && (unseen_ += size + 4 * size_t(shared_cells_)) > most_unseen_memory) {
      fault("there are no snapshots of shared memory, and too many intervals to go without");
      stopped_ = true;
      return;
    }
    if (!block.started) start(block);
    v.line = line;
    const bool same = seen && (size == 0 || std::memcmp(block.bytes.data(), real.data() + from, size) == 0);
    if (same) v.shared = {real.data() + from, size};
    if (block.wrote_anew || v.index == 0)
      v.written = std::make_shared<const std::vector<bool>>(block.written);
    else
      v.written = block.intervals[size_t(v.index) - 1].written;
    block.wrote_anew = false;
    if (v.nodes.empty() && line == 0)
      take_earliest_phase(std::span(threads_).subspan(size_t(b * launch_->block), size_t(launch_->block)),
                          block.phase, block.phases);
    const auto phase = launch_->phases.find(block.phase);
    v.phase = block.phases == 0                ? "load"
              : phase != launch_->phases.end() ? phase->second
              : v.index > 0                    ? block.intervals[v.index - 1].phase
                                               : "load";
    if (size == 0) return;
    check(b, v, seen ? real.data() + from : nullptr, same);
    if (!same && v.shared.empty()) keep_memory(v, block);
    block.accesses += v.nodes.size();
    if (block.odd || block.accesses >= std::max(kept_apart, size_t(shared_cells_))) {
      v.kept_holders = block.node;
      block.accesses = 0;
    }
    block.odd = false;
  }
  void keep_memory(Interval& v, const Block& block) {
    flow_.own_memory.push_back(std::make_shared<const std::vector<std::byte>>(block.bytes));
    v.shared = *flow_.own_memory.back();
  }
  /// Holds the block's memory against the real snapshot, if there is one.
  void check(int b, Interval& v, const std::byte* real, bool same) {
    Block& block = blocks_[b];
    const size_t size = launch_->shared_bytes;
    if (!real) {
      if (!launch_->blocks[b].events.empty()) {
        flow_.snapshots_match = false;
        fault("interval " + to_string(v.index) + where(b) + " has no snapshot");
      }
      return;
    }
    ++flow_.snapshots;
    if (same) return;
    if (searching()) {
      repair(b, real);
      if (std::memcmp(block.bytes.data(), real, size) == 0) {
        v.shared = {real, size};
        return;
      }
    }
    flow_.snapshots_match = false;
    fault("the snapshot of shared memory after interval " + to_string(v.index) + where(b) +
          " differs from the replay");
  }
  /// The real snapshots tell whether a barrier opened that nobody left.
  bool opens(int b) const {
    const Block& block = blocks_[b];
    const size_t size = launch_->shared_bytes, real = launch_->blocks[b].snapshots.size();
    if (size == 0 || real < size || real >= (block.intervals.size() + 1) * size) return true;
    for (int t = b * launch_->block; t < (b + 1) * launch_->block; ++t)
      if (threads_[t].at_barrier && threads_[t].pos < threads_[t].size) return true;
    return false;
  }
  /// A thread stopped or ended: opens the barrier if all are there, ends the block if all have ended.
  void settle(int t) {
    Thread& me = threads_[t];
    const int b = block_of(t);
    Block& block = blocks_[b];
    if (!me.done && !me.at_barrier && me.pos == me.size) {
      me.done = true;
      ++block.done;
    }
    while (!block.closed && !stopped_ && block.waiting + block.done == launch_->block) {
      if (block.waiting == 0 || !opens(b)) {
        close(b, 0);
        block.closed = true;
        block.bytes = {};
        block.written = {};
        block.node = block.past = {};
        return;
      }
      int line = 0;
      for (int u = b * launch_->block; u < (b + 1) * launch_->block; ++u) {
        Thread& other = threads_[u];
        if (!other.at_barrier) continue;
        if (!line) line = other.log[other.pos - 1].line;
        other.at_barrier = false;
        if (other.pos == other.size) {
          other.done = true;
          ++block.done;
        }
      }
      block.waiting = 0;
      close(b, line);
      if (!stopped_) open(b);
    }
  }

  // ---- one event -----------------------------------------------------------------------------------------
  bool searching() const { return launch_->turns.empty(); }

  /// Applies a thread's next event. False: it is not yet its turn (asked only while searching).
  template <bool search>
  bool step(int t) {
    Thread& me = threads_[t];
    const Event& e = me.log[me.pos];
    uint64_t bits = e.bits;
    const bool wide = me.pos + 1 < me.size && me.log[me.pos + 1].op == Op::high;
    if (wide) bits |= uint64_t(me.log[me.pos + 1].bits) << 32;
    int32_t id = -1;
    if (is_bulk(e.op) || of_mbarrier(e.op)) {
      if (!bulk<search>(t, e, id)) return false;
    } else if (touches(e.op)) {
      if (!access<search>(t, e, bits, id)) return false;
    } else if (!other_than_access<search>(t, e, bits, id))
      return false;
    node_of_[me.base + me.pos] = id;
    me.pos += 1 + wide;
    return true;
  }
  Node node(int t, const Event& e, uint64_t bits) const {
    return {.op = e.op,
            .kind = uint8_t(Kind::other),
            .line = e.line,
            .launch = number_,
            .thread = t,
            .interval = blocks_[block_of(t)].intervals.back().index,
            .event = int32_t(threads_[t].pos),
            .place = {},
            .bits = bits};
  }

  template <bool search>
  bool access(int t, const Event& e, uint64_t bits, int32_t& id) {
    Thread& me = threads_[t];
    const int b = block_of(t);
    Block& block = blocks_[b];
    if (!block.started) start(block);
    const Cells array = cells(block, e.array);
    if (e.a >= array.size) {
      fault(who(t) + " reaches outside of an array in line " + to_string(e.line));
      return true;
    }
    std::byte* const at = array.bytes + size_t(e.a) * array.width;
    const bool in_shared = e.array >= first_shared;
    const uint64_t now = read_bits(at, array.width), seen = bits & array.mask;
    int32_t from = array.node[e.a];
    const int32_t operand = writes(e.op) ? value(t, e.b) : -1;
    uint64_t result = seen;
    if (is_atomic(e.op))
      result =
          after_atomic(e.op, array.kind, seen, operand >= 0 ? flow_.nodes[operand].bits : 0) & array.mask;
    bool earlier = false;  // it happened before what memory holds now
    if (reads(e.op)) {
      Trail* trail = nullptr;
      if constexpr (search)
        if (is_atomic(e.op) && !its_turn(t, now, seen, result, trail)) return false;
      if (now != seen) {
        bool explained = false;
        if constexpr (search) {
          const bool may =
              lenience_ >= Lenience::past || e.op == Op::acquire || e.op == Op::wait || e.op == Op::observe;
          // an atomic taken out of its turn would be missing in the chain of the cell's values
          const bool in_turn = trail && !trail->given_up;
          if (may && (!is_atomic(e.op) || (result == seen && !in_turn)))
            if (const auto found = past(t, array, e, seen)) {
              from = *found;
              explained = earlier = true;
            }
          if (!explained && lenience_ < Lenience::any) return false;
        }
        if (!explained) {
          from = -1;
          fault(std::string(search ? "no order of the threads was found that explains"
                                   : "the recorded order does not explain") +
                " what " + who(t) + " saw in " + cell_name(trace_, number_, {e.array, int(e.a)}) +
                " in line " + to_string(e.line) + ": " + text_of(array.kind, seen));
        }
      }
      if (trail) pass(*trail, seen, result);
      if (in_shared && array.node[e.a] < 0)
        fault("line " + to_string(e.line) + " reads " + cell_name(trace_, number_, {e.array, int(e.a)}) +
              ", which was never written");
      if (e.op == Op::acquire || e.op == Op::wait || e.op == Op::observe)
        flow_.order_matters = flow_.finer_order[number_] = true;
    }
    Node n = node(t, e, bits);
    n.kind = uint8_t(array.kind);
    n.place = {e.array, int(e.a)};
    n.address = std::exchange(me.address, -1);
    if (reads(e.op)) n.a = from;
    if (writes(e.op)) (reads(e.op) ? n.b : n.a) = operand;
    id = add_access(t, n);
    if (const uint32_t count = std::exchange(me.vector_cells, 0)) flow_.vectors.emplace_back(id, int(count));
    if (writes(e.op)) {
      if (earlier) {  // it changed nothing, and others have changed the cell since
        block.odd = true;
        return true;
      }
      if constexpr (search) remember(array, e.a, now, result, id);
      put(block, array, in_shared, e.a, result, id);
    }
    return true;
  }
  int add_access(int t, const Node& n) {
    const Thread& me = threads_[t];
    Block& block = blocks_[block_of(t)];
    const int id = add(n);
    flow_.sequence.push_back(id);
    Interval& interval = block.intervals.back();
    if (interval.nodes.empty() || me.phases < block.phases) {
      block.phase = me.phase;
      block.phases = me.phases;
    }
    interval.nodes.push_back(id);
    return id;
  }
  static void put(Block& block, const Cells& array, bool in_shared, uint32_t index, uint64_t bits, int id) {
    std::byte* const at = array.bytes + size_t(index) * array.width;
    write_bits(at, bits, array.width);
    if (in_shared && array.node[index] < 0) {
      const size_t first = size_t(at - block.bytes.data());
      for (size_t k = 0; k < array.width; ++k) block.written[first + k] = true;
      block.wrote_anew = true;
    }
    array.node[index] = id;
  }

  // ---- bulk copies and mbarriers
  // ---------------------------------------------------------------------------
  /// A copy happens all at once, when it is asked for: one of the moments at which it may. Its cells are read
  /// and written by its thread, then its mbarrier is told.
  template <bool search>
  bool bulk(int t, const Event& e, int32_t& id) {
    Block& block = blocks_[block_of(t)];
    if (!block.started) start(block);
    flow_.finer_order[number_] = true;
    const Thread& me = threads_[t];
    switch (e.op) {
      case Op::bulk_read: return true;  // with the bulk_write that follows
      case Op::bulk_write:
        if (me.pos && me.log[me.pos - 1].op == Op::bulk_read) id = copy<search>(t, me.log[me.pos - 1], e);
        return true;
      case Op::arrive: id = tell<search>(t, e, e.array, e.a, int32_t(e.bits)); return true;
      default: return await<search>(t, e, id);
    }
  }
  bool has(int array, uint64_t end) const {
    return array < first_shared
               ? size_t(array) < global_.size() && end <= global_[array].size
               : size_t(array - first_shared) < shared_.size() && end <= shared_[array - first_shared].size;
  }
  template <bool search>
  int copy(int t, const Event& from, const Event& to) {
    Block& block = blocks_[block_of(t)];
    if (from.bits &&
        (!has(from.array, uint64_t(from.a) + from.bits) || !has(to.array, uint64_t(to.a) + from.bits))) {
      fault(who(t) + " copies outside of an array in line " + to_string(to.line));
      return -1;
    }
    const Cells source = cells(block, from.array), target = cells(block, to.array);
    bool unwritten = false;
    for (uint32_t k = 0; k < from.bits; ++k) {
      const uint64_t bits = read_bits(source.bytes + size_t(from.a + k) * source.width, source.width);
      Node read = node(t, from, bits);
      read.kind = uint8_t(source.kind);
      read.place = {from.array, int(from.a + k)};
      read.a = source.node[from.a + k];
      unwritten = unwritten || (from.array >= first_shared && read.a < 0);
      Node write = node(t, to, bits);
      write.kind = uint8_t(target.kind);
      write.place = {to.array, int(to.a + k)};
      write.a = add_access(t, read);
      const int id = add_access(t, write);
      const uint64_t was = read_bits(target.bytes + size_t(to.a + k) * target.width, target.width);
      if constexpr (search) remember(target, to.a + k, was, bits, id);
      put(block, target, to.array >= first_shared, to.a + k, bits, id);
    }
    if (unwritten)
      fault("the bulk copy in line " + to_string(from.line) + " reads cells of " +
            trace_.array(*launch_, from.array).name + " that were never written");
    if (from.b && !from.bits) return -1;
    if (from.b)
      return tell<search>(t, to, int(from.b >> 24), (from.b & 0xffffff) - 1,
                          -int32_t(from.bits * uint32_t(source.width)), Op::complete);
    Node end = node(t, to, 0);
    end.op = Op::commit;
    return add(end);
  }
  /// An arrival at an mbarrier, or the end of a copy.
  template <bool search>
  int tell(int t, const Event& e, int array, uint32_t index, int32_t bytes, Op op = Op::arrive) {
    Block& block = blocks_[block_of(t)];
    if (array < first_shared || !has(array, uint64_t(index) + 1) ||
        shared_[array - first_shared].width != sizeof(uint64_t)) {
      fault(who(t) + " names an mbarrier that does not exist, in line " + to_string(e.line));
      return -1;
    }
    const Cells barriers = cells(block, array);
    const uint64_t was = read_bits(barriers.bytes + size_t(index) * barriers.width, barriers.width);
    const uint64_t now = Mbarrier::of(was).after(bytes).word();
    Node n = node(t, e, now);
    n.op = op;
    n.kind = uint8_t(barriers.kind);
    n.place = {array, int(index)};
    const int id = add_access(t, n);
    if constexpr (search) remember(barriers, index, was, now, id);
    put(block, barriers, true, index, now, id);
    return id;
  }
  template <bool search>
  bool await(int t, const Event& e, int32_t& id) {
    Block& block = blocks_[block_of(t)];
    if (e.array < first_shared || !has(e.array, uint64_t(e.a) + 1)) {
      fault(who(t) + " awaits an mbarrier that does not exist, in line " + to_string(e.line));
      return true;
    }
    const Cells barriers = cells(block, e.array);
    const uint64_t now = read_bits(barriers.bytes + size_t(e.a) * barriers.width, barriers.width);
    if (!Mbarrier::of(now).complete(e.bits)) {
      if (search && lenience_ < Lenience::any) return false;
      fault(who(t) + " passes " + cell_name(trace_, number_, {e.array, int(e.a)}) + " in line " +
            to_string(e.line) + " before its phase is complete");
    }
    Node n = node(t, e, now);
    n.kind = uint8_t(barriers.kind);
    n.place = {e.array, int(e.a)};
    n.a = barriers.node[e.a];
    id = add_access(t, n);
    return true;
  }

  template <bool search>
  bool other_than_access(int t, const Event& e, uint64_t bits, int32_t& id) {
    Thread& me = threads_[t];
    Block& block = blocks_[block_of(t)];
    switch (e.op) {
      case Op::sync:
        me.at_barrier = true;
        ++block.waiting;
        return true;
      case Op::phase:
        me.phase = e.bits;
        ++me.phases;
        return true;
      case Op::together: me.vector_cells = e.a; return true;
      case Op::high: return true;
      case Op::fault:
        fault(who(t) + " reaches outside of an array in line " + to_string(e.line) + ": index " +
              to_string(int32_t(e.a)) + " of " + to_string(e.bits) + " cells");
        return true;
      case Op::sync_warp:
        flow_.finer_order[number_] = true;
        if constexpr (search)
          if (!meet_warp(t, e.a)) return false;
        id = add(node(t, e, e.a));
        return true;
      case Op::await_bulk_read:
      case Op::await_bulk:
      case Op::fence_async: id = add(node(t, e, e.a)); return true;
      case Op::commit: return true;
      case Op::shuffle: return shuffle<search>(t, e, bits, id);
      case Op::reduce: return reduce<search>(t, e, bits, id);
      default: break;
    }
    Node n = node(t, e, bits);
    n.kind = uint8_t(kind_of(e));
    switch (e.op) {
      case Op::ballot:
      case Op::match: n.a = value(t, e.b); break;
      case Op::address:
        n.a = value(t, e.a);
        me.address = n.a;
        break;
      case Op::constant: break;
      default:
        n.a = value(t, e.a);
        if (computes(e.op) && e.op != Op::convert) n.b = value(t, e.b);
    }
    id = add(n);
    if (computes(e.op)) block.intervals.back().work.push_back(id);
    return true;
  }

  template <bool search>
  bool shuffle(int t, const Event& e, uint64_t bits, int32_t& id) {
    const int peer = first_lane(t) + int(std::min(e.a, uint32_t(warp_size)));
    Node n = node(t, e, bits);
    n.kind = uint8_t(e.array ? kind_of(e) : Kind::i32);
    n.place.index = t;
    if (e.a >= uint32_t(warp_size) || block_of(peer) != block_of(t) || peer >= int(threads_.size()) ||
        e.b > threads_[peer].size) {
      fault("the shuffle of " + who(t) + " in line " + to_string(e.line) + " reads a lane that is not there");
    } else {
      n.place.index = peer;
      if (e.b > threads_[peer].pos) {
        if (search && lenience_ < Lenience::any) return false;
        fault("the shuffle of " + who(t) + " in line " + to_string(e.line) +
              " reads a value that its lane has not made yet");
      } else
        n.a = value(peer, e.b);
    }
    if (n.a >= 0) {
      const Node& source = flow_.nodes[n.a];
      n.kind = source.kind;
      if ((source.bits ^ n.bits) & mask_of(Kind(source.kind)))
        fault("the shuffle of " + who(t) + " in line " + to_string(e.line) +
              " gave another value than its lane had");
    }
    id = add(n);
    return true;
  }

  /// The first lane there adds up what all lanes of the mask bring, in the order of lanes; the others take
  /// it.
  template <bool search>
  bool reduce(int t, const Event& e, uint64_t bits, int32_t& id) {
    Thread& me = threads_[t];
    if (me.reduced < 0) {
      uint32_t together = 0;
      bool all = true;
      for_lanes(t, e.a, [&](int peer) {
        const Thread& other = threads_[peer];
        const bool there = other.pos < other.size && other.log[other.pos].op == Op::reduce &&
                           other.log[other.pos].a == e.a && other.reduced < 0 && !other.at_barrier;
        all &= there;
        if (there) together |= 1u << (peer - first_lane(t));
      });
      if (!all) {
        if (search && lenience_ < Lenience::any) return false;
        fault("lanes are missing in the reduce_add in line " + to_string(e.line) + " of " + who(t));
      }
      const int sum = add_up(t, together | 1u << (t - first_lane(t)), e, bits);
      for_lanes(t, together, [&](int peer) { threads_[peer].reduced = sum; });
    }
    Node n = node(t, e, bits);
    n.a = std::exchange(me.reduced, -1);
    n.kind = n.a >= 0 ? flow_.nodes[n.a].kind : uint8_t(Kind::i32);
    id = add(n);
    return true;
  }
  int add_up(int t, uint32_t lanes, const Event& e, uint64_t total) {
    std::vector<std::pair<int, int>> parts;  // lane's thread, node
    for_lanes(t, lanes, [&](int peer) {
      const Thread& other = threads_[peer];
      if (const int from = value(peer, other.log[other.pos].b); from >= 0) parts.emplace_back(peer, from);
    });
    const Kind kind = parts.empty() ? Kind::i32 : Kind(flow_.nodes[parts[0].second].kind);
    uint64_t sum = 0;
    for (auto [peer, from] : parts) sum = after_atomic(Op::atomic_add, kind, sum, flow_.nodes[from].bits);
    // lanes that brought a constant: what they brought together is what is left
    if (parts.empty() || ((total ^ sum) & mask_of(kind)) != 0) {
      Node rest = node(t, e, kind == Kind::f32 || kind == Kind::f64 ? 0 : (total - sum) & mask_of(kind));
      rest.op = Op::constant;
      rest.kind = uint8_t(kind);
      parts.emplace_back(t, add(rest));
    }
    int so_far = -1;
    for (auto [peer, from] : parts) {
      if (so_far < 0) {
        so_far = from;
        continue;
      }
      Node n =
          node(peer, e, after_atomic(Op::atomic_add, kind, flow_.nodes[so_far].bits, flow_.nodes[from].bits));
      n.op = Op::add;
      n.kind = uint8_t(kind);
      n.a = so_far;
      n.b = from;
      so_far = add(n);
      blocks_[block_of(t)].intervals.back().work.push_back(so_far);
    }
    return so_far;
  }

  // ---- a search for an order -----------------------------------------------------------------------------
  /// May this lane leave sync_warp? Only when all that the mask names are there, and have left the one
  /// before; lanes that have ended do not count.
  bool meet_warp(int t, uint32_t mask) {
    Thread& me = threads_[t];
    if (!me.released) {
      bool all = true;
      for_lanes(t, mask, [&](int peer) {
        const Thread& other = threads_[peer];
        all &= other.pos == other.size ||
               (!other.at_barrier && !other.released && other.log[other.pos].op == Op::sync_warp &&
                other.log[other.pos].a == mask);
      });
      if (!all && lenience_ < Lenience::any) return false;
      if (!all) fault("lanes are missing in a sync_warp of " + who(t));
      for_lanes(t, mask, [&](int peer) {
        Thread& other = threads_[peer];
        if (other.pos < other.size && !other.at_barrier && other.log[other.pos].op == Op::sync_warp &&
            other.log[other.pos].a == mask)
          other.released = true;
      });
    }
    me.released = false;
    return true;
  }
  /// The write that left this value in the cell before now, if t could still have seen it: nothing it wrote
  /// itself, or its block before the last barrier, may lie between.
  std::optional<int32_t> past(int t, const Cells& array, const Event& e, uint64_t bits) {
    const int interval = blocks_[block_of(t)].intervals.back().index;
    const bool far = lenience_ >= Lenience::past;
    int32_t k = array.past[e.a];
    for (int depth = 0; k >= 0 && patience_ && (far || depth < past_depth);
         ++depth, --patience_, k = history_[k].before) {
      const Past& p = history_[k];
      if (p.bits == bits) return p.node;
      if (p.node < 0) continue;
      const Node& writer = flow_.nodes[p.node];
      if (writer.launch != number_ || writer.thread == t ||
          (block_of(writer.thread) == block_of(t) && writer.interval < interval))
        break;
    }
    return std::nullopt;
  }
  void remember(const Cells& array, uint32_t index, uint64_t before, uint64_t now, int32_t id) {
    int32_t& last = array.past[index];
    if (last < 0) {
      history_.push_back({before, array.node[index], -1});
      last = int32_t(history_.size()) - 1;
    }
    history_.push_back({now, id, last});
    last = int32_t(history_.size()) - 1;
  }
  /// Where two threads raced to write a cell, the real memory tells who came last.
  void settle_race(const Cells& array, uint32_t index, const std::byte* real) {
    std::byte* const at = array.bytes + size_t(index) * array.width;
    const uint64_t want = read_bits(real, array.width);
    if (read_bits(at, array.width) == want) return;
    std::unordered_set<int> later;        // threads that wrote after the write at hand
    std::unordered_map<int, int> latest;  // the last interval in which a block did
    for (int32_t k = array.past[index]; k >= 0 && patience_; --patience_, k = history_[k].before) {
      const Past p = history_[k];  // a copy: remember() may move the history
      if (p.node < 0) break;
      const Node& writer = flow_.nodes[p.node];
      if (writer.launch != number_) break;
      int& last = latest.try_emplace(block_of(writer.thread), writer.interval).first->second;
      const bool overtaken = later.contains(writer.thread) || last > writer.interval;
      if (p.bits == want && !overtaken && writer.op == Op::store) {
        remember(array, index, read_bits(at, array.width), want, p.node);
        write_bits(at, want, array.width);
        array.node[index] = p.node;
        return;
      }
      later.insert(writer.thread);
      last = std::max(last, writer.interval);
    }
  }
  void repair(int b, const std::byte* real) {
    blocks_[b].odd = true;
    for (size_t a = 0; a < launch_->shared.size(); ++a) {
      const Cells array = cells(blocks_[b], first_shared + int(a));
      const std::byte* from = real + launch_->shared[a].offset;
      for (uint32_t k = 0; k < array.size; ++k) settle_race(array, k, from + size_t(k) * array.width);
    }
  }

  static uint64_t key(int t, uint32_t pos) { return uint64_t(uint32_t(t)) << 32 | pos; }
  /// Finds the cells where values alone do not tell the order of their atomics.
  void lay_trails() {
    struct Atomic {
      uint64_t cell;  // array and index
      int32_t block, interval;
      int32_t thread;
      uint32_t pos;
    };
    std::vector<Atomic> all;
    for (int t = 0; t < int(threads_.size()); ++t) {
      int interval = 0;
      for (uint32_t k = 0; k < threads_[t].size; ++k) {
        const Event& e = threads_[t].log[k];
        if (e.op == Op::sync) ++interval;
        if (!is_atomic(e.op)) continue;
        const bool in_shared = e.array >= first_shared;
        all.push_back(
            {uint64_t(e.array) << 32 | e.a, in_shared ? block_of(t) : -1, in_shared ? interval : -1, t, k});
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Atomic& x, const Atomic& y) {
      return std::tie(x.cell, x.block, x.interval) < std::tie(y.cell, y.block, y.interval);
    });
    for (size_t first = 0, end; first < all.size(); first = end) {
      for (end = first + 1; end < all.size() && all[end].cell == all[first].cell &&
                            all[end].block == all[first].block && all[end].interval == all[first].interval;)
        ++end;
      Trail trail;
      const Kind kind = trace_.array(*launch_, int(all[first].cell >> 32)).kind;
      for (size_t k = first; k < end; ++k) {
        const Thread& of = threads_[all[k].thread];
        auto full = [&](uint32_t at) {
          uint64_t bits = of.log[at].bits;
          if (at + 1 < of.size && of.log[at + 1].op == Op::high) bits |= uint64_t(of.log[at + 1].bits) << 32;
          return bits;
        };
        const Event& e = of.log[all[k].pos];
        const uint64_t old = full(all[k].pos) & mask_of(kind);
        const uint64_t operand = e.b && e.b <= all[k].pos ? full(e.b - 1) : 0;
        trail.who.emplace_back(all[k].thread, all[k].pos);
        const AtomicStep step{old, after_atomic(e.op, kind, old, operand) & mask_of(kind)};
        trail.steps.push_back(step);
        ++(step.from == step.to ? trail.left[old].idle : trail.left[old].leaving);
      }
      if (told_by_values(trail.steps)) continue;
      for (size_t k = 0; k < trail.who.size(); ++k)
        trail_of_[key(trail.who[k].first, trail.who[k].second)] = {int(trails_.size()), int(k)};
      trails_.push_back(std::move(trail));
    }
  }
  /// A step that changes the value waits for its place in the trail. One that changes nothing may go whenever
  /// memory holds its value; so the last to leave that value waits until all of them have gone.
  bool its_turn(int t, uint64_t now, uint64_t from, uint64_t to, Trail*& trail) {
    if (trails_.empty()) return true;
    const auto it = trail_of_.find(key(t, threads_[t].pos));
    if (it == trail_of_.end()) return true;
    trail = &trails_[it->second.first];
    if (!trail->laid_out) lay_out(*trail, now);
    if (lenience_ >= Lenience::unordered) trail->given_up = true;
    if (trail->given_up || from == to) return true;
    const Trail::Left& left = trail->left[from];
    return trail->place[it->second.second] == trail->next && (left.leaving > 1 || left.idle == 0);
  }
  static void lay_out(Trail& trail, uint64_t start) {
    trail.laid_out = true;
    std::vector<AtomicStep> changing;
    std::vector<size_t> number;
    for (size_t k = 0; k < trail.steps.size(); ++k)
      if (trail.steps[k].from != trail.steps[k].to) {
        changing.push_back(trail.steps[k]);
        number.push_back(k);
      }
    const std::vector<int> order = euler_trail(start, changing);
    trail.given_up = order.size() < changing.size();
    trail.place.resize(trail.steps.size());
    for (size_t k = 0; k < order.size(); ++k) trail.place[number[order[k]]] = int(k);
  }
  static void pass(Trail& trail, uint64_t from, uint64_t to) {
    Trail::Left& left = trail.left[from];
    --(from == to ? left.idle : left.leaving);
    if (from != to) ++trail.next;
  }

  /// Every thread of the block goes as far as it can. The given lenience holds for one event of each.
  bool sweep(int b, Lenience lenience) {
    bool moved = false;
    for (int t = b * launch_->block; t < (b + 1) * launch_->block && !stopped_; ++t) {
      Thread& me = threads_[t];
      if (me.done) continue;
      if (patience_) --patience_;
      lenience_ = patience_ ? lenience : Lenience::any;
      while (!me.at_barrier && me.pos < me.size) {
        if (!step<true>(t)) break;
        moved = true;
        lenience_ = patience_ ? Lenience::strict : Lenience::any;
      }
      settle(t);
    }
    return moved;
  }
  void search() {
    history_.clear();
    trail_of_.clear();
    trails_.clear();
    lay_trails();
    std::vector<int> active;
    for (int b = 0; b < launch_->grid; ++b)
      if (!blocks_[b].closed) active.push_back(b);
    patience_ = 100'000'000 + 64 * node_of_.size();  // a second or so; then faults instead of an order
    Lenience lenience = Lenience::strict;
    while (!active.empty() && !stopped_) {
      bool moved = false;
      for (int b : active) {
        bool here = sweep(b, lenience);
        moved |= here;
        while (here && !blocks_[b].closed && !stopped_) here = sweep(b, Lenience::strict);
      }
      std::erase_if(active, [&](int b) { return blocks_[b].closed; });
      if (moved)
        lenience = Lenience::strict;
      else if (lenience == Lenience::any)
        break;
      else
        lenience = Lenience(int(lenience) + 1);
    }
    lenience_ = Lenience::strict;
  }

  // ---- one launch ----------------------------------------------------------------------------------------
  void follow_turns() {
    for (size_t turns = 0; const Turn& turn : launch_->turns) {
      if (++turns % 65536 == 0) go_on_if_wanted();
      if (turn.thread >= threads_.size()) continue;
      Thread& me = threads_[turn.thread];
      const uint32_t end = std::min(turn.end, me.size);
      while (me.pos < end && !me.at_barrier && !stopped_) {
        step<false>(int(turn.thread));
        if (me.at_barrier) settle(int(turn.thread));
      }
      if (me.pos < end && !stopped_)
        fault("the recorded turns let " + who(int(turn.thread)) + " pass a barrier");
      if (!me.at_barrier) settle(int(turn.thread));
    }
  }
  void prepare() {
    launch_ = &trace_.launches[number_];
    const Launch& l = *launch_;
    blocks_.clear();
    blocks_.resize(l.grid);
    threads_.assign(size_t(l.grid) * l.block, {});
    size_t events = 0;
    for (int b = 0; b < l.grid; ++b) {
      for (int i = 0; i < l.block; ++i) {
        const auto log = l.blocks[b].log(i);
        Thread& t = threads_[size_t(b) * l.block + i];
        t.log = log.data();
        t.size = uint32_t(log.size());
        t.base = uint32_t(events);
        events += log.size();
      }
    }
    node_of_.assign(events, -1);
    global_.clear();
    for (size_t a = 0; a < trace_.arrays.size(); ++a) {
      const ArrayInfo& array = trace_.arrays[a];
      if (searching()) global_past_[a].assign(array.size, -1);
      global_.push_back({global_bytes_[a].data(), global_node_[a].data(), global_past_[a].data(),
                         uint32_t(array.size), array.kind, uint8_t(bytes_of(array.kind)),
                         mask_of(array.kind)});
    }
    shared_.clear();
    first_cell_.clear();
    shared_cells_ = 0;
    for (const ArrayInfo& array : l.shared) {
      first_cell_.push_back(shared_cells_);
      shared_cells_ += array.size;
      shared_.push_back({nullptr, nullptr, nullptr, uint32_t(array.size), array.kind,
                         uint8_t(bytes_of(array.kind)), mask_of(array.kind)});
    }
    for (int b = 0; b < l.grid; ++b) open(b);
    for (size_t t = 0; t < threads_.size(); ++t)
      if (threads_[t].size == 0) {  // nobody waits for a thread that does nothing
        threads_[t].done = true;
        ++blocks_[size_t(block_of(int(t)))].done;
      }
  }
  void one() {
    prepare();
    const Launch& l = *launch_;
    flow_.finer_order.push_back(false);
    if (searching())
      search();
    else
      follow_turns();
    // blocks that never began, and threads that ended without a turn of their own
    for (int t = 0; t < int(threads_.size()) && !stopped_; ++t) settle(t);
    for (int t = 0; t < int(threads_.size()); ++t)
      if (threads_[t].pos < threads_[t].size) {
        fault("the replay of launch " + l.name + " stopped before " + who(t) + " had ended");
        break;
      }
    for (int b = 0; b < l.grid && !stopped_; ++b)
      if (!blocks_[b].closed) close(b, 0);
    for (Block& block : blocks_)
      for (Interval& v : block.intervals) flow_.intervals.push_back(std::move(v));
    compare_global();
    auto& last = flow_.last.emplace_back(trace_.arrays.size());
    for (size_t a = 0; a < trace_.arrays.size() && a < l.after.size(); ++a) last[a] = global_node_[a];
  }
  void compare_global() {
    const Launch& l = *launch_;
    for (size_t a = 0; a < l.after.size() && a < global_bytes_.size(); ++a) {
      const std::vector<std::byte>& real = l.after[a];
      std::vector<std::byte>& ours = global_bytes_[a];
      ++flow_.snapshots;
      if (real.size() == ours.size() && searching() && !ours.empty() &&
          std::memcmp(real.data(), ours.data(), ours.size()) != 0)
        for (uint32_t k = 0; k < global_[a].size; ++k)
          settle_race(global_[a], k, real.data() + size_t(k) * global_[a].width);
      if (real == ours) continue;
      flow_.snapshots_match = false;
      if (flow_.faults.size() == most_faults)
        flow_.faults.pop_back();  // this one says more than one more read
      fault(trace_.arrays[a].name + " after launch " + l.name + " differs from the replay");
    }
  }
};

}  // namespace

Flow follow_in_order(const Trace& trace) {
  Flow flow = Replay(trace).run();
  flow.plus = operator_of(trace);
  return flow;
}

Flow follow(const Trace& trace) {
  if (auto flow = follow_blocks(trace)) return std::move(*flow);
  return follow_in_order(trace);
}

void index_global_writes(const Trace& trace, Flow& flow) {
  CellWrites& all = flow.writes_of;
  uint32_t cells = 0;
  for (const ArrayInfo& array : trace.arrays) {
    all.first_cell.push_back(cells);
    cells += uint32_t(array.size);
  }
  all.first_cell.push_back(cells);
  // How many each cell has, then where they begin, then the writes one by one behind that.
  all.first.assign(size_t(cells) + 2, 0);
  const auto cell_of = [&](int id) {
    const Place p = flow.nodes[id].place;
    return size_t(all.first_cell[size_t(p.array)]) + size_t(p.index);
  };
  for (int id : flow.global_writes) ++all.first[cell_of(id) + 2];
  std::partial_sum(all.first.begin(), all.first.end(), all.first.begin());
  all.nodes.resize(flow.global_writes.size());
  for (int id : flow.global_writes) all.nodes[all.first[cell_of(id) + 1]++] = id;
  all.first.pop_back();
}

}  // namespace bscope
