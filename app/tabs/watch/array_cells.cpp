#include <algorithm>
#include <cmath>

#include "app/draw/fitting.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {

std::string word_text(const Word& w, bool briefly) {
  if (w.runs.empty()) return briefly ? "id" : say("identity");
  const auto [first, last] = w.runs[0];
  const std::string x = briefly ? "" : "x";
  std::string out = x + std::to_string(first);
  if (last > first) out += (briefly ? "-" : "..") + x + std::to_string(last);
  return w.runs.size() > 1 ? out + "+" : out;
}

std::string Content::text(int at) const {
  if (!words) return value_text(*state, at);
  const Word* w = words->of(at);
  return w ? word_text(*w, false) : "?";
}
std::string Content::brief(int at) const {
  if (!words) return bscope::brief(*state, at);
  const Word* w = words->of(at);
  return w ? word_text(*w, true) : "?";
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

CellStyle fit(const Scene& v, const Content& s, const Part& p, const std::vector<int>& cells, float room,
              float most) {
  const auto texts = [&](bool shortened) {
    std::vector<std::string> out;
    for (int cell : cells) {
      const int at = p.first + cell;
      if (cell >= p.size || !s.known(at)) continue;
      out.push_back(shortened ? s.brief(at) : s.text(at));
    }
    return out;
  };
  const float readable = std::min(most, v.index_size());
  const std::vector<std::string> whole = texts(false);
  const float size = fitting_size(v.pen, whole, room, most, readable, Font::mono_bold);
  if (all_fit(v.pen, whole, room, size, Font::mono_bold)) return {size, false};
  return {fitting_size(v.pen, texts(true), room, most, std::min(most, v.smallest()), Font::mono_bold), true};
}

std::string cell_text(const Scene& v, const Content& s, int at, CellStyle style, float room) {
  std::string words = style.brief ? s.brief(at) : s.text(at);
  // a value that has no room even so: a mark says that there is one, and the tip tells it
  if (v.pen.width(words, style.size, Font::mono_bold) > room) words = "\u2022";
  return words;
}

namespace {

/// A cell that is asked for (or one of a sample's others, number -1): its guess, never its value.
void draw_guess(Scene& v, const Box& box, int number, float room) {
  if (number < 0) {
    v.pen.hatch(box, mix(v.theme.idle, v.theme.panel, 0.35f), v.px(7), v.px(1));
    v.pen.rect(box, 0, v.theme.line, v.px(1), v.px(4));
    return;
  }
  const bool focus = number == v.prediction->box;
  const std::string& guess = v.prediction->guesses[size_t(number)];
  v.pen.rect(box, v.theme.window, v.theme.ink2, v.px(2), v.px(4));
  if (focus) {
    const float out = v.px(1.5f);
    const Box around{box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out};
    if (!v.theme.dark()) v.pen.rect(around, 0, v.theme.ink, v.px(5), v.px(5));
    v.pen.rect(around, 0, v.theme.changed, v.px(3), v.px(5));
  }
  const float most = std::min(v.px(v.theme.size_changed), box.h * 0.62f);
  float size = most, w = v.pen.width(guess, size, Font::mono_bold);
  if (w > room - v.px(4)) size = std::max(v.index_size() * 0.9f, most * (room - v.px(4)) / w);
  std::string words = guess;
  while (words.size() > 1 && v.pen.width(words, size, Font::mono_bold) > room - v.px(2)) words.erase(0, 1);
  w = v.pen.width(words, size, Font::mono_bold);
  if (!words.empty())
    v.pen.text(box.centre(), words, size, v.theme.ink, Font::mono_bold, Align::centre);
  else if (!focus)
    v.pen.text(box.centre(), "?", size, v.theme.ink2, Font::mono, Align::centre);
  if (focus) {
    const float x = std::min(box.centre().x + w / 2 + v.px(2), box.right() - v.px(3));
    v.pen.rect({x, box.centre().y - size * 0.5f, v.px(2), size}, v.theme.ink);
  }
}

/// A revealed answer's guess: right ones framed in the threads' colour, wrong ones struck above it.
void draw_verdict(Scene& v, const Box& box, int number, float w, bool roomy) {
  const bool right = is_right(v.model.run(), *v.prediction, number);
  const float out = v.px(2.5f);
  v.pen.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0,
             right ? v.theme.thread : v.theme.race, v.px(3), v.px(6));
  const std::string& guess = v.prediction->guesses[size_t(number)];
  if (right || guess.empty() || !roomy) return;
  const float size = std::min(v.theme.projector() ? v.px(22) : v.label_size(), box.h * 0.34f);
  const std::string words = v.pen.fitted(guess, w - v.px(8), size, Font::mono_bold);
  const Colour ink = v.theme.on(v.theme.changed);
  const Box at =
      v.pen.text({box.centre().x, box.y + box.h * 0.23f}, words, size, ink, Font::mono_bold, Align::centre);
  v.pen.line({at.x - v.px(3), at.centre().y}, {at.right() + v.px(3), at.centre().y}, ink, v.px(2));
}

/// A bar at the foot of a cell that holds a relative of the selected one.
void draw_relative(Scene& v, const Box& cell, Colour fill) {
  const float inset = std::min(v.px(5), cell.w * 0.15f), h = v.px(v.theme.projector() ? 5 : 3.5f);
  const Box bar{cell.x + inset, cell.bottom() - h - v.px(1.5f), cell.w - 2 * inset, h};
  // light blue would be lost on the present's yellow
  const bool faint = contrast(v.theme.read, fill) < 3;
  v.pen.rect(bar, v.theme.read, faint ? v.theme.on(fill) : 0, v.px(1), h / 2);
}

}  // namespace

