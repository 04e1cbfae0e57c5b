#include "app/tabs/watch/whole_run/content.hpp"

#include <algorithm>
#include <cstdlib>

#include "app/run/values.hpp"
#include "app/session/motion.hpp"
#include "app/session/prediction.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/relatives.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"

namespace bscope {

WholeRunContent::WholeRunContent(const RunQueries& m, const Cursor& c, const WatchState& state,
                                 const Prediction* asked)
    : model(m),
      prediction(asked),
      block(m.block(c)),
      track(m.track(c)),
      now(*m.step(c)),
      part(shown_part(m, c)),
      from(now.before(now.from())),
      to(now.after(now.to())),
      steps_through(m.instruction(c) != nullptr),
      selected(m.selected(c)),
      landed(c.phase >= landing && !(asked && asked->hides())),
      related(bscope::related(m, c, state.relatives)),
      scroll(state.run_scroll_at == now.flow_index ? state.run_scroll : 0) {
  if (c.array >= 0 && part.array == c.array) from = to = part;
}

const Step& WholeRunContent::step(int r) const {
  return model.block(row(r).launch, row(r).block).steps[size_t(row(r).index)];
}

bool WholeRunContent::has_future() const {
  for (int r = 0; r < rows.size(); ++r)
    if (row(r).what == WholeRunRow::step && !values(r)) return true;
  return false;
}

ArrayRange WholeRunContent::part_of(int r) const {
  const BlockSteps& b = model.block(row(r).launch, row(r).block);
  if (of_this_launch(r)) return b.turns.contains(part.array) ? step(r).after(part.array) : part;
  if (part.array < first_shared && b.parts.contains(part.array)) return part;
  return b.steps.empty() ? ArrayRange{} : step(r).after(b.main);
}

int WholeRunContent::column(int r, CellRef p, const ArrayRange& of) const {
  const BlockSteps& b = model.block(row(r).launch, row(r).block);
  const auto turns = b.turns.find(p.array);
  return turns == b.turns.end() ? p.index - of.first : p.index % turns->second.row;
}

bool WholeRunContent::lit(int r, int node) const {
  if ((past(r) || present(r)) && related.went_in(node)) return true;
  // where a value goes is structure, which the future shows
  return related.flows_into(node);
}

int WholeRunContent::written_in(int load) const {
  const auto& nodes = model.flow().nodes;
  const int store = nodes[size_t(load)].a;
  if (store < 0) return -1;
  const Node& n = nodes[size_t(store)];
  if (n.launch != block.launch) return -1;
  const int writer = n.thread / model.trace().launches[size_t(n.launch)].block;
  const int k = track.by_block ? writer - track.first_block : writer == block.block ? n.interval : -1;
  return k >= 0 && k < int(rows.of_track.size()) ? rows.of_track[size_t(k)] : -1;
}

std::string WholeRunContent::what_lights() const {
  if (!selected || (!marks.lit && has_relatives(related))) return {};
  return words_of(related, name(*selected));
}

namespace {

/// How far lanes reach: the one distance between giver and taker, 0: mixed.
int reach(const RunQueries& model, const WholeRunRow& row) {
  int reach = 0;
  for (const Exchange* e : exchanges_of(model, row))
    for (const auto& l : e->lanes)
      if (l.from >= 0 && l.from != l.lane)
        reach = reach == 0 || reach == std::abs(l.from - l.lane) ? std::abs(l.from - l.lane) : -1;
  return std::max(0, reach);
}

std::string lanes_label(const RunQueries& model, const WholeRunRow& row, int style) {
  const Exchange& e = model.exchanges(row.launch, row.block)[size_t(row.exchange)];
  const std::string what(e.op == Op::shuffle  ? tr("shuffle")
                         : e.op == Op::reduce ? style >= 1 ? tr("sum") : tr("sum of lanes")
                                              : tr("vote"));
  const int by = reach(model, row);
  if (e.op != Op::shuffle || !by) return what;
  return style >= 2 ? tr("by {}", by) : what + " " + tr("by {}", by);
}

}  // namespace

std::string row_label(const WholeRunContent& run, int r, int style) {
  const WholeRunRow& row = run.row(r);
  if (row.what == WholeRunRow::head) return {};
  if (row.what == WholeRunRow::lanes) return lanes_label(run.model, row, style);
  const Step& s = run.step(r);
  if (row.by_block) return style >= 1 ? tr("b{}", row.block) : tr("block {}", row.block);
  std::string phase = phase_name(run.model, s);
  // a kernel without phases, whose name stands above its rows
  if (style >= 3 && run.model.trace().launches[size_t(row.launch)].phases.empty() && !s.stride())
    phase = tr("step");
  const bool reads = s.wrote.empty() && s.working;
  if (reads) phase = tr("read");
  if (style >= 1 && spoken() == Language::en) {
    if (phase.starts_with("each ")) phase.erase(0, 5);  // "scans", not "each", of "each scans its section"
    phase = phase.substr(0, phase.find_first_of("- "));
  }
  if (style >= 2 && phase == "down") phase = "dn";
  // of a long phase without strides: which of its steps
  if (!s.stride() && s.phase_count >= 4)
    return style >= 2 ? "#" + std::to_string(s.phase_number) : phase + " #" + std::to_string(s.phase_number);
  if (!s.stride()) return phase;
  if (style == 0) return tr("{}, stride {}", phase, s.stride());
  // a bare number would be taken for which step this is, which "#4" says
  const std::string by = tr("by {}", s.stride());
  // a step that reads has the stride of the one that then writes
  return style < 3 ? phase + " " + by : reads ? phase : by;
}

std::string lane_value(const WholeRunContent& run, const Exchange& e, const Exchange::ExchangeLane& l) {
  const int made = combined(run.model.flow(), l);
  if (made < 0) return value_text(e.result_kind, l.taken);
  const Node& n = run.model.flow().nodes[size_t(made)];
  return value_text(ElementType(n.kind), n.bits);
}

}  // namespace bscope
