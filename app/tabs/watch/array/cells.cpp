#include "app/tabs/watch/array/cells.hpp"

#include <algorithm>
#include <cmath>

#include "app/draw/fitting.hpp"
#include "app/draw/theme.hpp"
#include "app/run/values.hpp"
#include "app/session/prediction.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/array_range_words.hpp"
#include "engine/analysis/content.hpp"

namespace bscope {

CellStyle fit(const Pen& pen, const Theme& t, const CellTexts& texts, const ArrayRange& p,
              const std::vector<int>& cells, float room, float most) {
  const auto values = [&](bool briefly) {
    std::vector<std::string> out;
    for (const int cell : cells)
      if (cell < p.size && texts.known(p.first + cell)) out.push_back(texts.text(p.first + cell, briefly));
    return out;
  };
  return fit(pen, t, values, room, most);
}

void draw_value(Pen& pen, const CellTexts& texts, int at, const CellStyle& style, Point middle, Colour ink,
                bool bold) {
  if (texts.known(at))
    pen.text(middle, style.words(pen, texts.text(at, style.brief)), style.size, ink,
             bold ? Font::mono_bold : Font::mono, Align::centre);
}

Colour cell_fill(const Theme& t, const CellTexts& texts, int at, size_t inputs) {
  if (!texts.words) return t.cell;
  const Word* w = texts.words->of(at);
  if (!w || w->runs.empty()) return t.cell;
  int held = 0;
  for (const auto& [first, last] : w->runs) held += last - first + 1;
  const double all = std::max(2.0, double(inputs));
  const auto share = float(std::log2(double(held) + 1) / std::log2(all + 1));
  return mix(t.read, t.cell, 0.08f + 0.34f * std::clamp(share, 0.0f, 1.0f));
}

void cell_hit(Pen& pen, const StepView& v, const ArrayState& s, const Box& box, CellRef p, const char* row) {
  std::string tip = v.name(p);
  if (p.index < s.size())
    tip = s.is_known(p.index) ? tr("{} = {}.", v.name(p), value_text(s, p.index))
                              : tr("{}: never written yet.", v.name(p));
  if (v.raced(p)) tip += tr(" Threads race for it: nothing orders their accesses.");
  pen.hit({HitRegion::cell, box, p.array, p.index, tip, row + v.name(p)});
}

namespace {

/// How much of a cell's height its digits' size may take: what stands at its foot does not touch them.
constexpr float share_of_digits = 0.82f;

/// One of a sample's others: it is not asked for, and not shown.
void draw_unasked(Pen& pen, const Theme& t, const Box& box) {
  pen.hatch(box, mix(t.idle, t.panel, 0.35f), t.px(7), t.px(1));
  pen.rect(box, 0, t.line, t.px(1), t.px(4));
}

/// A revealed answer's guess: right ones framed in the threads' colour, wrong ones struck above it.
/// Returns whether the guess stands there, and the value has to leave it room.
bool draw_verdict(Pen& pen, const Theme& t, const Run& run, const Prediction& asked, const Box& box,
                  int number, bool roomy) {
  const bool right = is_right(run, asked, number);
  pen.rect(grown(box, t.px(2.5f)), 0, right ? t.thread : t.race, t.px(3), t.px(6));
  const std::string& guess = asked.guesses[size_t(number)];
  if (right || guess.empty() || !roomy) return false;
  const float size = std::min(t.projector() ? t.px(22) : t.label(), box.h * 0.34f);
  const std::string words = pen.fitted(guess, box.w - t.px(8), size, Font::mono_bold);
  const Colour ink = t.on(t.changed);
  const Box at =
      pen.text({box.centre().x, box.y + box.h * 0.23f}, words, size, ink, Font::mono_bold, Align::centre);
  pen.line({at.x - t.px(3), at.centre().y}, {at.right() + t.px(3), at.centre().y}, ink, t.px(2));
  return true;
}

/// A bar at the foot of a cell that holds a relative of the selected one.
void draw_relative(Pen& pen, const Theme& t, const Box& cell, Colour fill) {
  const float inset = std::min(t.px(5), cell.w * 0.15f), h = std::min(t.px(3.5f, 5), cell.h * 0.13f);
  const Box bar{cell.x + inset, cell.bottom() - h - std::min(t.px(1.5f), cell.h * 0.05f), cell.w - 2 * inset,
                h};
  // light blue would be lost on the present's yellow
  const bool faint = contrast(t.read, fill) < 3;
  pen.rect(bar, t.read, faint ? t.on(fill) : 0, t.px(1), h / 2);
}

/// Whether the cell has the frame of the selected one.
bool has_frame(const StepView& v, CellRef place) {
  return v.selected == place && (v.cell_chosen || v.thread_chosen);
}

/// A cell that the step has changed: its value large, what it was above it. `guessed`: the number of its box
/// in the prediction; -1: it has none.
void draw_changed(Pen& pen, const Theme& t, const StepView& v, const StepStates& states, bool roomy,
                  const Box& box, CellRef place, int guessed, const CellStyle& style) {
  pen.rect(box, t.changed, t.dark() ? 0 : t.ink, t.px(1.5f), t.px(4));
  const Colour ink = t.on(t.changed);
  Point middle = box.centre();
  CellStyle value = style;
  if (guessed >= 0) {
    if (draw_verdict(pen, t, v.model.run(), *v.prediction, box, guessed, roomy))
      value.size = std::min(style.size, box.h * 0.48f), middle.y = box.y + box.h * 0.71f;
  } else if (roomy && !t.projector() && states.was->is_known(place.index)) {
    const float size = t.small();
    const std::string ghost = tr("was {}", states.row_after(false).text(place.index, false));
    if (pen.width(ghost, size) <= box.w - t.px(2)) {
      pen.text({middle.x, box.y + t.px(4) + size * 0.62f}, ghost, size, ink, Font::text, Align::centre);
      middle.y += size * 0.62f + t.px(1);
    }
  }
  // within the frame of a selected cell, which would lie over it
  if (v.raced(place)) pen.rect(grown(box, t.px(has_frame(v, place) ? -2 : 2)), 0, t.race, t.px(3), t.px(5));
  draw_value(pen, states.row_after(true), place.index, value, middle, ink, true);
}

/// A cell that the step has not changed, or not yet.
void draw_unchanged(Pen& pen, const Theme& t, const StepView& v, const StepStates& states, const Box& box,
                    CellRef place, Colour fill, const CellStyle& style) {
  const CellTexts shown = states.row_after(v.landed);
  pen.rect(box, fill, is_foreign(v, states, place) ? t.write : t.line, t.px(1), t.px(4));
  draw_value(pen, shown, place.index, style, box.centre(), shown.words ? t.ink : t.ink3, false);
}

/// A written cell whose answer is kept back: a guess, if it is asked for.
void draw_kept_back(Pen& pen, const Theme& t, const Prediction& asked, int guessed, const Box& box) {
  if (guessed < 0)
    draw_unasked(pen, t, box);
  else
    draw_guess(pen, t, asked, guessed, box, std::min(t.changed_value(), box.h * 0.62f));
}

/// How the cells after the step are written: those that it changed larger.
struct AfterStyles {
  CellStyle quiet, loud;
};
AfterStyles after_styles(const Pen& pen, const Theme& t, const StepView& v, const CellTexts& shown,
                         const CellRow& row, float most) {
  std::vector<int> still, changed;
  for (const int cell : row.cells)
    (v.landed && v.writes_of({v.to.array, v.to.first + cell}) ? changed : still).push_back(cell);
  return {
      fit(pen, t, shown, v.to, still, row.room, std::min(t.value(), most)),
      fit(pen, t, shown, v.to, changed, row.room, std::min(row.roomy ? t.changed_value() : t.value(), most))};
}

}  // namespace

bool is_foreign(const StepView& v, const StepStates& states, CellRef place) {
  if (!v.landed || place.shared() || v.writes_of(place)) return false;
  const CellTexts shown = states.row_after(true);
  return place.index < shown.state->size() && shown.known(place.index) &&
         (!states.was->is_known(place.index) ||
          states.was->bits_of(place.index) != shown.state->bits_of(place.index));
}

bool has_dots(const Pen& pen, const Theme& t, const StepView& v, const StepStates& states,
              const CellRow& row) {
  const auto dotted = [&](const CellTexts& shown, const ArrayRange& p, int cell, const CellStyle& style) {
    const int at = p.first + cell;
    return cell < p.size && shown.known(at) && !style.has_room(pen, shown.text(at, style.brief));
  };
  const CellTexts before = states.row_before(), after = states.row_after(v.landed);
  const CellStyle old = fit(pen, t, before, v.from, row.cells, row.room, t.value());
  const AfterStyles now = after_styles(pen, t, v, after, row, t.changed_value());
  return std::ranges::any_of(row.cells, [&](int cell) {
    const bool changed = v.landed && v.writes_of({v.to.array, v.to.first + cell});
    return dotted(before, v.from, cell, old) || dotted(after, v.to, cell, changed ? now.loud : now.quiet);
  });
}

void draw_before(Pen& pen, const Theme& t, const StepView& v, const CellTexts& shown, const CellRow& row,
                 const std::vector<bool>& relatives, const std::vector<int>& lit, float y, float h) {
  const CellStyle style =
      fit(pen, t, shown, v.from, row.cells, row.room, std::min(t.value(), h * share_of_digits));
  const size_t inputs = v.model.run().report.input.size();
  for (size_t k = 0; k < row.cells.size(); ++k) {
    const int cell = row.cells[k], at = v.from.first + cell;
    if (cell >= v.from.size || at >= shown.state->size()) continue;
    const Box box{row.x(k) - row.cell_w / 2, y, row.cell_w, h};
    const bool source = std::ranges::binary_search(lit, cell);
    const Colour fill = cell_fill(t, shown, at, inputs);
    pen.rect(box, fill, source ? t.read : t.line, t.px(source ? 2 : 1), t.px(4));
    draw_value(pen, shown, at, style, box.centre(), source || shown.words ? t.ink : t.ink3, source);
    if (is_lit(relatives, cell)) draw_relative(pen, t, box, fill);
    cell_hit(pen, v, *shown.state, box, {v.from.array, at}, "before:");
  }
}

void draw_after(Pen& pen, const Theme& t, const StepView& v, const StepStates& states, const CellRow& row,
                const std::vector<bool>& relatives, float y, float h) {
  const CellTexts shown = states.row_after(v.landed);
  const size_t inputs = v.model.run().report.input.size();
  const auto [quiet, loud] = after_styles(pen, t, v, shown, row, h * share_of_digits);
  for (size_t k = 0; k < row.cells.size(); ++k) {
    const int cell = row.cells[k], at = v.to.first + cell;
    if (cell >= v.to.size || at >= shown.state->size()) continue;
    const CellRef place{v.to.array, at};
    const bool written = v.writes_of(place), now = v.landed && written;
    const Box box{row.x(k) - row.cell_w / 2, y, row.cell_w, h};
    const int guessed = v.prediction ? v.prediction->box_of(place) : -1;
    const Colour fill = now ? t.changed : cell_fill(t, shown, at, inputs);
    if (v.hides && written)
      draw_kept_back(pen, t, *v.prediction, guessed, box);
    else if (now)
      draw_changed(pen, t, v, states, row.roomy, box, place, guessed, loud);
    else
      draw_unchanged(pen, t, v, states, box, place, fill, quiet);
    if (is_lit(relatives, cell)) draw_relative(pen, t, box, fill);
    if (has_frame(v, place)) pen.rect(grown(box, t.px(3)), 0, t.ink, t.px(2), t.px(6));
    cell_hit(pen, v, *shown.state, box, place, "after:");
  }
}

void draw_indices(Pen& pen, const Theme& t, const StepView& v, const CellRow& row, float y) {
  const std::vector<int>& cells = row.cells;
  const float size = t.small();
  // every index where there is room; else every second, fourth, eighth
  const std::string longest = std::to_string(v.to.first + (cells.empty() ? 0 : cells.back()));
  const float need = pen.width(longest, size, Font::mono_bold) + size * 0.5f;
  int every = label_stride(row.pitch, need, int(cells.size()));
  if (every == 2) every = 4;
  for (size_t k = 0; k < cells.size(); ++k) {
    if (cells[k] % every || cells[k] >= v.to.size) continue;
    const int at = v.to.first + cells[k];
    const bool now = v.writes_of({v.to.array, at});
    pen.text({row.x(k), y}, std::to_string(at), size, now ? t.ink : t.ink3,
             now ? Font::mono_bold : Font::mono, Align::centre);
  }
}

}  // namespace bscope
