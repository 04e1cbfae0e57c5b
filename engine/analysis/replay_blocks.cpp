// The replay of recorded turns on all processors. What a block does depends on other blocks only through
// global memory, and a log holds every value that was read there: so blocks are replayed side by side, and
// global memory afterwards, in pieces, which links its reads to the writes they saw. The turns give each node
// its number beforehand.
//
// Only what is in order comes out of here. Whatever is not (see replay_blocks) is left to replay_in_order,
// which has words for it.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <tuple>
#include <utility>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/byte_writers.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/hazards.hpp"
#include "engine/analysis/replay.hpp"
#include "engine/trace/parallel.hpp"

namespace bscope {
namespace {

constexpr size_t most_replayed_nodes = size_t(1) << 30;
constexpr size_t pieces = 16;             // of global memory
constexpr size_t worth_threads = 50'000;  // events
constexpr int32_t nobody = -1, many = -2;

/// How many nodes, and how many of them are accesses and writes of global memory.
struct EventCounts {
  uint32_t nodes = 0, accesses = 0, writes = 0;
  void operator+=(const EventCounts& c) { nodes += c.nodes, accesses += c.accesses, writes += c.writes; }
};
constexpr bool is_node(Op op) {
  const EventGroup g = group_of(op);
  const bool followed_in_order = g == EventGroup::bulk_copy || g == EventGroup::mbarrier ||
                                 g == EventGroup::flagged_word || g == EventGroup::copy_order;
  return g != EventGroup::barrier && g != EventGroup::mark && !followed_in_order;
}
void count(const Event& e, EventCounts& c) {
  c.nodes += is_node(e.op);
  c.accesses += touches(e.op);
  c.writes += writes(e.op) && e.array < first_shared;
}

/// Turns of one block in a row.
struct Segment {
  int32_t block;
  uint32_t first, end;  ///< turns
  EventCounts counts;
  EventCounts base;  ///< where its nodes, accesses and writes stand
};

/// A launch, cut into segments.
struct Plan {
  std::vector<Segment> segments;             ///< in the order of turns
  std::vector<uint32_t> of_block, in_order;  ///< each block's segments: in_order[of_block[b]...]
};

/// Whether two threads met in a cell with nothing to order them. A simple test: it may say yes where a search
/// finds that they did not, but never no where they did.
class RaceDetector {
 public:
  /// Of one block, between two of its barriers.
  bool within(int32_t epoch, int32_t thread, Op op) {
    if (epoch != epoch_) *this = RaceDetector(epoch, thread);
    note(op);
    if (thread != thread_) thread_ = many;
    return thread_ == many && (flags_ & both) == both;
  }

 private:
  friend struct GlobalRaceDetector;
  enum : uint8_t { writing = 1, plain = 2, both = 3 };  // plain: neither atomic nor flag
  int32_t epoch_ = nobody, thread_ = nobody;
  uint8_t flags_ = 0;
  void note(Op op) { flags_ |= flags_of(op); }

