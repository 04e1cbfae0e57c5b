#include "engine/analysis/race_causes.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/analysis/hazard_order.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

using namespace touching;

bool is_volatile(const Node& n) { return n.op == Op::load_volatile || n.op == Op::store_volatile; }

}  // namespace

RaceCauses::RaceCauses(const Trace& trace, const DataflowGraph& flow, int launch, int without_line)
    : trace_(trace),
      flow_(flow),
      launch_(trace.launches[size_t(launch)]),
      number_(launch),
      without_line_(without_line) {}

void RaceCauses::add(Cause& c, const Race& r) const {
  constexpr size_t most_looked_at = 1024;  // a log is gone through for each
  const bool one_block = block_of(r.a) == block_of(r.b);
  c.first_block = std::min(c.first_block, block_of(r.b));
  c.last_block = std::max(c.last_block, block_of(r.b));
  widen(c, r.a.thread, r.b.thread);
  const bool both_write = (r.a_how & write) && (r.b_how & write);
  c.both_write = c.both_write || both_write;
  c.same_value = c.same_value && is_store(r.a.op) && is_store(r.b.op) && r.a.bits == r.b.bits;
  c.updates = c.updates && updates(r.a, r.a_how) && updates(r.b, r.b_how);
  if (++c.races > most_looked_at || is_bulk(r.a.op) || is_bulk(r.b.op)) return;
  if ((r.a_how | r.b_how) & strong) {
    const Node& plain = r.a_how & strong ? r.b : r.a;
    c.atomic_line = c.after_own_atomic ? own_atomic_before(plain) : 0;
    c.after_own_atomic = c.atomic_line != 0;
  }
  const bool plain_polls = (!(r.a_how & strong) && polls(r.a)) || (!(r.b_how & strong) && polls(r.b));
  c.polls = c.polls && plain_polls;
  c.in_place = c.in_place && !both_write && works_in_place(r.a) && works_in_place(r.b);
  if (!one_block) return;
  if (r.a.line != r.b.line) {
    const BarrierPlace p = place(r.a, r.b);
    if (std::ranges::find(c.places, p) == c.places.end()) c.places.push_back(p);
  } else if (!both_write) {
    const bool same = round(r.a) == round(r.b);
    (same ? c.same_round : c.other_round) = true;
  }
}

const Event* asked_copy(std::span<const Event> log, size_t at) {
  auto arrivals = std::count_if(log.begin(), log.begin() + std::ptrdiff_t(at),
                                [](const Event& e) { return e.op == Op::copy_arrives; });
  const auto asked =
      std::ranges::find_if(log, [&](const Event& e) { return e.op == Op::copy_async && --arrivals == 0; });
  return asked == log.end() ? nullptr : &*asked;
}

void RaceCauses::widen(Cause& c, int thread, int other) const {
  const int size = launch_.block;
  c.one_block = c.one_block && thread / size == other / size;
  c.one_warp = c.one_warp && c.one_block && thread % size / warp_size == other % size / warp_size;
}

Cure RaceCauses::cure(const Race& r, const Cause& c) const {
  if (is_bulk(r.a.op) || is_bulk(r.b.op)) return cure_of_bulk_copy(r);
  if (const Event* const asked = late_copy(r))
    return {.kind = has_barrier(*asked) ? CureKind::await_barrier_of_copy : CureKind::await_copy,
            .line = r.a.line};
  if (cells_overlap(r)) return {.kind = CureKind::apart, .line = r.a.line, .other_line = r.b.line};
  if (const int line = c.both_write ? common_atomic_before(r.a, r.b) : 0)
    return {.kind = CureKind::one_atomic, .line = r.b.line, .other_line = line};
  if (reads_other_cell(r, c)) {
    Cure cure = barrier(CureKind::read_then_write, r, c);
    cure.line = r.a.line;
    cure.outside_if = is_guarded(r.a);
    cure.every_round = c.other_round;
    return cure;
  }
  if ((r.a_how | r.b_how) & strong) return cure_beside_atomic(r, c);
  if (!c.one_block) return cure_between_blocks(r, c);
  Cure cure;
  if (c.updates) {
    cure.kind = CureKind::atomic;
  } else if (r.a.line != r.b.line) {
    cure = barrier(CureKind::barrier, r, c);
  } else if (c.both_write) {
    cure.kind = CureKind::own_cells;
  } else if (c.other_round && !c.same_round) {
    cure = barrier(CureKind::barrier_in_loop, r, c);
    cure.line = r.a.line;
  } else {
    cure.scope = scope(r, c);
  }
  cure.is_volatile = is_volatile(r.a) || is_volatile(r.b);
  return cure;
}

