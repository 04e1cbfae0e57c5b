#include "app/tabs/watch/whole_run/rows.hpp"

#include <algorithm>

#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// What the rows are made of.
struct RowSources {
  const RunQueries& model;
  const BlockSteps& here;
  const Track& track;
  int array, fit;
};

/// Whether a lane wrote the shown cells for the last time before it met the others. Then the meeting stands
/// below.
bool comes_after(const RowSources& of, const Exchange& e, const Interval& interval) {
  if (e.lanes.empty() || e.lanes[0].node < 0) return false;
  const auto& nodes = of.model.flow().nodes;
  const Node& met = nodes[size_t(e.lanes[0].node)];
  int last = -1;
  for (int id : interval.nodes)
    if (const Node& n = nodes[size_t(id)];
        n.thread == met.thread && writes(n.op) && n.place.array == of.array)
      last = std::max(last, n.event);
  return last >= 0 && last < met.event;
}

/// Returns the step's own row.
int add_step(WholeRunRows& rows, const RowSources& of, const Interval& interval, bool by_block,
             const std::vector<Exchange>* lanes) {
  std::vector<WholeRunRow> after;
  const Exchange* last = nullptr;
  int first = 0;
  bool shown = false;
  for (int k = 0; lanes && k < int(lanes->size()); ++k) {
    const Exchange& e = (*lanes)[size_t(k)];
    if (e.interval != interval.index) continue;
    const bool same = last && last->line == e.line && last->occurrence == e.occurrence && last->op == e.op;
    last = &e;
    if (!same) first = k, shown = false;
    if (shown || !moves_something(e)) continue;
    shown = true;
    (comes_after(of, e, interval) ? after : rows.all)
        .push_back({WholeRunRow::lanes, interval.launch, interval.block, interval.index, by_block, first});
  }
  rows.all.push_back({WholeRunRow::step, interval.launch, interval.block, interval.index, by_block, -1});
  const int own = rows.size() - 1;
  rows.all.insert(rows.all.end(), after.begin(), after.end());
  return own;
}

/// What the lanes of a block hand each other; null: that is not shown. Found by going through the launch, so
/// of other blocks than the cursor's only in runs that are small, and as long as there may be room.
const std::vector<Exchange>* lanes_within(const WholeRunRows& rows, const RowSources& of, int launch,
                                          int block, bool others) {
  const bool ours = launch == of.here.launch && block == of.here.block;
  constexpr size_t most_nodes = 100'000;
  if (ours ? of.track.by_block && !others
           : !others || of.model.flow().nodes.size() > most_nodes || rows.size() > of.fit)
    return nullptr;
  return &of.model.exchanges(launch, block);
}

/// The cursor's launch: the steps of its block (or of all blocks), with what lanes hand each other before the
/// step's end.
void add_present_launch(WholeRunRows& rows, const RowSources& of, int launch, bool others) {
  for (size_t j = 0; j < of.track.steps.size(); ++j) {
    const int before = rows.size();
    const Interval& interval = *of.track.steps[j]->interval;
    rows.of_track.push_back(add_step(rows, of, interval, of.track.by_block,
                                     lanes_within(rows, of, launch, interval.block, others)));
    if (int(j) != of.track.present) continue;
    rows.present = rows.of_track.back();
    rows.present_first = before;
    rows.present_last = rows.size() - 1;
  }
}

void add_other_launch(WholeRunRows& rows, const RowSources& of, int launch, bool others) {
  const Launch& l = of.model.trace().launches[size_t(launch)];
  const int block = std::min(of.here.block, l.grid - 1);
  const int steps = int(of.model.flow().of_block(launch, block).size());
  if (l.grid > 1 && steps == 1) {
    for (int b = 0; b < std::min(l.grid, 64); ++b)
      if (const auto intervals = of.model.flow().of_block(launch, b); !intervals.empty())
        add_step(rows, of, intervals[0], true, lanes_within(rows, of, launch, b, others));
  } else {
    const auto intervals = of.model.flow().of_block(launch, block);
    for (int i = 0; i < steps; ++i)
      add_step(rows, of, intervals[size_t(i)], false, lanes_within(rows, of, launch, block, others));
  }
}

/// Launch after launch. `others`: lanes of all blocks and launches, not of the cursor's block alone.
WholeRunRows all_rows(const RowSources& of, bool others) {
  WholeRunRows rows;
  const auto& launches = of.model.trace().launches;
  for (int k = 0; k < int(launches.size()); ++k) {
    if (launches.size() > 1)
      rows.all.push_back(
          {WholeRunRow::head, k, std::min(of.here.block, launches[size_t(k)].grid - 1), 0, false, -1});
    if (k == of.here.launch)
      add_present_launch(rows, of, k, others);
    else
      add_other_launch(rows, of, k, others);
  }
  return rows;
}

}  // namespace

WholeRunRows whole_run_rows(const RunQueries& model, const BlockSteps& here, const Track& track, int array,
                            int fit, bool future) {
  const RowSources of{model, here, track, array, fit};
  WholeRunRows rows = all_rows(of, true);
  if (rows.size() > fit) rows = all_rows(of, false);
  if (!future) {
    rows.all.resize(size_t(std::min(rows.present_last + 1, rows.size())));
    rows.of_track.resize(size_t(track.present) + 1);
  }
  return rows;
}

std::vector<const Exchange*> exchanges_of(const RunQueries& model, const WholeRunRow& row) {
  std::vector<const Exchange*> out;
  const auto& all = model.exchanges(row.launch, row.block);
  const Exchange& first = all[size_t(row.exchange)];
  for (size_t k = size_t(row.exchange); k < all.size(); ++k) {
    const Exchange& e = all[k];
    if (e.interval == first.interval && e.line == first.line && e.occurrence == first.occurrence &&
        e.op == first.op)
      out.push_back(&e);
  }
  return out;
}

RowsInView rows_in_view(int all, int fit, int present, int scroll) {
  RowsInView view{0, std::min(all, fit)};
  if (all > fit) {
    view.first = std::clamp(present - view.count / 2, 0, all - view.count);
    view.first = std::clamp(view.first + scroll, 0, all - view.count);
  }
  return view;
}

}  // namespace bscope