 public:
  RaceDetector() = default;
  RaceDetector(int32_t epoch, int32_t thread) : epoch_(epoch), thread_(thread) {}
  static uint8_t flags_of(Op op) {
    return uint8_t((writes(op) ? writing : 0) | (is_load(op) || is_store(op) ? plain : 0));
  }
};
/// The same in a cell of global memory, where blocks meet too.
struct GlobalRaceDetector {
  int32_t launch = nobody, block = nobody;
  RaceDetector in_block;
  uint8_t flags = 0;
  bool operator()(int32_t now, int32_t of_block, int32_t epoch, int32_t thread, Op op) {
    if (launch != now) *this = {now, of_block, {}, 0};
    if (block != of_block) block = many;
    flags |= RaceDetector::flags_of(op);
    if (block == many) return (flags & RaceDetector::both) == RaceDetector::both;
    return in_block.within(epoch, thread, op);
  }
};

/// An access to global memory: its node and its cell, counted through all arrays.
struct GlobalAccess {
  int32_t node;
  uint32_t cell;
};

/// What several blocks of one launch leave behind.
struct BlockRange {
  int launch, first, end;  ///< blocks
  std::array<std::vector<GlobalAccess>, pieces> global;
  std::vector<std::pair<int32_t, int32_t>> vectors;
  std::vector<Interval> intervals;
  size_t snapshots = 0;
  bool order_matters = false, finer_order = false, may_race = false;
};

/// A thread of the block at hand.
struct BlockThread {
  const Event* log = nullptr;
  uint32_t pos = 0, size = 0, base = 0;
  int32_t address = -1;
  uint32_t vector_cells = 0, phase = 0, phases = 0, library = 0;
  uint8_t bytes = whole_cell;
  bool at_barrier = false, done = false;
};

/// The cells of a shared array of the block at hand.
struct SharedCells {
  uint32_t offset, size, first_cell;
  ElementType kind;
  uint8_t width;
  uint64_t mask;
};

/// Where global arrays stand among all cells, and which piece a cell belongs to.
struct GlobalArray {
  uint32_t size, first_cell;
  ElementType kind;
  int shift;  ///< so many cells in a row (a power of two) are of one piece
  size_t piece_of(uint32_t index) const { return (index >> shift) % pieces; }
};

/// Replays blocks one after another; false where something is out of the ordinary.
class Blocks {
 public:
  Blocks(const Trace& trace, const std::vector<GlobalArray>& global, const Plan& plan, DataflowGraph& flow,
         BlockRange& task)
      : global_(global),
        plan_(plan),
        flow_(flow),
        task_(task),
        number_(task.launch),
        launch_(trace.launches[size_t(task.launch)]),
        unnamed_(unnamed_phase(trace, launch_)) {
    for (const ArrayInfo& a : launch_.shared) {
      shared_.push_back(
          {a.offset, uint32_t(a.size), cells_, a.kind, uint8_t(bytes_of(a.kind)), mask_of(a.kind)});
      cells_ += uint32_t(a.size);
    }
  }
  bool run() {
    for (b_ = task_.first; b_ < task_.end; ++b_)
      if (!one()) return false;
    return true;
  }

 private:
  const std::vector<GlobalArray>& global_;
  const Plan& plan_;
  DataflowGraph& flow_;
  BlockRange& task_;
  const int number_;
  const Launch& launch_;
  const std::string unnamed_;
  std::vector<SharedCells> shared_;
  uint32_t cells_ = 0;
  // of the block at hand
  int b_ = 0;
  const BlockRun* run_ = nullptr;
  std::vector<BlockThread> threads_;
  std::vector<int32_t> node_of_, holder_;
  ByteWriters byte_writers_;
  std::vector<std::byte> bytes_;
  std::vector<bool> written_;
  std::vector<RaceDetector> races_;
  bool wrote_anew_ = false, closed_ = false, odd_ = false;
  int waiting_ = 0, done_ = 0;
  // of its open interval
  int index_ = 0;
  std::vector<int> accesses_, work_;
  uint32_t phase_ = 0, phases_ = 0, library_ = 0;
  size_t apart_ = 0;
  // where the next node, access and write go
  EventCounts next_;

