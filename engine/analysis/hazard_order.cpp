#include "engine/analysis/hazard_order.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <span>

#include "engine/trace/fence_part.hpp"

namespace bscope {
namespace {

using Entries = std::vector<std::pair<int, int>>;

Entries latest(const Entries& a, const Entries& b) {
  Entries all;
  all.reserve(a.size() + b.size());
  for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (j == b.size() || (i < a.size() && a[i].first < b[j].first))
      all.push_back(a[i++]);
    else if (i == a.size() || b[j].first < a[i].first)
      all.push_back(b[j++]);
    else
      all.emplace_back(a[i].first, std::max(a[i].second, b[j].second)), ++i, ++j;
  }
  return all;
}
int look_up(const Entries& all, int key) {
  const auto it = std::lower_bound(all.begin(), all.end(), std::pair(key, INT32_MIN));
  return it != all.end() && it->first == key ? it->second : -1;
}

bool is_fence_of_its_own(const Event& e) { return e.op == Op::fence && e.b == uint32_t(FencePart::whole); }

}  // namespace

// ---- epochs ----------------------------------------------------------------------------------------------

Epochs::Epochs(const Trace& trace, const DataflowGraph& flow, int launch, int without_line)
    : block_(trace.launches[size_t(launch)].block) {
  bool of_grid = false;
  const int grid = trace.launches[size_t(launch)].grid;
  epoch_.resize(size_t(grid));
  era_.resize(size_t(grid));
  for (int b = 0; b < grid; ++b) {
    int epoch = 0, era = 0;
    for (const Interval& v : flow.of_block(launch, b)) {
      epoch_[size_t(b)].push_back(epoch);
      era_[size_t(b)].push_back(era);
      if (without_line && v.line == without_line) continue;
      ++epoch;
      era += v.of_grid;
      of_grid |= v.of_grid;
    }
  }
  if (!without_line) epoch_.clear();
  if (!of_grid) era_.clear();
}

// ---- the vector clocks of threads -------------------------------------------------------------------------

ThreadOrder::ThreadOrder(const Trace& trace, const DataflowGraph& flow, int launch, const Epochs& epochs)
    : flow_(flow), launch_(trace.launches[size_t(launch)]), number_(launch), epochs_(epochs) {
  for (const ArrayInfo& array : launch_.shared) shared_cells_ += array.size;
  threads_.resize(size_t(launch_.grid) * size_t(launch_.block));
  blocks_.resize(size_t(launch_.grid));
  look_ahead();
  if (fences_) find_flags();
}

/// Finds which threads will meet in their warps, and whether there are fences.
void ThreadOrder::look_ahead() {
  meetings_.resize(threads_.size());
  met_.assign(threads_.size(), 0);
  joined_.assign(threads_.size(), 0);
  const auto first = std::partition_point(flow_.nodes.begin(), flow_.nodes.end(),
                                          [&](const Node& n) { return n.launch < number_; });
  for (auto n = first; n != flow_.nodes.end() && n->launch == number_; ++n) {
    fences_ |= n->op == Op::fence;
    if (n->op == Op::sync_warp)
      meetings_[size_t(n->thread)].emplace_back(int(n - flow_.nodes.begin()), int(uint32_t(n->bits)));
  }
}

void ThreadOrder::touch(int id, const Node& n) {
  if (of_mbarrier(n.op)) return at_mbarrier(id, n);
  const bool strong =
      is_atomic(n.op) || is_relaxed(n.op) || n.op == Op::publish || n.op == Op::observe || is_flag(n);
  ReleaseClock release;
  if (n.op == Op::acquire || n.op == Op::wait || (strong && reads(n.op))) release = acquire_from_writer(n);
  if (n.op == Op::release)
    release_clocks_[id] = {clock_of(n, id), nullptr, nullptr, block_of(n.thread)};
  else if (strong && writes(n.op))
    publish(id, n, release);
  ThreadClocks& t = threads_[size_t(n.thread)];
  if (!strong || n.line != t.releasing_line) t.releasing_line = 0;
}

