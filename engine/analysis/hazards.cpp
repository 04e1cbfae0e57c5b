#include "engine/analysis/hazards.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "engine/analysis/hazard_atomics.hpp"
#include "engine/analysis/hazard_order.hpp"
#include "engine/analysis/library_calls.hpp"
#include "engine/analysis/race_causes.hpp"
#include "engine/analysis/race_message.hpp"
#include "engine/trace/progress.hpp"

namespace bscope {
namespace {

using namespace touching;

/// A guess does no harm beside atomics and flags: its thread's compare-and-swap finds out.
bool conflict(uint8_t a, uint8_t b) {
  const bool checked = ((a & guess) && (b & strong)) || ((b & guess) && (a & strong));
  return ((a | b) & write) && !(a & b & strong) && !checked;
}

/// An access that later ones may race with.
struct PriorAccess : Happened {
  uint16_t line;
  uint8_t how;
  int call = 0;                // of a library's function that it is inside
  int32_t next = -1;           // of its cell, -1: none
  Behind behind = {};          // of an atomic
  uint8_t bytes = whole_cell;  // that it touches
  bool shares_bytes(const PriorAccess& other) const { return bytes & other.bytes; }
};
/// A cell's accesses; in shared memory those of the latest epoch only, as a barrier orders all others, in
/// global memory those of the latest era.
struct Head {
  int32_t first = -1, since = -1;
  AtomicChain atomics = {};
};

constexpr size_t patience = 200'000'000;  // steps through lists and clocks
constexpr size_t second_patience = patience / 4;
constexpr int long_list = 64;
constexpr size_t most_causes = 4096;

class Search {
 public:
  /// `finer`: threads are ordered one by one, not by their block's barriers alone.
  Search(const Trace& trace, const DataflowGraph& flow, int launch, int without_line, size_t most, bool finer,
         size_t patience)
      : trace_(trace),
        flow_(flow),
        launch_(trace.launches[launch]),
        number_(launch),
        most_(most),
        patience_(patience),
        finer_(finer),
        guesses_(guesses(trace, flow, launch)),
        epochs_(trace, flow, launch, without_line),
        library_(trace, launch),
        causing_(trace, flow, launch, without_line) {
    for (const ArrayInfo& array : launch_.shared) {
      first_.push_back(shared_cells_);
      shared_cells_ += array.size;
    }
  }

  Hazards run() {
    global_.resize(trace_.arrays.size());
    shared_.resize(launch_.grid);
    last_node_.assign(launch_.grid, -1);
    for (int b = 0; b < launch_.grid; ++b)
      for (const Interval& v : flow_.of_block(number_, b))
        if (!v.nodes.empty()) last_node_[b] = std::max(last_node_[b], v.nodes.back());
    if (finer_)
      search_nodes();
    else
      search_accesses();
    out_.complete = steps() < patience_;
    widen_causes();
    if (trace_.dialect == Dialect::cuda)
      for (const auto& [key, cause] : causes_)
        if (cause.same_value) out_.found -= cause.races;
    tell(firsts_);
    tell(others_);
    return std::move(out_);
  }
  /// Whether it found an atomic (or flag) that races with a plain access.
  bool mixed() const { return mixed_; }

 private:
  const Trace& trace_;
  const DataflowGraph& flow_;
  const Launch& launch_;
  const int number_;
  const size_t most_, patience_;
  const bool finer_;
  const std::vector<int32_t> guesses_;
  const Epochs epochs_;
  const LibraryCalls library_;
  const RaceCauses causing_;
  std::optional<ThreadOrder> order_;  // where it does
  Hazards out_;
  /// A race that is reported, and its cause.
  struct ReportedRace {
    Race race;
    Cause& cause;
    bool first;
  };
  std::vector<ReportedRace> firsts_, others_;
  std::map<std::tuple<int, int, int>, Cause> causes_;  // by array and lines
  std::vector<int> first_;
  int shared_cells_ = 0;
  std::vector<std::vector<Head>> global_, shared_;
  std::vector<int32_t> last_node_;  // of each block
  std::vector<PriorAccess> seen_;
  std::vector<Behind> settled_;  // by the atomics that come before the access at hand
  int32_t free_ = -1;
  bool mixed_ = false;
  size_t steps_ = 0, looks_ = 0;