  bool one() {
    begin();
    for (uint32_t k = plan_.of_block[size_t(b_)]; k < plan_.of_block[size_t(b_) + 1]; ++k) {
      const Segment& s = plan_.segments[plan_.in_order[k]];
      next_ = s.base;
      for (uint32_t turn = s.first; turn < s.end; ++turn)
        if (!take(launch_.turns[turn])) return false;
      if (next_.nodes != s.base.nodes + s.counts.nodes) return false;
    }
    for (int t = 0; t < launch_.block && !odd_; ++t) settle(t);
    for (const BlockThread& t : threads_)
      if (t.pos < t.size) return false;
    if (!closed_) close(0);
    return !odd_;
  }
  void begin() {
    run_ = &launch_.blocks[size_t(b_)];
    threads_.assign(size_t(launch_.block), {});
    waiting_ = done_ = 0;
    for (int i = 0; i < launch_.block; ++i) {
      const auto log = run_->log(i);
      BlockThread& t = threads_[size_t(i)];
      t.log = log.data();
      t.size = uint32_t(log.size());
      t.base = run_->first[size_t(i)];
      if (log.empty()) t.done = true, ++done_;
    }
    node_of_.assign(run_->events.size(), -1);
    holder_.assign(cells_, -1);
    byte_writers_ = {};
    races_.assign(cells_, {});
    bytes_.assign(launch_.shared_bytes, {});
    written_.assign(launch_.shared_bytes, false);
    wrote_anew_ = closed_ = odd_ = false;
    index_ = -1;
    apart_ = 0;
    open();
  }
  void open() {
    ++index_;
    accesses_.clear();
    work_.clear();
    phase_ = threads_[0].phase;
    phases_ = threads_[0].phases;
    library_ = library_at_open(threads_);
  }
  bool take(const Turn& turn) {
    const int t = int(turn.thread) - b_ * launch_.block;
    BlockThread& me = threads_[size_t(t)];
    const uint32_t end = std::min(turn.end, me.size);
    while (me.pos < end && !me.at_barrier) {
      if (!step(t, me)) return false;
      if (me.at_barrier) settle(t);
      if (odd_) return false;
    }
    if (me.pos < end) return false;
    if (!me.at_barrier) settle(t);
    return !odd_;
  }

  // ---- barriers
  // --------------------------------------------------------------------------------------------
  bool opens() const {
    const size_t size = launch_.shared_bytes, real = run_->snapshots.size();
    if (size == 0 || real < size || real >= (size_t(index_) + 2) * size) return true;
    return std::any_of(threads_.begin(), threads_.end(),
                       [](const BlockThread& t) { return t.at_barrier && t.pos < t.size; });
  }
  void settle(int rank) {
    BlockThread& me = threads_[size_t(rank)];
    if (!me.done && !me.at_barrier && me.pos == me.size) me.done = true, ++done_;
    while (!closed_ && !odd_ && waiting_ + done_ == launch_.block) {
      if (waiting_ == 0 || !opens()) {
        close(0);
        closed_ = true;
        return;
      }
      int line = 0;
      bool of_grid = false;
      for (BlockThread& t : threads_) {
        if (!t.at_barrier) continue;
        const Event& met = t.log[t.pos - 1];
        if (!line) line = met.line;
        if (t.library) library_ = t.library;
        of_grid |= met.op == Op::sync_grid;
        t.at_barrier = false;
        if (t.pos == t.size) t.done = true, ++done_;
      }
      waiting_ = 0;
      close(line, of_grid);
      open();
    }
  }
  void close(int line, bool of_grid = false) {
    const size_t size = launch_.shared_bytes, from = size_t(index_) * size;
    Interval& v = task_.intervals.emplace_back();
    const Interval* before = index_ ? &v - 1 : nullptr;
    v.launch = number_;
    v.block = b_;
    v.index = index_;
    v.line = line;
    v.of_grid = of_grid;
    v.nodes.assign(accesses_.begin(), accesses_.end());
    v.work.assign(work_.begin(), work_.end());
    if (accesses_.empty() && line == 0) take_earliest_phase(threads_, phase_, phases_);
    const auto phase = launch_.phases.find(phase_), library = launch_.phases.find(library_);
    v.phase = library != launch_.phases.end() ? library->second
              : phases_ == 0                  ? unnamed_
              : phase != launch_.phases.end() ? phase->second
              : before                        ? before->phase
                                              : unnamed_;
    if (wrote_anew_ || !before)
      v.written = std::make_shared<const std::vector<bool>>(written_);
    else
      v.written = before->written;
    wrote_anew_ = false;
    if (size == 0) return;
    odd_ = odd_ || from + size > run_->snapshots.size() ||
           std::memcmp(bytes_.data(), run_->snapshots.data() + from, size) != 0;
    if (odd_) return;
    v.shared = {run_->snapshots.data() + from, size};
    ++task_.snapshots;
    apart_ += accesses_.size();
    if (apart_ < std::max(kept_apart, size_t(cells_))) return;
    v.kept_holders = holder_;
    apart_ = 0;
  }

