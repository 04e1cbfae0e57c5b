#include <algorithm>
#include <cmath>

#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {

std::string word_text(const Word& w, bool briefly) {
  if (w.runs.empty()) return briefly ? "id" : tr("identity");
  const auto [first, last] = w.runs[0];
  const std::string x = briefly ? "" : "x";
  std::string out = x + std::to_string(first);
  if (last > first) out += (briefly ? "-" : "..") + x + std::to_string(last);
  return w.runs.size() > 1 ? out + "+" : out;
}

std::string Content::text(int at, bool briefly) const {
  if (!words) return briefly ? brief(*state, at) : value_text(*state, at);
  const Word* w = words->of(at);
  return w ? word_text(*w, briefly) : "?";
}

Colour cell_fill(const Scene& v, const Content& c, int at) {
  if (!c.words) return v.theme.cell;
  const Word* w = c.words->of(at);
  if (!w || w->runs.empty()) return v.theme.cell;
  int inputs = 0;
  for (const auto& [first, last] : w->runs) inputs += last - first + 1;
  const double all = std::max(2.0, double(v.model.run().report.input.size()));
  const auto share = float(std::log2(double(inputs) + 1) / std::log2(all + 1));
  return mix(v.theme.read, v.theme.cell, 0.08f + 0.34f * std::clamp(share, 0.0f, 1.0f));
}

CellStyle fit(const Scene& v, const Content& c, const ArrayRange& p, const std::vector<int>& cells,
              float room, float most) {
  const auto values = [&](bool briefly) {
    std::vector<std::string> out;
    for (const int cell : cells)
      if (cell < p.size && c.known(p.first + cell)) out.push_back(c.text(p.first + cell, briefly));
    return out;
  };
  return fit(v.pen, v.theme, values, room, most);
}

void draw_value(Scene& v, const Content& c, int at, const CellStyle& style, Point middle, Colour ink,
                bool bold) {
  if (c.known(at))
    v.pen.text(middle, style.words(v.pen, c.text(at, style.brief)), style.size, ink,
               bold ? Font::mono_bold : Font::mono, Align::centre);
}

namespace {

/// One of a sample's others: it is not asked for, and not shown.
void draw_unasked(Scene& v, const Box& box) {
  v.pen.hatch(box, mix(v.theme.idle, v.theme.panel, 0.35f), v.px(7), v.px(1));
  v.pen.rect(box, 0, v.theme.line, v.px(1), v.px(4));
}

/// A revealed answer's guess: right ones framed in the threads' colour, wrong ones struck above it.
/// Returns whether the guess stands there, and the value has to leave it room.
bool draw_verdict(Scene& v, const Box& box, int number, bool roomy) {
  const bool right = is_right(v.model.run(), *v.prediction, number);
  v.pen.rect(grown(box, v.px(2.5f)), 0, right ? v.theme.thread : v.theme.race, v.px(3), v.px(6));
  const std::string& guess = v.prediction->guesses[size_t(number)];
  if (right || guess.empty() || !roomy) return false;
  const float size = std::min(v.theme.projector() ? v.px(22) : v.label_size(), box.h * 0.34f);
  const std::string words = v.pen.fitted(guess, box.w - v.px(8), size, Font::mono_bold);
  const Colour ink = v.theme.on(v.theme.changed);
  const Box at =
      v.pen.text({box.centre().x, box.y + box.h * 0.23f}, words, size, ink, Font::mono_bold, Align::centre);
  v.pen.line({at.x - v.px(3), at.centre().y}, {at.right() + v.px(3), at.centre().y}, ink, v.px(2));
  return true;
}

/// A bar at the foot of a cell that holds a relative of the selected one.
void draw_relative(Scene& v, const Box& cell, Colour fill) {
  const float inset = std::min(v.px(5), cell.w * 0.15f), h = v.px(v.theme.projector() ? 5 : 3.5f);
  const Box bar{cell.x + inset, cell.bottom() - h - v.px(1.5f), cell.w - 2 * inset, h};
  // light blue would be lost on the present's yellow
  const bool faint = contrast(v.theme.read, fill) < 3;
  v.pen.rect(bar, v.theme.read, faint ? v.theme.on(fill) : 0, v.px(1), h / 2);
}

/// A cell that the step has changed: its value large, what it was above it.
void draw_changed(Scene& v, const CellRow& row, const Content& now, const Box& box, CellRef place,
                  int guessed, const CellStyle& style) {
  v.pen.rect(box, v.theme.changed, v.theme.dark() ? 0 : v.theme.ink, v.px(1.5f), v.px(4));
  const Colour ink = v.theme.on(v.theme.changed);
  Point middle = box.centre();
  CellStyle value = style;
  if (guessed >= 0) {
    if (draw_verdict(v, box, guessed, row.roomy))
      value.size = std::min(style.size, box.h * 0.48f), middle.y = box.y + box.h * 0.71f;
  } else if (row.roomy && !v.theme.projector() && v.was->is_known(place.index)) {
    const float size = v.index_size();
    const std::string ghost = tr("was {}", Content{v.was.get(), v.words_was.get()}.text(place.index, false));
    if (v.pen.width(ghost, size) <= box.w - v.px(2)) {
      v.pen.text({middle.x, box.y + v.px(4) + size * 0.62f}, ghost, size, ink, Font::text, Align::centre);
      middle.y += size * 0.62f + v.px(1);
    }
  }
  if (v.raced(place)) v.pen.rect(grown(box, v.px(2)), 0, v.theme.race, v.px(3), v.px(5));
  draw_value(v, now, place.index, value, middle, ink, true);
}

}  // namespace

