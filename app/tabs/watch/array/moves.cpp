#include "app/tabs/watch/array/moves.hpp"

#include <algorithm>
#include <map>

#include "app/run/values.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "engine/analysis/arrows.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/instructions.hpp"

namespace bscope {
namespace {

bool same(const ArrayRange& a, const ArrayRange& b) {
  return a.array == b.array && a.first == b.first && a.size == b.size;
}

/// The cell of the row after that a move stands over; -1: none. A held value stands over the cell that it
/// will be stored in, else over its own.
int cell_of(const StepView& v, const Move& m) {
  int cell = -1;
  if (v.in_part(m.arrow.to, v.to))
    cell = m.arrow.to.index - v.to.first;
  else if (m.held && v.in_part(m.arrow.from[0], v.from) && v.one_row())
    cell = m.arrow.from[0].index - v.from.first;
  return cell < v.to.size ? cell : -1;
}

void count_elsewhere(std::vector<std::pair<const Move*, int>>& elsewhere, const Move& m) {
  const auto known = std::ranges::find_if(
      elsewhere, [&](const auto& e) { return e.first->arrow.to.array == m.arrow.to.array; });
  if (known == elsewhere.end())
    elsewhere.emplace_back(&m, 1);
  else
    ++known->second;
}

/// One stands for both: the followed thread's, if it is one of them.
void join(DrawnMove& shown, const DrawnMove& other) {
  const int times = shown.times + 1;
  if (other.focus && !shown.focus) shown = other;
  shown.times = times;
}

/// The moves over the cells of the row after; those to other arrays are counted.
void sort_moves(const StepView& v, DrawnMoves& out) {
  std::map<int, size_t> first_to_cell;
  for (const Move& m : v.sub ? v.sub->moves : v.step.moves()) {
    if (!m.held && !v.in_part(m.arrow.to, v.to)) {
      count_elsewhere(out.elsewhere, m);
      continue;
    }
    const DrawnMove d{&m, cell_of(v, m), m.arrow.thread % v.threads == v.followed, 1};
    if (d.to < 0) continue;
    // many threads on one cell (atomics, races): one pill stands for them
    if (const auto* w = m.held ? nullptr : v.writes_of(m.arrow.to); w && w->times > 2)
      if (const auto [it, fresh] = first_to_cell.try_emplace(d.to, out.all.size()); !fresh) {
        join(out.all[it->second], d);
        continue;
      }
    out.all.push_back(d);
  }
}

/// Which cells of the row before are read, whatever becomes of their values.
void find_reads(const StepView& v, const StepStates& states, DrawnMoves& out) {
  for (const Move& m : v.sub ? v.sub->moves : v.step.moves())
    for (size_t k = 0; k < m.arrow.from.size() && k < m.arrow.loads.size(); ++k) {
      const CellRef p = m.arrow.from[k];
      // what was made meanwhile is not what the row before shows
      if (!v.in_part(p, v.from) || !read_now(v, m, p) || written_meanwhile(v, states, m, k) >= 0) continue;
      out.reads.push_back({p.index - v.from.first, m.arrow.thread % v.threads == v.followed});
    }
  std::ranges::sort(out.reads);
  out.reads.erase(std::ranges::unique(out.reads).begin(), out.reads.end());
}

void count_moves(const StepView& v, const StepStates& states, DrawnMoves& out) {
  for (const DrawnMove& d : out.all) {
    const Arrow& arrow = d.move->arrow;
    out.held += d.move->held;
    out.writes += d.times > 1 ? d.times : 0;
    out.registers =
        out.registers || std::ranges::any_of(arrow.from, [&](CellRef p) { return !read_now(v, *d.move, p); });
    out.lanes = out.lanes || !arrow.lanes.empty();
    if (out.meanwhile || d.times > 1) continue;
    for (size_t k = 0; k < arrow.loads.size() && !out.meanwhile; ++k)
      if (written_meanwhile(v, states, *d.move, k) >= 0) out.meanwhile = d.move, out.meanwhile_load = k;
  }
}

}  // namespace

std::shared_ptr<const DrawnMoves> drawn_moves(const StepView& v, const StepStates& states) {
  std::shared_ptr<const void>& kept = v.model.kept("array view");
  const int substep = v.sub ? v.sub->number : -1;
  if (auto old = std::static_pointer_cast<const DrawnMoves>(kept);
      old && old->step == &v.step && old->substep == substep && old->followed == v.followed &&
      same(old->from, v.from) && same(old->to, v.to))
    return old;
  const auto made = std::make_shared<DrawnMoves>();
  made->step = &v.step;
  made->substep = substep;
  made->from = v.from;
  made->to = v.to;
  made->followed = v.followed;
  sort_moves(v, *made);
  find_reads(v, states, *made);
  count_moves(v, states, *made);
  kept = made;
  return made;
}

bool read_now(const StepView& v, const Move& m, CellRef p) {
  for (size_t k = 0; k < m.arrow.from.size() && k < m.arrow.loads.size(); ++k)
    if (m.arrow.from[k] == p) {
      // one request writes what others read before it: an atomic alone reads by itself
      if (v.sub && !m.held) return m.arrow.loads[k] == m.arrow.node;
      const Node& n = v.node(m.arrow.loads[k]);
      return n.launch == v.step.interval->launch && n.interval == v.step.interval->index;
    }
  return true;
}

std::string value_written(const StepView& v, const Move& m) {
  const Node& n = v.node(m.arrow.node);
  return value_text(ElementType(n.kind), written_bits(v.model.flow(), n, v.model.found(v.sub, m.arrow.node)));
}

int written_meanwhile(const StepView& v, const StepStates& states, const Move& m, size_t load) {
  const CellRef p = m.arrow.from[load];
  const int id = m.arrow.loads[load];
  if (p.array != v.from.array || !read_now(v, m, p)) return -1;
  const ArrayState& before = *states.before;
  const bool known = p.index >= before.first && p.index < before.size() && before.is_known(p.index);
  return known && before.bits_of(p.index) == v.model.found(v.sub, id) ? -1 : v.node(id).a;
}

bool is_of_another_block(const StepView& v, int store) {
  return v.node(store).thread / v.threads != v.block.block;
}

std::string writer_name(const StepView& v, int store) {
  const int thread = v.node(store).thread;
  return is_of_another_block(v, store) ? "b" + std::to_string(thread / v.threads)
                                       : "t" + std::to_string(thread % v.threads);
}

std::string meanwhile_words(const StepView& v, const StepStates& states, const Move& m, size_t load) {
  const int id = m.arrow.loads[load];
  return writer_name(v, written_meanwhile(v, states, m, load)) + ": " +
         value_text(ElementType(v.node(id).kind), v.model.found(v.sub, id));
}

}  // namespace bscope