  // ---- one event
  // -------------------------------------------------------------------------------------------
  bool step(int t, BlockThread& me) {
    const Event& e = me.log[me.pos];
    uint64_t bits = e.bits;
    const bool wide = me.pos + 1 < me.size && me.log[me.pos + 1].op == Op::high;
    if (wide) bits |= uint64_t(me.log[me.pos + 1].bits) << 32;
    if (is_node(e.op)) {
      Node& n = flow_.nodes[next_.nodes];
      n.op = e.op;
      n.kind = uint8_t(ElementType::other);
      n.line = e.line;
      n.launch = number_;
      n.thread = b_ * launch_.block + t;
      n.interval = index_;
      n.event = int32_t(me.pos);
      n.place = {};
      n.bits = bits;
      n.a = n.b = n.address = -1;
      n.bytes = whole_cell;
      if (!(touches(e.op) ? access(me, e, n) : other_than_access(t, me, e, n))) return false;
      node_of_[me.base + me.pos] = int32_t(next_.nodes++);
    } else if (!mark(me, e))
      return false;
    me.pos += 1 + wide;
    return true;
  }
  bool mark(BlockThread& me, const Event& e) {
    switch (e.op) {
      case Op::sync:
      case Op::sync_grid:
        me.at_barrier = true;
        ++waiting_;
        return true;
      case Op::phase: take_mark(me, e, library_); return true;
      case Op::together:
        if (e.bits)
          me.bytes = uint8_t(e.bits);
        else
          me.vector_cells = e.a;
        return true;
      default: return e.op == Op::high;
    }
  }
  /// The node of an earlier event of a thread of this block.
  int32_t value(const BlockThread& of, uint32_t source) {
    if (source == 0 || source > of.pos) return -1;
    const int32_t id = node_of_[of.base + source - 1];
    if (id >= 0 && is_atomic(flow_.nodes[size_t(id)].op)) task_.order_matters = true;
    return id;
  }

  bool access(BlockThread& me, const Event& e, Node& n) {
    const auto id = int32_t(next_.nodes);
    const bool in_shared = e.array >= first_shared;
    if (in_shared
            ? e.array - first_shared >= int(shared_.size()) || e.a >= shared_[e.array - first_shared].size
            : e.array >= global_.size() || e.a >= global_[e.array].size)
      return false;
    n.place = {e.array, int(e.a)};
    n.address = std::exchange(me.address, -1);
    n.bytes = std::exchange(me.bytes, whole_cell);
    if (writes(e.op)) (reads(e.op) ? n.b : n.a) = value(me, e.b);
    if (e.op == Op::acquire || e.op == Op::wait) task_.order_matters = task_.finer_order = true;
    if (e.op == Op::load_volatile || e.op == Op::load_relaxed) task_.order_matters = true;
    if (in_shared) {
      if (!access_shared(shared_[e.array - first_shared], e, n, id)) return false;
    } else {
      const GlobalArray& array = global_[e.array];
      n.kind = uint8_t(array.kind);
      task_.global[array.piece_of(e.a)].push_back({id, array.first_cell + e.a});
      if (writes(e.op)) flow_.global_writes[next_.writes++] = id;
    }
    flow_.sequence[next_.accesses++] = id;
    if (accesses_.empty() || me.phases < phases_) {
      phase_ = me.phase;
      phases_ = me.phases;
    }
    accesses_.push_back(id);
    if (const uint32_t cells = std::exchange(me.vector_cells, 0)) task_.vectors.emplace_back(id, int(cells));
    return true;
  }
  bool access_shared(const SharedCells& array, const Event& e, Node& n, int32_t id) {
    n.kind = uint8_t(array.kind);
    const size_t first = array.offset + size_t(e.a) * array.width;
    std::byte* const at = bytes_.data() + first;
    int32_t& holder = holder_[array.first_cell + e.a];
    uint64_t result = n.bits & array.mask;
    if (reads(e.op)) {
      if (holder < 0 || read_bits(at, array.width) != result) return false;
      n.a = byte_writers_.of(array.first_cell + e.a, n.bytes, holder);
    }
    task_.may_race |= races_[array.first_cell + e.a].within(index_, n.thread, e.op);
    if (!writes(e.op)) return true;
    if (is_atomic(e.op)) result = atomic_result(n, array.kind, result);
    write_bits(at, result, array.width);
    if (holder < 0) {
      for (size_t k = 0; k < array.width; ++k) written_[first + k] = true;
      wrote_anew_ = true;
    }
    byte_writers_.write(array.first_cell + e.a, n.bytes, id, holder);
    holder = id;
    return true;
  }
  uint64_t atomic_result(const Node& n, ElementType kind, uint64_t old) const {
    return after_atomic(n.op, kind, old, n.b >= 0 ? flow_.nodes[size_t(n.b)].bits : 0) & mask_of(kind);
  }

