#include "app/view/watch/model.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>

#include "engine/analysis/why.hpp"
#include "engine/trace/parallel.hpp"

namespace bscope {
namespace {

bool more_telling(LineRole::What a, LineRole::What b) { return int(a) > int(b); }

void mark_lines(Step& step, const Flow& flow, const Report& report, int opened_by) {
  int last = 0;  // the same again and again, warp by warp
  LineRole::What same = LineRole::compute;
  const auto mark = [&](int line, LineRole::What what) {
    if (line <= 0 || (line == last && what == same)) return;
    last = line;
    same = what;
    auto [it, fresh] = step.lines.try_emplace(line, LineRole{what, {}, -1});
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
  for (const WarpRequest& request : report.requests_of(size_t(step.flow_index))) {
    const auto line = step.lines.find(request.line);
    if (line == step.lines.end() || line->second.warp >= 0) continue;
    if (int(request.lanes.size()) >= request.lanes_in_warp) continue;
    line->second.warp = request.warp;
    line->second.lanes.assign(size_t(request.lanes_in_warp), false);
    for (const auto& lane : request.lanes)
      if (lane.lane < request.lanes_in_warp) line->second.lanes[size_t(lane.lane)] = true;
  }
}

void count_traffic(Step& step, const Report& report, bool sectors) {
  for (const WarpRequest& request : report.requests_of(size_t(step.flow_index))) {
    if (request.shared() == sectors) continue;
    const int all = sectors ? request.sectors : request.wavefronts;
    const int ideal = std::min(all, sectors ? request.ideal_sectors : request.ideal);
    int& kind = is_atomic(request.op) ? step.traffic.atomic
                : writes(request.op)  ? step.traffic.write
                                      : step.traffic.read;
    kind += ideal;
    step.traffic.extra += all - ideal;
  }
}

// The one distance that all moves within an array share: it is the stride of the algorithm's step.
int common_stride(const Step& step) {
  int stride = 0;
  for (const Move& m : step.moves) {
    if (m.arrow.to.array < 0) continue;
    for (Place from : m.arrow.from) {
      if (from.array != m.arrow.to.array || from == m.arrow.to) continue;
      const int distance = std::abs(m.arrow.to.index - from.index);
      if (stride && distance != stride) return 0;
      stride = distance;
    }
  }
  return stride;
}

// Which arrays the rows before and after show: where values went, and where most of them came from.
void choose_rows(Step& step, const BlockSteps& block) {
  std::map<int, int> to, from;
  for (const Move& m : step.moves)
    if (!m.held) ++to[m.arrow.to.array];
  const auto most = [](const std::map<int, int>& counts, int otherwise) {
    int best = otherwise, count = 0;
    for (auto [array, n] : counts)
      if (n > count) best = array, count = n;
    return best;
  };
  step.to = to.empty() || to.contains(block.main) ? block.main : most(to, block.main);
  for (const Move& m : step.moves)
    if (!m.held && m.arrow.to.array == step.to)
      for (Place p : m.arrow.from)
        if (p != m.arrow.to) ++from[p.array];
  step.from = from.contains(step.to) ? step.to : most(from, step.to);
  // A much longer array (the whole input of a block that folds it) would squeeze the row that matters.
  const auto size = [&](int array) {
    const auto it = block.parts.find(array);
    return it == block.parts.end() ? 0 : it->second.size;
  };
  if (size(step.from) > std::max(32, 2 * size(step.to))) step.from = step.to;
}

// A global array that blocks share out among themselves (the input, or anything long) is shown block by
// block.
Part part_of(const ArrayInfo& info, int array, int grid, int input, int least, int most) {
  const int touched = most - least + 1;
  const bool shared_out = array < first_shared && grid > 1 && (info.size > 32 || info.size == input);
  return shared_out && touched * 4 < info.size * 3 ? Part{array, least, touched} : Part{array, 0, info.size};
}

/// f(0) ... f(n - 1); from several threads where there are enough nodes to be worth them.
void for_each_step(size_t n, size_t nodes, const std::function<void(size_t)>& f) {
  if (nodes >= 20'000) return parallel(n, f);
  for (size_t k = 0; k < n; ++k) f(k);
}

}  // namespace

WatchModel::WatchModel(std::shared_ptr<const Run> run) : run_(std::move(run)) {}
WatchModel make_watch_model(std::shared_ptr<const Run> run) { return WatchModel(std::move(run)); }

const BlockSteps& WatchModel::block(int launch, int number) const {
  const auto& launches = trace().launches;
  launch = std::clamp(launch, 0, std::max(0, int(launches.size()) - 1));
  number = launches.empty() ? 0 : std::clamp(number, 0, std::max(0, launches[size_t(launch)].grid - 1));
  auto& place = blocks_[{launch, number}];
  if (!place) place = make_block(launch, number);
  return *place;
}

std::unique_ptr<BlockSteps> WatchModel::make_block(int launch, int number) const {
  auto place = std::make_unique<BlockSteps>();
  BlockSteps& out = *place;
  out.launch = launch;
  out.block = number;
  const auto& launches = trace().launches;
  if (launches.empty()) return place;
  const Launch& l = launches[size_t(launch)];
  out.sectors = l.shared.empty();

  const std::span<const Interval> intervals = flow().of_block(launch, number);
  size_t nodes = 0;
  for (const Interval& v : intervals) nodes += v.nodes.size();
  out.steps.resize(intervals.size());
  struct Touched {
    int first = std::numeric_limits<int>::max(), last = -1, writes = 0;
  };
  std::vector<std::map<int, Touched>> touched_in(intervals.size());
  for_each_step(intervals.size(), nodes, [&](size_t number_of_step) {
    const Interval& interval = intervals[number_of_step];
    Step& step = out.steps[number_of_step];
    step.interval = &interval;
    step.flow_index = int(&interval - flow().intervals.data());
    step.works.assign(size_t(l.block), false);
    Touched* of = nullptr;
    int array = -1;
    for (int id : interval.nodes) {
      const Node& node = flow().nodes[size_t(id)];
      const auto rank = size_t(node.thread % l.block);
      if (!step.works[rank]) step.works[rank] = true, ++step.working;
      if (node.place.array != array) of = &touched_in[number_of_step][array = node.place.array];
      of->first = std::min(of->first, node.place.index);
      of->last = std::max(of->last, node.place.index);
      if (!writes(node.op)) continue;
      ++of->writes;
      step.written.push_back({Step::key(node.place), {1, id}});
    }
    // each cell once: how often, and the last
    const auto by_cell = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(step.written.begin(), step.written.end(), by_cell))
      std::stable_sort(step.written.begin(), step.written.end(), by_cell);
    size_t kept = 0;
    for (const auto& w : step.written)
      if (kept && step.written[kept - 1].first == w.first)
        ++step.written[kept - 1].second.times, step.written[kept - 1].second.node = w.second.node;
      else
        step.written[kept++] = w;
    step.written.resize(kept);
    auto all = arrows(flow(), interval);
    step.moves.reserve(all.size());
    for (Arrow& arrow : all) step.moves.push_back({std::move(arrow), false});
  });
  std::map<int, std::pair<int, int>> touched;
  std::map<int, int> written;
  std::vector<std::pair<int, Place>> stored_at;  // each load whose value is stored, and where first
  for (size_t k = 0; k < intervals.size(); ++k) {
    for (const auto& [array, t] : touched_in[k]) {
      auto [range, fresh] = touched.try_emplace(array, t.first, t.last);
      range->second.first = std::min(range->second.first, t.first);
      range->second.second = std::max(range->second.second, t.last);
      if (t.writes) written[array] += t.writes;
    }
    for (const Move& m : out.steps[k].moves)
      for (int load : m.arrow.loads) stored_at.emplace_back(load, m.arrow.to);
  }
  const auto by_load = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::stable_sort(stored_at.begin(), stored_at.end(), by_load);

  for (auto [array, range] : touched)
    out.parts[array] = part_of(this->array(launch, array), array, l.grid,
                               trace().arrays.empty() ? 0 : trace().arrays[size_t(trace().input)].size,
                               range.first, range.second);
  const auto most_written = [&](bool shared) {
    int count = 0;
    for (auto [array, n] : written)
      if ((array >= first_shared) == shared && n > count) out.main = array, count = n;
    return count > 0;
  };
  if (!most_written(true) && !most_written(false) && !touched.empty()) out.main = touched.begin()->first;

  for_each_step(out.steps.size(), nodes, [&](size_t k) {
    Step& step = out.steps[k];
    std::vector<int> used;
    for (const Move& m : step.moves) used.insert(used.end(), m.arrow.loads.begin(), m.arrow.loads.end());
    std::sort(used.begin(), used.end());
    for (int id : step.interval->nodes) {
      const Node& node = flow().nodes[size_t(id)];
      if (!reads(node.op) || writes(node.op) || std::binary_search(used.begin(), used.end(), id)) continue;
      Move held;
      held.held = true;
      held.arrow.thread = node.thread;
      held.arrow.line = node.line;
      held.arrow.node = id;
      held.arrow.from = {node.place};
      held.arrow.loads = {id};
      const auto later =
          std::lower_bound(stored_at.begin(), stored_at.end(), std::pair(id, Place{}), by_load);
      if (later != stored_at.end() && later->first == id) held.arrow.to = later->second;
      step.moves.push_back(std::move(held));
    }
    for (const Move& m : step.moves) step.stores.push_back(m.arrow.node);
    step.stride = common_stride(step);
    mark_lines(step, flow(), run_->report, k ? out.steps[k - 1].interval->line : 0);
    count_traffic(step, run_->report, out.sectors);
    choose_rows(step, out);
  });
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

const Step* WatchModel::step(const Cursor& c) const {
  const BlockSteps& b = block(c);
  if (b.steps.empty()) return nullptr;
  return &b.steps[size_t(std::clamp(c.interval, 0, int(b.steps.size()) - 1))];
}

Track WatchModel::track(const Cursor& c) const {
  Track out;
  const BlockSteps& b = block(c);
  const int grid = trace().launches.empty() ? 1 : trace().launches[size_t(b.launch)].grid;
  out.by_block = grid > 1 && b.steps.size() == 1 && b.main >= 0 && b.main < first_shared;
  if (!out.by_block) {
    for (const Step& s : b.steps) out.steps.push_back(&s);
    out.present = std::clamp(c.interval, 0, std::max(0, int(b.steps.size()) - 1));
    return out;
  }
  // as many as can be made between two frames
  constexpr size_t most_nodes = size_t(1) << 16;
  const int most_blocks =
      int(std::clamp<size_t>(most_nodes / (b.steps[0].interval->nodes.size() + 1), 16, 64));
  out.first_block = b.block / most_blocks * most_blocks;
  const int end = std::min(grid, out.first_block + most_blocks);
  std::vector<std::unique_ptr<BlockSteps>*> missing;
  std::vector<int> numbers;
  for (int k = out.first_block; k < end; ++k)
    if (auto& place = blocks_[{b.launch, k}]; !place) missing.push_back(&place), numbers.push_back(k);
  for_each_step(missing.size(), missing.size() * b.steps[0].interval->nodes.size(),
                [&](size_t k) { *missing[k] = make_block(b.launch, numbers[k]); });
  for (int k = out.first_block; k < end; ++k)
    for (const Step& s : block(b.launch, k).steps) {
      if (k == b.block && &s == &b.steps[0]) out.present = int(out.steps.size());
      out.steps.push_back(&s);
    }
  return out;
}

const GlobalHistory& WatchModel::history() const {
  if (!history_) history_ = std::make_unique<GlobalHistory>(trace(), flow());
  return *history_;
}

StatePtr WatchModel::after(const Step& step, int array) const {
  if (array < first_shared) return history().at(array, history().moments(*step.interval).second);
  auto& kept = shared_[{step.flow_index, array}];
  if (!kept) kept = std::make_shared<ArrayState>(shared_state(trace(), *step.interval, array));
  return kept;
}

StatePtr WatchModel::before(const Step& step, int array) const {
  if (array < first_shared) return history().at(array, history().moments(*step.interval).first);
  if (step.interval->index > 0) {
    const BlockSteps& b = block(step.interval->launch, step.interval->block);
    return after(b.steps[size_t(step.interval->index) - 1], array);
  }
  auto nothing = std::make_shared<ArrayState>();
  const ArrayInfo& info = this->array(step.interval->launch, array);
  nothing->kind = info.kind;
  nothing->bits.resize(size_t(info.size));
  nothing->known.resize(size_t(info.size));
  return nothing;
}

std::string WatchModel::name(int launch, Place p) const {
  return array(launch, p.array).name + "[" + std::to_string(p.index) + "]";
}

std::optional<Place> WatchModel::selected(const Cursor& c) const {
  if (c.cell) {
    const Launch* l = trace().launches.empty() ? nullptr : &trace().launches[size_t(block(c).launch)];
    const int array = c.cell->array;
    const bool exists = l && array >= 0 &&
                        (array < first_shared ? array < int(trace().arrays.size())
                                              : array - first_shared < int(l->shared.size()));
    if (exists && c.cell->index >= 0 && c.cell->index < trace().array(*l, array).size) return c.cell;
  }
  const Step* s = step(c);
  if (!s) return {};
  if (chosen_.step == s && chosen_.array == c.array) return chosen_.cell;
  // in the array that the cursor asks for, if the step writes it
  constexpr int all = std::numeric_limits<int>::max();
  const int wanted = c.array >= 0 && !s->written_in(c.array, 0, all).empty() ? c.array : s->to;
  std::optional<Place> best;
  int times = 0;
  for (const auto& [key, w] : s->written) {
    const Place p{int(key >> 32), int(uint32_t(key))};
    if (p.array != wanted || w.times < times || (w.times == times && best && p.index < best->index)) continue;
    best = p;
    times = w.times;
  }
  if (!best)
    for (const Move& m : s->moves)
      if (m.held && m.arrow.from[0].array == wanted && (!best || m.arrow.from[0] > *best))
        best = m.arrow.from[0];
  chosen_ = {s, c.array, best};
  return best;
}

int WatchModel::followed(const Cursor& c) const {
  const Step* s = step(c);
  if (!s) return -1;
  const int threads = trace().launches[size_t(s->interval->launch)].block;
  if (c.thread >= 0) return std::min(c.thread, threads - 1);
  const auto cell = selected(c);
  if (!cell) return -1;
  if (const auto* w = s->writes_of(*cell)) return flow().nodes[size_t(w->node)].thread % threads;
  for (auto m = s->moves.rbegin(); m != s->moves.rend(); ++m)
    if (m->held && m->arrow.from[0] == *cell) return m->arrow.thread % threads;
  return -1;
}

int WatchModel::holder(const Step& step, Place p) const {
  const BlockSteps& b = block(step.interval->launch, step.interval->block);
  for (int k = step.interval->index; k >= 0; --k)
    if (const auto* w = b.steps[size_t(k)].writes_of(p)) return w->node;
  if (p.shared()) return -1;
  return history().writer(p, history().moments(*step.interval).second);
}

int WatchModel::lost(const Step& step, Place p) const {
  if (!lost_) {
    lost_ = std::make_unique<std::map<std::tuple<int, int, int, Place>, int>>();
    for (const LostUpdate& u : run_->report.lost().updates) {
      if (u.store < 0) continue;
      const Node& store = flow().nodes[size_t(u.store)];
      ++(*lost_)[{store.launch, store.thread / trace().launches[size_t(store.launch)].block, store.interval,
                  u.place}];
    }
  }
  const Interval& i = *step.interval;
  const auto it = lost_->find({i.launch, i.block, i.index, p});
  return it == lost_->end() ? 0 : it->second;
}

const std::vector<int>& WatchModel::ancestors(int node, int least) const {
  if (ancestors_.node != node || ancestors_.least != least)
    ancestors_ = {node, least, node < 0 ? std::vector<int>{} : ancestry(flow(), node, least)};
  return ancestors_.all;
}

}  // namespace bscope
