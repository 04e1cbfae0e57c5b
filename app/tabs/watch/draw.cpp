#include "app/tabs/watch/draw.hpp"

#include <algorithm>
#include <cmath>

#include "app/draw/letters.hpp"

namespace bscope {

Colour shade(const Theme& t, double value, double largest) {
  const double part =
      largest > 0 && std::isfinite(value) ? std::log1p(std::fabs(value)) / std::log1p(largest) : 0;
  const float share = 0.12f + 0.75f * float(std::clamp(part, 0.0, 1.0));
  return mix(t.ink3, t.cell, share);
}

float progress(float phase, float start, float end) {
  return std::clamp((phase * 600 - start) / (end - start), 0.0f, 1.0f);
}
float ease_in_out(float t) { return t < 0.5f ? 4 * t * t * t : 1 - std::pow(2 - 2 * t, 3.0f) / 2; }
float ease_out(float t) { return 1 - std::pow(1 - t, 3.0f); }

float rich_text(Pen& pen, Box box, const RichText& parts, float size, bool draw) {
  const float line = size * 1.38f;
  float x = 0, y = line / 2;
  // A word may be made of several parts ("sum[15]" and a full stop): it is moved to the next line whole.
  struct Piece {
    const Part_of_text* part;
    std::string words;
    float width;
  };
  std::vector<Piece> word;
  float word_width = 0, space = 0;
  // Chinese characters of one part on one line are one text.
  Piece run{};
  Point run_at;
  const auto write = [&] {
    if (draw && run.part) {
      const Box at = pen.text(run_at, run.words, size, run.part->colour, run.part->font);
      if (run.part->cell_array >= 0)
        pen.hit({Hit::cell, at, run.part->cell_array, run.part->cell_index, "Select " + run.words + ".",
                 "why:" + run.words});
    }
    run = {};
  };
  const auto flush = [&] {
    if (word.empty()) return;
    if (x > 0 && x + space + word_width > box.w) {
      x = 0;
      y += line;
    } else if (x > 0) {
      x += space;
    }
    for (const Piece& p : word) {
      const Point at{box.x + x, box.y + y};
      if (run.part == p.part && run_at.y == at.y && std::abs(run_at.x + run.width - at.x) < 0.05f) {
        run.words += p.words;
        run.width += p.width;
      } else {
        write();
        run = p;
        run_at = at;
      }
      x += p.width;
    }
    word.clear();
    word_width = space = 0;
  };
  float pending = 0;
  char32_t last = 0;
  for (const Part_of_text& part : parts) {
    const float blank = pen.width(" ", size, part.font);
    size_t at = 0;
    while (at < part.words.size()) {
      if (part.words[at] == '\n') {
        flush();
        x = 0;
        y += line;
        pending = 0;
        last = 0;
        ++at;
        continue;
      }
      if (part.words[at] == ' ') {
        flush();
        pending = std::max(pending, blank);
        last = 0;
        ++at;
        continue;
      }
      if (last && may_break(last, letter_at(part.words, at).code)) flush();
      const size_t end = word_end(part.words, at);
      last = letter_at(part.words, cut_before(part.words, end - 1)).code;
      Piece p{&part, part.words.substr(at, end - at), 0};
      p.width = pen.width(p.words, size, part.font);
      if (p.width > box.w) {
        p.words = pen.fitted(p.words, box.w, size, part.font);
        p.width = pen.width(p.words, size, part.font);
      }
      if (word.empty()) space = pending;
      pending = 0;
      word_width += p.width;
      word.push_back(std::move(p));
      at = end;
    }
  }
  flush();
  write();
  return y + line / 2;
}

}  // namespace bscope