  bool going() {
    if (++looks_ % 65536 == 0) throw_if_cancelled();
    return steps() < patience_ && (most_ > 1 || !out_.found);
  }
  size_t steps() const { return steps_ + (order_ ? order_->steps() : 0); }
  void search_nodes() {
    order_.emplace(trace_, flow_, number_, epochs_);
    const auto first = std::partition_point(flow_.nodes.begin(), flow_.nodes.end(),
                                            [&](const Node& n) { return n.launch < number_; });
    for (auto it = first; it != flow_.nodes.end() && it->launch == number_ && going(); ++it) {
      const int id = int(it - flow_.nodes.begin());
      if (touches(it->op)) {
        order_->begin(*it);
        access(id, *it);
      } else if (it->op == Op::sync_warp || it->op == Op::fence || orders_copies(it->op)) {
        order_->begin(*it);
        order_->meet(id, *it);
      }
    }
  }
  void search_accesses() {
    const auto first = std::partition_point(flow_.sequence.begin(), flow_.sequence.end(),
                                            [&](int id) { return flow_.nodes[id].launch < number_; });
    for (auto it = first; it != flow_.sequence.end() && flow_.nodes[*it].launch == number_ && going(); ++it)
      access(*it, flow_.nodes[*it]);
  }

  uint8_t how_of(int id, const Node& n) const {
    const bool plain = is_load(n.op) || is_store(n.op) || is_bulk(n.op);
    const bool checked = is_load(n.op) && std::binary_search(guesses_.begin(), guesses_.end(), id);
    return uint8_t((reads(n.op) ? read : 0) | (writes(n.op) ? write : 0) |
                   (plain && !(order_ && order_->is_flag(n)) ? 0 : strong) | (checked ? guess : 0));
  }
  int block_of(int thread) const { return thread / launch_.block; }
  bool of_one_warp(int a, int b) const {
    return block_of(a) == block_of(b) && a % launch_.block / warp_size == b % launch_.block / warp_size;
  }
  Head& head(const Node& n) {
    const int array = n.place.array;
    if (array < first_shared) {
      if (global_[array].empty()) global_[array].resize(trace_.arrays[array].size);
      return global_[array][n.place.index];
    }
    std::vector<Head>& block = shared_[block_of(n.thread)];
    if (block.empty()) block.resize(shared_cells_);
    return block[first_[array - first_shared] + n.place.index];
  }
  int32_t keep(PriorAccess s, int32_t next) {
    s.next = next;
    if (free_ < 0) {
      seen_.push_back(s);
      return int32_t(seen_.size()) - 1;
    }
    const int32_t k = free_;
    free_ = seen_[k].next;
    seen_[k] = s;
    return k;
  }
  void drop(Head& h) {
    if (h.first < 0) return;
    int32_t last = h.first;
    while (seen_[last].next >= 0) last = seen_[last].next;
    seen_[last].next = free_;
    free_ = h.first;
    h.first = -1;
  }

  /// A barrier orders all but the copy engine's accesses, and what comes behind the asking for a copy that is
  /// pending.
  void drop_ordered(Head& h, int block) {
    int32_t kept = -1;
    if (finer_) {
      const int pending = order_->epoch_of_pending_copies(block);
      for (int32_t k = h.first, next = -1; k >= 0; k = next) {
        next = seen_[k].next;
        if (seen_[k].agent < 0 && seen_[k].epoch < pending) continue;
        kept = keep(PriorAccess(seen_[k]), kept);
      }
    }
    drop(h);
    h.first = kept;
  }
  void access(int id, const Node& n) {
    const int block = block_of(n.thread);
    Head& h = head(n);
    const int since = n.place.shared() ? epochs_.epoch(n) : epochs_.era(n);
    if (h.since != since) {
      drop_ordered(h, block);
      h.since = since;
    }
    PriorAccess now{{id, n.thread, epochs_.epoch(n)}, n.line, how_of(id, n)};
    now.bytes = n.bytes;
    now.call = library_.of(n);
    if (finer_) now.behind = h.atomics.touch(id, n);
    if (finer_)
      among_many(now, n, h);
    else
      among_few(now, n, h, block);
    if (order_) {
      order_->touch(id, n);
      check_engine(id, n);
    }
    if (id == last_node_[block]) shared_[block] = {};
  }
  void check_engine(int id, const Node& n) {
    const int unseen = order_->unseen_by_engine(n);
    if (unseen < 0) return;
    const Node& writer = flow_.nodes[size_t(unseen)];
    report({{unseen, writer.thread, epochs_.epoch(writer)}, writer.line, write}, id, n, read);
  }

