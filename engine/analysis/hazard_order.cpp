#include "engine/analysis/hazard_order.hpp"

#include <algorithm>
#include <bit>
#include <span>

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

// ---- what threads know of each other ---------------------------------------------------------------------

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
  const bool strong = is_atomic(n.op) || n.op == Op::publish || n.op == Op::observe || is_flag(n);
  Told told;
  if (n.op == Op::acquire || n.op == Op::wait || (strong && reads(n.op))) told = acquire(n);
  if (n.op == Op::release)
    told_[id] = {all_known(n, id), nullptr, nullptr, block_of(n.thread)};
  else if (strong && writes(n.op))
    tell(id, n, told);
}

void ThreadOrder::meet(int id, const Node& n) {
  switch (n.op) {
    case Op::sync_warp: return sync_warp(id, n);
    case Op::fence: return fence(id, n);
    default: return wait_for_bulk(id, n);
  }
}

bool ThreadOrder::before(const Happened& x, const Node& now) const {
  const Known &own = threads_[size_t(now.thread)].known, &all = blocks_[size_t(block_of(now.thread))].known;
  if (x.agent >= 0) {
    const auto complete = [&](const Known& k) { return k && look_up(k->threads, x.agent) >= x.node; };
    return complete(own) || complete(all);
  }
  const int block = block_of(x.thread);
  if (block == block_of(now.thread) && x.epoch < epochs_.epoch(now)) return true;
  const auto knows = [&](const Known& k) {
    return k && (look_up(k->blocks, block) > x.epoch || look_up(k->threads, x.thread) >= x.node);
  };
  return knows(own) || knows(all);
}

Known ThreadOrder::join(const Known& a, const Known& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  steps_ += a->blocks.size() + a->threads.size() + b->blocks.size() + b->threads.size();
  return std::make_shared<Clock>(Clock{latest(a->blocks, b->blocks), latest(a->threads, b->threads)});
}

void ThreadOrder::begin(const Node& n) {
  const int number = block_of(n.thread), epoch = epochs_.epoch(n);
  OfBlock& b = blocks_[size_t(number)];
  if (b.epoch == epoch) return;
  b.epoch = epoch;
  b.known = join(b.known, std::exchange(b.learned, nullptr));
  b.fenced = join(b.fenced, std::exchange(b.fencing, nullptr));
  b.fenced_in_block = join(b.fenced_in_block, std::exchange(b.fencing_in_block, nullptr));
  const auto first = threads_.begin() + ptrdiff_t(number) * launch_.block;
  for (auto t = first; t != first + launch_.block; ++t) t->known = nullptr;
}

/// Everything that the thread may rely on now, and what it has done itself.
Known ThreadOrder::all_known(const Node& n, int id) {
  const int block = block_of(n.thread);
  const auto self = std::make_shared<Clock>(Clock{{{block, epochs_.epoch(n)}}, {{n.thread, id}}});
  return join(join(threads_[size_t(n.thread)].known, blocks_[size_t(block)].known), self);
}

void ThreadOrder::learn(const Node& n, const Known& known) {
  Known& own = threads_[size_t(n.thread)].known;
  own = join(own, known);
  Known& learned = blocks_[size_t(block_of(n.thread))].learned;
  learned = join(learned, known);
}

// ---- flags, fences and atomics ---------------------------------------------------------------------------
// A release tells what its thread knows; an acquire or a wait that reads it learns that, and an atomic in
// between hands it on. A fence does the same for the relaxed accesses around it: what the thread knew there
// is published by its next atomics and flags, and what they learn, it knows after its next fence. An atomic
// that reads what a fence stands before learns it at once (docs/hazards.md says why).

