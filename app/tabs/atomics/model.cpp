// From runs to queues in time, counted keys and lost ones.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "app/draw/chart.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/atomics/picture.hpp"
#include "engine/analysis/sources.hpp"

namespace bscope {
namespace {

std::string trimmed_line(const Trace& trace, const Launch& launch, int line) {
  if (launch.source < 0 || launch.source >= int(trace.sources.size())) return {};
  const std::string& text = trace.sources[size_t(launch.source)].text;
  size_t begin = 0;
  for (int l = 1; l < line; ++l) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::string s = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  const size_t first = s.find_first_not_of(" \t"), last = s.find_last_not_of(" \t\r");
  return first == std::string::npos ? std::string{} : s.substr(first, last - first + 1);
}

/// A cell of one block's shared memory.
using Cell = std::tuple<int, int, Place>;  // launch, block, place

/// Which address each queue belongs to. Atomics in shared memory belong to the bin that their counts are
/// added to in the end: read from the dataflow, so that any number of private copies is found.
class Addresses {
 public:
  Addresses(const Run& run, QueueSide& side) {
    const Trace& trace = run.trace;
    const auto& queues = run.report.contention().queues;
    side.histogram = trace.promise == Promise::histogram && size_t(trace.output) < trace.arrays.size();
    if (side.histogram) {
      const ArrayInfo& bins = trace.arrays[size_t(trace.output)];
      for (int b = 0; b < bins.size; ++b)
        side.addresses.push_back({bins.name + "[" + std::to_string(b) + "]", {}});
      merged_into(run);
    } else {
      std::map<Place, std::pair<int, std::string>> places;
      for (const Queue& q : queues)
        places.emplace(q.place, std::pair(0, cell_name(trace, q.launch, q.place)));
      for (auto& [place, entry] : places) {
        entry.first = int(side.addresses.size());
        side.addresses.push_back({entry.second, {}});
        plain_[place] = entry.first;
      }
    }
    of_.resize(side.addresses.size());
    for (const Queue& q : queues) {
      const int address = find(run, side, q);
      if (address >= 0 && address < int(of_.size())) of_[size_t(address)].push_back(&q);
    }
    // by launch, block and interval: as they are served
    for (auto& list : of_)
      std::stable_sort(list.begin(), list.end(), [](const Queue* a, const Queue* b) {
        return std::tuple(a->launch, a->block < 0, a->block, a->interval, a->place) <
               std::tuple(b->launch, b->block < 0, b->block, b->interval, b->place);
      });
  }
  const std::vector<const Queue*>& of(int address) const { return of_[size_t(address)]; }

 private:
  std::map<Cell, int> bin_of_;
  std::map<Place, int> plain_;
  std::vector<std::vector<const Queue*>> of_;