  /// Only barriers order threads. Then two accesses of each line and kind are enough. In one block and epoch:
  /// any two of different threads race with whatever any other does, as at least one is not of the thread
  /// that comes. Between blocks: any two of different blocks do, as at least one is not of the block that
  /// comes; the block's own need not be kept then, as the line is named already. Of one block, they are of
  /// two warps where some are: whether a warp's barrier would do shows in them.
  void among_few(const PriorAccess& now, const Node& n, Head& h, int block) {
    int32_t same[2] = {-1, -1};
    for (int32_t k = h.first; k >= 0; k = seen_[k].next, ++steps_) {
      const PriorAccess& x = seen_[k];
      const bool may_meet = block_of(x.thread) != block || x.epoch == now.epoch;
      if (x.thread != now.thread && x.shares_bytes(now) && conflict(x.how, now.how) && may_meet)
        report(x, now.node, n, now.how);
      if (x.line == now.line && x.how == now.how && x.bytes == now.bytes && x.call == now.call)
        same[same[0] >= 0] = k;
    }
    auto put = [&](int32_t k) {
      const int32_t next = seen_[k].next;
      seen_[k] = now;
      seen_[k].next = next;
    };
    if (same[0] < 0) {
      h.first = keep(now, h.first);
      return;
    }
    const int first_block = block_of(seen_[same[0]].thread);
    if (same[1] < 0) {
      if (first_block == block && seen_[same[0]].epoch != now.epoch) {
        put(same[0]);
      } else if (seen_[same[0]].thread != now.thread) {
        const int32_t kept = keep(now, seen_[same[0]].next);
        seen_[same[0]].next = kept;
      }
    } else if (first_block == block_of(seen_[same[1]].thread)) {
      if (first_block != block)
        put(same[1]);
      else if (seen_[same[0]].epoch != now.epoch)
        put(same[0]), put(same[1]);
      else if (seen_[same[0]].thread == seen_[same[1]].thread ||
               (of_one_warp(seen_[same[0]].thread, seen_[same[1]].thread) &&
                !of_one_warp(seen_[same[0]].thread, now.thread)))
        put(same[1]);
    }
  }

  /// Threads are ordered one by one: each thread's last access of a line and kind is kept, since an access
  /// ordered after that is ordered after the thread's earlier ones. A write that is ordered after all of a
  /// long list stands for it: an access that races with one of the list races with the write.
  void among_many(PriorAccess now, const Node& n, Head& h) {
    if (!(now.how & strong)) find_settled(now, n, h);
    int32_t own = -1, oldest = -1;
    int length = 0, earlier = 0;
    bool after_all = true;
    int last_line = -1;
    Cause* cause = nullptr;  // of the last race that was reported
    now.agent = order_->agent_of(n);
    for (int32_t k = h.first; k >= 0; k = seen_[k].next, ++steps_, ++length) {
      const PriorAccess& x = seen_[k];
      const bool one_log = order_->in_program_order(x, n);
      if (x.thread == now.thread && x.agent == now.agent && x.line == now.line && x.how == now.how &&
          x.bytes == now.bytes && x.call == now.call && x.behind.first == now.behind.first) {
        // An atomic of an earlier epoch settles for the others what this one does not yet: it is kept, too.
        if (x.behind.last < x.behind.first || x.epoch == now.epoch) {
          own = k;
        } else {
          ++earlier;
          if (oldest < 0 || x.epoch < seen_[oldest].epoch) oldest = k;
        }
      }
      if (one_log || order_->before(x, n)) continue;
      after_all = false;
      if (!x.shares_bytes(now) || !conflict(x.how, now.how)) continue;
      if (x.line == last_line) {
        if (cause && !settled(x, now)) causing_.widen(*cause, x.thread, now.thread);
      } else if (!settled(x, now)) {
        cause = report(x, now.node, n, now.how);
        last_line = x.line;
      }
    }
    if (length >= long_list && after_all && (now.how & write) && now.bytes == whole_cell) {
      drop(h);
      own = -1;
    }
    if (own < 0 && earlier > 1) own = oldest;
    if (own >= 0) {
      seen_[own].node = now.node;
      seen_[own].epoch = now.epoch;
      seen_[own].behind = now.behind;
    } else
      h.first = keep(now, h.first);
  }

  /// The atomics of the cell that come before this access make all those settled that they come behind:
  /// an access that reads or writes a cell behind an atomic is behind all that the atomic is behind.
  void find_settled(const PriorAccess& now, const Node& n, const Head& h) {
    settled_.clear();
    for (int32_t k = h.first; k >= 0; k = seen_[k].next, ++steps_) {
      const PriorAccess& x = seen_[k];
      if (x.behind.last < x.behind.first) continue;
      if (x.thread == now.thread || order_->before(x, n)) settled_.push_back(x.behind);
    }
  }
  bool settled(const PriorAccess& x, const PriorAccess& now) const {
    return !(now.how & strong) && (x.how & write) && (x.how & strong) &&
           std::any_of(settled_.begin(), settled_.end(), [&](const Behind& b) { return b.covers(x.node); });
  }