/// Whether each thread writes a cell of its own and reads another's in the same line, as a scan does in
/// place.
bool RaceCauses::reads_other_cell(const Race& r, const Cause& c) const {
  return c.one_block && !c.both_write && !c.updates && r.a.line == r.b.line && c.same_round &&
         !is_volatile(r.a) && !is_volatile(r.b);
}

Cure RaceCauses::barrier(CureKind kind, const Race& r, const Cause& c) const {
  Cure cure{.kind = kind, .places = c.places, .scope = scope(r, c)};
  std::ranges::stable_sort(cure.places, {}, &BarrierPlace::next_round);
  return cure;
}

bool RaceCauses::is_guarded(const Node& n) const {
  const std::string line = source_line(trace_, number_, n.line);  // without its indentation
  return line.starts_with("if (") || line.starts_with("if(");
}

/// The warp's barrier is enough where no race leaves a warp. It is the only one in a branch that some threads
/// alone take, as a line that is not guarded itself: there a block's barrier would wait for ever.
Cure::SyncScope RaceCauses::scope(const Race& r, const Cause& c) const {
  if (!c.one_warp) return Cure::SyncScope::block;
  const std::vector<bool> first = who_runs(block_of(r.a), r.a.line),
                          second = who_runs(block_of(r.b), r.b.line);
  const auto all = [](const std::vector<bool>& threads) {
    return std::find(threads.begin(), threads.end(), false) == threads.end();
  };
  const auto within = [](const std::vector<bool>& few, const std::vector<bool>& many) {
    for (size_t t = 0; t < few.size(); ++t)
      if (few[t] && !many[t]) return false;
    return true;
  };
  const bool in_a_branch = !all(first) && !all(second) && (within(first, second) || within(second, first)) &&
                           !is_guarded(r.a) && !is_guarded(r.b);
  if (in_a_branch) return Cure::SyncScope::warp;
  return c.shares_barrier ? Cure::SyncScope::block : Cure::SyncScope::warp_or_block;
}

Cure RaceCauses::cure_beside_atomic(const Race& r, const Cause& c) const {
  const Node &plain = r.a_how & strong ? r.b : r.a, &atomic = r.a_how & strong ? r.a : r.b;
  const int line = plain.line;
  if (c.after_own_atomic)
    return {.kind = CureKind::use_atomics_value, .line = line, .other_line = c.atomic_line};
  if (c.updates || c.polls) return {.kind = CureKind::atomic_access, .line = line};
  if (!writes(plain.op) && plain.line < atomic.line && in_a_branch(atomic))
    return {.kind = CureKind::atomic_or_other_array, .line = line, .other_line = atomic.line};
  if (!c.one_block) return {.kind = CureKind::own_launch, .line = line, .between_blocks = true};
  return r.a.line != r.b.line ? barrier(CureKind::barrier, r, c) : Cure{};
}

Cure RaceCauses::cure_between_blocks(const Race& r, const Cause& c) const {
  const bool cuda = trace_.dialect == Dialect::cuda;
  Cure cure{.between_blocks = true};
  const auto with = [&](CureKind kind, int line = 0, int other_line = 0) {
    cure.kind = kind;
    cure.line = line;
    cure.other_line = other_line;
    return cure;
  };
  if (cuda && (r.a_how & write) && !(r.b_how & write)) {
    if (const int line = line_that_tells(r.a, r.b)) return with(CureKind::fence, r.a.line, line);
    if (const int line = line_of_ticket(r.a, r.b)) return with(CureKind::block_then_ticket, r.a.line, line);
    if (is_volatile(r.a) && is_volatile(r.b)) return with(CureKind::volatile_fences, r.a.line, r.b.line);
  }
  if (c.polls && cuda) {
    const Node &set = r.a_how & write ? r.a : r.b, &seen = r.a_how & write ? r.b : r.a;
    return with(CureKind::atomics_and_fences, set.line, seen.line);
  }
  if (c.updates) return with(CureKind::atomic);
  if (c.both_write) return with(CureKind::own_cells);
  return with(cuda && c.in_place ? CureKind::second_array : CureKind::flag);
}

Cure RaceCauses::cure_of_bulk_copy(const Race& r) const {
  if (!is_bulk(r.a.op)) return {.kind = CureKind::fence_async};
  if (mbarrier_of(launch_, r.a)) return {.kind = CureKind::await_mbarrier};
  return {.kind = r.a_how & write ? CureKind::await_bulk : CureKind::await_bulk_read};
}

