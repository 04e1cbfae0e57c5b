#include "engine/analysis/run_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/analysis/arrows.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/row_turns.hpp"
#include "engine/trace/trace.hpp"

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

/// Of each part it is kept how many of its columns computed something, and how many only copied. Of many
/// columns that is all: no screen has room for more.
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
    what.assign(size_t(f.all), 0);
    for (const Dot& d : row.dots) {
      char& here = what[size_t(d.column)];
      here = std::max(here, char(d.add ? 2 : 1));
    }
    if (f.all > most_columns) row.dots = {};
    row.parts.resize(size_t(f.columns));
    for (int k = 0; k < f.all; ++k) {
      auto& part = row.parts[size_t(k / f.part)];
      part.adds += what[size_t(k)] == 2;
      part.copies += what[size_t(k)] == 1;
    }
  }
}

/// Phases of several rows are numbered: up-sweep #1, up-sweep #2.
void name_rows(const Trace& trace, std::vector<RunRow>& rows) {
  for (size_t k = 0; k < rows.size();) {
    size_t end = k + 1;
    while (end < rows.size() && rows[end].phase == rows[k].phase && rows[end].launch == rows[k].launch) ++end;
    for (size_t r = k; r < end; ++r)
      rows[r].name = rows[r].phase + (end - k > 1 ? " #" + std::to_string(r - k + 1) : "");
    k = end;
  }
  if (trace.launches.size() < 2) return;
  std::map<int, int> of_launch;
  for (const RunRow& r : rows) ++of_launch[r.launch];
  for (RunRow& r : rows)  // a launch of one row is known by its own name
    if (of_launch[r.launch] == 1 && !trace.launches[size_t(r.launch)].name.empty())
      r.name = trace.launches[size_t(r.launch)].name;
}

/// What the rows of one launch are made with.
struct LaunchRows {
  int array = -1;  ///< whose cells are the figure's columns; -1: threads are
  RunRows::Figure figure;
  Rounds shuffles;
  std::map<int, size_t> first = {};  ///< row of an interval's first round
  bool few() const { return figure.columns <= most_columns; }
  size_t row_of(int interval, const Node& n) const {
    return first.at(interval) + size_t(shuffles.any() ? shuffles.round(n) : 0);
  }
  int column(CellRef p, int block) const {
    const int row = figure.columns / figure.blocks;  // rows that take turns stand on the same columns
    return array >= first_shared ? block * row + p.index % row : p.index;
  }
};

/// Makes the rows of a run.
class RunRowsBuilder {
 public:
  explicit RunRowsBuilder(const Report& report) : report_(report), flow_(report.flow), trace_(*report.trace) {
    for (const Fact* f : facts())
      if (f->adds_up()) rows_.counted.push_back(f);
  }

  RunRows make() {
    std::vector<Rounds> rounds(trace_.launches.size());
    for (const Node& n : flow_.nodes)
      if (n.op == Op::shuffle) rounds[size_t(n.launch)].add(n);
    for (int launch = 0; launch < int(trace_.launches.size()); ++launch)
      add_launch(launch, std::move(rounds[size_t(launch)]));
    add_shuffles();
    count_requests();
    for (const RunRow& r : rows_.rows) rows_.adds += r.adds, rows_.atomics += r.atomics;
    bundle(rows_);
    mark_lineage(rows_.rows);
    name_rows(trace_, rows_.rows);
    return std::move(rows_);
  }

 private:
  /// By row of a launch: the threads that touch memory, those that add, and the columns that are written.
  struct Seen {
    std::vector<int> touched, added, written;
  };

  void add_launch(int launch, Rounds shuffles) {
    LaunchRows& l = launches_.emplace_back();
    l.shuffles = std::move(shuffles);
    l.figure = figure(report_, launch, l.shuffles.any(), l.array);
    rows_.figures.push_back(l.figure);
    rows_.threads = std::max(rows_.threads, threads_of(launch));
    const size_t begin = next_interval_, begin_row = rows_.rows.size();
    while (next_interval_ < flow_.intervals.size() && flow_.intervals[next_interval_].launch == launch)
      ++next_interval_;
    const auto all = std::span(flow_.intervals).subspan(begin, next_interval_ - begin);
    add_rows(launch, l, all);
    std::vector<Seen> seen(rows_.rows.size() - begin_row);
    for (const Interval& v : all) add_interval(l, v, begin_row, seen);
    for (size_t row = begin_row; row < rows_.rows.size(); ++row)
      complete(l, rows_.rows[row], seen[row - begin_row], threads_of(launch));
  }

  long threads_of(int launch) const {
    const Launch& l = trace_.launches[size_t(launch)];
    return long(l.grid) * l.block;
  }

  /// A row for each round of each interval's number; blocks share them.
  void add_rows(int launch, LaunchRows& l, std::span<const Interval> all) {
    for (const Interval& v : all) l.first.emplace(v.index, 0);
    for (auto& [index, row] : l.first) {
      row = rows_.rows.size();
      for (int round = 0; round <= l.shuffles.of(index); ++round)
        rows_.rows.push_back({.launch = launch,
                              .interval = index,
                              .round = round,
                              .counts = std::vector<long>(rows_.counted.size())});
    }
    for (const Interval& v : all)
      if (const size_t base = l.first.at(v.index); rows_.rows[base].phase.empty())
        for (int round = 0; round <= l.shuffles.of(v.index); ++round)
          rows_.rows[base + size_t(round)].phase = v.phase;
  }

