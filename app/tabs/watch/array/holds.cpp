#include "app/tabs/watch/array/holds.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/labels.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/content.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {
namespace {

/// What a cell holds, over the columns of the inputs.
struct HoldsBracket {
  int cell = 0, first = 0, last = 0;
  std::string full, words;  ///< a sentence, and the inputs alone
  Word word = {};
};

/// The number of the input element that stands over the part's first cell: a block's tile starts where its
/// part of the input does. A block that does not read the input has no columns for it, and another array in
/// global memory (one total a block) has its own.
std::optional<int> input_offset(const StepView& v) {
  const auto it = v.block.parts.find(v.model.trace().input);
  if (it != v.block.parts.end() && v.to.array < first_shared && v.to.array != it->first &&
      (v.to.first != it->second.first || v.to.size != it->second.size))
    return std::nullopt;
  return it == v.block.parts.end() ? std::nullopt : std::optional(it->second.first);
}

/// Words of a sum: as many as there is room for, and how many more there are.
std::string shorter(const Pen& pen, const Word& word, float room, float size) {
  int left_out = 0;
  for (size_t k = word.runs.size(); k-- > 1;) {
    left_out += word.runs[k].second - word.runs[k].first + 1;
    Word first{word.known, {}, word.power};
    for (size_t j = 0; j < k; ++j) first.runs.push_back(word.runs[j]);
    if (std::string out = tr("{} and {} more inputs", first.text(), left_out);
        pen.width(out, size, Font::mono) <= room)
      return out;
  }
  return {};
}

/// Whether the block ever puts inputs into the array that it writes here. The zeros of another, of a ticket
/// or of counters, are no identity of the operator.
bool holds_inputs(const StepView& v) {
  const auto& words = v.model.run().report.words();
  const auto& nodes = v.model.flow().nodes;
  for (const Step& step : v.block.steps)
    for (const Step::Store& store : step.wrote)
      if (nodes[size_t(store.node)].place.array == v.to.array && size_t(store.node) < words.size() &&
          words[size_t(store.node)].known && !words[size_t(store.node)].runs.empty())
        return true;
  return false;
}

/// Of a changed cell, if it is known what it is a sum of.
std::optional<HoldsBracket> bracket_of(const StepView& v, const CellRow& row, int cell, bool inputs) {
  const auto& words = v.model.run().report.words();
  const CellRef place{v.to.array, v.to.first + cell};
  const auto* w = v.writes_of(place);
  if (!w || size_t(w->node) >= words.size() || !words[size_t(w->node)].known) return {};
  const Word& word = words[size_t(w->node)];
  if (word.runs.empty() && v.model.trace().dialect == Dialect::cuda)  // a flag, a halo, a counter's start
    return HoldsBracket{cell, cell, cell, tr("{} now holds no input", v.name(place)), tr("no input")};
  if (word.runs.empty() && !inputs) return {};
  if (word.runs.empty())
    return HoldsBracket{cell, cell, cell, tr("{} now holds the identity", v.name(place)), tr("identity")};
  const std::string text = word.text();
  const std::optional<int> input = input_offset(v);
  HoldsBracket b{cell,
                 word.runs[0].first - input.value_or(0),
                 word.runs[0].second - input.value_or(0),
                 tr("{} now holds {}", v.name(place), text),
                 text,
                 word};
  // inputs of other blocks, or a word in several runs, have no columns here: the bracket marks the cell, as
  // for one input
  const bool single =
      word.runs[0].first == word.runs[0].second;  // which may have moved: to its place in an order, say
  if (!input || single || word.runs.size() > 1 || !row.has(b.first) || !row.has(b.last))
    b.first = b.last = cell;
  return b;
}

/// Whether they lie side by side, and each has room for its words.
bool stand_apart(const Pen& pen, const CellRow& row, const std::vector<HoldsBracket>& brackets, float size) {
  const float apart = brackets.size() > 1 ? size * 0.5f : 0;
  for (size_t k = 0; k < brackets.size(); ++k) {
    const HoldsBracket& b = brackets[k];
    if (k && b.first <= brackets[k - 1].last) return false;
    if (pen.width(b.words, size, Font::mono) + apart > row.x_of(b.last) - row.x_of(b.first) + row.cell_w)
      return false;
  }
  return true;
}

/// Of all changed cells; where they have no room, of the selected one.
std::vector<HoldsBracket> brackets_of(const Pen& pen, const StepView& v, const CellRow& row, float size) {
  std::vector<HoldsBracket> out;
  const bool inputs = holds_inputs(v);
  for (const int cell : row.cells)
    if (auto b = bracket_of(v, row, cell, inputs)) out.push_back(*b);
  std::ranges::sort(out, {}, &HoldsBracket::first);
  if (stand_apart(pen, row, out, size)) return out;
  out.clear();
  if (v.selected && v.selected->array == v.to.array && row.has(v.selected->index - v.to.first))
    if (auto b = bracket_of(v, row, v.selected->index - v.to.first, inputs)) out.push_back(*b);
  return out;
}

/// `alone`: what it holds may be said beyond its columns, up to `right`.
void draw_bracket(Pen& pen, const Theme& t, const CellRow& row, const HoldsBracket& b, bool alone,
                  float right, float y, float text_y) {
  const float size = t.label(), line_y = y + t.px(9);
  const float x0 = row.x_of(b.first) - row.cell_w / 2, x1 = row.x_of(b.last) + row.cell_w / 2;
  pen.line({x0, y + t.px(3)}, {x0, line_y}, t.ink2, t.px(1.5f));
  pen.line({x0, line_y}, {x1, line_y}, t.ink2, t.px(1.5f));
  pen.line({x1, y + t.px(3)}, {x1, line_y}, t.ink2, t.px(1.5f));
  const float room = alone ? right - row.left : x1 - x0 - size * 0.5f;
  std::string fitted = pen.width(b.full, size, Font::mono) <= room ? b.full : b.words;
  if (pen.width(fitted, size, Font::mono) > room) fitted = shorter(pen, b.word, room, size);
  const float w = pen.width(fitted, size, Font::mono);
  const float x = clamp_or_least((x0 + x1) / 2, row.left + w / 2, right - w / 2);
  pen.text({x, text_y}, fitted, size, t.ink, Font::mono, Align::centre);
}

}  // namespace

bool holds_wanted(const StepView& v) {
  if (v.hides) return false;
  const auto& words = v.model.run().report.words();
  bool some = false, all = true;
  for (const auto& [key, w] : v.written()) {
    if (int(key >> 32) != v.to.array) continue;
    const bool known = size_t(w.node) < words.size() && words[size_t(w.node)].known;
    some |= known, all &= known;
  }
  // A user's program may have several inputs, of which words name one, or choose constants by comparing
  // inputs: beside cells that words do not cover, "no input" and a few x would be half of the truth.
  if (v.model.trace().dialect == Dialect::cuda) return some && all;
  return some && holds_inputs(v);
}

void draw_holds(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v, const CellRow& row,
                float y) {
  if (!v.landed) return;
  const float size = t.label(), text_y = y + t.px(12) + size * 0.65f;
  const std::vector<HoldsBracket> brackets = brackets_of(pen, v, row, size);
  if (brackets.empty()) return;
  draw_label(pen, t, text_y, tr("holds"), Font::text, t.ink2);
  const bool alone = brackets.size() == 1;
  const float right = alone ? grid.width - margin(t) : row.right();
  for (const HoldsBracket& b : brackets) draw_bracket(pen, t, row, b, alone, right, y, text_y);
}

}  // namespace bscope