  /// A library orders what it does inside one call, or may leave it open; between two calls on the same
  /// storage it wants a barrier, whether these two accesses happen to need it or not.
  bool is_librarys(const PriorAccess& x, const Node& n) const {
    if (!x.call) return false;
    const Node& before = flow_.nodes[size_t(x.node)];
    return library_.within_one(before, n) || library_.within_two(before, n);
  }
  /// Returns the race's cause; null: it is none, or there are too many.
  Cause* report(const PriorAccess& x, int id, const Node& n, uint8_t how) {
    if (is_librarys(x, n)) return nullptr;
    ++out_.found;
    mixed_ |= ((x.how ^ how) & strong) != 0;
    const Race race{flow_.nodes[size_t(x.node)], x.how, flow_.nodes[size_t(id)], how};
    const std::tuple key(n.place.array, std::min(x.line, n.line), std::max(x.line, n.line));
    const auto known = causes_.find(key);
    if (known == causes_.end() && causes_.size() >= most_causes) return nullptr;
    Cause& cause = known == causes_.end() ? causes_[key] : known->second;
    causing_.add(cause, race);
    const bool fresh = known == causes_.end() && firsts_.size() < most_;
    if (fresh || others_.size() < most_) (fresh ? firsts_ : others_).push_back({race, cause, fresh});
    return &cause;
  }
  /// One barrier often fixes several causes: it is a block's if one of those with a line in common needs that
  /// and it can stand there.
  void widen_causes() {
    std::set<int> wide;
    for (const auto& [key, cause] : causes_)
      if (cause.one_block && !cause.one_warp) wide.insert({std::get<1>(key), std::get<2>(key)});
    for (auto& [key, cause] : causes_)
      if (wide.contains(std::get<1>(key)) || wide.contains(std::get<2>(key))) cause.shares_barrier = true;
  }
  void tell(const std::vector<ReportedRace>& all) {
    for (const auto& [race, cause, first] : all) {
      const bool harmless = trace_.dialect == Dialect::cuda && cause.same_value;
      std::vector<Hazard>& list = harmless ? out_.same_value : out_.list;
      if (list.size() >= most_ || (harmless && !first)) continue;
      const Node& n = race.b;
      Hazard h;
      h.launch = number_;
      h.block = block_of(n.thread);
      h.place = n.place;
      h.array = trace_.array(launch_, n.place.array).name;
      h.lines[0] = race.a.line;
      h.lines[1] = n.line;
      h.threads[0] = race.a.thread;
      h.threads[1] = n.thread;
      h.writes[0] = writes(race.a.op);
      h.writes[1] = writes(n.op);
      h.cure = causing_.cure(race, cause);
      h.message = race_message(trace_, number_, race, h.cure);
      h.help = race_help(trace_, number_, race, h.cure);
      h.first_block = h.last_block = h.block;
      if (first) {
        h.alike = long(cause.races) - 1;
        h.first_block = cause.first_block;
        h.last_block = cause.last_block;
      }
      list.push_back(std::move(h));
    }
  }
};

}  // namespace

Hazards find_hazards(const Trace& trace, const DataflowGraph& flow, int launch, int without_line,
                     size_t most) {
  const bool finer = flow.finer_order[size_t(launch)];
  Search search(trace, flow, launch, without_line, most, finer, patience);
  Hazards found = search.run();
  if (finer || !search.mixed()) return found;
  // only looking at threads one by one tells which atomics a plain access comes behind
  Hazards again = Search(trace, flow, launch, without_line, most, true, second_patience).run();
  return again.complete ? again : found;
}

void fill_in_hazards(const Trace& trace, DataflowGraph& flow, const std::vector<bool>& clean) {
  constexpr size_t most = 64;
  std::vector<Hazard> rest;
  for (int k = 0; k < int(flow.finer_order.size()); ++k) {
    if (!clean.empty() && clean[size_t(k)]) continue;
    Hazards h = find_hazards(trace, flow, k, 0, most);
    flow.hazards_found += h.found;
    std::ranges::move(h.same_value, std::back_inserter(flow.same_value_stores));
    if (!h.complete)
      flow.faults.push_back(
          {.launch = k,
           .message =
               message("launch {} has too many accesses that wait for each other: not all were searched for "
                       "hazards",
                       trace.launches[size_t(k)].name)});
    for (Hazard& x : h.list) {
      if (flow.hazards.size() < most && x.alike >= 0)
        flow.hazards.push_back(std::move(x));
      else if (rest.size() < most)
        rest.push_back(std::move(x));
    }
  }
  for (Hazard& x : rest)
    if (flow.hazards.size() < most) flow.hazards.push_back(std::move(x));
}

}  // namespace bscope
