#include "engine/analysis/block_steps.hpp"

#include <cstdlib>
#include <limits>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/sources.hpp"
#include "engine/trace/parallel.hpp"

namespace bscope {
namespace {

bool more_telling(LineRole::Activity a, LineRole::Activity b) { return int(a) > int(b); }

std::map<int, LineRole> find_lines(const Step& step, const DataflowGraph& flow, const Report& report,
                                   int opened_by) {
  std::map<int, LineRole> lines;
  int last = 0;  // the same again and again, warp by warp
  LineRole::Activity same = LineRole::compute;
  const auto mark = [&](int line, LineRole::Activity what) {
    if (line <= 0 || (line == last && what == same)) return;
    last = line;
    same = what;
    auto [it, fresh] = lines.try_emplace(line, LineRole{what, {}, -1});
    if (!fresh && more_telling(what, it->second.what)) it->second.what = what;
  };
  for (int id : step.interval->work) mark(flow.nodes[size_t(id)].line, LineRole::compute);
  for (int id : step.interval->nodes) {
    const Node& node = flow.nodes[size_t(id)];
    mark(node.line, is_atomic(node.op) ? LineRole::atomic
                    : writes(node.op)  ? LineRole::write
                                       : LineRole::read);
  }
  mark(opened_by, LineRole::barrier);
  for (const WarpAccess& request : report.requests_of(size_t(step.flow_index))) {
    const auto line = lines.find(request.line);
    if (line == lines.end() || line->second.warp >= 0) continue;
    if (int(request.lanes.size()) >= request.lanes_in_warp) continue;
    line->second.warp = request.warp;
    line->second.lanes.assign(size_t(request.lanes_in_warp), false);
    for (const auto& lane : request.lanes)
      if (lane.lane < request.lanes_in_warp) line->second.lanes[size_t(lane.lane)] = true;
  }
  return lines;
}

// A global array that blocks share out among themselves (the input, or anything long) is shown block by
// block.
ArrayRange part_of(const ArrayInfo& info, int array, int grid, int input, int least, int most) {
  const int touched = most - least + 1;
  const bool shared_out = array < first_shared && grid > 1 && (info.size > 32 || info.size == input);
  return shared_out && touched * 4 < info.size * 3 ? ArrayRange{array, least, touched}
                                                   : ArrayRange{array, 0, info.size};
}

}  // namespace

void for_each_step(size_t n, size_t nodes, const std::function<void(size_t)>& f) {
  if (nodes >= 200'000) return parallel(n, f);
  for (size_t k = 0; k < n; ++k) f(k);
}

const std::vector<int>& Step::held() const {
  if (held_) return *held_;
  const DataflowGraph& flow = in->run->report.flow;
  std::vector<int>& out = held_.emplace();
  std::vector<int> used = loads;
  if (!std::is_sorted(used.begin(), used.end())) std::sort(used.begin(), used.end());
  auto next = used.begin();
  for (int id : interval->nodes) {  // ascending, so they go through `used` side by side
    const Node& node = flow.nodes[size_t(id)];
    if (!reads(node.op) || writes(node.op)) continue;
    if (next != used.begin() && next[-1] >= id) next = std::lower_bound(used.begin(), used.end(), id);
    while (next != used.end() && *next < id) ++next;
    if (next == used.end() || *next != id) out.push_back(id);
  }
  return out;
}

Move Move::held_load(int id, const Node& node) {
  Move held;
  held.held = true;
  held.arrow.thread = node.thread;
  held.arrow.line = node.line;
  held.arrow.node = id;
  held.arrow.from = {node.place};
  held.arrow.loads = {id};
  return held;
}

/// Where the block first stores the value of a load; without an array: nowhere.
static CellRef first_stored(const BlockSteps& block, int load) {
  const auto at = std::lower_bound(block.stored_at.begin(), block.stored_at.end(), load,
                                   [](const auto& entry, int id) { return entry.first < id; });
  return at != block.stored_at.end() && at->first == load ? at->second : CellRef{};
}

const std::vector<Move>& Step::moves() const {
  if (moves_) return *moves_;
  const DataflowGraph& flow = in->run->report.flow;
  std::vector<Move>& out = moves_.emplace();
  const std::vector<int>& waiting = held();
  auto all = arrows(flow, *interval);
  out.reserve(all.size() + waiting.size());
  for (Arrow& arrow : all) out.push_back({std::move(arrow), false});
  for (int id : waiting) {
    Move held = Move::held_load(id, flow.nodes[size_t(id)]);
    held.arrow.to = first_stored(*in, id);
    out.push_back(std::move(held));
  }
  return out;
}

// The one distance that all moves within an array share: it is the stride of the algorithm's step. Which of
// the pairs that a thread compared were exchanged is up to the data: all of them count. What another block
// has handed over in this launch is no move of the step.
int Step::stride() const {
  if (stride_) return *stride_;
  const auto& nodes = in->run->report.flow.nodes;
  int stride = 0;
  const int first_thread = in->block * int(works.size());
  const auto handed_over = [&](int load) {
    const int writer = nodes[size_t(load)].a;
    if (writer < 0 || nodes[size_t(writer)].launch != in->launch) return false;
    const int rank = nodes[size_t(writer)].thread - first_thread;
    return rank < 0 || rank >= int(works.size());
  };
  const auto mixed = [&](CellRef from, CellRef to) {
    if (to.array < 0 || from.array != to.array || from == to) return false;
    const auto pad = in->padding.find(to.array);
    const auto turns = in->turns.find(to.array);
    // the source's own stride: a column is the same in each row, padding lies between cells, and is counted
    // by none of its indices
    const auto counted = [&](int cell) {
      if (turns != in->turns.end()) return cell % turns->second.row;
      return pad == in->padding.end() ? cell : pad->second.index_in_use(cell);
    };
    const int distance = std::abs(counted(to.index) - counted(from.index));
    if (distance == 0) return false;
    if (stride && distance != stride) return true;
    stride = distance;
    return false;
  };
  size_t k = 0;
  for (const Store& store : wrote)
    for (; k < store.end; ++k)
      if (!handed_over(loads[k]) && mixed(nodes[size_t(loads[k])].place, nodes[size_t(store.node)].place))
        return *(stride_ = 0);
  std::vector<CellRef> looked_at(works.size());  // by each thread, and stored nowhere
  for (int load : held()) {
    const Node& n = nodes[size_t(load)];
    const CellRef to = first_stored(*in, load);
    if (handed_over(load)) continue;
    if (mixed(n.place, to)) return *(stride_ = 0);
    if (to.array >= 0) continue;
    CellRef& other = looked_at[size_t(n.thread - first_thread)];
    // of exchanges alone it is no stride: which cells a search looks at is up to the data, too
    if (stride && mixed(n.place, other)) return *(stride_ = 0);
    other = n.place;
  }
  return *(stride_ = stride);
}

// Which arrays the rows before and after show: where values went, and where most of them came from.
const Step::RowPair& Step::rows() const {
  if (rows_) return *rows_;
  const auto& nodes = in->run->report.flow.nodes;
  const auto place = [&](int id) { return nodes[size_t(id)].place; };
  std::map<int, int> to, from;
  for (const Store& store : wrote) ++to[place(store.node).array];
  const auto most = [](const std::map<int, int>& counts, int otherwise) {
    int best = otherwise, count = 0;
    for (auto [array, n] : counts)
      if (n > count) best = array, count = n;
    return best;
  };
  RowPair& out = rows_.emplace(RowPair{});
  out.to = to.empty() || to.contains(in->main) ? in->main : most(to, in->main);
  size_t k = 0;
  for (const Store& store : wrote)
    for (; k < store.end; ++k)
      if (place(store.node).array == out.to && place(loads[k]) != place(store.node))
        ++from[place(loads[k]).array];
  out.from = from.contains(out.to) ? out.to : most(from, out.to);
  // A much longer array (the whole input of a block that folds it) would squeeze the row that matters.
  if (before(out.from).size > std::max(32, 2 * after(out.to).size)) out.from = out.to;
  return out;
}
int Step::from() const { return rows().from; }
int Step::to() const { return rows().to; }

ArrayRange Step::shown(int array, bool written) const {
  const auto whole = in->parts.find(array);
  if (whole == in->parts.end()) return {};
  const auto turns = in->turns.find(array);
  if (turns == in->turns.end()) return whole->second;
  const RowTurns::StepRows& rows = turns->second.steps[size_t(interval->index)];
  const int row = turns->second.row;
  return {array, row * (written ? rows.written : rows.read), row};
}

const std::map<int, LineRole>& Step::lines() const {
  if (!lines_) {
    const int before = interval->index > 0 ? in->steps[size_t(interval->index) - 1].interval->line : 0;
    lines_ = find_lines(*this, in->run->report.flow, in->run->report, before);
  }
  return *lines_;
}

const Traffic& Step::traffic() const {
  if (traffic_) return *traffic_;
  Traffic& out = traffic_.emplace();
  for (const WarpAccess& request : in->run->report.requests_of(size_t(flow_index))) {
    if (request.shared() == in->sectors) continue;
    const int all = in->sectors ? request.sectors : request.wavefronts;
    const int ideal = std::min(all, in->sectors ? request.ideal_sectors : request.ideal);
    int& kind = is_atomic(request.op) ? out.atomic : bscope::writes(request.op) ? out.write : out.read;
    kind += ideal;
    out.extra += all - ideal;
  }
  const auto& nodes = in->run->report.flow.nodes;
  if (std::any_of(wrote.begin(), wrote.end(),
                  [&](const Store& s) { return is_atomic(nodes[size_t(s.node)].op); }))
    for (const auto& [key, w] : written())
      if (w.times > std::max(1, out.queue) && is_atomic(nodes[size_t(w.node)].op)) out.queue = w.times;
  return out;
}

const Step::WrittenCells& Step::written() const {
  if (written_) return *written_;
  WrittenCells& out = written_.emplace();
  out.reserve(wrote.size());
  for (const Store& store : wrote)
    out.push_back({key(in->run->report.flow.nodes[size_t(store.node)].place), {1, store.node}});
  // each cell once: how often, and the last
  const auto by_cell = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(out.begin(), out.end(), by_cell)) std::stable_sort(out.begin(), out.end(), by_cell);
  size_t kept = 0;
  for (const auto& w : out)
    if (kept && out[kept - 1].first == w.first)
      ++out[kept - 1].second.times, out[kept - 1].second.node = w.second.node;
    else
      out[kept++] = w;
  out.resize(kept);
  return out;
}

std::unique_ptr<BlockSteps> block_steps(const Run& run, int launch, int number) {
  auto place = std::make_unique<BlockSteps>();
  BlockSteps& out = *place;
  const Trace& trace = run.trace;
  const DataflowGraph& flow = run.report.flow;
  out.run = &run;
  out.launch = launch;
  out.block = number;
  const auto& launches = trace.launches;
  if (launches.empty()) return place;
  const Launch& l = launches[size_t(launch)];
  out.sectors = l.shared.empty();

  const std::span<const Interval> intervals = flow.of_block(launch, number);
  size_t nodes = 0;
  for (const Interval& v : intervals) nodes += v.nodes.size();
  out.steps.resize(intervals.size());
  struct Touched {
    int first = std::numeric_limits<int>::max(), last = -1, writes = 0;
  };
  std::vector<std::map<int, Touched>> touched_in(intervals.size());
  std::vector<std::vector<std::pair<int, CellRef>>> stored_in(intervals.size());
  const auto by_load = [](const auto& a, const auto& b) { return a.first < b.first; };
  for_each_step(intervals.size(), nodes, [&](size_t number_of_step) {
    const Interval& interval = intervals[number_of_step];
    Step& step = out.steps[number_of_step];
    step.in = &out;
    step.interval = &interval;
    step.flow_index = int(&interval - flow.intervals.data());
    step.works.assign(size_t(l.block), false);
    Touched* of = nullptr;
    int array = -1;
    const int first_thread = number * l.block;
    Sources from;
    std::vector<int> open;
    for (int id : interval.nodes) {
      const Node& node = flow.nodes[size_t(id)];
      const auto rank = size_t(node.thread - first_thread);
      if (!step.works[rank]) step.works[rank] = true, ++step.working;
      if (node.place.array != array) of = &touched_in[number_of_step][array = node.place.array];
      of->first = std::min(of->first, node.place.index);
      of->last = std::max(of->last, node.place.index);
      if (!writes(node.op)) continue;
      ++of->writes;
      find_arrow_sources(flow, id, from, open);
      step.loads.insert(step.loads.end(), from.loads.begin(), from.loads.end());
      step.wrote.push_back({id, uint32_t(step.loads.size())});
      for (int load : from.loads) stored_in[number_of_step].emplace_back(load, node.place);
    }
    std::stable_sort(stored_in[number_of_step].begin(), stored_in[number_of_step].end(), by_load);
  });
  std::map<int, std::pair<int, int>> touched;
  std::map<int, int> written;
  for (size_t k = 0; k < intervals.size(); ++k) {
    for (const auto& [array, t] : touched_in[k]) {
      auto [range, fresh] = touched.try_emplace(array, t.first, t.last);
      range->second.first = std::min(range->second.first, t.first);
      range->second.second = std::max(range->second.second, t.last);
      if (t.writes) written[array] += t.writes;
    }
    out.stored_at.insert(out.stored_at.end(), stored_in[k].begin(), stored_in[k].end());
  }
  // mostly they are: few values wait for longer than a step
  if (!std::is_sorted(out.stored_at.begin(), out.stored_at.end(), by_load))
    std::stable_sort(out.stored_at.begin(), out.stored_at.end(), by_load);

  for (auto [array, range] : touched)
    out.parts[array] =
        part_of(trace.array(l, array), array, l.grid,
                trace.arrays.empty() ? 0 : trace.arrays[size_t(trace.input)].size, range.first, range.second);
  for (const auto& [array, part] : out.parts) {
    if (const Padding p = bscope::padding(trace, flow, launch, number, array); p.row) out.padding[array] = p;
    if (RowTurns t = row_turns(trace, flow, launch, number, array); t.row) out.turns[array] = std::move(t);
  }
  const auto most_written = [&](bool shared) {
    int count = 0;
    for (auto [array, n] : written)
      if ((array >= first_shared) == shared && n > count) out.main = array, count = n;
    return count > 0;
  };
  if (!most_written(true) && !most_written(false) && !touched.empty()) out.main = touched.begin()->first;

  for (size_t first = 0; first < out.steps.size();) {
    size_t end = first;
    while (end < out.steps.size() && out.steps[end].interval->phase == out.steps[first].interval->phase)
      ++end;
    for (size_t k = first; k < end; ++k) {
      out.steps[k].phase_number = int(k - first) + 1;
      out.steps[k].phase_count = int(end - first);
    }
    first = end;
  }
  return place;
}

}  // namespace bscope