  bool other_than_access(int t, BlockThread& me, const Event& e, Node& n) {
    if (e.op == Op::sync_warp || e.op == Op::fence) {
      task_.finer_order = true;
      n.bits = e.a;
      return true;
    }
    if (e.op == Op::shuffle) return shuffle(t, e, n);
    n.kind = uint8_t(e.array < kind_count ? ElementType(e.array) : ElementType::other);
    switch (e.op) {
      case Op::reduce: return false;
      case Op::ballot:
      case Op::match: n.a = value(me, e.b); break;
      case Op::address: me.address = n.a = value(me, e.a); break;
      case Op::constant: break;
      default:
        n.a = value(me, e.a);
        if (computes(e.op) && e.op != Op::convert) n.b = value(me, e.b);
    }
    if (computes(e.op)) work_.push_back(int(next_.nodes));
    return true;
  }
  bool shuffle(int t, const Event& e, Node& n) {
    const int peer = t - t % warp_size + int(std::min(e.a, uint32_t(warp_size)));
    if (e.a >= uint32_t(warp_size) || peer >= launch_.block) return false;
    const BlockThread& there = threads_[size_t(peer)];
    if (e.b > there.pos) return false;
    n.kind = uint8_t(!e.array               ? ElementType::i32
                     : e.array < kind_count ? ElementType(e.array)
                                            : ElementType::other);
    n.place.index = b_ * launch_.block + peer;
    n.a = value(there, e.b);
    if (n.a < 0) return true;
    const Node& source = flow_.nodes[size_t(n.a)];
    n.kind = source.kind;
    return ((source.bits ^ n.bits) & mask_of(ElementType(source.kind))) == 0;
  }
};

class Recorded {
 public:
  explicit Recorded(const Trace& trace) : trace_(trace) {}

  std::optional<DataflowGraph> run() {
    flow_.plus = operator_of(trace_);
    if (!lay_out_global() || !plan()) return {};
    if (!each(tasks_.size(), [&](size_t k) {
          BlockRange& task = tasks_[k];
          return Blocks(trace_, global_, plans_[size_t(task.launch)], flow_, task).run();
        }))
      return {};
    if (!each(pieces, [&](size_t k) { return follow_global(k); })) return {};
    gather();
    return std::move(flow_);
  }