void draw_before(Scene& v, const CellRow& row, float y, float h, const std::vector<int>& lit) {
  const ArrayState& s = *v.before;
  const Content shown{&s, v.words_before.get()};
  const Part& p = v.from;
  const std::vector<int>& cells = row.cells;
  const float w = row.cell_w;
  const CellStyle style = fit(v, shown, p, cells, row.room, v.value_size());
  for (size_t k = 0; k < cells.size(); ++k) {
    const int at = p.first + cells[k];
    if (cells[k] >= p.size || at >= s.size()) continue;
    const Box box{row.x(k) - w / 2, y, w, h};
    const bool source = std::binary_search(lit.begin(), lit.end(), cells[k]);
    const Colour fill = cell_fill(v, shown, at);
    v.pen.rect(box, fill, source ? v.theme.read : v.theme.line, v.px(source ? 2 : 1), v.px(4));
    if (s.is_known(at)) {
      const std::string words = cell_text(v, shown, at, style, row.room);
      v.pen.text(box.centre(), words, style.size, source || shown.words ? v.theme.ink : v.theme.ink3,
                 source ? Font::mono_bold : Font::mono, Align::centre);
    }
    if (Scene::lit(v.lit_before, cells[k])) draw_relative(v, box, fill);
    v.cell_hit(box, {p.array, at}, s, "before:");
  }
}

void draw_after(Scene& v, const CellRow& row, float y, float h) {
  const std::vector<int>& cells = row.cells;
  const float w = row.cell_w;
  const ArrayState& s = v.landed ? *v.after : *v.was;
  const Content shown{&s, v.landed ? v.words_after.get() : v.words_was.get()};
  std::vector<int> still, changed;
  for (int cell : cells)
    (v.landed && v.writes_of({v.to.array, v.to.first + cell}) ? changed : still).push_back(cell);
  const CellStyle quiet = fit(v, shown, v.to, still, row.room, v.value_size());
  const CellStyle loud =
      fit(v, shown, v.to, changed, row.room, row.roomy ? v.px(v.theme.size_changed) : v.value_size());
  for (size_t k = 0; k < cells.size(); ++k) {
    const int at = v.to.first + cells[k];
    if (cells[k] >= v.to.size || at >= s.size()) continue;
    const Place place{v.to.array, at};
    const bool now = v.landed && v.writes_of(place);
    const Box box{row.x(k) - w / 2, y, w, h};
    const int guessed = v.prediction ? v.prediction->box_of(place) : -1;
    if (v.hides() && v.writes_of(place)) {
      draw_guess(v, box, guessed, row.room);
    } else if (now) {
      v.pen.rect(box, v.theme.changed, v.theme.dark() ? 0 : v.theme.ink, v.px(1.5f), v.px(4));
      const Colour ink = v.theme.on(v.theme.changed);
      std::string ghost;
      const float ghost_size = v.index_size();
      if (guessed >= 0) {
        draw_verdict(v, box, guessed, w, row.roomy);
      } else if (row.roomy && !v.theme.projector() && v.was->is_known(at)) {
        ghost = say("was {}", Content{v.was.get(), v.words_was.get()}.text(at));
        if (v.pen.width(ghost, ghost_size) > w - v.px(2)) ghost.clear();
      }
      const bool struck = guessed >= 0 && row.roomy && !is_right(v.model.run(), *v.prediction, guessed) &&
                          !v.prediction->guesses[size_t(guessed)].empty();
      const float half = ghost.empty() ? 0 : ghost_size * 0.62f;
      if (!ghost.empty())
        v.pen.text({box.centre().x, y + v.px(4) + half}, ghost, ghost_size, ink, Font::text, Align::centre);
      if (v.raced(place)) {
        const float out = v.px(2);
        v.pen.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0, v.theme.race, v.px(3),
                   v.px(5));
      }
      if (s.is_known(at)) {
        const float size = struck ? std::min(loud.size, h * 0.48f) : loud.size;
        const float y_text = struck ? box.y + h * 0.71f : box.centre().y + half + (half > 0 ? v.px(1) : 0);
        v.pen.text({box.centre().x, y_text}, cell_text(v, shown, at, loud, row.room), size, ink,
                   Font::mono_bold, Align::centre);
      }
    } else {
      // written by another block meanwhile: not our change, but not the old value either
      const bool foreign = v.landed && !place.shared() && s.is_known(at) &&
                           (!v.was->is_known(at) || v.was->bits_of(at) != s.bits_of(at));
      const Colour fill = cell_fill(v, shown, at);
      v.pen.rect(box, fill, foreign ? v.theme.write : v.theme.line, v.px(1), v.px(4));
      if (s.is_known(at))
        v.pen.text(box.centre(), cell_text(v, shown, at, quiet, row.room), quiet.size,
                   shown.words ? v.theme.ink : v.theme.ink3, Font::mono, Align::centre);
    }
    if (Scene::lit(v.lit_after, cells[k]))
      draw_relative(v, box, now ? v.theme.changed : cell_fill(v, shown, at));
    if (v.selected == place && (v.cursor.cell || v.cursor.thread >= 0)) {
      const float out = v.px(3);
      v.pen.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0, v.theme.ink, v.px(2),
                 v.px(6));
    }
    v.cell_hit(box, place, s, "after:");
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
