// The replay event by event: applies every event of every log to a memory of its own, in an order in which it
// could have happened, and so learns which write each read saw.
#include "engine/analysis/replay.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/hazards.hpp"
#include "engine/analysis/race_message.hpp"
#include "engine/analysis/replay_barriers.hpp"
#include "engine/analysis/replay_copies.hpp"
#include "engine/analysis/replay_lanes.hpp"
#include "engine/analysis/replay_trails.hpp"
#include "engine/analysis/source_loops.hpp"
#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/operation_names.hpp"
#include "engine/trace/progress.hpp"

namespace bscope {
namespace replay {
namespace {

bool orders(Op op) { return op == Op::acquire || op == Op::wait || op == Op::observe; }

class Replay {
 public:
  explicit Replay(const Trace& trace) : s_(trace) {}

  DataflowGraph run() {
    const Trace& trace = s_.trace;
    s_.flow.nodes.reserve(trace.events());
    for (s_.number = 0; s_.number < int(trace.launches.size()) && !s_.stopped; ++s_.number) one();
    if (s_.stopped) return nothing();
    find_what_meets();
    index_global_writes(trace, s_.flow);
    fill_in_hazards(trace, s_.flow);
    return std::move(s_.flow);
  }

 private:
  ReplayState s_;
  ReplayMemory memory_{s_};
  Barriers barriers_{s_, memory_};
  CopyEngine copy_engine_{s_, memory_};
  LaneReplay lanes_{s_};
  Trails trails_{s_};

  /// For a trace that cannot be followed: no intervals, and why.
  DataflowGraph nothing() {
    DataflowGraph none;
    none.faults = std::move(s_.flow.faults);
    none.snapshots_match = false;
    none.last.assign(s_.trace.launches.size(), std::vector<std::vector<int32_t>>(s_.trace.arrays.size()));
    none.finer_order.assign(s_.trace.launches.size(), false);
    return none;
  }

  void find_what_meets() {
    DataflowGraph& flow = s_.flow;
    flow.blocks_meet.assign(s_.trace.launches.size(), false);
    for (int id : flow.sequence) {
      const Node& n = flow.nodes[size_t(id)];
      if (n.place.shared()) continue;
      if (writes(n.op)) flow.global_writes.push_back(id);
      if (!reads(n.op) || n.a < 0) continue;
      const Node& from = flow.nodes[size_t(n.a)];
      const int size = s_.trace.launches[size_t(n.launch)].block;
      if (from.launch == n.launch && from.thread / size != n.thread / size)
        flow.blocks_meet[size_t(n.launch)] = true;
    }
  }

  // ---- one event -----------------------------------------------------------------------------------------

  /// Applies a thread's next event. False: it is not yet its turn (only while searching).
  bool step(int t) {
    ReplayThread& me = s_.threads[size_t(t)];
    const Event& e = me.log[me.pos];
    const uint64_t bits = me.bits(me.pos);
    const bool wide = me.wide(me.pos);
    int32_t id = -1;
    const bool done = is_bulk(e.op) || of_mbarrier(e.op) ? copy_engine_.step(t, e, id)
                      : touches(e.op)                    ? access(t, e, bits, id)
                                                         : other_than_access(t, e, bits, id);
    if (!done) return false;
    s_.node_of[me.base + me.pos] = id;
    me.pos += 1 + wide;
    return true;
  }

  /// Whether a thread of t's block has come to no barrier, while t has passed one.
  bool some_returned_early(int t) const {
    const auto meets = [](const ReplayThread& one, uint32_t before) {
      return std::any_of(one.log, one.log + before, [](const Event& e) { return is_barrier(e.op); });
    };
    const ReplayThread& me = s_.threads[size_t(t)];
    const int size = s_.launch->block, first = s_.block_of(t) * size;
    if (!meets(me, me.pos)) return false;
    const auto faulted = [](const ReplayThread& one) {
      return std::any_of(one.log, one.log + one.size, [](const Event& e) { return e.op == Op::fault; });
    };
    return std::any_of(s_.threads.begin() + first, s_.threads.begin() + first + size,
                       [&](const ReplayThread& one) { return !meets(one, one.size) && !faulted(one); });
  }