void ThreadOrder::meet(int id, const Node& n) {
  switch (n.op) {
    case Op::sync_warp: return sync_warp(id, n);
    case Op::fence: return fence(id, n);
    case Op::copy_async: return ask_for_copy(id, n);
    case Op::copy_arrives: return take_arrival(n);
    default: return wait_for_bulk(id, n);
  }
}

bool ThreadOrder::before(const Happened& x, const Node& now) const {
  const AskedCopy* const copy = copy_of(now);
  const SharedClock &own = copy ? copy->own : threads_[size_t(now.thread)].clock,
                    &all = copy ? copy->of_block : blocks_[size_t(block_of(now.thread))].clock;
  if (x.agent >= 0) {
    const auto complete = [&](const SharedClock& k) { return k && look_up(k->threads, x.agent) >= x.node; };
    return complete(own) || complete(all);
  }
  const int block = block_of(x.thread);
  if (block == block_of(now.thread) && x.epoch < (copy ? copy->epoch : epochs_.epoch(now))) return true;
  const auto knows = [&](const SharedClock& k) {
    return k && (look_up(k->blocks, block) > x.epoch || look_up(k->threads, x.thread) >= x.node);
  };
  return knows(own) || knows(all);
}

SharedClock ThreadOrder::join(const SharedClock& a, const SharedClock& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  steps_ += a->blocks.size() + a->threads.size() + b->blocks.size() + b->threads.size();
  return std::make_shared<VectorClock>(
      VectorClock{latest(a->blocks, b->blocks), latest(a->threads, b->threads)});
}

void ThreadOrder::begin(const Node& n) {
  const int number = block_of(n.thread), epoch = epochs_.epoch(n);
  BlockClocks& b = blocks_[size_t(number)];
  if (b.epoch == epoch) return;
  b.epoch = epoch;
  b.clock = join(b.clock, std::exchange(b.acquired, nullptr));
  b.fenced = join(b.fenced, std::exchange(b.fencing, nullptr));
  b.fenced_in_block = join(b.fenced_in_block, std::exchange(b.fencing_in_block, nullptr));
  const auto first = threads_.begin() + ptrdiff_t(number) * launch_.block;
  for (auto t = first; t != first + launch_.block; ++t) {
    t->clock = nullptr;
    end_arrival(b, *t);
  }
}

/// The thread's clock now, its own accesses included.
SharedClock ThreadOrder::clock_of(const Node& n, int id) {
  const int block = block_of(n.thread);
  const auto self = std::make_shared<VectorClock>(VectorClock{{{block, epochs_.epoch(n)}}, {{n.thread, id}}});
  return join(join(threads_[size_t(n.thread)].clock, blocks_[size_t(block)].clock), self);
}

void ThreadOrder::acquire(const Node& n, const SharedClock& clock) {
  SharedClock& own = threads_[size_t(n.thread)].clock;
  own = join(own, clock);
  SharedClock& acquired = blocks_[size_t(block_of(n.thread))].acquired;
  acquired = join(acquired, clock);
}

// ---- flags, fences and atomics ---------------------------------------------------------------------------
// A release publishes its thread's clock. An acquire or a wait that reads it joins that clock, and an atomic
// in between passes it on. A fence does the same for the relaxed accesses around it: the thread's next
// atomics and flags publish the clock that it had at the fence, and its next fence joins the clocks that they
// read. An atomic that reads what a fence stands before joins its clock at once (docs/hazards.md says why).
// A fence that is a part of a release or an acquire does so for that access alone, and a release's clock
// includes the write itself.