ThreadOrder::Told ThreadOrder::acquire(const Node& n) {
  const auto it = told_.find(n.a);
  if (it == told_.end()) return {};
  Told told = it->second;
  const int block = block_of(n.thread);
  if (told.block != block) told.in_block = nullptr;
  const Known fenced = join(told.fenced, told.in_block);
  if (n.op == Op::acquire || n.op == Op::wait) {
    learn(n, join(told.released, fenced));
    return {};
  }
  if (is_atomic(n.op) && fenced) learn(n, fenced);
  if (!fences_) return told;
  OfThread& t = threads_[size_t(n.thread)];
  Known& seen = told.block == block ? t.seen_in_block : t.seen;
  seen = join(seen, join(told.released, fenced));
  return told;
}

void ThreadOrder::tell(int id, const Node& n, Told told) {
  if (!is_atomic(n.op)) told = {};
  told.block = block_of(n.thread);
  if (fences_) {
    const OfThread& t = threads_[size_t(n.thread)];
    const OfBlock& b = blocks_[size_t(told.block)];
    told.fenced = join(told.fenced, join(t.fenced, b.fenced));
    told.in_block = join(told.in_block, join(t.in_block, b.fenced_in_block));
  }
  if (told.released || told.fenced || told.in_block) told_[id] = std::move(told);
}

void ThreadOrder::fence(int id, const Node& n) {
  OfThread& t = threads_[size_t(n.thread)];
  OfBlock& b = blocks_[size_t(block_of(n.thread))];
  const bool in_block = n.bits == uint64_t(Scope::block);
  if (const Known seen = std::exchange(t.seen_in_block, nullptr)) learn(n, seen);
  if (in_block) {
    t.in_block = all_known(n, id);
    b.fencing_in_block = join(b.fencing_in_block, t.in_block);
    return;
  }
  if (const Known seen = std::exchange(t.seen, nullptr)) learn(n, seen);
  t.fenced = all_known(n, id);
  b.fencing = join(b.fencing, t.fenced);
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
    if (log[k].op == Op::fence) fenced = true;
    if (!touches(log[k].op)) continue;
    if (fenced && log[k].op == Op::store_volatile) flags[first + k] = true;
    fenced = false;
  }
  const Event* flag = nullptr;  // the one that comes next, if nothing but it does before the fence
  bool before_fence = false;
  for (size_t k = log.size(); k-- > 0;) {
    const Event& e = log[k];
    if (e.op == Op::fence || is_barrier(e.op)) {
      before_fence = e.op == Op::fence;
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

/// The first lane that leaves a sync_warp tells all lanes of the mask what each has done: they are all there.
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
  Clock now;
  for (int peer : there) now.threads.emplace_back(peer, id);
  Known all = std::make_shared<Clock>(std::move(now));
  for (int peer : there) all = join(all, threads_[size_t(peer)].known);
  for (int peer : there) {
    threads_[size_t(peer)].known = all;
    ++joined_[size_t(peer)];
  }
}

// ---- the copy engine: each mbarrier, and each thread's groups, tell how far it has come ------------------

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

/// Arrivals and the ends of copies tell the mbarrier what their thread knows, and that the copies it was
/// given are done; a thread that awaits it learns all that.
void ThreadOrder::at_mbarrier(int id, const Node& n) {
  const int block = block_of(n.thread), agent = agent_of_mbarrier(block, n.place.array, n.place.index);
  if (n.op == Op::await) return learn(n, told_by_mbarrier_[agent]);
  Clock now{{{block, epochs_.epoch(n)}}, {{n.thread, id}}};
  if (n.op == Op::complete) now.threads.emplace_back(agent, id);
  Known& known = told_by_mbarrier_[agent];
  known = join(join(known, std::make_shared<Clock>(std::move(now))),
               join(threads_[size_t(n.thread)].known, blocks_[size_t(block)].known));
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
  Clock now{{}, {{agent, done}}};
  if (n.op == Op::await_bulk) now.threads.emplace_back(agent + 1, done);
  learn(n, std::make_shared<Clock>(std::move(now)));
}

}  // namespace bscope
