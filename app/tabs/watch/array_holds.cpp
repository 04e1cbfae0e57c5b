#include <algorithm>

#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

// The number of the input element that stands over the part's first cell: a block's tile starts where its
// part of the input does. A block that does not read the input has no columns for it, and another array in
// global memory (one total a block) has its own.
std::optional<int> input_offset(const Scene& v) {
  const auto it = v.block.parts.find(v.model.trace().input);
  if (it != v.block.parts.end() && v.to.array < first_shared && v.to.array != it->first &&
      (v.to.first != it->second.first || v.to.size != it->second.size))
    return std::nullopt;
  return it == v.block.parts.end() ? std::nullopt : std::optional(it->second.first);
}

/// Words of a sum: as many as there is room for, and how many more there are.
std::string shorter(const Scene& v, const Word& word, float room, float size) {
  int left_out = 0;
  for (size_t k = word.runs.size(); k-- > 1;) {
    left_out += word.runs[k].second - word.runs[k].first + 1;
    Word first{word.known, {}, word.power};
    for (size_t j = 0; j < k; ++j) first.runs.push_back(word.runs[j]);
    if (std::string out = tr("{} and {} more inputs", first.text(), left_out);
        v.pen.width(out, size, Font::mono) <= room)
      return out;
  }
  return {};
}

}  // namespace

// Only where the analysis knows what the cells are sums of.
bool holds_wanted(const Scene& v) {
  if (v.hides()) return false;
  const auto& words = v.model.run().report.words();
  for (const auto& [key, w] : v.written())
    if (int(key >> 32) == v.to.array && size_t(w.node) < words.size() && words[size_t(w.node)].known)
      return true;
  return false;
}

// What changed cells now are sums of, bracketed over the inputs they cover.
void draw_holds(Scene& v, const CellRow& row, float y) {
  const float cell_w = row.cell_w;
  if (!v.landed) return;
  struct Bracket {
    int cell, first, last;
    std::string full, words;
    Word word = {};
  };
  const auto& words = v.model.run().report.words();
  const std::optional<int> input = input_offset(v);
  const int input_first = input.value_or(0);
  std::vector<Bracket> brackets;
  const auto bracket = [&](int cell) -> std::optional<Bracket> {
    const auto* w = v.writes_of({v.to.array, v.to.first + cell});
    if (!w || size_t(w->node) >= words.size() || !words[size_t(w->node)].known) return {};
    const Word& word = words[size_t(w->node)];
    const std::string text = word.text(), name_of_cell = v.name({v.to.array, v.to.first + cell});
    if (word.runs.empty())
      return Bracket{cell, cell, cell, tr("{} now holds the identity", name_of_cell), tr("identity")};
    Bracket b{cell,
              word.runs[0].first - input_first,
              word.runs[0].second - input_first,
              tr("{} now holds {}", name_of_cell, text),
              text,
              word};
    // inputs of other blocks, or a word in several runs, have no columns here: the bracket marks the cell
    if (!input || word.runs.size() > 1 || !row.has(b.first) || !row.has(b.last)) b.first = b.last = cell;
    return b;
  };
  for (int cell : row.cells)
    if (auto b = bracket(cell)) brackets.push_back(*b);
  std::sort(brackets.begin(), brackets.end(),
            [](const Bracket& a, const Bracket& b) { return a.first < b.first; });
  const float size = v.label_size(), text_y = y + v.px(12) + size * 0.65f;
  const auto width_of = [&](const Bracket& b) { return row.x_of(b.last) - row.x_of(b.first) + cell_w; };
  bool disjoint = true;
  for (size_t k = 0; k < brackets.size(); ++k) {
    if (k && brackets[k].first <= brackets[k - 1].last) disjoint = false;
    const float apart = brackets.size() > 1 ? size * 0.5f : 0;
    if (v.pen.width(brackets[k].words, size, Font::mono) + apart > width_of(brackets[k])) disjoint = false;
  }
  if (!disjoint || brackets.empty()) {
    brackets.clear();
    if (v.selected && v.selected->array == v.to.array && row.has(v.selected->index - v.to.first))
      if (auto b = bracket(v.selected->index - v.to.first)) brackets.push_back(*b);
  }
  if (brackets.empty()) return;
  v.label_at(text_y, tr("holds"), Font::text, v.theme.ink2);
  for (const Bracket& b : brackets) {
    const float x0 = row.x_of(b.first) - cell_w / 2, x1 = row.x_of(b.last) + cell_w / 2;
    const float line_y = y + v.px(9);
    v.pen.line({x0, y + v.px(3)}, {x0, line_y}, v.theme.ink2, v.px(1.5f));
    v.pen.line({x0, line_y}, {x1, line_y}, v.theme.ink2, v.px(1.5f));
    v.pen.line({x1, y + v.px(3)}, {x1, line_y}, v.theme.ink2, v.px(1.5f));
    const bool alone = brackets.size() == 1;
    // what a single cell holds may be said beyond its column
    const float right = alone ? v.picture.width - margin(v.theme) : row.right();
    const float room = alone ? right - row.left : x1 - x0 - size * 0.5f;
    std::string fitted = v.pen.width(b.full, size, Font::mono) <= room ? b.full : b.words;
    if (v.pen.width(fitted, size, Font::mono) > room) fitted = shorter(v, b.word, room, size);
    const float w = v.pen.width(fitted, size, Font::mono);
    const float x = std::clamp((x0 + x1) / 2, row.left + w / 2, std::max(row.left + w / 2, right - w / 2));
    v.pen.text({x, text_y}, fitted, size, v.theme.ink, Font::mono, Align::centre);
  }
}

}  // namespace bscope
