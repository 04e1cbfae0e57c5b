#include "app/tabs/watch/array/states.hpp"

#include "app/run/values.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/relatives.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/array_range_words.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/instructions.hpp"

namespace bscope {

std::string word_text(const Word& w, bool briefly) {
  if (w.runs.empty()) return briefly ? "id" : tr("identity");
  const auto [first, last] = w.runs[0];
  const std::string x = briefly ? "" : "x";
  std::string out = x + std::to_string(first);
  if (last > first) out += (briefly ? "-" : "..") + x + std::to_string(last);
  return w.runs.size() > 1 ? out + "+" : out;
}

std::string CellTexts::text(int at, bool briefly) const {
  if (!words) return briefly ? brief(*state, at) : value_text(*state, at);
  const Word* w = words->of(at);
  return w ? word_text(*w, briefly) : "?";
}

StepStates::StepStates(const StepView& v, bool words) {
  if (v.sub && v.sub->request) {
    before = was = v.model.before(*v.sub, v.to);
    after = v.model.after(*v.sub, v.to);
    return;
  }
  before = v.model.before(v.step, v.from);
  // the row after shows what was there until the writes land
  was = v.model.before(v.step, v.to);
  after = v.model.after(v.step, v.to);
  if (!words || v.hides) return;
  words_before = v.model.words_before(v.step, v.from);
  words_was = v.model.words_before(v.step, v.to);
  words_after = v.model.words_after(v.step, v.to);
}

LitCells lit_cells(const StepView& v, const Moment& m, Relatives which) {
  if ((!v.cell_chosen && which == Relatives::ancestors) || v.hides || v.sub) return {};
  constexpr int most_lit = 1 << 14;
  LitCells out{related(v.model, m, which)};
  if (v.from.size <= most_lit) out.before = holds_relative(v.model, v.step, v.from, false, out.relatives);
  if (v.to.size <= most_lit) out.after = holds_relative(v.model, v.step, v.to, v.landed, out.relatives);
  return out;
}

}  // namespace bscope
