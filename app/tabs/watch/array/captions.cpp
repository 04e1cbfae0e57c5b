#include "app/tabs/watch/array/captions.hpp"

#include <algorithm>
#include <utility>

#include "app/run/values.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/cells.hpp"
#include "app/tabs/watch/array/inputs.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/relatives.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {
namespace {

/// Cells that the step wrote and the row leaves out.
int written_outside(const StepView& v, const CellRow& row) {
  int outside = int(v.written_in(v.to.array, v.to.first, v.to.size).size());
  for (const int cell : row.cells)
    outside -= cell < v.to.size && v.writes_of({v.to.array, v.to.first + cell});
  return outside;
}

/// Of a cell that is written several times: how often, and what the last write made of it.
std::string writes_caption(const StepView& v, CellRef p, const Step::Written& w) {
  const Node& last = v.node(w.node);
  const bool atomic = is_atomic(last.op);
  const int lost = v.model.lost(v.step, p);
  const std::string cell = v.name(p);
  const std::string words = atomic ? tr("{} atomics queue for {}", w.times, cell)
                            : lost ? tr("{} writes to {}, {} of them lost", w.times, cell, lost)
                                   : tr("{} writes to {}", w.times, cell);
  if (last.op != Op::atomic_add || last.b < 0)
    return words + tr(", the last by t{}", last.thread % v.threads);
  const uint64_t old = v.model.found(v.sub, w.node);
  const auto value = [&](uint64_t bits) { return value_text(ElementType(last.kind), bits); };
  return words + tr(", the last by t{0} ({1} + {2} = {3})", last.thread % v.threads, value(old),
                    value(v.node(last.b).bits), value(written_bits(v.model.flow(), last, old)));
}

std::string elsewhere_caption(const StepView& v, const Move& m, int moves) {
  const std::string cell = v.name(m.arrow.to), value = value_written(v, m);
  // its frame has no arrow: the words say where the value goes
  const auto& from = m.arrow.from;
  if (moves == 1 && from.size() == 1 && v.in_part(from[0], v.from) && read_now(v, m, from[0]))
    return tr("also {0} = {1}, read from {2}", cell, value, v.name(from[0]));
  return moves > 1 ? tr("also {} = {} and {} more there", cell, value, moves - 1)
                   : tr("also {} = {}", cell, value);
}

/// The pill of several writes to say how many of: the followed thread's, else the first. Null: there is none.
const DrawnMove* several_writes(const std::vector<MovePill>& pills) {
  const DrawnMove* many = nullptr;
  for (const MovePill& p : pills)
    if (!p.of.move->held && p.of.times > 1 && (!many || p.of.focus)) many = &p.of;
  return many;
}

}  // namespace

std::string boxed_caption(const StepView& v, const DrawnMoves& moves) {
  const bool after_barrier = v.step.interval->index > 0;
  return std::string(v.sub || (!after_barrier && !moves.lanes) ? tr("boxed values wait in registers")
                     : moves.lanes
                         ? tr("boxed values came in registers, from lanes or from before the barrier")
                         : tr("boxed values were read before the barrier and kept in registers"));
}

MoveMarks wanted_marks(const StepView& v, const StepStates& states, const DrawnMoves& moves) {
  MoveMarks out;
  out.boxed = moves.registers;
  if (moves.meanwhile && moves.all.size() <= most_worded) {
    out.words = meanwhile_words(v, states, *moves.meanwhile, moves.meanwhile_load);
    out.writer = written_meanwhile(v, states, *moves.meanwhile, moves.meanwhile_load);
  }
  return out;
}