  /// The line of the one `return` that stands before a line in its function; 0: none does, or several do.
  int line_of_return(int before) const {
    const std::string& text = s_.trace.sources[size_t(s_.launch->source)].text;
    const SourceLoops functions(text);
    int found = 0;
    for (const Token& t : code_tokens(text)) {
      if (t.line >= before || !functions.share_function(t.line, before)) continue;
      if (std::string_view(text).substr(t.begin, t.end - t.begin) != "return") continue;
      if (found && found != t.line) return 0;
      found = t.line;
    }
    return found;
  }
  /// What asks for a copy that brings that cell later; nullptr: none does.
  const Event* late_copy(int t, const Event& read) const {
    const size_t size = size_t(s_.launch->block), first = size_t(s_.block_of(t)) * size;
    for (const ReplayThread& one : std::span(s_.threads).subspan(first, size)) {
      const auto brings = [&](const Event& e) {
        return e.op == Op::store_async && e.array == read.array && e.a == read.a;
      };
      const Event* const end = one.log + one.size;
      if (const Event* const late = std::find_if(one.log + one.pos, end, brings); late != end)
        return asked_copy({one.log, one.size}, size_t(late - one.log));
    }
    return nullptr;
  }
  Message help_of_unset(int t, const Event& read) const {
    const int line = read.line;
    if (const Event* const copy = late_copy(t, read))
      return await_copy_help(copy->line, line, has_barrier(*copy));
    if (!some_returned_early(t))
      return message("Shared memory starts with garbage: store a value there and call {} before line {}.",
                     operation_name(Op::sync), line);
    if (const int from = line_of_return(line))
      return message(
          "Threads that return in line {}, before the barrier, store nothing: let all threads reach the "
          "barrier, and guard only the accesses.",
          from);
    return message(
        "Threads that return before the barrier store nothing: let all threads reach the barrier, and "
        "guard only the accesses.");
  }

  /// What a read of a cell saw.
  struct ReadValue {
    int32_t from = -1;     ///< who had written it
    bool earlier = false;  ///< it happened before what memory holds now
  };
  /// Not yet: nothing explains the value so far, or others come first.
  std::optional<ReadValue> seen_by(int t, const Event& e, const ArrayView& array, uint64_t seen,
                                   uint64_t result) {
    const uint64_t now = ReplayMemory::read(array, e.a);
    const auto place = [&] { return cell_name(s_.trace, s_.number, {e.array, int(e.a)}); };
    ReadValue out{memory_.writer(s_.its_block(t), array, e.a, s_.threads[size_t(t)].bytes)};
    Trail* trail = nullptr;
    if (s_.searching() && is_atomic(e.op) && !trails_.its_turn(t, now, seen, result, trail)) return {};
    if (now != seen) {
      bool explained = false;
      if (s_.searching()) {
        // an atomic taken out of its turn would be missing in the chain of the cell's values
        const bool in_turn = trail && !trail->given_up;
        if ((s_.lenience >= Lenience::past || orders(e.op)) &&
            (!is_atomic(e.op) || (result == seen && !in_turn)))
          if (const auto found = memory_.past(t, array, e.a, seen)) {
            out = {*found, true};
            explained = true;
          }
        if (!explained && !s_.anything_goes()) return {};
      }
      if (!explained) {
        out.from = -1;
        const std::string value = text_of(array.kind, seen);
        s_.fault(
            t, {.line = e.line,
                .message = s_.searching()
                               ? message("no order of the threads was found that explains what {} saw in {} "
                                         "in line {}: {}",
                                         s_.who(t), place(), e.line, value)
                               : message("the recorded order does not explain what {} saw in {} in line "
                                         "{}: {}",
                                         s_.who(t), place(), e.line, value),
                .cells = {{e.array, int(e.a)}}});
      }
    }
    if (trail) trail->pass(seen, result);
    if (array.shared && array.node[e.a] < 0 && !s_.threads[size_t(t)].library) {
      Finding* const kept =
          s_.fault(t, {.line = e.line,
                       .message = message("{} reads {} in line {}, but nothing has been stored there yet.",
                                          thread_message_at_start(*s_.launch, t), place(), e.line),
                       .kind = FindingKind::uninitialised_read,
                       .cells = {{e.array, int(e.a)}}});
      // The search for a cure goes through whole logs: not once for each turn of a loop.
      if (kept) kept->help = help_of_unset(t, e);
    }
    if (orders(e.op)) s_.flow.order_matters = s_.flow.finer_order[size_t(s_.number)] = true;
    if (e.op == Op::load_volatile || e.op == Op::load_relaxed) s_.flow.order_matters = true;
    return out;
  }