ThreadOrder::ReleaseClock ThreadOrder::acquire_from_writer(const Node& n) {
  const auto it = release_clocks_.find(n.a);
  if (it == release_clocks_.end()) return {};
  ReleaseClock release = it->second;
  const int block = block_of(n.thread);
  if (release.block != block) release.in_block = nullptr;
  const SharedClock fenced = join(release.fenced, release.in_block);
  if (n.op == Op::acquire || n.op == Op::wait) {
    acquire(n, join(release.released, fenced));
    return {};
  }
  if (is_atomic(n.op) && fenced) acquire(n, fenced);
  if (!fences_) return release;
  ThreadClocks& t = threads_[size_t(n.thread)];
  const bool in_block = release.block == block;
  const SharedClock learnt = join(release.released, fenced);
  SharedClock& seen = in_block ? t.seen_in_block : t.seen;
  seen = join(seen, learnt);
  if (t.latest.line != n.line) t.latest = {int(n.line), nullptr, nullptr};
  SharedClock& latest = in_block ? t.latest.in_block : t.latest.clock;
  latest = join(latest, learnt);
  return release;
}

void ThreadOrder::publish(int id, const Node& n, ReleaseClock release) {
  if (!is_atomic(n.op)) release = {};
  release.block = block_of(n.thread);
  if (fences_) {
    const ThreadClocks& t = threads_[size_t(n.thread)];
    const BlockClocks& b = blocks_[size_t(release.block)];
    release.fenced = join(release.fenced, join(t.fenced, b.fenced));
    release.in_block = join(release.in_block, join(t.in_block, b.fenced_in_block));
    if (t.releasing_line == n.line) {
      SharedClock& released = t.releases_in_block ? release.in_block : release.fenced;
      released = join(released, clock_of(n, id));
    }
  }
  if (release.released || release.fenced || release.in_block) release_clocks_[id] = std::move(release);
}

void ThreadOrder::fence(int id, const Node& n) {
  ThreadClocks& t = threads_[size_t(n.thread)];
  BlockClocks& b = blocks_[size_t(block_of(n.thread))];
  const bool in_block = n.bits == uint64_t(Scope::block);
  const std::span<const Event> log = launch_.blocks[size_t(block_of(n.thread))].log(n.thread % launch_.block);
  switch (FencePart(log[size_t(n.event)].b)) {
    case FencePart::whole: break;
    case FencePart::acquire: return acquire_latest(n, in_block);
    case FencePart::release:
      t.releasing_line = n.line;
      t.releases_in_block = in_block;
      return;
  }
  if (const SharedClock seen = std::exchange(t.seen_in_block, nullptr)) acquire(n, seen);
  if (in_block) {
    t.in_block = clock_of(n, id);
    b.fencing_in_block = join(b.fencing_in_block, t.in_block);
    return;
  }
  if (const SharedClock seen = std::exchange(t.seen, nullptr)) acquire(n, seen);
  t.fenced = clock_of(n, id);
  b.fencing = join(b.fencing, t.fenced);
}

void ThreadOrder::acquire_latest(const Node& n, bool in_block) {
  const LatestReads latest = std::exchange(threads_[size_t(n.thread)].latest, {});
  if (latest.line != n.line) return;
  if (latest.in_block) acquire(n, latest.in_block);
  if (latest.clock && !in_block) acquire(n, latest.clock);
}

bool ThreadOrder::is_flag(const Node& n) const {
  if (!fences_ || (n.op != Op::load_volatile && n.op != Op::store_volatile)) return false;
  const BlockRun& run = launch_.blocks[size_t(block_of(n.thread))];
  const std::vector<bool>& of_block = flags_[size_t(block_of(n.thread))];
  const size_t event = run.first[size_t(n.thread % launch_.block)] + size_t(n.event);
  return event < of_block.size() && of_block[event];
}

void ThreadOrder::find_flags() {
  flags_.resize(size_t(launch_.grid));
  for (int b = 0; b < launch_.grid; ++b) {
    const BlockRun& run = launch_.blocks[size_t(b)];
    if (std::none_of(run.events.begin(), run.events.end(),
                     [](const Event& e) { return e.op == Op::load_volatile || e.op == Op::store_volatile; }))
      continue;
    flags_[size_t(b)].resize(run.events.size());
    for (int t = 0; t < launch_.block; ++t) mark_flags(run, t, flags_[size_t(b)]);
  }
}