std::vector<std::string> captions(const StepView& v, const LitCells& lit, const DrawnMoves& moves,
                                  const CellRow& row, const MoveMarks& marks, bool printed) {
  if (v.hides && printed) return {tr("Unchanged cells stay filled in.")};
  if (v.hides)
    return {std::string(
        tr("Type a value, Tab moves to the next box, Enter reveals. Unchanged cells stay filled in."))};
  std::vector<std::string> out;
  const auto add = [&](std::string s) { out.push_back(std::move(s)); };
  if (const int outside = written_outside(v, row); outside > 0)
    add(tr_count(outside, "{} more cell written, outside the lens",
                 "{} more cells written, outside the lens"));
  if (moves.writes > 0 && v.selected)
    if (const auto* w = v.writes_of(*v.selected); w && w->times > 1) add(writes_caption(v, *v.selected, *w));
  if (v.selected && lit.any())
    if (std::string words = words_of(lit.relatives, v.name(*v.selected)); !words.empty())
      add(std::move(words));
  if (marks.writer >= 0) {
    const std::string by = writer_name(v, marks.writer);
    add(is_of_another_block(v, marks.writer)
            ? tr("{0}: read after {1} had written it", marks.words, by)
            : tr("{0}: read after {1} had written it in this step", marks.words, by));
  }
  if (marks.picked) add(tr("arrow from below: read after it was written in this step"));
  if (marks.boxed) add(boxed_caption(v, moves));
  if (!moves.all.empty() && moves.held == int(moves.all.size()) && !v.sub)
    add(v.step.interval->line == 0 ? tr("only reads here: the values stay in registers")
                                   : tr("only reads here: the values wait in registers for the barrier"));
  for (const auto& [m, same] : moves.elsewhere) add(elsewhere_caption(v, *m, same));
  return out;
}

std::vector<std::string> meanings_of_signs(const StepView& v, const StepStates& states, const CellRow& row,
                                           const MovePills& all, bool dots, bool briefly) {
  if (v.hides) return {};
  std::vector<std::string> out;
  const auto add = [&](std::string s) { out.push_back(std::move(s)); };
  std::vector<MovePill> pills = all.all;  // that have words: the others are dots
  if (all.family) std::erase_if(pills, [](const MovePill& p) { return !p.of.focus; });
  if (const DrawnMove* many = several_writes(pills))
    add(briefly ? tr("{0}: {1} writes", pill_text(v, *many, false), many->times)
                : tr("{0}: {1} writes to the cell in this step", pill_text(v, *many, false), many->times));
  const auto readers = std::ranges::max_element(
      pills, {}, [](const MovePill& p) { return std::pair(p.readers > 1 && p.of.focus, p.readers); });
  if (readers != pills.end() && readers->readers > 1)
    add(briefly ? tr("{0}: one of {1} readers", pill_text(v, readers->of, false), readers->readers)
                : tr("{0}: one of {1} threads that read the cell", pill_text(v, readers->of, false),
                     readers->readers));
  const auto atomic = [&](const MovePill& p) {
    return !p.of.move->held && is_atomic(v.node(p.of.move->arrow.node).op);
  };
  if (std::ranges::any_of(pills, atomic))
    add(std::string(briefly ? tr("purple: atomic")
                            : tr("purple: atomic, no other thread comes between its read and its write")));
  const auto unnamed = [](const MovePill& p) { return !p.of.move->held && p.of.move->arrow.op == "other"; };
  if (std::ranges::any_of(pills, unnamed)) add(tr("f: other arithmetic"));
  const auto raced = [&](int cell) { return v.landed && v.raced({v.to.array, v.to.first + cell}); };
  if (std::ranges::any_of(row.cells, raced))
    add(std::string(briefly ? tr("red: race") : tr("red border: threads race for the cell")));
  const auto foreign = [&](int cell) { return is_foreign(v, states, {v.to.array, v.to.first + cell}); };
  if (std::ranges::any_of(row.cells, foreign))
    add(std::string(briefly ? tr("orange border: another block")
                            : tr("orange border: written by another block")));
  if (dots)
    add(std::string(briefly ? tr("dot: a longer number")
                            : tr("dot: a number too long for its cell, click to read it")));
  const auto from_outside = [&](const MovePill& p) {
    return (p.of.focus || v.all_arrows) &&
           std::ranges::any_of(inputs_of(v, states, row, p.of), &MoveInput::from_outside);
  };
  if (std::ranges::any_of(pills, from_outside)) add(tr("ring: a value from outside this picture"));
  return out;
}

std::string joined(const std::vector<std::string>& clauses, const std::string& between) {
  std::string all;
  for (const std::string& c : clauses) all += (all.empty() ? "" : between) + c;
  return all;
}

std::vector<std::string> with_drawn(std::vector<std::string> said, const std::vector<std::string>& planned,
                                    const std::vector<std::string>& drawn) {
  const auto at = std::ranges::search(said, planned).begin();
  if (!planned.empty() && at != said.end())
    said.insert(said.erase(at, at + std::ptrdiff_t(planned.size())), drawn.begin(), drawn.end());
  else
    std::erase_if(said, [&](const std::string& clause) {
      return std::ranges::count(planned, clause) && !std::ranges::count(drawn, clause);
    });
  return said;
}

}  // namespace bscope