/// The copy that b writes for, if it was asked for before a barrier behind which a reads.
const Event* RaceCauses::late_copy(const Race& r) const {
  if (r.b.op != Op::store_async || writes(r.a.op)) return nullptr;
  const std::span<const Event> log = log_of(r.b), reader = log_of(r.a);
  const Event* const asked = asked_copy(log, size_t(r.b.event));
  if (!asked) return nullptr;
  const auto barriers = [&](const Event* begin, const Event* end) {
    return std::count_if(begin, end, [&](const Event& e) { return counts(e); });
  };
  return barriers(log.data(), asked) < barriers(reader.data(), reader.data() + r.a.event) ? asked : nullptr;
}

/// Whether a's thread has published its write without a fence in between: the line of the atomic or volatile
/// store that b's block looks at; 0: none.
int RaceCauses::line_that_tells(const Node& a, const Node& b) const {
  const std::span<const Event> log = log_of(a);
  const auto tells = [](const Event& e) {
    return (is_atomic(e.op) && writes(e.op)) || e.op == Op::store_volatile || e.op == Op::store_relaxed;
  };
  const auto told = std::find_if(log.begin() + a.event + 1, log.end(),
                                 [&](const Event& e) { return tells(e) || e.op == Op::fence; });
  if (told == log.end() || told->op == Op::fence || told->array >= first_shared) return 0;
  const std::vector<Event>& there = launch_.blocks[size_t(block_of(b))].events;
  const bool heard = std::any_of(there.begin(), there.end(), [&](const Event& e) {
    return (is_atomic(e.op) || e.op == Op::load_volatile || e.op == Op::load_relaxed) &&
           e.array == told->array && e.a == told->a;
  });
  return heard ? told->line : 0;
}

std::span<const Event> RaceCauses::log_of(const Node& n) const {
  return launch_.blocks[size_t(block_of(n))].log(n.thread % launch_.block);
}

/// A barrier that is not taken out.
bool RaceCauses::counts(const Event& e) const { return is_barrier(e.op) && e.line != without_line_; }

/// Whether the thread of n runs that line again before its next barrier.
bool RaceCauses::comes_again(const Node& n, int line) const {
  for (const Event& e : log_of(n).subspan(size_t(n.event) + 1)) {
    if (counts(e)) return false;
    if (e.line == line) return true;
  }
  return false;
}

/// How often the thread of n has written in n's line since the barrier before n: the round of a loop.
int RaceCauses::round(const Node& n) const {
  const std::span<const Event> log = log_of(n);
  int times = 0;
  for (size_t k = size_t(n.event); k-- > 0 && !counts(log[k]);)
    times += log[k].line == n.line && writes(log[k].op);
  return times;
}

BarrierPlace RaceCauses::place(const Node& a, const Node& b) const {
  const auto intervals = flow_.of_block(number_, block_of(b));
  int opened_by = 0;
  for (int k = b.interval - 1; k >= 0 && !opened_by; --k)
    if (intervals[size_t(k)].line != without_line_) opened_by = intervals[size_t(k)].line;
  auto order = [&](int line) { return line > opened_by ? line : line + (1 << 16); };
  if (order(a.line) <= order(b.line)) return {a.line, b.line, a.line > b.line};
  if (comes_again(a, b.line)) return {a.line, b.line, true};
  return {b.line, a.line, false};
}

/// Whether the access is part of an update: its thread stores in the cell what it has computed from that
/// cell, and from no other of the array. An atomic can do that at once.
bool RaceCauses::updates(const Node& n, uint8_t how) const {
  if (how & strong) return true;
  const std::span<const Event> log = log_of(n);
  const auto same = [&](const Event& e) {
    return int(e.array) == n.place.array && int(e.a) == n.place.index;
  };
  size_t store = size_t(n.event);
  if (!(how & write))
    while (++store < log.size() && !(writes(log[store].op) && same(log[store])))
      if (counts(log[store])) return false;
  if (store >= log.size()) return false;
  if (is_atomic(log[store].op)) return true;
  constexpr size_t most_sources = 64;
  bool own = false;
  std::vector<uint32_t> sources{log[store].b};
  for (size_t k = 0; k < sources.size(); ++k) {
    if (!sources[k] || sources[k] > log.size()) continue;
    const Event& e = log[sources[k] - 1];
    if (computes(e.op)) {
      sources.insert(sources.end(), {e.a, e.b});
    } else if (reads(e.op) && int(e.array) == n.place.array) {
      if (!same(e)) return false;
      own = true;
    }
    if (sources.size() > most_sources) return false;
  }
  return own;
}

