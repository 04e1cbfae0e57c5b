#include "app/draw/chart.hpp"

#include <algorithm>
#include <cmath>

#include "app/draw/letters.hpp"

namespace bscope {

Box panel(Pen& pen, const Theme& t, Box b, Colour stroke) {
  const float thickness = std::max(1.0f, t.px(stroke ? 2 : 1));
  // a border lies astride its edge: half of it would be outside the picture
  const float half = thickness / 2;
  pen.rect({b.x + half, b.y + half, b.w - thickness, b.h - thickness}, t.panel, stroke ? stroke : t.line,
           thickness, t.px(6));
  const float x = t.px(16), y = t.px(t.projector() ? 10 : 12);
  return {b.x + x, b.y + y, b.w - 2 * x, b.h - 2 * y};
}

std::string first_fit(const Pen& pen, std::initializer_list<std::string> spellings, float room, float size,
                      Font f) {
  for (const std::string& s : spellings)
    if (pen.width(s, size, f) <= room) return s;
  return {};
}

float paragraph(Pen& pen, const std::vector<Words>& sentence, Box b, float size, Colour backing) {
  struct Placed {
    std::string words;
    Colour colour;
    Font font;
    float x;
    int line;
    const Words* piece;
  };
  std::vector<Placed> all;
  const float line_height = size * 1.35f;
  float x = 0;
  int line = 0;
  bool glued = true;  // no space between a piece that ends without one and the next
  for (const Words& piece : sentence) {
    size_t at = 0;
    while (at < piece.words.size()) {
      if (piece.words[at] == ' ') {
        glued = false;
        ++at;
        continue;
      }
      const size_t end = word_end(piece.words, at);
      const std::string word = piece.words.substr(at, end - at);
      const float wide = pen.width(word, size, piece.font),
                  space = glued ? 0 : pen.width(" ", size, Font::text);
      if (wide > b.w) return b.y;
      if (x > 0 && x + space + wide > b.w)
        x = 0, ++line;
      else if (x > 0)
        x += space;
      // words of one style on one line are one text
      if (!all.empty() && all.back().line == line && x > 0 && (!glued || all.back().piece == &piece) &&
          all.back().colour == piece.colour && all.back().font == piece.font)
        all.back().words += (glued ? "" : " ") + word;
      else
        all.push_back({word, piece.colour, piece.font, x, line, &piece});
      x = all.back().x + pen.width(all.back().words, size, piece.font);
      glued = true;
      at = end;
    }
  }
  if (float(line + 1) * line_height > b.h) return b.y;
  if (backing)
    for (const Placed& p : all)
      pen.rect({b.x + p.x - size * 0.25f, b.y + float(p.line) * line_height,
                pen.width(p.words, size, p.font) + size * 0.5f, line_height},
               backing);
  for (const Placed& p : all)
    pen.text({b.x + p.x, b.y + (float(p.line) + 0.5f) * line_height}, p.words, size, p.colour, p.font);
  return b.y + float(line + 1) * line_height;
}

float slider_height(const Theme& t) { return t.px(t.size_label) * 1.4f + t.px(16); }

void slider(Pen& pen, const Theme& t, Box b, const Slider& s) {
  const float size = t.px(t.size_label), words_y = b.y + size * 0.7f;
  const Box value = pen.text({b.right(), words_y}, s.value, size, t.ink, Font::mono_bold, Align::right);
  pen.text({b.x, words_y}, first_fit(pen, {s.label, s.short_label}, value.x - b.x - t.px(6), size), size,
           s.idle ? t.ink3 : t.ink);
  if (t.printed) return;
  const float y = b.y + size * 1.4f + t.px(8), knob = t.px(7);
  const float share =
      s.most > s.least ? std::clamp((s.now - float(s.least)) / float(s.most - s.least), 0.0f, 1.0f) : 0;
  const Box track{b.x, y - t.px(3), b.w, t.px(6)};
  const float x = b.x + knob + share * (b.w - 2 * knob);
  pen.rect(track, t.selected, 0, 1, t.px(3));
  pen.rect({track.x, track.y, x - track.x, track.h}, s.idle ? t.ink3 : t.thread, 0, 1, t.px(3));
  pen.disc({x, y}, knob, t.dark() ? t.ink : t.panel, t.dark() ? t.panel : t.ink, std::max(1.0f, t.px(1.5f)));
  pen.hit({.what = Hit::other,
           .box = {b.x + knob, y - t.px(9), b.w - 2 * knob, t.px(18)},
           .a = s.least,
           .b = s.most,
           .tip = s.tip,
           .name = s.name,
           .now = std::clamp(s.now, float(s.least), float(std::max(s.least, s.most)))});
}

float choices_height(const Theme& t) { return t.px(t.size_label) * 1.4f + t.px(8); }

float choices_width(const Pen& pen, const Theme& t, const Choices& c) {
  float w = 0;
  for (const Choices::One& one : c.all) w += pen.width(one.label, t.px(t.size_label)) + t.px(20);
  return w;
}

void choices(Pen& pen, const Theme& t, Box b, const Choices& c) {
  if (c.all.empty()) return;
  const float size = t.px(t.size_label), thin = std::max(1.0f, t.px(1));
  if (t.printed) {
    for (const auto& one : c.all)
      if (one.on) pen.text({b.x, b.centre().y}, pen.fitted(one.label, b.w, size), size, t.ink2);
    return;
  }
  float wanted = 0;
  for (const auto& one : c.all) wanted += pen.width(one.label, size) + t.px(20);
  const float scale = b.w / wanted;
  pen.rect(b, t.cell, t.line, thin, t.px(5));
  float x = b.x;
  for (const auto& one : c.all) {
    const float w = (pen.width(one.label, size) + t.px(20)) * scale;
    const Box part{x, b.y, w, b.h};
    if (one.on)
      pen.rect({x + t.px(2), b.y + t.px(2), w - t.px(4), b.h - t.px(4)}, t.selected, t.ink3, thin, t.px(4));
    pen.text(part.centre(), pen.fitted(one.label, w - t.px(6), size), size, one.on ? t.ink : t.ink2,
             Font::text, Align::centre);
    pen.hit({.what = Hit::button, .box = part, .tip = one.tip, .name = one.name});
    x += w;
  }
}

void button(Pen& pen, const Theme& t, Box b, const Choices::One& one) {
  if (t.printed) return;
  const float size = t.px(t.size_label);
  pen.rect(b, t.cell, t.line, std::max(1.0f, t.px(1)), t.px(5));
  pen.text(b.centre(), pen.fitted(one.label, b.w - t.px(8), size), size, t.ink, Font::text, Align::centre);
  pen.hit({.what = Hit::button, .box = b, .tip = one.tip, .name = one.name});
}

void press(Pen& pen, const Theme& t, Hit hit) {
  if (!t.printed) pen.hit(std::move(hit));
}

void tick_box(Pen& pen, const Theme& t, Point c, float size, bool on, Colour colour) {
  const float thick = std::max(1.0f, t.px(1.5f)), h = size / 2;
  pen.rect({c.x - h, c.y - h, size, size}, on ? colour : t.panel, on ? colour : t.ink3, thick, t.px(3));
  if (!on) return;
  const Colour mark = t.on(colour);
  pen.line({c.x - h * 0.55f, c.y}, {c.x - h * 0.1f, c.y + h * 0.45f}, mark, thick);
  pen.line({c.x - h * 0.1f, c.y + h * 0.45f}, {c.x + h * 0.6f, c.y - h * 0.5f}, mark, thick);
}

int slider_value(const Hit& h, float x) {
  const float share = h.box.w > 0 ? std::clamp((x - h.box.x) / h.box.w, 0.0f, 1.0f) : 0;
  return h.a + int(std::lround(share * float(h.b - h.a)));
}

long nice_step(long most, int ticks) {
  for (long power = 1;; power *= 10)
    for (long f : {1, 2, 5})
      if (most / (power * f) <= std::max(ticks, 1)) return power * f;
}

}  // namespace bscope