 private:
  const Trace& trace_;
  DataflowGraph flow_;
  std::vector<GlobalArray> global_;
  uint32_t cells_ = 0;
  std::vector<Plan> plans_;
  std::vector<BlockRange> tasks_;  // by launch, then blocks
  std::vector<std::vector<std::byte>> bytes_;
  std::vector<std::atomic<uint8_t>> may_race_, meets_;  // of each launch, in global memory
  size_t events_ = 0;

  /// f(0) ... f(n - 1), from several threads where that is worth while. True if all are.
  template <class F>
  bool each(size_t n, F f) {
    if (events_ < worth_threads) {
      for (size_t k = 0; k < n; ++k)
        if (!f(k)) return false;
      return true;
    }
    std::atomic<bool> good{true};
    parallel(n, [&](size_t k) {
      if (good && !f(k)) good = false;
    });
    return good;
  }

  bool lay_out_global() {
    events_ = trace_.events();
    size_t all = 0;
    for (const ArrayInfo& a : trace_.arrays) {
      if (a.size < 0) return false;
      const int bits = std::bit_width(uint32_t(a.size) / (4 * pieces));
      global_.push_back({uint32_t(a.size), uint32_t(all), a.kind, std::min(bits, 12)});
      all += size_t(a.size);
      if (all > most_replayed_nodes) return false;
      bytes_.push_back(a.initial);
      bytes_.back().resize(size_t(a.size) * size_t(bytes_of(a.kind)));
    }
    cells_ = uint32_t(all);
    return true;
  }

  // ---- numbers for nodes
  // -----------------------------------------------------------------------------------
  bool plan() {
    const size_t launches = trace_.launches.size();
    plans_.resize(launches);
    may_race_ = std::vector<std::atomic<uint8_t>>(launches);
    meets_ = std::vector<std::atomic<uint8_t>>(launches);
    if (!each(launches, [&](size_t k) { return cut(trace_.launches[k], plans_[k]); })) return false;
    share_out();
    if (!each(tasks_.size(), [&](size_t k) { return count_nodes(tasks_[k]); })) return false;
    size_t nodes = 0;
    EventCounts next;
    for (Plan& p : plans_)
      for (Segment& s : p.segments) {
        s.base = next;
        next += s.counts;
        if ((nodes += s.counts.nodes) > most_replayed_nodes) return false;
      }
    flow_.nodes.resize(next.nodes);
    flow_.sequence.resize(next.accesses);
    flow_.global_writes.resize(next.writes);
    for (const Launch& l : trace_.launches) {
      auto& last = flow_.last.emplace_back(global_.size());
      for (size_t a = 0; a < std::min(l.after.size(), global_.size()); ++a) last[a].resize(global_[a].size);
    }
    return true;
  }
  static bool cut(const Launch& l, Plan& p) {
    if (l.turns.empty() || l.blocks.size() != size_t(l.grid)) return false;
    const auto size = uint32_t(l.block);
    // Segments of a turn or two would cost more than they are worth.
    const size_t most = l.turns.size() / 4 + size_t(4) * size_t(l.grid) + 1024;
    uint32_t first = 1, end = 0;  // threads of the block at hand
    for (uint32_t k = 0; k < l.turns.size(); ++k) {
      const uint32_t t = l.turns[k].thread;
      if (t >= first && t < end) continue;
      if (t >= size_t(size) * size_t(l.grid) || p.segments.size() >= most) return false;
      if (!p.segments.empty()) p.segments.back().end = k;
      p.segments.push_back({int32_t(t / size), k, 0, {}, {}});
      first = t / size * size;
      end = first + size;
    }
    p.segments.back().end = uint32_t(l.turns.size());
    p.of_block.assign(size_t(l.grid) + 2, 0);
    for (const Segment& s : p.segments) ++p.of_block[size_t(s.block) + 2];
    for (size_t b = 2; b < p.of_block.size(); ++b) p.of_block[b] += p.of_block[b - 1];
    p.in_order.resize(p.segments.size());
    for (uint32_t k = 0; k < p.segments.size(); ++k)
      p.in_order[p.of_block[size_t(p.segments[k].block) + 1]++] = k;
    p.of_block.pop_back();
    return true;
  }
  /// Blocks in a row that make a task each, several for each processor.
  void share_out() {
    const size_t each_has = events_ / (8 * workers()) + 1;
    for (int launch = 0; launch < int(trace_.launches.size()); ++launch) {
      const Launch& l = trace_.launches[size_t(launch)];
      size_t had = each_has;
      for (int b = 0; b < l.grid; ++b) {
        if (had >= each_has) {
          tasks_.push_back({launch, b, b, {}, {}, {}});
          had = 0;
        }
        had += l.blocks[size_t(b)].events.size();
        tasks_.back().end = b + 1;
      }
    }
  }
  bool count_nodes(const BlockRange& task) {
    const Launch& l = trace_.launches[size_t(task.launch)];
    Plan& p = plans_[size_t(task.launch)];
    std::vector<uint32_t> pos;
    for (int b = task.first; b < task.end; ++b) {
      const BlockRun& run = l.blocks[size_t(b)];
      const uint32_t first = p.of_block[size_t(b)], end = p.of_block[size_t(b) + 1];
      if (end == first + 1) {  // all of it in one go
        EventCounts c;
        for (const Event& e : run.events) count(e, c);
        p.segments[p.in_order[first]].counts = c;
        continue;
      }
      pos.assign(size_t(l.block), 0);
      for (uint32_t k = first; k < end; ++k) {
        Segment& s = p.segments[p.in_order[k]];
        for (uint32_t turn = s.first; turn < s.end; ++turn) {
          const uint32_t t = l.turns[turn].thread - uint32_t(b * l.block);
          const auto log = run.log(int(t));
          const uint32_t stop = std::min(l.turns[turn].end, uint32_t(log.size()));
          for (; pos[t] < stop; ++pos[t]) count(log[pos[t]], s.counts);
        }
      }
    }
    return true;
  }