/// Whether its thread reads the cell again in the same line, before anything else in memory.
bool RaceCauses::polls(const Node& n) const {
  if (writes(n.op)) return false;
  const std::span<const Event> log = log_of(n);
  const auto again = [&](const Event& e) {
    return e.line == n.line && e.op == n.op && int(e.array) == n.place.array && int(e.a) == n.place.index;
  };
  const auto memory = [](const Event& e) { return touches(e.op); };
  const auto next = std::find_if(log.begin() + n.event + 1, log.end(), memory);
  if (next != log.end() && again(*next)) return true;
  const auto before = std::find_if(std::make_reverse_iterator(log.begin() + n.event), log.rend(), memory);
  return before != log.rend() && again(*before);
}

/// The line of an atomic with which its thread has changed the cell since the latest barrier; 0: none.
int RaceCauses::own_atomic_before(const Node& n) const {
  if (writes(n.op)) return 0;
  const std::span<const Event> log = log_of(n);
  for (size_t k = size_t(n.event); k-- > 0 && !counts(log[k]);)
    if (is_atomic(log[k].op) && writes(log[k].op) && int(log[k].array) == n.place.array &&
        int(log[k].a) == n.place.index) {
      // an index from the data and one that is not meet in a cell by chance
      const bool from_data = k > 0 && log[k - 1].op == Op::address;
      return from_data == (n.address >= 0) ? log[k].line : 0;
    }
  return 0;
}

/// Whether its thread reads cells of the same global array and writes another one of it.
bool RaceCauses::works_in_place(const Node& n) const {
  if (n.place.shared()) return false;
  const auto touches_other = [&](auto kind) {
    return std::ranges::any_of(log_of(n), [&](const Event& e) {
      return kind(e.op) && int(e.array) == n.place.array && int(e.a) != n.place.index;
    });
  };
  return writes(n.op) ? touches_other(reads) : touches_other(writes);
}

/// Whether another thread of a's block tells b's block by an atomic that the block's part is done, though no
/// barrier lets it wait for a's write: the line of that atomic; 0: no.
int RaceCauses::line_of_ticket(const Node& a, const Node& b) const {
  const BlockRun &here = launch_.blocks[size_t(block_of(a))], &there = launch_.blocks[size_t(block_of(b))];
  for (int t = 0; t < launch_.block; ++t) {
    int barriers = 0;
    for (const Event& e : here.log(t)) {
      if (counts(e) && ++barriers > a.interval) break;
      const bool tells = is_atomic(e.op) && writes(e.op) && e.array < first_shared;
      if (!tells || barriers < a.interval || e.line <= a.line || t == a.thread % launch_.block) continue;
      if (std::ranges::any_of(there.events, [&](const Event& o) {
            return is_atomic(o.op) && o.array == e.array && o.a == e.a;
          }))
        return e.line;
    }
  }
  return 0;
}

/// Whether both threads have changed one other cell by an atomic before they write this one: its line; 0: no.
int RaceCauses::common_atomic_before(const Node& a, const Node& b) const {
  if (!writes(a.op) || !writes(b.op) || is_atomic(a.op) || is_atomic(b.op)) return 0;
  if (a.address >= 0 || b.address >= 0) return 0;  // the atomic may have given the place
  const auto latest = [&](const Node& n) -> const Event* {
    const std::span<const Event> log = log_of(n);
    for (size_t k = size_t(n.event); k-- > 0;)
      if (is_atomic(log[k].op) && writes(log[k].op)) return &log[k];
    return nullptr;
  };
  const Event *x = latest(a), *y = latest(b);
  return x && y && x->array == y->array && x->a == y->a && int(x->array) != a.place.array ? x->line : 0;
}

/// Whether some threads of its block do not reach its line.
bool RaceCauses::in_a_branch(const Node& n) const {
  return std::ranges::count(who_runs(block_of(n), n.line), false) > 0;
}

/// Whether two lines write shared memory in cells of different sizes.
bool RaceCauses::cells_overlap(const Race& r) const {
  const auto plain_write = [](const Node& n) { return writes(n.op) && !is_atomic(n.op); };
  return r.b.place.shared() && r.a.line != r.b.line && plain_write(r.a) && plain_write(r.b) &&
         (r.a.bytes == whole_cell) != (r.b.bytes == whole_cell);
}

/// The threads of the block that reach that line.
std::vector<bool> RaceCauses::who_runs(int block, int line) const {
  std::vector<bool> threads(size_t(launch_.block));
  for (int t = 0; t < launch_.block; ++t)
    threads[size_t(t)] = std::ranges::any_of(launch_.blocks[size_t(block)].log(t),
                                             [&](const Event& e) { return int(e.line) == line; });
  return threads;
}

}  // namespace bscope