/// A volatile store whose thread has touched nothing since a fence; a volatile load whose thread touches
/// nothing before its next one, but the same cell again and again.
void ThreadOrder::mark_flags(const BlockRun& run, int thread, std::vector<bool>& flags) {
  const std::span<const Event> log = run.log(thread);
  const size_t first = run.first[size_t(thread)];
  bool fenced = false;
  for (size_t k = 0; k < log.size(); ++k) {
    if (is_fence_of_its_own(log[k])) fenced = true;
    if (!touches(log[k].op)) continue;
    if (fenced && log[k].op == Op::store_volatile) flags[first + k] = true;
    fenced = false;
  }
  const Event* flag = nullptr;  // the one that comes next, if nothing but it does before the fence
  bool before_fence = false;
  for (size_t k = log.size(); k-- > 0;) {
    const Event& e = log[k];
    const bool fence = is_fence_of_its_own(e);
    if (fence || is_barrier(e.op)) {
      before_fence = fence;
      flag = nullptr;
    }
    if (!touches(e.op)) continue;
    const bool again = flag && flag->array == e.array && flag->a == e.a;
    const bool counts = e.op == Op::load_volatile && (before_fence || again);
    if (counts) flags[first + k] = true;
    flag = counts ? &e : nullptr;
    before_fence = false;
  }
}

// ---- warps that meet -------------------------------------------------------------------------------------

/// The first lane that leaves a sync_warp joins the clocks of all lanes of the mask: they are all there.
void ThreadOrder::sync_warp(int id, const Node& n) {
  const uint32_t mask = uint32_t(n.bits);
  if (met_[size_t(n.thread)]++ < joined_[size_t(n.thread)]) return;
  const int first = n.thread - n.thread % launch_.block % warp_size;
  const int end = std::min(first + warp_size, (block_of(n.thread) + 1) * launch_.block);
  std::vector<int> there;
  for (uint32_t m = mask; m; m &= m - 1) {
    const int peer = first + std::countr_zero(m);
    if (peer >= end) continue;
    const auto& of = meetings_[size_t(peer)];
    const uint32_t joined = joined_[size_t(peer)];
    if (joined < of.size() && uint32_t(of[joined].second) == mask) there.push_back(peer);
  }
  VectorClock now;
  for (int peer : there) now.threads.emplace_back(peer, id);
  SharedClock all = std::make_shared<VectorClock>(std::move(now));
  for (int peer : there) all = join(all, threads_[size_t(peer)].clock);
  for (int peer : there) {
    threads_[size_t(peer)].clock = all;
    ++joined_[size_t(peer)];
  }
}

// ---- the copy engine: each mbarrier, and each thread's groups, show how far it has come -----------------

int ThreadOrder::agent_of(const Node& n) const {
  if (!is_bulk(n.op)) return -1;
  const uint32_t mbarrier = mbarrier_of(launch_, n);
  if (!mbarrier) return launch_.grid * launch_.block + 2 * n.thread + (n.op == Op::bulk_write);
  return agent_of_mbarrier(block_of(n.thread), int(mbarrier >> 24), int(mbarrier & 0xffffff) - 1);
}

uint32_t mbarrier_of(const Launch& l, const Node& copy) {
  return l.blocks[size_t(copy.thread / l.block)].log(copy.thread % l.block)[size_t(copy.event) - 1].b;
}

int ThreadOrder::agent_of_mbarrier(int block, int array, int index) const {
  return 3 * launch_.grid * launch_.block + block * shared_cells_ + first_cell(launch_, array) + index;
}