  bool access(int t, const Event& e, uint64_t bits, int32_t& id) {
    ReplayThread& me = s_.threads[size_t(t)];
    ReplayBlock& block = s_.its_block(t);
    if (!block.started) memory_.start(block);
    const ArrayView array = memory_.cells(block, e.array);
    if (e.a >= array.size) {
      s_.fault(t, {.line = e.line,
                   .message = message("{} reaches outside of an array in line {}", s_.who(t), e.line),
                   .kind = FindingKind::out_of_bounds});
      return true;
    }
    const int32_t operand = writes(e.op) ? s_.value(t, e.b) : -1;
    uint64_t result = bits & array.mask;
    if (is_atomic(e.op)) {
      const uint64_t with = operand >= 0 ? s_.flow.nodes[size_t(operand)].bits : 0;
      result = after_atomic(e.op, array.kind, result, with) & array.mask;
    }
    ReadValue seen;
    if (reads(e.op)) {
      const auto found = seen_by(t, e, array, bits & array.mask, result);
      if (!found) return false;
      seen = *found;
    }
    Node n = s_.node(t, e, bits);
    n.kind = uint8_t(array.kind);
    n.place = {e.array, int(e.a)};
    n.address = std::exchange(me.address, -1);
    n.bytes = std::exchange(me.bytes, whole_cell);
    if (reads(e.op)) n.a = seen.from;
    if (writes(e.op)) (reads(e.op) ? n.b : n.a) = operand;
    id = s_.add_access(t, n);
    if (const uint32_t count = std::exchange(me.vector_cells, 0))
      s_.flow.vectors.emplace_back(id, int(count));
    if (!writes(e.op)) return true;
    if (seen.earlier)
      block.odd = true;  // it changed nothing, and others have changed the cell since
    else
      memory_.write(block, array, e.a, result, id, n.bytes);
    return true;
  }

  bool other_than_access(int t, const Event& e, uint64_t bits, int32_t& id) {
    ReplayThread& me = s_.threads[size_t(t)];
    ReplayBlock& block = s_.its_block(t);
    switch (e.op) {
      case Op::sync:
      case Op::sync_grid:
        me.at_barrier = true;
        ++block.waiting;
        return true;
      case Op::phase: take_mark(me, e, block.library); return true;
      case Op::together:
        if (e.bits)
          me.bytes = uint8_t(e.bits);
        else
          me.vector_cells = e.a;
        return true;
      case Op::high: return true;
      case Op::fault:
        s_.fault(t, {.line = e.line,
                     .message = message("{} reaches outside of an array in line {}: index {} of {} cells",
                                        s_.who(t), e.line, int32_t(e.a), e.bits),
                     .kind = FindingKind::out_of_bounds});
        return true;
      case Op::sync_warp:
        s_.flow.finer_order[size_t(s_.number)] = true;
        if (s_.searching() && !lanes_.meet(t, e.a)) return false;
        id = s_.add(s_.node(t, e, e.a));
        return true;
      case Op::await_bulk_read:
      case Op::await_bulk:
      case Op::fence_async:
      case Op::copy_arrives: id = s_.add(s_.node(t, e, e.a)); return true;
      case Op::copy_async:
      case Op::fence:
        s_.flow.finer_order[size_t(s_.number)] = true;
        id = s_.add(s_.node(t, e, e.a));
        return true;
      case Op::commit: return true;
      case Op::shuffle: return lanes_.shuffle(t, e, bits, id);
      case Op::reduce: return lanes_.reduce(t, e, bits, id);
      default: break;
    }
    Node n = s_.node(t, e, bits);
    n.kind = uint8_t(kind_of(e));
    switch (e.op) {
      case Op::ballot:
      case Op::match: n.a = s_.value(t, e.b); break;
      case Op::address:
        n.a = s_.value(t, e.a);
        me.address = n.a;
        break;
      case Op::constant: break;
      default:
        n.a = s_.value(t, e.a);
        if (computes(e.op) && e.op != Op::convert) n.b = s_.value(t, e.b);
    }
    id = s_.add(n);
    if (computes(e.op)) block.intervals.back().work.push_back(id);
    return true;
  }

  // ---- one launch ----------------------------------------------------------------------------------------

  void follow_turns() {
    for (size_t turns = 0; const Turn& turn : s_.launch->turns) {
      if (++turns % 65536 == 0) throw_if_cancelled();
      if (turn.thread >= s_.threads.size()) continue;
      ReplayThread& me = s_.threads[turn.thread];
      const uint32_t end = std::min(turn.end, me.size);
      while (me.pos < end && !me.at_barrier && !s_.stopped) {
        step(int(turn.thread));
        if (me.at_barrier) barriers_.settle(int(turn.thread));
      }
      if (me.pos < end && !s_.stopped)
        s_.fault(int(turn.thread),
                 {.message = message("the recorded turns let {} pass a barrier", s_.who(int(turn.thread)))});
      if (!me.at_barrier) barriers_.settle(int(turn.thread));
    }
  }

