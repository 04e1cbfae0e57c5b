#include "engine/analysis/queues.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/analysis/contention.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/sources.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

// --- atomics that wait ---------------------------------------------------------------------------------

/// A cell of one block's shared memory.
using SharedCell = std::tuple<int, int, CellRef>;  // launch, block, place

/// Which bin the counts of each cell of shared memory are added to in the end.
std::map<SharedCell, int> bins_of_cells(const Report& r) {
  std::map<SharedCell, int> bin_of;
  Sources found;
  std::vector<int> open;
  for (int k : r.flow.global_writes) {
    const Node& n = r.flow.nodes[size_t(k)];
    if (!is_atomic(n.op) || n.place.array != r.trace->output || n.b < 0) continue;
    find_sources(r.flow, {n.b}, n.thread, found, open);
    const int block = n.thread / r.trace->launches[size_t(n.launch)].block;
    for (int load : found.loads)
      if (const CellRef p = r.flow.nodes[size_t(load)].place; p.shared())
        bin_of[{n.launch, block, p}] = n.place.index;
  }
  return bin_of;
}

using Queues = std::vector<const Queue*>;

/// Names the addresses, and gives the queues of each in the order in which they are served: by launch, block
/// and interval.
std::vector<Queues> queues_by_address(const Report& r, AddressQueues& out) {
  const Trace& trace = *r.trace;
  const auto& all = r.contention().queues;
  std::map<CellRef, std::string> names;
  std::map<SharedCell, int> bin_of;
  out.histogram = trace.property == Property::histogram && size_t(trace.output) < trace.arrays.size();
  if (out.histogram) {
    bin_of = bins_of_cells(r);
    const ArrayInfo& bins = trace.arrays[size_t(trace.output)];
    for (int b = 0; b < bins.size; ++b) names[{trace.output, b}] = bins.name + "[" + std::to_string(b) + "]";
  } else {
    for (const Queue& q : all) names.emplace(q.place, cell_name(trace, q.launch, q.place));
  }
  std::map<CellRef, int> number;
  for (auto& [place, name] : names) {
    number[place] = int(out.addresses.size());
    out.addresses.push_back({std::move(name), {}});
  }
  std::vector<Queues> of(out.addresses.size());
  for (const Queue& q : all) {
    if (out.histogram && q.place.shared()) {
      if (const auto bin = bin_of.find({q.launch, q.block, q.place}); bin != bin_of.end())
        of[size_t(bin->second)].push_back(&q);
    } else if (const auto at = number.find(q.place); at != number.end()) {
      of[size_t(at->second)].push_back(&q);
    }
  }
  for (Queues& list : of)
    std::ranges::stable_sort(list, {}, [](const Queue* q) {
      return std::tuple(q->launch, q->block < 0, q->block, q->interval, q->place);
    });
  return of;
}

/// Serves the queues of one address: those in shared memory at once in all blocks, one after the other within
/// a block where a barrier parts them; then those on global memory; launch after launch. `serve` gets (block,
/// what was served). Returns when the last merge started, and when all was done.
template <class Serve>
std::pair<int, int> serve_all(const Report& r, const Queues& queues, const Serve& serve) {
  int merge_starts = 0, total = 0;
  for (size_t first = 0, end; first < queues.size(); first = end) {
    const int launch = queues[first]->launch, begins = total;
    for (end = first; end < queues.size() && queues[end]->launch == launch;) ++end;
    size_t k = first;
    while (k < end && queues[k]->block >= 0) {
      const int block = queues[k]->block;
      int clock = begins;
      while (k < end && queues[k]->block == block) {
        const int interval = queues[k]->interval;
        size_t longest = 0;
        for (int number = 0; k < end && queues[k]->block == block && queues[k]->interval == interval;
             ++k, ++number) {
          const size_t length = queues[k]->nodes.size();
          for (size_t i = 0; i < length; ++i)
            serve(block, AddressQueues::Served{clock + int(i), number, false});
          longest = std::max(longest, length);
        }
        clock += int(longest);
      }
      total = std::max(total, clock);
    }
    merge_starts = total;
    const int size = r.trace->launches[size_t(launch)].block;
    for (; k < end; ++k)
      for (int node : queues[k]->nodes)
        serve(r.flow.nodes[size_t(node)].thread / size, AddressQueues::Served{total++, 0, true});
  }
  return {merge_starts, total};
}