  // ---- global memory
  // ---------------------------------------------------------------------------------------
  /// One piece of it, through all launches.
  bool follow_global(size_t piece) {
    struct GlobalCell {
      int32_t node = -1;
      GlobalRaceDetector meeting;
    };
    // The piece's cells of each array, row after row.
    std::vector<std::vector<GlobalCell>> cells(global_.size());
    for (size_t a = 0; a < global_.size(); ++a) {
      size_t rows = 0;
      for_rows(a, piece, [&](size_t, size_t) { ++rows; });
      cells[a].resize(rows << global_[a].shift);
    }
    ByteWriters byte_writers;
    std::vector<GlobalAccess> all;
    size_t task = 0;
    for (int launch = 0; launch < int(trace_.launches.size()); ++launch) {
      const Launch& l = trace_.launches[size_t(launch)];
      all.clear();
      for (; task < tasks_.size() && tasks_[task].launch == launch; ++task) {
        const auto& more = tasks_[task].global[piece];
        all.insert(all.end(), more.begin(), more.end());
      }
      const auto earlier = [](const GlobalAccess& x, const GlobalAccess& y) { return x.node < y.node; };
      if (!std::is_sorted(all.begin(), all.end(), earlier)) std::sort(all.begin(), all.end(), earlier);
      for (size_t k = 0; k < all.size(); ++k) {
        if (k + 16 < all.size()) __builtin_prefetch(&flow_.nodes[size_t(all[k + 16].node)]);
        const int32_t id = all[k].node;
        Node& n = flow_.nodes[size_t(id)];
        const auto a = size_t(n.place.array);
        const auto index = uint32_t(n.place.index);
        const ElementType kind = trace_.arrays[a].kind;
        const int width = bytes_of(kind), shift = global_[a].shift;
        GlobalCell& cell = cells[a][((index >> shift) / pieces << shift) + (index & ((1u << shift) - 1))];
        std::byte* const at = bytes_[a].data() + size_t(index) * size_t(width);
        uint64_t result = n.bits & mask_of(kind);
        const int32_t block = n.thread / l.block;
        if (reads(n.op)) {
          if (read_bits(at, width) != result) return false;
          n.a = byte_writers.of(all[k].cell, n.bytes, cell.node);
          if (n.a >= 0) {
            const Node& from = flow_.nodes[size_t(n.a)];
            if (from.launch == launch && from.thread / l.block != block) meets_[size_t(launch)] = 1;
          }
        }
        if (cell.meeting(launch, block, n.interval, n.thread, n.op)) may_race_[size_t(launch)] = 1;
        if (!writes(n.op)) continue;
        if (is_atomic(n.op))
          result =
              after_atomic(n.op, kind, result, n.b >= 0 ? flow_.nodes[size_t(n.b)].bits : 0) & mask_of(kind);
        write_bits(at, result, width);
        byte_writers.write(all[k].cell, n.bytes, id, cell.node);
        cell.node = id;
      }
      for (size_t a = 0; a < std::min(l.after.size(), global_.size()); ++a) {
        const size_t width = size_t(bytes_of(trace_.arrays[a].kind));
        if (l.after[a].size() != bytes_[a].size()) return false;
        bool same = true;
        for_rows(a, piece, [&](size_t first, size_t end) {
          same = same &&
                 (width == 0 || std::memcmp(l.after[a].data() + first * width,
                                            bytes_[a].data() + first * width, (end - first) * width) == 0);
        });
        if (!same) return false;
      }
      keep_last(launch, piece, cells);
    }
    return true;
  }
  template <class Cells>
  void keep_last(int launch, size_t piece, const Cells& cells) {
    auto& last = flow_.last[size_t(launch)];
    for (size_t a = 0; a < last.size(); ++a) {
      if (last[a].empty()) continue;
      size_t row = 0;
      for_rows(a, piece, [&](size_t first, size_t end) {
        for (size_t k = first; k < end; ++k)
          last[a][k] = cells[a][(row << global_[a].shift) + k - first].node;
        ++row;
      });
    }
  }
  /// Calls f with the first and end cell of each row of the array that belongs to the piece.
  template <class F>
  void for_rows(size_t a, size_t piece, F f) const {
    const size_t row = size_t(1) << global_[a].shift, size = global_[a].size;
    for (size_t first = piece * row; first < size; first += pieces * row)
      f(first, std::min(first + row, size));
  }