  /// Every thread of the block goes as far as it can. The given lenience holds for one event of each.
  bool sweep(int b, Lenience lenience) {
    bool moved = false;
    for (int t = b * s_.launch->block; t < (b + 1) * s_.launch->block && !s_.stopped; ++t) {
      ReplayThread& me = s_.threads[size_t(t)];
      if (me.done) continue;
      if (s_.patience) --s_.patience;
      s_.lenience = s_.patience ? lenience : Lenience::any;
      while (!me.at_barrier && me.pos < me.size) {
        if (!step(t)) break;
        moved = true;
        s_.lenience = s_.patience ? Lenience::strict : Lenience::any;
      }
      barriers_.settle(t);
    }
    return moved;
  }
  void search() {
    trails_.begin_launch();
    std::vector<int> active;
    for (int b = 0; b < s_.launch->grid; ++b)
      if (!s_.blocks[size_t(b)].closed) active.push_back(b);
    s_.patience = 100'000'000 + 64 * s_.node_of.size();  // a second or so; then faults instead of an order
    Lenience lenience = Lenience::strict;
    while (!active.empty() && !s_.stopped) {
      bool moved = false;
      for (int b : active) {
        bool here = sweep(b, lenience);
        moved |= here;
        while (here && !s_.blocks[size_t(b)].closed && !s_.stopped) here = sweep(b, Lenience::strict);
      }
      std::erase_if(active, [&](int b) { return s_.blocks[size_t(b)].closed; });
      if (moved)
        lenience = Lenience::strict;
      else if (lenience == Lenience::any)
        break;
      else
        lenience = Lenience(int(lenience) + 1);
    }
    s_.lenience = Lenience::strict;
  }

  void prepare() {
    s_.launch = &s_.trace.launches[size_t(s_.number)];
    const Launch& l = *s_.launch;
    s_.blocks.clear();
    s_.blocks.resize(size_t(l.grid));
    s_.threads.assign(size_t(l.grid) * size_t(l.block), {});
    size_t events = 0;
    for (size_t t = 0; t < s_.threads.size(); ++t) {
      const auto log = l.blocks[t / size_t(l.block)].log(int(t % size_t(l.block)));
      s_.threads[t].log = log.data();
      s_.threads[t].size = uint32_t(log.size());
      s_.threads[t].base = uint32_t(events);
      events += log.size();
    }
    s_.node_of.assign(events, -1);
    s_.flow.finer_order.push_back(false);
    memory_.begin_launch();
    barriers_.begin_launch();
  }
  void one() {
    prepare();
    const Launch& l = *s_.launch;
    if (s_.searching())
      search();
    else
      follow_turns();
    // blocks that never began, and threads that ended without a turn of their own
    for (int t = 0; t < int(s_.threads.size()) && !s_.stopped; ++t) barriers_.settle(t);
    for (size_t t = 0; t < s_.threads.size(); ++t)
      if (s_.threads[t].pos < s_.threads[t].size) {
        s_.fault(int(t), {.message = message("the replay of launch {} stopped before {} had ended", l.name,
                                             s_.who(int(t)))});
        break;
      }
    barriers_.end_launch();
    for (ReplayBlock& block : s_.blocks)
      for (Interval& v : block.intervals) s_.flow.intervals.push_back(std::move(v));
    memory_.compare_global();
    auto& last = s_.flow.last.emplace_back(s_.trace.arrays.size());
    for (size_t a = 0; a < s_.trace.arrays.size() && a < l.after.size(); ++a) last[a] = memory_.writers_of(a);
  }
};

}  // namespace
}  // namespace replay

DataflowGraph replay_in_order(const Trace& trace) {
  DataflowGraph flow = replay::Replay(trace).run();
  flow.plus = operator_of(trace);
  return flow;
}

DataflowGraph replay_trace(const Trace& trace) {
  if (auto flow = replay_blocks(trace)) return std::move(*flow);
  return replay_in_order(trace);
}

std::string unnamed_phase(const Trace& trace, const Launch& l) {
  return trace.dialect == Dialect::cuda && !l.phases.empty() ? l.name : "load";
}

void index_global_writes(const Trace& trace, DataflowGraph& flow) {
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
    const CellRef p = flow.nodes[id].place;
    return size_t(all.first_cell[size_t(p.array)]) + size_t(p.index);
  };
  for (int id : flow.global_writes) ++all.first[cell_of(id) + 2];
  std::partial_sum(all.first.begin(), all.first.end(), all.first.begin());
  all.nodes.resize(flow.global_writes.size());
  for (int id : flow.global_writes) all.nodes[all.first[cell_of(id) + 1]++] = id;
  all.first.pop_back();
}

}  // namespace bscope