int ThreadOrder::unseen_by_engine(const Node& n) const {
  if (n.op != Op::bulk_read || !n.place.shared() || n.a < 0) return -1;
  const Node& writer = flow_.nodes[size_t(n.a)];
  if (is_bulk(writer.op)) return -1;
  const auto it = fence_async_.find(writer.thread);
  return it == fence_async_.end() || it->second < n.a ? n.a : -1;
}

/// Arrivals and the ends of copies join their thread's clock to the mbarrier's, and the end of the copies
/// that it was given; a thread that awaits the mbarrier acquires that clock.
void ThreadOrder::at_mbarrier(int id, const Node& n) {
  const int block = block_of(n.thread), agent = agent_of_mbarrier(block, n.place.array, n.place.index);
  if (n.op == Op::await) return acquire(n, mbarrier_clocks_[agent]);
  VectorClock now{{{block, epochs_.epoch(n)}}, {{n.thread, id}}};
  if (n.op == Op::complete) now.threads.emplace_back(agent, id);
  SharedClock& clock = mbarrier_clocks_[agent];
  clock = join(join(clock, std::make_shared<VectorClock>(std::move(now))),
               join(threads_[size_t(n.thread)].clock, blocks_[size_t(block)].clock));
}

void ThreadOrder::wait_for_bulk(int id, const Node& n) {
  if (n.op == Op::fence_async) {
    fence_async_[n.thread] = id;
    return;
  }
  std::vector<int>& groups = groups_[n.thread];
  if (n.op == Op::commit) {
    groups.push_back(id);
    return;
  }
  if (groups.size() <= n.bits) return;
  const int done = groups[groups.size() - 1 - n.bits];
  const int agent = launch_.grid * launch_.block + 2 * n.thread;
  VectorClock now{{}, {{agent, done}}};
  if (n.op == Op::await_bulk) now.threads.emplace_back(agent + 1, done);
  acquire(n, std::make_shared<VectorClock>(std::move(now)));
}

// ---- copies by cp.async ----------------------------------------------------------------------------------
// A copy writes its cells at any time between where its thread asks for it and where the thread waits for it.
// The trace has them at the wait: what orders them before others is the thread's clock there, and what is
// ordered before them has to be known where the copy was asked for.

void ThreadOrder::ask_for_copy(int id, const Node& n) {
  BlockClocks& b = blocks_[size_t(block_of(n.thread))];
  ThreadClocks& t = threads_[size_t(n.thread)];
  const int epoch = epochs_.epoch(n);
  t.copies.push_back({id, epoch, t.clock, b.clock});
  ++b.copies[epoch];
}

void ThreadOrder::take_arrival(const Node& n) {
  ThreadClocks& t = threads_[size_t(n.thread)];
  end_arrival(blocks_[size_t(block_of(n.thread))], t);
  if (t.copies.empty()) return;
  t.arriving = std::move(t.copies.front());
  t.copies.pop_front();
}

void ThreadOrder::end_arrival(BlockClocks& b, ThreadClocks& t) {
  if (!t.arriving) return;
  const auto asked = b.copies.find(t.arriving->epoch);
  if (--asked->second == 0) b.copies.erase(asked);
  t.arriving.reset();
}

const ThreadOrder::AskedCopy* ThreadOrder::copy_of(const Node& n) const {
  const auto& arriving = threads_[size_t(n.thread)].arriving;
  return n.op == Op::store_async && arriving ? &*arriving : nullptr;
}

bool ThreadOrder::in_program_order(const Happened& x, const Node& now) const {
  if (x.thread != now.thread || x.agent >= 0) return false;
  const AskedCopy* const copy = copy_of(now);
  return !copy || x.node < copy->node || flow_.nodes[size_t(x.node)].op == Op::store_async;
}

int ThreadOrder::epoch_of_pending_copies(int block) const {
  const auto& copies = blocks_[size_t(block)].copies;
  return copies.empty() ? INT_MAX : copies.begin()->first;
}

}  // namespace bscope