  void merged_into(const Run& run) {
    const Flow& flow = run.report.flow;
    Sources found;
    std::vector<int> open;
    for (int k : flow.global_writes) {
      const Node& n = flow.nodes[size_t(k)];
      if (!is_atomic(n.op) || n.place.array != run.trace.output || n.b < 0) continue;
      find_sources(flow, {n.b}, n.thread, found, open);
      const int block = n.thread / run.trace.launches[size_t(n.launch)].block;
      for (int load : found.loads)
        if (const Place p = flow.nodes[size_t(load)].place; p.shared())
          bin_of_[{n.launch, block, p}] = n.place.index;
    }
  }
  int find(const Run& run, const QueueSide& side, const Queue& q) const {
    if (!side.histogram) return plain_.at(q.place);
    if (!q.place.shared()) return q.place.array == run.trace.output ? q.place.index : -1;
    const auto it = bin_of_.find({q.launch, q.block, q.place});
    return it == bin_of_.end() ? -1 : it->second;
  }
};

/// Serves the queues of one address: those in shared memory at once in all blocks, one after the other
/// within a block where a barrier parts them; then those on global memory; launch after launch.
/// `serve` gets (block, time, queue of the block, global, node).
template <class Serve>
void serve(const Run& run, const std::vector<const Queue*>& queues, const Serve& serve_one, int& merge_starts,
           int& total) {
  merge_starts = total = 0;
  for (size_t first = 0, end; first < queues.size(); first = end) {
    const int launch = queues[first]->launch;
    for (end = first; end < queues.size() && queues[end]->launch == launch;) ++end;
    const int size = run.trace.launches[size_t(launch)].block, begins = total;
    int drained = begins;
    for (size_t k = first; k < end;) {
      const Queue& q = *queues[k];
      if (q.block < 0) break;
      // the block's intervals, one after the other
      int clock = begins;
      size_t next = k;
      while (next < end && queues[next]->block == q.block) {
        const int interval = queues[next]->interval;
        int longest = 0, number = 0;
        for (; next < end && queues[next]->block == q.block && queues[next]->interval == interval; ++next) {
          const auto& nodes = queues[next]->nodes;
          for (size_t i = 0; i < nodes.size(); ++i)
            serve_one(q.block, clock + int(i), number, false, nodes[i]);
          longest = std::max(longest, int(nodes.size()));
          ++number;
        }
        clock += longest;
      }
      drained = std::max(drained, clock);
      k = next;
    }
    merge_starts = drained;
    total = drained;
    for (size_t k = first; k < end; ++k) {
      if (queues[k]->block >= 0) continue;
      for (int node : queues[k]->nodes)
        serve_one(run.report.flow.nodes[size_t(node)].thread / size, total++, 0, true, node);
    }
  }
}

QueueSide side_of(std::shared_ptr<const Run> shared_run, int bin) {
  QueueSide side;
  side.run = std::move(shared_run);
  const Run& run = *side.run;
  side.title = title_of(run.trace.kernel);
  side.launches = int(run.trace.launches.size());
  const Addresses addresses(run, side);
  size_t most = 0;
  std::vector<int> lengths(side.addresses.size());
  for (size_t k = 0; k < side.addresses.size(); ++k) {
    auto& counted = side.addresses[k].counted;
    // a key is counted by the first atomic that it meets; the merge moves what is counted already
    bool shared = false;
    for (const Queue* q : addresses.of(int(k))) shared = shared || q->block >= 0;
    int starts = 0, total = 0;
    serve(
        run, addresses.of(int(k)),
        [&](int, int time, int, bool global, int) {
          if (global != shared) counted.push_back(time);
        },
        starts, total);
    std::sort(counted.begin(), counted.end());
    lengths[k] = total;
    if (counted.size() > most) most = counted.size(), side.hottest = int(k);
  }
  if (side.addresses.empty()) {
    side.place = "-";
    if (!run.trace.launches.empty())
      side.grid = run.trace.launches.back().grid, side.block = run.trace.launches.back().block;
    side.rows.resize(size_t(std::max(side.grid, 1)));
    return side;
  }
  side.chosen = bin >= 0 && bin < int(side.addresses.size()) ? bin : side.hottest;
  side.place = side.addresses[size_t(side.chosen)].name;
  const auto& queues = addresses.of(side.chosen);
  const Launch& launch = run.trace.launches[queues.empty() ? 0 : size_t(queues.back()->launch)];
  side.grid = launch.grid;
  side.block = launch.block;
  side.rows.resize(size_t(std::max(side.grid, 1)));
  for (const Queue* q : queues) {
    const long length = long(q->nodes.size());
    side.served += length;
    side.waits += length * (length - 1) / 2;
    int& longest = q->block < 0 ? side.global_longest : side.shared_longest;
    longest = std::max(longest, int(length));
  }
  serve(
      run, queues,
      [&](int block, int time, int queue, bool global, int) {
        if (size_t(block) >= side.rows.size()) side.rows.resize(size_t(block) + 1);
        side.rows[size_t(block)].push_back({time, queue, global});
        side.queues_a_block = std::max(side.queues_a_block, queue + 1);
      },
      side.merge_starts, side.total);
  return side;
}

/// The order of accesses in the run.
class Order {
 public:
  explicit Order(const Flow& flow) : at_(flow.nodes.size(), -1) {
    for (size_t k = 0; k < flow.sequence.size(); ++k) at_[size_t(flow.sequence[k])] = int(k);
  }
  int of(int node) const { return at_[size_t(node)]; }

 private:
  std::vector<int> at_;
};

/// Reads and writes of the bin, a warp request at a time, in the order of the replay.
void follow_updates(const Run& run, const Order& order, AtomicsModel& m) {
  const Report& r = run.report;
  struct Touch {
    int at, block, warp, lanes;
    bool write;
    double least, most;
  };
  std::vector<Touch> touches;
  for (const WarpRequest& q : r.requests()) {
    if (q.array != run.trace.output || (q.op != Op::load && q.op != Op::store)) continue;
    Touch touch{-1, q.block, q.warp, 0, q.op == Op::store, 0, 0};
    for (const auto& lane : q.lanes) {
      if (lane.index != m.bin) continue;
      const Node& node = r.flow.nodes[size_t(lane.node)];
      const double value = number(Kind(node.kind), node.bits);
      const int at = order.of(lane.node);
      if (!touch.lanes++)
        touch.at = at, touch.least = touch.most = value;
      else
        touch.at = touch.write ? std::max(touch.at, at) : std::min(touch.at, at),
        touch.least = std::min(touch.least, value), touch.most = std::max(touch.most, value);
    }
    if (touch.lanes) touches.push_back(touch);
  }
  std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) { return a.at < b.at; });
  std::map<std::pair<int, int>, RacyUpdate> open;  // a warp's update between its read and its write
  for (size_t k = 0; k < touches.size(); ++k) {
    const Touch& x = touches[k];
    if (!x.write) {
      open[{x.block, x.warp}] = {x.block,           x.warp, x.lanes, {x.least, x.most},
                                 {x.least, x.most}, int(k), int(k),  {}};
      continue;
    }
    for (auto& [who, update] : open)
      if (who != std::pair(x.block, x.warp) && update.overtaken_at.size() < most_updates)
        update.overtaken_at.push_back(int(k));
    const auto mine = open.find({x.block, x.warp});
    if (mine == open.end()) continue;
    mine->second.writes_at = int(k);
    mine->second.wrote[0] = x.least;
    mine->second.wrote[1] = x.most;
    m.updates.push_back(std::move(mine->second));
    open.erase(mine);
  }
  std::ranges::sort(m.updates, {}, &RacyUpdate::reads_at);
  m.all_updates = m.updates.size();
  if (m.updates.size() > most_updates) m.updates.resize(most_updates);
  for (const RacyUpdate& u : m.updates) {
    m.racy_steps = std::max(m.racy_steps, u.writes_at + 1);
    for (int at : u.overtaken_at) m.racy_steps = std::max(m.racy_steps, at + 1);
  }
}

