#include "engine/analysis/run_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/row_turns.hpp"

namespace bscope {
namespace {

using RunRow = RunRows::RunRow;
using Dot = RunRows::Dot;

/// Shuffles of each thread in each interval of one launch, by the numbers of their events: they part an
/// interval into rounds.
class Rounds {
 public:
  void add(const Node& n) {
    auto& events = all_[key(n)];
    events.push_back(n.event);
    int& most = most_[n.interval];
    most = std::max(most, int(events.size()));
  }
  bool any() const { return !all_.empty(); }
  int of(int interval) const {
    const auto found = most_.find(interval);
    return found == most_.end() ? 0 : found->second;
  }
  /// How many shuffles of its thread and interval come up to this node.
  int round(const Node& n) const {
    const auto found = all_.find(key(n));
    if (found == all_.end()) return 0;
    const auto& events = found->second;
    return int(std::upper_bound(events.begin(), events.end(), n.event) - events.begin());
  }

 private:
  static int64_t key(const Node& n) { return int64_t(n.interval) << 32 | uint32_t(n.thread); }
  std::unordered_map<int64_t, std::vector<int>> all_;
  std::map<int, int> most_;
};

/// Cells of an array side by side: those of one row, where its rows take turns in every block.
int columns_in_block(const Report& report, int launch, int array) {
  const Launch& l = report.trace->launches[size_t(launch)];
  const ArrayInfo& info = report.trace->array(l, array);
  for (int block = 0; block < l.grid && info.rows > 1; ++block)
    if (!row_turns(*report.trace, report.flow, launch, block, array).row) return info.size;
  return info.row_size();
}

/// The array that a launch's blocks work in, if it has one with room for a figure.
RunRows::Figure figure(const Report& report, int launch, bool shuffles, int& array) {
  const Launch& l = report.trace->launches[size_t(launch)];
  const int threads = l.grid * l.block;
  array = -1;
  if (shuffles) return {false, {}, threads, l.grid};
  std::map<int, long> writes_to;
  for (const Interval& v : report.flow.intervals)
    if (v.launch == launch)
      for (int k : v.nodes)
        if (const Node& n = report.flow.nodes[size_t(k)]; writes(n.op) && !of_mbarrier(n.op))
          ++writes_to[n.place.array];
  long most = 0;
  for (const auto& [id, count] : writes_to) {
    const bool better = array < 0 || (id >= first_shared) > (array >= first_shared) ||
                        ((id >= first_shared) == (array >= first_shared) && count > most);
    const int columns = columns_in_block(report, launch, id) * (id >= first_shared ? l.grid : 1);
    if (better && 2 * columns >= l.block) array = id, most = count;
  }
  if (array < 0) return {false, {}, threads, l.grid};
  const ArrayInfo& info = report.trace->array(l, array);
  const bool shared = array >= first_shared;
  return {true, info.name, columns_in_block(report, launch, array) * (shared ? l.grid : 1),
          shared ? l.grid : 1};
}

void distinct(std::vector<int>& list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// The column of a launch's rows that holds the most of what was there before; of several the last.
int fullest(const std::vector<RunRow>& rows, size_t first, size_t end) {
  std::map<int, std::set<int>> holds;  // of each column: the columns that it was made from
  const auto of = [&](int column) {
    const auto found = holds.find(column);
    return found == holds.end() ? std::set<int>{column} : found->second;
  };
  for (size_t r = first; r < end; ++r) {
    std::vector<std::pair<int, std::set<int>>> made;
    for (const Dot& d : rows[r].dots) {
      std::set<int> all = d.self ? of(d.column) : std::set<int>{};
      for (const int from : d.from) all.merge(of(from));
      if (!d.self && d.from.empty()) all.insert(d.column);
      made.emplace_back(d.column, std::move(all));
    }
    for (auto& [column, all] : made) holds[column] = std::move(all);
  }
  int best = -1;
  size_t most = 0;
  for (const auto& [column, all] : holds)
    if (all.size() >= most) best = column, most = all.size();
  return best;
}

/// Which dots flow into the cell of a launch that is made from the most others.
void mark_lineage(std::vector<RunRow>& rows) {
  for (size_t end = rows.size(); end > 0;) {
    size_t first = end - 1;
    while (first > 0 && rows[first - 1].launch == rows[end - 1].launch) --first;
    std::set<int> needed{fullest(rows, first, end)};
    for (size_t r = end; r-- > first;) {
      std::set<int> before = needed;
      for (Dot& d : rows[r].dots) {
        if (!needed.contains(d.column)) continue;
        d.lineage = true;
        if (!d.self) before.erase(d.column);
      }
      for (const Dot& d : rows[r].dots)
        if (d.lineage) before.insert(d.from.begin(), d.from.end());
      needed = std::move(before);
    }
    end = first;
  }
}

/// Of many columns it is kept how many of each part computed something, and how many only copied: no screen
/// has room for more.
void bundle(RunRows& side) {
  constexpr int most = 2048;
  for (auto& f : side.figures) {
    f.all = f.columns;
    f.part = columns_together(f.columns, f.in_block(), most);
    f.columns = (f.all + f.part - 1) / f.part;
  }
  std::vector<char> what;  // of each column: 1 copied, 2 computed
  for (RunRow& row : side.rows) {
    const auto& f = side.figures[size_t(row.launch)];
    if (f.all <= most_columns) continue;
    what.assign(size_t(f.all), 0);
    for (const Dot& d : row.dots) {
      char& here = what[size_t(d.column)];
      here = std::max(here, char(d.add ? 2 : 1));
    }
    row.dots = {};
    row.parts.resize(size_t(f.columns));
    for (int k = 0; k < f.all; ++k) {
      auto& part = row.parts[size_t(k / f.part)];
      part.adds += what[size_t(k)] == 2;
      part.copies += what[size_t(k)] == 1;
    }
  }
}

/// Phases of several rows are numbered: up-sweep 1, up-sweep 2.
void name_rows(const Trace& trace, std::vector<RunRow>& rows) {
  for (size_t k = 0; k < rows.size();) {
    size_t end = k + 1;
    while (end < rows.size() && rows[end].phase == rows[k].phase && rows[end].launch == rows[k].launch) ++end;
    for (size_t r = k; r < end; ++r)
      rows[r].name = rows[r].phase + (end - k > 1 ? " " + std::to_string(r - k + 1) : "");
    k = end;
  }
  if (trace.launches.size() < 2) return;
  std::map<int, int> of_launch;
  for (const RunRow& r : rows) ++of_launch[r.launch];
  for (RunRow& r : rows)  // a launch of one row is known by its own name
    if (of_launch[r.launch] == 1 && !trace.launches[size_t(r.launch)].name.empty())
      r.name = trace.launches[size_t(r.launch)].name;
}

}  // namespace

int columns_together(int columns, int in_block, int most) {
  const int least = (columns + most - 1) / std::max(1, most);
  if (least >= in_block) return (least + in_block - 1) / in_block * in_block;
  for (int part = least; part <= std::min(2 * least, in_block); ++part)
    if (in_block % part == 0) return part;
  return least;
}

RunRows run_rows(const Report& report) {
  RunRows side;
  for (const Fact* f : facts())
    if (f->adds_up()) side.counted.push_back(f);
  const DataflowGraph& flow = report.flow;
  const Trace& trace = *report.trace;
  const size_t launches = trace.launches.size();
  std::vector<Rounds> rounds(launches);
  for (const Node& n : flow.nodes)
    if (n.op == Op::shuffle) rounds[size_t(n.launch)].add(n);
  std::vector<std::map<int, size_t>> first_row(launches);  // by interval
  size_t next = 0;
  for (int launch = 0; launch < int(launches); ++launch) {
    const Launch& l = trace.launches[size_t(launch)];
    const Rounds& shuffles = rounds[size_t(launch)];
    int array = -1;
    const RunRows::Figure fig = figure(report, launch, shuffles.any(), array);
    side.figures.push_back(fig);
    side.threads = std::max(side.threads, long(l.grid) * l.block);
    const bool few = fig.columns <= most_columns;
    const size_t begin = next;
    while (next < flow.intervals.size() && flow.intervals[next].launch == launch) ++next;
    const auto all = std::span(flow.intervals).subspan(begin, next - begin);
    auto& first = first_row[size_t(launch)];
    for (const Interval& v : all) first.emplace(v.index, 0);
    for (auto& [index, row] : first) {
      row = side.rows.size();
      for (int round = 0; round <= shuffles.of(index); ++round)
        side.rows.push_back({.launch = launch,
                             .interval = index,
                             .round = round,
                             .counts = std::vector<long>(side.counted.size())});
    }
    const auto column = [&](CellRef p, int block) {
      const int row = fig.columns / fig.blocks;  // rows that take turns stand on the same columns
      return array >= first_shared ? block * row + p.index % row : p.index;
    };
    std::vector<std::vector<int>> touched(side.rows.size()), added(side.rows.size()),
        written(side.rows.size());
    for (const Interval& v : all) {
      const size_t base = first.at(v.index);
      if (side.rows[base].phase.empty())
        for (int round = 0; round <= shuffles.of(v.index); ++round)
          side.rows[base + size_t(round)].phase = v.phase;
      const auto row_of = [&](const Node& n) {
        return base + size_t(shuffles.any() ? shuffles.round(n) : 0);
      };
      for (int k : v.nodes) {
        const Node& n = flow.nodes[size_t(k)];
        const size_t row = row_of(n);
        touched[row].push_back(n.thread);
        if (is_atomic(n.op)) ++side.rows[row].atomics;
        for (size_t f = 0; f < side.counted.size(); ++f)
          if (side.counted[f]->of_node) side.rows[row].counts[f] += side.counted[f]->of_node(flow, n);
        if (!fig.cells || n.place.array != array) continue;
        if (writes(n.op)) {
          if (few) written[row].push_back(column(n.place, v.block));
          const bool add = is_atomic(n.op) || (n.a >= 0 && flow.nodes[size_t(n.a)].op == flow.plus);
          if (!few) side.rows[row].dots.push_back({.column = column(n.place, v.block), .add = add});
        } else if (reads(n.op) && few) {
          side.rows[row].reads.push_back(column(n.place, v.block));
        }
      }
      for (int k : v.work)
        if (const Node& n = flow.nodes[size_t(k)]; n.op == flow.plus) {
          ++side.rows[row_of(n)].adds;
          added[row_of(n)].push_back(n.thread);
        }
      if (fig.cells && few)
        for (const Arrow& a : arrows(flow, v)) {
          if (a.to.array != array) continue;
          Dot dot{.column = column(a.to, v.block), .add = a.op != "copy" && a.op != "constant"};
          for (const CellRef& from : a.from) {
            if (from.array != array) continue;
            if (column(from, v.block) == column(a.to, v.block))
              dot.self = true;
            else
              dot.from.push_back(column(from, v.block));
          }
          side.rows[row_of(flow.nodes[size_t(a.node)])].dots.push_back(std::move(dot));
        }
    }
    for (size_t row = first.empty() ? side.rows.size() : first.begin()->second; row < side.rows.size();
         ++row) {
      RunRow& r = side.rows[row];
      for (auto* list : {&touched[row], &added[row], &written[row], &r.reads}) distinct(*list);
      r.threads = long(touched[row].size());
      std::erase_if(r.reads, [&](int c) { return std::ranges::binary_search(written[row], c); });
      if (!fig.cells) {
        std::vector<int> both;
        std::ranges::set_union(touched[row], added[row], std::back_inserter(both));
        r.threads = long(both.size());
        for (int thread : both)
          r.dots.push_back(
              {.column = thread, .add = std::ranges::binary_search(added[row], thread), .self = true});
      }
      side.slots_used += r.threads;
      side.slots += long(l.grid) * l.block;
    }
  }
  for (const Node& n : flow.nodes) {
    if (n.op != Op::shuffle) continue;
    const size_t launch = size_t(n.launch);
    if (side.figures[launch].columns > most_columns) continue;
    RunRow& row = side.rows[first_row[launch].at(n.interval) + size_t(rounds[launch].round(n))];
    const auto dot = std::ranges::find(row.dots, n.thread, &Dot::column);
    if (n.place.index == n.thread) continue;
    if (dot != row.dots.end())
      dot->from.push_back(n.place.index);
    else
      row.dots.push_back({.column = n.thread, .self = true, .from = {n.place.index}});
  }
  for (const WarpAccess& q : report.requests()) {
    if (q.lanes.empty()) continue;
    const Node& n = flow.nodes[size_t(q.lanes.front().node)];
    RunRow& row =
        side.rows[first_row[size_t(q.launch)].at(q.interval) + size_t(rounds[size_t(q.launch)].round(n))];
    for (size_t f = 0; f < side.counted.size(); ++f)
      if (side.counted[f]->of_request) row.counts[f] += side.counted[f]->of_request(q);
  }
  for (const EngineCopy& c : engine_copies(trace, flow)) {
    const Node& n = flow.nodes[size_t(c.node)];
    RunRow& row =
        side.rows[first_row[size_t(c.launch)].at(n.interval) + size_t(rounds[size_t(c.launch)].round(n))];
    for (size_t f = 0; f < side.counted.size(); ++f)
      if (side.counted[f]->of_copy) row.counts[f] += side.counted[f]->of_copy(c);
  }
  for (const RunRow& r : side.rows) side.adds += r.adds, side.atomics += r.atomics;
  bundle(side);
  mark_lineage(side.rows);
  name_rows(trace, side.rows);
  return side;
}

}  // namespace bscope