// --- updates that are lost -----------------------------------------------------------------------------

double value_of(const Node& n) { return number(ElementType(n.kind), n.bits); }

/// The number of each access in the order of the run.
std::vector<int> order_of(const DataflowGraph& flow) {
  std::vector<int> at(flow.nodes.size(), -1);
  for (size_t k = 0; k < flow.sequence.size(); ++k) at[size_t(flow.sequence[k])] = int(k);
  return at;
}

/// A warp's request that reads or writes the cell.
struct CellRequest {
  int at = -1, block = 0, warp = 0, lanes = 0;
  bool write = false;
  double least = 0, most = 0;
};
std::vector<CellRequest> touches_of(const Report& r, const std::vector<int>& order, int cell) {
  std::vector<CellRequest> all;
  for (const WarpAccess& q : r.requests()) {
    if (q.array != r.trace->output || (!is_load(q.op) && !is_store(q.op))) continue;
    CellRequest touch{.block = q.block, .warp = q.warp, .write = is_store(q.op)};
    for (const auto& lane : q.lanes) {
      if (lane.index != cell) continue;
      const double value = value_of(r.flow.nodes[size_t(lane.node)]);
      const int at = order[size_t(lane.node)];
      const bool first = !touch.lanes++;
      touch.at = first ? at : touch.write ? std::max(touch.at, at) : std::min(touch.at, at);
      touch.least = first ? value : std::min(touch.least, value);
      touch.most = first ? value : std::max(touch.most, value);
    }
    if (touch.lanes) all.push_back(touch);
  }
  std::ranges::sort(all, {}, &CellRequest::at);
  return all;
}

/// Reads and writes of the cell, a warp request at a time, in the order of the replay.
void follow_updates(const std::vector<CellRequest>& touches, Losses& out) {
  std::map<std::pair<int, int>, RacyUpdate> open;  // a warp's update between its read and its write
  for (size_t k = 0; k < touches.size(); ++k) {
    const CellRequest& x = touches[k];
    const std::pair who(x.block, x.warp);
    if (!x.write) {
      open[who] = {x.block, x.warp, x.lanes, {x.least, x.most}, {x.least, x.most}, int(k), int(k), {}};
      continue;
    }
    for (auto& [other, update] : open)
      if (other != who && update.overtaken_at.size() < most_updates) update.overtaken_at.push_back(int(k));
    const auto mine = open.find(who);
    if (mine == open.end()) continue;
    mine->second.writes_at = int(k);
    mine->second.wrote[0] = x.least;
    mine->second.wrote[1] = x.most;
    out.updates.push_back(std::move(mine->second));
    open.erase(mine);
  }
  std::ranges::sort(out.updates, {}, &RacyUpdate::reads_at);
  out.all_updates = out.updates.size();
  if (out.updates.size() > most_updates) out.updates.resize(most_updates);
}

/// The read that a store's value was computed from; -1: none.
int own_read(const DataflowGraph& flow, int store) {
  const Node& n = flow.nodes[size_t(store)];
  int found = -1;
  for (int k : sources(flow, {n.a}, n.thread).loads)
    if (const Node& read = flow.nodes[size_t(k)]; read.place == n.place && read.thread == n.thread)
      found = std::max(found, k);
  return found;
}

LostKey explained(const Report& r, const std::vector<int>& order, const LostUpdate& u) {
  const auto node = [&](int k) -> const Node& { return r.flow.nodes[size_t(k)]; };
  const auto block = [&](const Node& n) { return r.trace->launches[size_t(n.launch)].block; };
  const Node &store = node(u.store), &by = node(u.overtaken_by);
  const int read = own_read(r.flow, u.overtaken_by), by_load = read >= 0 ? read : u.overtaken_by;
  const auto at = [&](int k) { return order[size_t(k)]; };
  return {.block = store.thread / block(store),
          .thread = store.thread % block(store),
          .by_block = by.thread / block(by),
          .by_thread = by.thread % block(by),
          .read = value_of(node(u.load)),
          .wrote = value_of(store),
          .by_read = value_of(node(by_load)),
          .by_wrote = value_of(by),
          .at = {at(u.load), at(u.store), at(by_load), at(u.overtaken_by)},
          .line = int(store.line),
          .where = u.where};
}

}  // namespace