  // ---- the answer
  // ------------------------------------------------------------------------------------------
  void gather() {
    const size_t launches = trace_.launches.size();
    flow_.finer_order.assign(launches, false);
    flow_.blocks_meet.assign(launches, false);
    std::vector<bool> clean(launches, true);
    size_t intervals = 0;
    for (const BlockRange& t : tasks_) intervals += t.intervals.size();
    flow_.intervals.reserve(intervals);
    for (BlockRange& t : tasks_) {
      const auto launch = size_t(t.launch);
      std::move(t.intervals.begin(), t.intervals.end(), std::back_inserter(flow_.intervals));
      flow_.vectors.insert(flow_.vectors.end(), t.vectors.begin(), t.vectors.end());
      flow_.snapshots += t.snapshots;
      flow_.order_matters = flow_.order_matters || t.order_matters;
      if (t.finer_order) flow_.finer_order[launch] = true;
      if (t.may_race) clean[launch] = false;
    }
    std::sort(flow_.vectors.begin(), flow_.vectors.end());
    for (size_t k = 0; k < launches; ++k) {
      flow_.snapshots += std::min(trace_.launches[k].after.size(), global_.size());
      if (meets_[k]) flow_.blocks_meet[k] = true;
      if (may_race_[k]) clean[k] = false;
    }
    index_global_writes(trace_, flow_);
    fill_in_hazards(trace_, flow_, clean);
  }
};

}  // namespace

std::optional<DataflowGraph> replay_blocks(const Trace& trace) { return Recorded(trace).run(); }

}  // namespace bscope
