#include "app/tabs/watch/array/inputs.hpp"

#include <algorithm>
#include <utility>

#include "app/run/values.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/moves.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/terms.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/why.hpp"

namespace bscope {
namespace {

/// Whether this step itself wrote what the load saw.
bool made_here(const StepView& v, int load) {
  const int writer = v.node(load).a;
  return writer >= 0 && v.node(writer).launch == v.step.interval->launch &&
         v.node(writer).interval == v.step.interval->index;
}

/// Whether the load (one of the move's) saw what the step had written by then.
bool read_meanwhile(const StepView& v, const StepStates& states, const Move& m, size_t load) {
  return load < m.arrow.loads.size() && written_meanwhile(v, states, m, load) >= 0;
}

/// What a load of the move saw: a value, or where cells show them, the inputs that it was made from.
std::string loaded_words(const StepView& v, const StepStates& states, const Move& m, size_t k) {
  if (k >= m.arrow.loads.size()) return {};
  const int load = m.arrow.loads[k];
  if (v.hides && made_here(v, load)) return "?";
  if (!states.words_before) return value_text(ElementType(v.node(load).kind), v.model.found(v.sub, load));
  const auto& words = v.model.run().report.words();
  const Word w = size_t(load) < words.size() ? words[size_t(load)] : Word{};
  return w.known ? word_text(w, false) : "?";
}

/// A value from a cell of the row before.
MoveInput input_from_row(const StepView& v, const StepStates& states, const DrawnMove& d, size_t k) {
  const Move& m = *d.move;
  const CellRef p = m.arrow.from[k];
  MoveInput in{p, {}, p.index - v.from.first, false, false};
  if (d.times > 1 && p == m.arrow.to) {
    // the first of many found what the row before shows; the others what those before them made of it
    if (states.before->is_known(p.index)) in.words = states.row_before().text(p.index, false);
  } else if (read_meanwhile(v, states, m, k)) {
    in.meanwhile = true;
    in.writer = v.node(m.arrow.loads[k]).a;
    in.words = v.hides ? "?" : meanwhile_words(v, states, m, k);
  } else {
    in.words = loaded_words(v, states, m, k);
  }
  return in;
}

/// Values from elsewhere, by their place among the move's: as the sentence that explains them has them.
/// `alone`: none comes from the row before.
MoveInput inputs_together(const StepView& v, const StepStates& states, const DrawnMove& d,
                          const std::vector<size_t>& others, bool alone) {
  const Move& m = *d.move;
  const auto now = [&](size_t k) { return read_now(v, m, m.arrow.from[k]); };
  MoveInput all{{}, {}, -1, std::ranges::none_of(others, now), false};
  const size_t most = d.focus ? 6 : 4;
  if (v.hides && std::ranges::any_of(m.arrow.loads, [&](int load) { return made_here(v, load); })) {
    all.words = "?";
  } else if (!alone || m.held) {
    std::vector<Why> parts(others.size());
    std::vector<const Why*> values;
    for (size_t k = 0; k < others.size(); ++k) {
      parts[k].value = loaded_words(v, states, m, others[k]);
      values.push_back(&parts[k]);
    }
    all.words = terms_text(values, m.arrow.op, most);
  } else if (!states.words_before) {
    const Why w = made_of(v.model.trace(), v.model.flow(), v.model.run().report.words(), m.arrow.node);
    const std::vector<const Why*> values = terms(w);
    all.words = terms_text(values, w.op, most);
    // else lanes put it together
    const bool cells = std::ranges::any_of(values, [](const Why* t) { return t->place.array >= 0; });
    if (!cells) all.in_register = true;
  }
  return all;
}

}  // namespace

std::vector<MoveInput> inputs_of(const StepView& v, const StepStates& states, const CellRow& row,
                                 const DrawnMove& d) {
  const Move& m = *d.move;
  std::vector<MoveInput> out;
  std::vector<size_t> others;
  for (size_t k = 0; k < m.arrow.from.size(); ++k) {
    const CellRef p = m.arrow.from[k];
    const bool now = read_now(v, m, p);
    if (now && p.array == v.from.array && row.has(p.index - v.from.first))
      out.push_back(input_from_row(v, states, d, k));
    else if (!now || p != m.arrow.to)  // its own former value stands in the row after already
      others.push_back(k);
  }
  if (others.size() == 1 && m.arrow.lanes.empty()) {
    const CellRef p = m.arrow.from[others[0]];
    out.push_back({p, loaded_words(v, states, m, others[0]), -1, !read_now(v, m, p), false});
  } else if (!others.empty()) {
    out.push_back(inputs_together(v, states, d, others, out.empty()));
  }
  return out;
}

std::vector<MoveInput> input_places(const StepView& v, const StepStates& states, const CellRow& row,
                                    const DrawnMove& d) {
  const Move& m = *d.move;
  std::vector<MoveInput> out;
  for (size_t k = 0; k < m.arrow.from.size(); ++k) {
    const CellRef p = m.arrow.from[k];
    if (!read_now(v, m, p)) continue;
    const int cell = p.index - v.from.first;
    const bool shown = p.array == v.from.array && row.has(cell);
    if (!shown && p == m.arrow.to) continue;
    const bool leaves_row = shown && (d.times > 1 || !read_meanwhile(v, states, m, k));
    out.push_back({p, {}, leaves_row ? cell : -1, false, false});
  }
  return out;
}

}  // namespace bscope
