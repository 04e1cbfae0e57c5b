#include "engine/analysis/hazards.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>

#include "engine/trace/progress.hpp"

namespace bscope {
namespace {

using std::to_string;

enum How : uint8_t { read = 1, write = 2, strong = 4 };  // strong: atomics and flags, which do not race
uint8_t how_of(Op op) {
  return uint8_t((reads(op) ? read : 0) | (writes(op) ? write : 0) |
                 (op == Op::load || op == Op::store || is_bulk(op) ? 0 : strong));
}
bool conflict(uint8_t a, uint8_t b) { return ((a | b) & write) && !(a & b & strong); }

/// What a thread knows has happened: everything of some blocks before an epoch, and single threads' accesses
/// up to a node. Sorted. An epoch is what lies between two barriers that count.
struct Clock {
  std::vector<std::pair<int, int>> blocks, threads;
};
using Known = std::shared_ptr<const Clock>;

std::vector<std::pair<int, int>> latest(const std::vector<std::pair<int, int>>& a,
                                        const std::vector<std::pair<int, int>>& b) {
  std::vector<std::pair<int, int>> all;
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
int look_up(const std::vector<std::pair<int, int>>& all, int key) {
  const auto it = std::lower_bound(all.begin(), all.end(), std::pair(key, INT32_MIN));
  return it != all.end() && it->first == key ? it->second : -1;
}

/// An access that later ones may race with.
struct Seen {
  int32_t node, next;  // the next of its cell, -1: none
  int32_t thread, epoch;
  uint16_t line;
  uint8_t how;
  int32_t agent = -1;  // of a bulk copy: what tells that it is complete
};
/// A cell's accesses; in shared memory those of the latest epoch only, as a barrier orders all others.
struct Head {
  int32_t first = -1, epoch = -1;
};

constexpr size_t patience = 200'000'000;  // steps through lists and clocks
constexpr int long_list = 64;

class Search {
 public:
  Search(const Trace& trace, const Flow& flow, int launch, int without_line, size_t most)
      : trace_(trace),
        flow_(flow),
        launch_(trace.launches[launch]),
        number_(launch),
        without_line_(without_line),
        most_(most),
        finer_(flow.finer_order[launch]) {
    if (without_line) number_epochs(without_line);
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
    if (finer_) {
      thread_known_.resize(size_t(launch_.grid) * launch_.block);
      blocks_.resize(launch_.grid);
      list_warp_meetings();
      for_nodes([&](int id) {
        const Node& n = flow_.nodes[id];
        if (touches(n.op))
          access(id, n);
        else if (n.op == Op::sync_warp)
          meet(n);
        else if (n.op >= Op::await_bulk_read)
          wait_for_bulk(id, n);
      });
    } else {
      const auto first = std::partition_point(flow_.sequence.begin(), flow_.sequence.end(),
                                              [&](int id) { return flow_.nodes[id].launch < number_; });
      for (auto it = first; it != flow_.sequence.end() && flow_.nodes[*it].launch == number_ && going(); ++it)
        access(*it, flow_.nodes[*it]);
    }
    out_.complete = steps_ < patience;
    out_.list = std::move(firsts_);
    for (Hazard& h : others_)
      if (out_.list.size() < most_) out_.list.push_back(std::move(h));
    return std::move(out_);
  }

 private:
  const Trace& trace_;
  const Flow& flow_;
  const Launch& launch_;
  const int number_;
  const int without_line_;
  const size_t most_;
  const bool finer_;  // more than barriers orders threads
  Hazards out_;
  std::vector<Hazard> firsts_, others_;
  std::set<std::tuple<int, int, int>> pairs_;  // array and lines that were reported
  std::vector<std::vector<int>> epoch_;        // of each block's intervals; empty: the interval's number
  std::vector<int> first_;
  int shared_cells_ = 0;
  std::vector<std::vector<Head>> global_, shared_;
  std::vector<int32_t> last_node_;  // of each block
  std::vector<Seen> seen_;
  int32_t free_ = -1;
  size_t steps_ = 0, looks_ = 0;

  bool going() {
    if (++looks_ % 65536 == 0) go_on_if_wanted();
    return steps_ < patience && (most_ > 1 || !out_.found);
  }
  template <class F>
  void for_nodes(F f) {
    const auto first = std::partition_point(flow_.nodes.begin(), flow_.nodes.end(),
                                            [&](const Node& n) { return n.launch < number_; });
    for (auto it = first; it != flow_.nodes.end() && it->launch == number_ && going(); ++it)
      f(int(it - flow_.nodes.begin()));
  }
  void number_epochs(int without_line) {
    epoch_.resize(launch_.grid);
    for (int b = 0; b < launch_.grid; ++b) {
      int epoch = 0;
      for (const Interval& v : flow_.of_block(number_, b)) {
        epoch_[b].push_back(epoch);
        if (v.line != without_line) ++epoch;
      }
    }
  }
  int block_of(int thread) const { return thread / launch_.block; }
  int warp_of(int thread) const { return thread % launch_.block / warp_size; }
  int epoch_of(const Node& n) const {
    return epoch_.empty() ? n.interval : epoch_[block_of(n.thread)][n.interval];
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
  int32_t keep(int32_t node, int32_t next, const Node& n, int epoch, uint8_t how, int32_t agent = -1) {
    const Seen s{node, next, n.thread, epoch, n.line, how, agent};
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

  /// A barrier orders all but the copy engine's accesses.
  void drop_ordered(Head& h) {
    int32_t bulk = -1;
    if (finer_)
      for (int32_t k = h.first, next = -1; k >= 0; k = next) {
        next = seen_[k].next;
        if (seen_[k].agent < 0) continue;
        bulk = keep_copy(seen_[k], bulk);
      }
    drop(h);
    h.first = bulk;
  }
  int32_t keep_copy(Seen s, int32_t next) {
    const Node& n = flow_.nodes[s.node];
    return keep(s.node, next, n, s.epoch, s.how, s.agent);
  }

  void access(int id, const Node& n) {
    const int block = block_of(n.thread), epoch = epoch_of(n);
    const uint8_t how = how_of(n.op);
    if (finer_) begin_epoch(block, epoch);
    Head& h = head(n);
    if (n.place.shared() && h.epoch != epoch) {
      drop_ordered(h);
      h.epoch = epoch;
    }
    if (finer_)
      among_many(id, n, h, block, epoch, how);
    else
      among_few(id, n, h, block, epoch, how);
    if (finer_) flags(id, n, block, epoch), check_fence(id, n);
    if (id == last_node_[block]) shared_[block] = {};
  }

  /// Only barriers order threads. Then two accesses of each line and kind are enough. In one block and epoch:
  /// any two of different threads race with whatever any other does, as at least one is not of the thread
  /// that comes. Between blocks: any two of different blocks do, as at least one is not of the block that
  /// comes; the block's own need not be kept then, as the line is named already.
  void among_few(int id, const Node& n, Head& h, int block, int epoch, uint8_t how) {
    int32_t same[2] = {-1, -1};
    for (int32_t k = h.first; k >= 0; k = seen_[k].next, ++steps_) {
      const Seen& x = seen_[k];
      if (x.thread != n.thread && conflict(x.how, how) && (block_of(x.thread) != block || x.epoch == epoch))
        report(x, id, n, how);
      if (x.line == n.line && x.how == how) same[same[0] >= 0] = k;
    }
    const Seen now{id, -1, n.thread, epoch, n.line, how};
    auto put = [&](int32_t k) {
      const int32_t next = seen_[k].next;
      seen_[k] = now;
      seen_[k].next = next;
    };
    if (same[0] < 0) {
      h.first = keep(id, h.first, n, epoch, how);
      return;
    }
    const int first_block = block_of(seen_[same[0]].thread);
    if (same[1] < 0) {
      if (first_block == block && seen_[same[0]].epoch != epoch)
        put(same[0]);
      else if (seen_[same[0]].thread != n.thread)
        seen_[same[0]].next = keep(id, seen_[same[0]].next, n, epoch, how);
    } else if (first_block == block_of(seen_[same[1]].thread)) {
      if (first_block != block)
        put(same[1]);
      else if (seen_[same[0]].epoch != epoch)
        put(same[0]), put(same[1]);
      else if (seen_[same[0]].thread == seen_[same[1]].thread)
        put(same[1]);
    }
  }

  /// Threads are ordered one by one: each thread's last access of a line and kind is kept, since whoever is
  /// ordered after that is ordered after the thread's earlier ones. A write that is ordered after all of a
  /// long list stands for it: whoever races with one of the list races with the write.
  void among_many(int id, const Node& n, Head& h, int block, int epoch, uint8_t how) {
    int32_t own = -1;
    int length = 0;
    bool after_all = true;
    int last_line = -1;
    const int32_t agent = agent_of(n);
    for (int32_t k = h.first; k >= 0; k = seen_[k].next, ++steps_, ++length) {
      const Seen& x = seen_[k];
      const bool one_log = x.thread == n.thread && x.agent < 0;  // what it did itself comes before
      if (x.thread == n.thread && x.agent == agent && x.line == n.line && x.how == how) own = k;
      if (one_log || ordered(x, n, block, epoch)) continue;
      after_all = false;
      if (conflict(x.how, how) && x.line != last_line) {
        report(x, id, n, how);
        last_line = x.line;
      }
    }
    if (length >= long_list && after_all && (how & write)) {
      drop(h);
      own = -1;
    }
    if (own >= 0) {
      seen_[own].node = id;
      seen_[own].epoch = epoch;
    } else
      h.first = keep(id, h.first, n, epoch, how, agent);
  }
  bool knows(const Known& k, const Seen& x) const {
    return k && (look_up(k->blocks, block_of(x.thread)) > x.epoch || look_up(k->threads, x.thread) >= x.node);
  }
  bool ordered(const Seen& x, const Node& n, int block, int epoch) {
    if (x.agent >= 0) {
      const auto complete = [&](const Known& k) { return k && look_up(k->threads, x.agent) >= x.node; };
      return complete(thread_known_[n.thread]) || complete(blocks_[block].known);
    }
    if (block_of(x.thread) == block && x.epoch < epoch) return true;
    return knows(thread_known_[n.thread], x) || knows(blocks_[block].known, x);
  }

  // ---- what threads know of each other, where more than barriers orders them
  // -------------------------------
  struct BlockKnows {
    Known known,
        learned;  // learned: by some thread since the last barrier; the whole block knows after the next
    int epoch = 0;
  };
  std::vector<Known> thread_known_;
  std::vector<BlockKnows> blocks_;
  std::unordered_map<int, Known> released_;                 // by the releasing node
  std::vector<std::vector<std::pair<int, int>>> meetings_;  // of each thread: its sync_warps, node and mask
  std::vector<uint32_t> met_, joined_;  // of each thread: how many it has left, and joined

  Known join(const Known& a, const Known& b) {
    if (!a || a == b) return b;
    if (!b) return a;
    steps_ += a->blocks.size() + a->threads.size() + b->blocks.size() + b->threads.size();
    return std::make_shared<Clock>(Clock{latest(a->blocks, b->blocks), latest(a->threads, b->threads)});
  }
  void begin_epoch(int block, int epoch) {
    BlockKnows& b = blocks_[block];
    if (b.epoch == epoch) return;
    b.epoch = epoch;
    b.known = join(b.known, b.learned);
    b.learned = nullptr;
    std::fill_n(thread_known_.begin() + size_t(block) * launch_.block, launch_.block, nullptr);
  }
  /// Releases publish what their thread knows; acquires learn what the write they saw published. An atomic in
  /// between hands it on.
  void flags(int id, const Node& n, int block, int epoch) {
    if (of_mbarrier(n.op)) return at_mbarrier(id, n, block, epoch);
    if (is_atomic(n.op) || n.op == Op::acquire || n.op == Op::wait) {
      const auto it = released_.find(n.a);
      if (it == released_.end()) return;
      const Known known = it->second;
      if (is_atomic(n.op)) {
        released_[id] = known;
        return;
      }
      thread_known_[n.thread] = join(thread_known_[n.thread], known);
      blocks_[block].learned = join(blocks_[block].learned, known);
    } else if (n.op == Op::release) {
      const auto self = std::make_shared<Clock>(Clock{{{block, epoch}}, {{n.thread, id}}});
      released_[id] = join(join(thread_known_[n.thread], blocks_[block].known), self);
    }
  }
  // ---- the copy engine: each mbarrier, and each thread's groups, tell how far it has come
  // -------------------
  /// Bulk reads and writes of a thread's groups; then the mbarriers, cell by cell.
  int agent_of(const Node& n) const {
    if (!is_bulk(n.op)) return -1;
    const uint32_t mbarrier = mbarrier_of(n);
    if (!mbarrier) return launch_.grid * launch_.block + 2 * n.thread + (n.op == Op::bulk_write);
    return agent_of_mbarrier(block_of(n.thread), int(mbarrier >> 24), int(mbarrier & 0xffffff) - 1);
  }
  /// As the copy's bulk_read names it; 0: it is of a group.
  uint32_t mbarrier_of(const Node& n) const {
    return launch_.blocks[block_of(n.thread)].log(n.thread % launch_.block)[size_t(n.event) - 1].b;
  }
  int agent_of_mbarrier(int block, int array, int index) const {
    return 3 * launch_.grid * launch_.block + block * shared_cells_ + first_[array - first_shared] + index;
  }
  std::unordered_map<int, Known> told_;               // by each mbarrier's agent
  std::unordered_map<int, std::vector<int>> groups_;  // of each thread: the nodes that end them
  std::unordered_map<int, int> fence_;                // of each thread: its latest
  /// What a thread wrote, the engine sees only after the thread's fence.
  void check_fence(int id, const Node& n) {
    if (n.op != Op::bulk_read || !n.place.shared() || n.a < 0) return;
    const Node& writer = flow_.nodes[n.a];
    if (is_bulk(writer.op)) return;
    const auto it = fence_.find(writer.thread);
    if (it == fence_.end() || it->second < n.a)
      report({n.a, -1, writer.thread, epoch_of(writer), writer.line, write}, id, n, read);
  }
  void learn(const Node& n, int block, const Known& known) {
    thread_known_[n.thread] = join(thread_known_[n.thread], known);
    blocks_[block].learned = join(blocks_[block].learned, known);
  }
  /// Arrivals and the ends of copies tell the mbarrier what their thread knows, and that the copies it was
  /// given are done; whoever awaits it learns all that.
  void at_mbarrier(int id, const Node& n, int block, int epoch) {
    const int agent = agent_of_mbarrier(block, n.place.array, n.place.index);
    if (n.op == Op::await) return learn(n, block, told_[agent]);
    Clock now{{{block, epoch}}, {{n.thread, id}}};
    if (n.op == Op::complete) now.threads.emplace_back(agent, id);
    Known& known = told_[agent];
    known = join(join(known, std::make_shared<Clock>(std::move(now))),
                 join(thread_known_[n.thread], blocks_[block].known));
  }
  void wait_for_bulk(int id, const Node& n) {
    const int block = block_of(n.thread);
    begin_epoch(block, epoch_of(n));
    if (n.op == Op::fence_async) {
      fence_[n.thread] = id;
      return;
    }
    std::vector<int>& groups = groups_[n.thread];
    if (n.op == Op::commit) {
      groups.push_back(id);
      return;
    }
    if (groups.size() <= n.bits) return;
    const int done = groups[groups.size() - 1 - n.bits], agent = launch_.grid * launch_.block + 2 * n.thread;
    Clock now{{}, {{agent, done}}};
    if (n.op == Op::await_bulk) now.threads.emplace_back(agent + 1, done);
    learn(n, block, std::make_shared<Clock>(std::move(now)));
  }

  void list_warp_meetings() {
    const size_t threads = size_t(launch_.grid) * launch_.block;
    meetings_.resize(threads);
    met_.assign(threads, 0);
    joined_.assign(threads, 0);
    for_nodes([&](int id) {
      const Node& n = flow_.nodes[id];
      if (n.op == Op::sync_warp) meetings_[n.thread].emplace_back(id, int(uint32_t(n.bits)));
    });
  }
  /// The first lane that leaves a sync_warp tells all lanes of the mask what each has done: they are all
  /// there.
  void meet(const Node& n) {
    begin_epoch(block_of(n.thread), epoch_of(n));
    const uint32_t mask = uint32_t(n.bits);
    if (met_[n.thread]++ < joined_[n.thread]) return;
    const int id = int(&n - flow_.nodes.data());
    const int first = n.thread - n.thread % launch_.block % warp_size;
    const int end = std::min(first + warp_size, (block_of(n.thread) + 1) * launch_.block);
    std::vector<int> there;
    for (uint32_t m = mask; m; m &= m - 1) {
      const int peer = first + std::countr_zero(m);
      if (peer < end && joined_[peer] < meetings_[peer].size() &&
          uint32_t(meetings_[peer][joined_[peer]].second) == mask)
        there.push_back(peer);
    }
    Clock now;
    for (int peer : there) now.threads.emplace_back(peer, id);
    Known all = std::make_shared<Clock>(std::move(now));
    for (int peer : there) all = join(all, thread_known_[peer]);
    for (int peer : there) {
      thread_known_[peer] = all;
      ++joined_[peer];
    }
  }

  // ---- sentences
  // -------------------------------------------------------------------------------------------
  void report(const Seen& x, int id, const Node& n, uint8_t how) {
    ++out_.found;
    const int lines[2] = {x.line, n.line};
    const bool fresh =
        firsts_.size() < most_ &&
        pairs_.insert({n.place.array, std::min(x.line, n.line), std::max(x.line, n.line)}).second;
    if (!fresh && others_.size() >= most_) return;
    const Node& before = flow_.nodes[x.node];
    Hazard h;
    h.launch = number_;
    h.block = block_of(n.thread);
    h.place = n.place;
    h.array = trace_.array(launch_, n.place.array).name;
    std::copy(lines, lines + 2, h.lines);
    h.threads[0] = x.thread;
    h.threads[1] = n.thread;
    h.sentence = sentence(before, x.how, flow_.nodes[id], how);
    (fresh ? firsts_ : others_).push_back(std::move(h));
  }
  static const char* verb(uint8_t how) {
    if ((how & strong) && (how & write)) return how & read ? " updates " : " releases ";
    return how & write ? " writes " : " reads ";
  }
  /// Does the thread of n run that line again before its next barrier?
  bool comes_again(const Node& n, int line) const {
    const auto log = launch_.blocks[block_of(n.thread)].log(n.thread % launch_.block);
    for (size_t k = size_t(n.event) + 1; k < log.size(); ++k) {
      if (log[k].op == Op::sync && log[k].line != without_line_) return false;
      if (log[k].line == line) return true;
    }
    return false;
  }
  /// How often the thread of n has written in n's line since the barrier before n: the round of a loop.
  int round(const Node& n) const {
    const auto log = launch_.blocks[block_of(n.thread)].log(n.thread % launch_.block);
    int times = 0;
    for (int k = n.event; k-- > 0 && (log[k].op != Op::sync || log[k].line == without_line_);)
      times += log[k].line == n.line && writes(log[k].op);
    return times;
  }
  /// The lines that a barrier belongs between. Which of the two racing accesses came first in the replay is
  /// chance; what the source means is the order of lines after the barrier that both have passed, unless a
  /// loop has come round.
  struct Fix {
    int from, to;
    bool next_round;
  };
  Fix fix(const Node& a, const Node& b) const {
    const auto intervals = flow_.of_block(number_, block_of(b.thread));
    int opened_by = 0;
    for (int k = b.interval - 1; k >= 0 && !opened_by; --k)
      if (intervals[size_t(k)].line != without_line_) opened_by = intervals[k].line;
    auto place = [&](int line) { return line > opened_by ? line : line + (1 << 16); };
    if (place(a.line) <= place(b.line)) return {a.line, b.line, false};
    if (comes_again(a, b.line)) return {a.line, b.line, true};
    return {b.line, a.line, false};
  }
  std::string bulk_sentence(const std::string& first, const Node& a, uint8_t a_how, const Node& b,
                            uint8_t b_how) const {
    const std::string cell = cell_name(trace_, number_, b.place);
    const auto subject = [&](const Node& n, const std::string& thread) {
      return is_bulk(n.op)
                 ? (&n == &a ? "The" : "the") + std::string(" bulk copy of ") + thread_name(launch_, n.thread)
                 : thread;
    };
    std::string s = subject(a, first) + verb(a_how) + cell + " in line " + to_string(a.line) + ", " +
                    subject(b, thread_name(launch_, b.thread)) + verb(b_how) + "it in line " +
                    to_string(b.line);
    if (!is_bulk(a.op))
      return s +
             ", and the copy engine may not see it yet: after writing, the thread calls t.fence_async() "
             "before the barrier in between.";
    s += ", and nothing says that the copy is complete: ";
    if (mbarrier_of(a)) return s + "await its mbarrier in between.";
    return s + (a_how & write ? "its thread calls t.await_bulk" : "its thread calls t.await_bulk_read") +
           ", and a barrier follows, in between.";
  }
  std::string sentence(const Node& a, uint8_t a_how, const Node& b, uint8_t b_how) const {
    std::string first = thread_name(launch_, a.thread);
    first[0] = 'T';
    if (is_bulk(a.op) || is_bulk(b.op)) return bulk_sentence(first, a, a_how, b, b_how);
    const std::string cell = cell_name(trace_, number_, b.place);
    std::string s = first + verb(a_how) + cell + " in line " + to_string(a.line) + ", " +
                    thread_name(launch_, b.thread) + verb(b_how) + "it in line " + to_string(b.line) +
                    ", and nothing orders the two: ";
    const bool both_write = (a_how & write) && (b_how & write);
    const bool one_block = block_of(a.thread) == block_of(b.thread);
    const std::string barrier = one_block && warp_of(a.thread) == warp_of(b.thread)
                                    ? "a barrier (or, within this warp, sync_warp)"
                                    : "a barrier";
    const auto [from, to, next_round] = fix(a, b);
    const std::string between = barrier + " belongs between line " + to_string(from) + " and " +
                                (next_round ? "the next round's line " : "line ") + to_string(to);
    if ((a_how | b_how) & strong) {
      const std::string plain =
          "make the access in line " + to_string(a_how & strong ? b.line : a.line) + " an atomic too";
      return s + (one_block && a.line != b.line ? between + "; or " + plain : plain) + ".";
    }
    if (!one_block)
      return s +
             "blocks do not wait for each other; use an atomic, a flag (store_release and load_acquire), or "
             "a second launch.";
    if (a.line == b.line && !both_write && round(a) != round(b))
      return s + barrier + " belongs between two rounds of the loop around line " + to_string(a.line) + ".";
    if (a.line == b.line)
      return s + (both_write
                      ? "use an atomic, or give each thread a cell of its own."
                      : "use an atomic; or, if each thread writes a cell of its own, read into a variable, "
                        "then " +
                            barrier + ", then write.");
    return s + between + ".";
  }
};

}  // namespace

Hazards find_hazards(const Trace& trace, const Flow& flow, int launch, int without_line, size_t most) {
  return Search(trace, flow, launch, without_line, most).run();
}

void fill_in_hazards(const Trace& trace, Flow& flow, const std::vector<bool>& clean) {
  constexpr size_t most = 64;
  std::vector<Hazard> rest;
  for (int k = 0; k < int(flow.finer_order.size()); ++k) {
    if (!clean.empty() && clean[size_t(k)]) continue;
    Hazards h = find_hazards(trace, flow, k, 0, most);
    flow.hazards_found += h.found;
    if (!h.complete)
      flow.faults.push_back(
          "launch " + trace.launches[k].name +
          " has too many accesses that wait for each other: not all were searched for hazards");
    for (Hazard& x : h.list) {
      const bool known = std::any_of(flow.hazards.begin(), flow.hazards.end(), [&](const Hazard& y) {
        return y.launch == x.launch && y.place.array == x.place.array && y.lines[0] == x.lines[0] &&
               y.lines[1] == x.lines[1];
      });
      if (flow.hazards.size() < most && !known)
        flow.hazards.push_back(std::move(x));
      else if (rest.size() < most)
        rest.push_back(std::move(x));
    }
  }
  for (Hazard& x : rest)
    if (flow.hazards.size() < most) flow.hazards.push_back(std::move(x));
}

}  // namespace bscope