/// The read that a store's value was computed from.
int own_read(const Flow& flow, int store) {
  const Node& n = flow.nodes[size_t(store)];
  int found = -1;
  for (int k : sources(flow, {n.a}, n.thread).loads)
    if (const Node& read = flow.nodes[size_t(k)]; read.place == n.place && read.thread == n.thread)
      found = std::max(found, k);
  return found;
}

void follow_losses(const Run& racy, AtomicsModel& m) {
  const Order order(racy.report.flow);
  follow_updates(racy, order, m);
  m.has_racy = true;
  m.racy.resize(size_t(std::max<size_t>(racy.report.output.size(), 1)));
  const Lost& lost = racy.report.lost();
  for (const auto& c : lost.cells)
    if (c.place.array == racy.trace.output && c.place.index >= 0 && size_t(c.place.index) < m.racy.size())
      m.racy[size_t(c.place.index)] = {c.performed, c.present};
  m.performed = lost.performed;
  m.lost = lost.lost;
  const auto& nodes = racy.report.flow.nodes;
  for (const LostUpdate& u : lost.updates) {
    if (u.place.array != racy.trace.output || u.store < 0 || u.load < 0) continue;
    const Node& store = nodes[size_t(u.store)];
    const Launch& launch = racy.trace.launches[size_t(store.launch)];
    if (m.racy_line.empty()) m.racy_line = trimmed_line(racy.trace, launch, store.line);
    if (u.place.index != m.bin) continue;
    ++(u.where == LostUpdate::in_warp    ? m.lost_in_warps
       : u.where == LostUpdate::in_block ? m.lost_in_blocks
                                         : m.lost_between_blocks);
    LostKey key;
    const auto value = [&](int node) {
      return number(Kind(nodes[size_t(node)].kind), nodes[size_t(node)].bits);
    };
    key.block = store.thread / launch.block;
    key.thread = store.thread % launch.block;
    key.line = store.line;
    key.read = value(u.load);
    key.wrote = value(u.store);
    key.at[0] = order.of(u.load);
    key.at[1] = order.of(u.store);
    key.where = u.where == LostUpdate::in_warp    ? LostKey::in_warp
                : u.where == LostUpdate::in_block ? LostKey::in_block
                                                  : LostKey::between_blocks;
    const Node& by = nodes[size_t(u.overtaken_by)];
    const int by_size = racy.trace.launches[size_t(by.launch)].block;
    key.by_block = by.thread / by_size;
    key.by_thread = by.thread % by_size;
    key.by_wrote = value(u.overtaken_by);
    key.at[3] = order.of(u.overtaken_by);
    const int read = own_read(racy.report.flow, u.overtaken_by);
    key.by_read = read >= 0 ? value(read) : key.by_wrote;
    key.at[2] = read >= 0 ? order.of(read) : key.at[3];
    m.lost_keys.push_back(key);
  }
  std::ranges::stable_sort(m.lost_keys, {}, [](const LostKey& k) { return k.at[1]; });
}

}  // namespace

int QueueSide::counted(int address, int time) const {
  if (address < 0 || size_t(address) >= addresses.size()) return 0;
  const auto& all = addresses[size_t(address)].counted;
  return int(std::lower_bound(all.begin(), all.end(), time) - all.begin());
}

int AtomicsModel::time(int t) const { return std::clamp(t < 0 ? sides[1].total : t, 0, end); }

AtomicsModel atomics_model(std::shared_ptr<const Run> left, std::shared_ptr<const Run> right,
                           std::shared_ptr<const Run> racy, int bin) {
  AtomicsModel m;
  m.n = int(left->report.input.size());
  m.order = left->trace.device;
  m.sides[0] = side_of(std::move(left), bin);
  const bool both = m.sides[0].histogram;  // bins are the same on both sides; other addresses are not
  m.sides[1] = side_of(std::move(right), both ? m.sides[0].chosen : bin);
  m.bin = m.sides[0].histogram || !m.sides[1].histogram ? m.sides[0].chosen : m.sides[1].chosen;
  m.end = std::max({m.sides[0].total, m.sides[1].total, 1});
  if (racy) follow_losses(*racy, m);
  return m;
}

}  // namespace bscope