  void add_interval(const LaunchRows& l, const Interval& v, size_t begin_row, std::vector<Seen>& seen) {
    for (int k : v.nodes) {
      const size_t row = l.row_of(v.index, flow_.nodes[size_t(k)]);
      add_node(l, flow_.nodes[size_t(k)], v.block, rows_.rows[row], seen[row - begin_row]);
    }
    for (int k : v.work)
      if (const Node& n = flow_.nodes[size_t(k)]; n.op == flow_.plus) {
        const size_t row = l.row_of(v.index, n);
        ++rows_.rows[row].adds;
        seen[row - begin_row].added.push_back(n.thread);
      }
    if (l.figure.cells && l.few())
      for (const Arrow& a : arrows(flow_, v))
        if (a.to.array == l.array)
          rows_.rows[l.row_of(v.index, flow_.nodes[size_t(a.node)])].dots.push_back(dot_of(l, a, v.block));
  }

  void add_node(const LaunchRows& l, const Node& n, int block, RunRow& row, Seen& seen) const {
    seen.touched.push_back(n.thread);
    if (is_atomic(n.op)) ++row.atomics;
    for (size_t f = 0; f < rows_.counted.size(); ++f)
      if (rows_.counted[f]->of_node) row.counts[f] += rows_.counted[f]->of_node(flow_, n);
    if (!l.figure.cells || n.place.array != l.array) return;
    if (writes(n.op)) {
      const bool add = is_atomic(n.op) || (n.a >= 0 && flow_.nodes[size_t(n.a)].op == flow_.plus);
      if (l.few())
        seen.written.push_back(l.column(n.place, block));
      else
        row.dots.push_back({.column = l.column(n.place, block), .add = add});
    } else if (reads(n.op) && l.few()) {
      row.reads.push_back(l.column(n.place, block));
    }
  }

  static Dot dot_of(const LaunchRows& l, const Arrow& a, int block) {
    Dot dot{.column = l.column(a.to, block), .add = a.op != "copy" && a.op != "constant"};
    for (const CellRef& from : a.from) {
      if (from.array != l.array) continue;
      if (l.column(from, block) == dot.column)
        dot.self = true;
      else
        dot.from.push_back(l.column(from, block));
    }
    return dot;
  }

  /// What is known of a row once all blocks of its launch have been seen.
  void complete(const LaunchRows& l, RunRow& row, Seen& seen, long threads) {
    for (auto* list : {&seen.touched, &seen.added, &seen.written, &row.reads}) distinct(*list);
    row.threads = long(seen.touched.size());
    std::erase_if(row.reads, [&](int c) { return std::ranges::binary_search(seen.written, c); });
    if (!l.figure.cells) {
      std::vector<int> both;
      std::ranges::set_union(seen.touched, seen.added, std::back_inserter(both));
      row.threads = long(both.size());
      for (int thread : both)
        row.dots.push_back(
            {.column = thread, .add = std::ranges::binary_search(seen.added, thread), .self = true});
    }
    rows_.slots_used += row.threads;
    rows_.slots += threads;
  }

  /// Where a shuffle hands a lane's value to another thread.
  void add_shuffles() {
    for (const Node& n : flow_.nodes) {
      if (n.op != Op::shuffle || !launches_[size_t(n.launch)].few() || n.place.index == n.thread) continue;
      RunRow& row = row_of(n);
      const auto dot = std::ranges::find(row.dots, n.thread, &Dot::column);
      if (dot != row.dots.end())
        dot->from.push_back(n.place.index);
      else
        row.dots.push_back({.column = n.thread, .self = true, .from = {n.place.index}});
    }
  }

  void count_requests() {
    for (const WarpAccess& q : report_.requests()) {
      if (q.lanes.empty()) continue;
      RunRow& row = row_of(flow_.nodes[size_t(q.lanes.front().node)]);
      for (size_t f = 0; f < rows_.counted.size(); ++f)
        if (rows_.counted[f]->of_request) row.counts[f] += rows_.counted[f]->of_request(q);
    }
    for (const EngineCopy& c : engine_copies(trace_, flow_)) {
      RunRow& row = row_of(flow_.nodes[size_t(c.node)]);
      for (size_t f = 0; f < rows_.counted.size(); ++f)
        if (rows_.counted[f]->of_copy) row.counts[f] += rows_.counted[f]->of_copy(c);
    }
  }

  RunRow& row_of(const Node& n) { return rows_.rows[launches_[size_t(n.launch)].row_of(n.interval, n)]; }

  const Report& report_;
  const DataflowGraph& flow_;
  const Trace& trace_;
  RunRows rows_;
  std::vector<LaunchRows> launches_;
  size_t next_interval_ = 0;
};

}  // namespace

int columns_together(int columns, int in_block, int most) {
  const int least = (columns + most - 1) / std::max(1, most);
  if (least >= in_block) return (least + in_block - 1) / in_block * in_block;
  for (int part = least; part <= std::min(2 * least, in_block); ++part)
    if (in_block % part == 0) return part;
  return least;
}

RunRows run_rows(const Report& report) { return RunRowsBuilder(report).make(); }

}  // namespace bscope