int AddressQueues::counted(int address, int time) const {
  if (address < 0 || size_t(address) >= addresses.size()) return 0;
  const auto& all = addresses[size_t(address)].counted;
  return int(std::ranges::lower_bound(all, time) - all.begin());
}

AddressQueues address_queues(const Report& r, int address) {
  AddressQueues out{.rows = {{}}};
  const std::vector<Queues> of = queues_by_address(r, out);
  const auto launch_of = [&](size_t k) {
    if (k >= r.trace->launches.size()) return;
    out.grid = r.trace->launches[k].grid;
    out.block = r.trace->launches[k].block;
    out.rows.resize(size_t(std::max(out.grid, 1)));
  };
  if (of.empty()) {
    out.place = "-";
    launch_of(r.trace->launches.size() - 1);
    return out;
  }
  for (size_t k = 0; k < of.size(); ++k) {
    auto& counted = out.addresses[k].counted;
    // a key is counted by the first atomic that it meets; the merge moves what is counted already
    const bool shared = std::ranges::any_of(of[k], [](const Queue* q) { return q->block >= 0; });
    serve_all(r, of[k], [&](int, const AddressQueues::Served& x) {
      if (x.global != shared) counted.push_back(x.time);
    });
    std::ranges::sort(counted);
    if (counted.size() > out.addresses[size_t(out.hottest)].counted.size()) out.hottest = int(k);
  }
  out.chosen = address >= 0 && address < int(of.size()) ? address : out.hottest;
  out.place = out.addresses[size_t(out.chosen)].name;
  const Queues& queues = of[size_t(out.chosen)];
  launch_of(queues.empty() ? 0 : size_t(queues.back()->launch));
  for (const Queue* q : queues) {
    const long length = long(q->nodes.size());
    out.served += length;
    out.waits += length * (length - 1) / 2;
    int& longest = q->block < 0 ? out.global_longest : out.shared_longest;
    longest = std::max(longest, int(length));
  }
  std::tie(out.merge_starts, out.total) =
      serve_all(r, queues, [&](int block, const AddressQueues::Served& x) {
        if (size_t(block) >= out.rows.size()) out.rows.resize(size_t(block) + 1);
        out.rows[size_t(block)].push_back(x);
        out.queues_a_block = std::max(out.queues_a_block, x.queue + 1);
      });
  return out;
}

Losses losses(const Report& r, int cell) {
  const std::vector<int> order = order_of(r.flow);
  const Lost& lost = r.lost();
  Losses out{.performed = lost.performed, .lost = lost.lost};
  follow_updates(touches_of(r, order, cell), out);
  out.cells.resize(std::max<size_t>(r.output.size(), 1));
  for (const auto& c : lost.cells)
    if (c.place.array == r.trace->output && c.place.index >= 0 && size_t(c.place.index) < out.cells.size())
      out.cells[size_t(c.place.index)] = {c.performed, c.present};
  for (const LostUpdate& u : lost.updates) {
    if (u.place.array != r.trace->output || u.store < 0 || u.load < 0) continue;
    const Node& store = r.flow.nodes[size_t(u.store)];
    if (out.line.empty()) out.line = source_line(*r.trace, store.launch, int(store.line));
    if (u.place.index != cell) continue;
    ++(u.where == LostUpdate::in_warp    ? out.in_warps
       : u.where == LostUpdate::in_block ? out.in_blocks
                                         : out.between_blocks);
    out.keys.push_back(explained(r, order, u));
  }
  std::ranges::stable_sort(out.keys, {}, [](const LostKey& k) { return k.at[1]; });
  return out;
}

}  // namespace bscope
