#include "app/tabs/watch/array/step.hpp"

#include <algorithm>

#include "app/run/cursor.hpp"
#include "app/run/run.hpp"
#include "app/session/motion.hpp"
#include "app/session/prediction.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/selection.hpp"
#include "engine/analysis/stuck_threads.hpp"
#include "engine/trace/places.hpp"

namespace bscope {
namespace {

/// What is shown of a request's array: the block's part, or the row that the request touches.
ArrayRange touched_by(const WarpInstruction& sub, const StepView& v, const ArrayRange& part) {
  const auto turns = v.block.turns.find(part.array);
  if (turns == v.block.turns.end() || sub.nodes.empty()) return part;
  const int row = turns->second.row;
  return {part.array, v.node(sub.nodes[0]).place.index / row * row, row};
}

}  // namespace

StepView::StepView(const RunQueries& m, const Cursor& c, const Prediction* asked)
    : model(m),
      prediction(asked),
      hides(asked && asked->hides()),
      block(m.block(c)),
      step(*m.step(c)),
      sub(hides ? nullptr : m.instruction(c)),
      threads(launch().block),
      array_chosen(c.array >= 0),
      thread_chosen(c.thread >= 0),
      cell_chosen(c.cell.has_value()),
      phase(c.phase),
      landed(c.phase >= landing && !hides),
      all_arrows(c.arrows),
      stuck(sub ? std::vector<int>() : stuck_lines(m.trace(), m.flow(), *step.interval)) {
  const Selection& selection = m.selection(c);
  followed = selection.thread;
  selected = selection.cell;
  const ArrayRange shown = shown_part(m, c);
  const bool switched = array_chosen && shown.array == c.array;
  if (sub && sub->request) {
    // one request has one array; whole, if it was asked for
    const int array = sub->request->array;
    to = from = touched_by(*sub, *this, switched && c.array == array ? shown : part(array));
    if (!works(followed)) followed = -1;
  } else {
    to = switched ? shown : step.after(step.to());
    from = switched && shown.array < first_shared ? shown : step.before(switched ? shown.array : step.from());
  }
}

const Step::WrittenCells& StepView::written() const { return sub ? sub->written : step.written(); }

std::string StepView::thread_name(int rank) const { return rank_text(launch(), rank); }

ArrayRange StepView::part(int array) const {
  const auto it = block.parts.find(array);
  return it == block.parts.end() ? ArrayRange{} : it->second;
}

std::string StepView::part_name(const ArrayRange& p) const {
  const ArrayInfo& info = array(p.array);
  if (p.size == info.cells()) return info.name + "[" + std::to_string(info.size) + "]";
  if (p.size == 1) return name({p.array, p.first});
  return info.name + "[" + std::to_string(p.first) + ".." + std::to_string(p.first + p.size - 1) + "]";
}

bool StepView::in_part(CellRef p, const ArrayRange& part) const {
  return p.array == part.array &&
         (!block.turns.contains(p.array) || (p.index >= part.first && p.index < part.first + part.size));
}

std::span<const std::pair<uint64_t, Step::Written>> StepView::written_in(int array, int first,
                                                                         int count) const {
  return Step::in_cells(written(), array, first, count);
}

const Step::Written* StepView::writes_of(CellRef p) const {
  const auto found = written_in(p.array, p.index, 1);
  return found.empty() ? nullptr : &found.front().second;
}

bool StepView::works(int rank) const {
  return sub ? std::ranges::binary_search(sub->ranks, rank) : step.works[size_t(rank)];
}

bool StepView::raced(CellRef p) const {
  if (!tells_races || !writes_of(p)) return false;
  if (model.lost(step, p) > 0) return true;
  for (const Hazard& h : model.flow().hazards)
    if (h.place == p && h.launch == block.launch && (h.block == block.block || !p.shared())) return true;
  return false;
}

}  // namespace bscope