void draw_before(Scene& v, const CellRow& row, float y, float h, const std::vector<int>& lit) {
  const Content shown{v.before.get(), v.words_before.get()};
  const CellStyle style = fit(v, shown, v.from, row.cells, row.room, v.value_size());
  for (size_t k = 0; k < row.cells.size(); ++k) {
    const int cell = row.cells[k], at = v.from.first + cell;
    if (cell >= v.from.size || at >= shown.state->size()) continue;
    const Box box{row.x(k) - row.cell_w / 2, y, row.cell_w, h};
    const bool source = std::ranges::binary_search(lit, cell);
    const Colour fill = cell_fill(v, shown, at);
    v.pen.rect(box, fill, source ? v.theme.read : v.theme.line, v.px(source ? 2 : 1), v.px(4));
    draw_value(v, shown, at, style, box.centre(), source || shown.words ? v.theme.ink : v.theme.ink3, source);
    if (Scene::lit(v.lit_before, cell)) draw_relative(v, box, fill);
    v.cell_hit(box, {v.from.array, at}, *shown.state, "before:");
  }
}

void draw_after(Scene& v, const CellRow& row, float y, float h) {
  const Content shown = v.shown();
  std::vector<int> still, changed;
  for (const int cell : row.cells)
    (v.landed && v.writes_of({v.to.array, v.to.first + cell}) ? changed : still).push_back(cell);
  const CellStyle quiet = fit(v, shown, v.to, still, row.room, v.value_size());
  const CellStyle loud =
      fit(v, shown, v.to, changed, row.room, row.roomy ? v.theme.changed_value() : v.value_size());
  for (size_t k = 0; k < row.cells.size(); ++k) {
    const int cell = row.cells[k], at = v.to.first + cell;
    if (cell >= v.to.size || at >= shown.state->size()) continue;
    const CellRef place{v.to.array, at};
    const bool written = v.writes_of(place), now = v.landed && written;
    const Box box{row.x(k) - row.cell_w / 2, y, row.cell_w, h};
    const int guessed = v.prediction ? v.prediction->box_of(place) : -1;
    const Colour fill = now ? v.theme.changed : cell_fill(v, shown, at);
    if (v.hides() && written) {
      if (guessed < 0)
        draw_unasked(v, box);
      else
        draw_guess(v.pen, v.theme, *v.prediction, guessed, box,
                   std::min(v.theme.changed_value(), box.h * 0.62f));
    } else if (now) {
      draw_changed(v, row, shown, box, place, guessed, loud);
    } else {
      // written by another block meanwhile: not our change, but not the old value either
      const bool foreign = v.landed && !place.shared() && shown.known(at) &&
                           (!v.was->is_known(at) || v.was->bits_of(at) != shown.state->bits_of(at));
      v.pen.rect(box, fill, foreign ? v.theme.write : v.theme.line, v.px(1), v.px(4));
      draw_value(v, shown, at, quiet, box.centre(), shown.words ? v.theme.ink : v.theme.ink3, false);
    }
    if (Scene::lit(v.lit_after, cell)) draw_relative(v, box, fill);
    if (v.selected == place && (v.cursor.cell || v.cursor.thread >= 0))
      v.pen.rect(grown(box, v.px(3)), 0, v.theme.ink, v.px(2), v.px(6));
    v.cell_hit(box, place, *shown.state, "after:");
  }
}

void draw_indices(Scene& v, const CellRow& row, float y) {
  const std::vector<int>& cells = row.cells;
  // every index where there is room; else every second, fourth, eighth
  const std::string longest = std::to_string(v.to.first + (cells.empty() ? 0 : cells.back()));
  const float need = v.pen.width(longest, v.index_size(), Font::mono_bold) + v.index_size() * 0.5f;
  int every = 1;
  while (float(every) * row.pitch < need && every < int(cells.size())) every *= 2;
  if (every == 2) every = 4;
  for (size_t k = 0; k < cells.size(); ++k) {
    if (cells[k] % every || cells[k] >= v.to.size) continue;
    const int at = v.to.first + cells[k];
    const bool now = v.writes_of({v.to.array, at});
    v.pen.text({row.x(k), y}, std::to_string(at), v.index_size(), now ? v.theme.ink : v.theme.ink3,
               now ? Font::mono_bold : Font::mono, Align::centre);
  }
}
}  // namespace bscope
