#include "app/draw/chart.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/theme.hpp"

namespace bscope {
Point panel_margin(const Theme& t) { return {t.px(16), t.px(12, 10)}; }

Box panel(Pen& pen, const Theme& t, Box b, Colour stroke) {
  const float thickness = t.thin(stroke ? 2 : 1);
  // a border lies astride its edge: half of it would be outside the picture
  const float half = thickness / 2;
  pen.rect({b.x + half, b.y + half, b.w - thickness, b.h - thickness}, t.panel, stroke ? stroke : t.line,
           thickness, t.px(6));
  const Point m = panel_margin(t);
  return {b.x + m.x, b.y + m.y, b.w - 2 * m.x, b.h - 2 * m.y};
}

void press(Pen& pen, const Theme& t, HitRegion hit) {
  if (!t.printed) pen.hit(std::move(hit));
}

float slider_height(const Theme& t) { return t.label() * 1.4f + t.px(16); }

void slider(Pen& pen, const Theme& t, Box b, const Slider& s) {
  const float size = t.label(), words_y = b.y + size * 0.7f;
  const Box value = pen.text({b.right(), words_y}, s.value, size, t.ink, Font::mono_bold, Align::right);
  pen.text({b.x, words_y}, spelled(pen, {s.label, s.short_label}, value.x - b.x - t.px(6), size), size,
           s.idle ? t.ink3 : t.ink);
  if (t.printed) return;
  const float y = b.y + size * 1.4f + t.px(8), knob = t.px(7);
  const float share =
      s.most > s.least ? std::clamp((s.now - float(s.least)) / float(s.most - s.least), 0.0f, 1.0f) : 0;
  const Box track{b.x, y - t.px(3), b.w, t.px(6)};
  const float x = b.x + knob + share * (b.w - 2 * knob);
  pen.rect(track, t.selected, 0, 1, t.px(3));
  pen.rect({track.x, track.y, x - track.x, track.h}, s.idle ? t.ink3 : t.thread, 0, 1, t.px(3));
  pen.disc({x, y}, knob, t.dark() ? t.ink : t.panel, t.dark() ? t.panel : t.ink, t.thin(1.5f));
  pen.hit({.what = HitRegion::other,
           .box = {b.x + knob, y - t.px(9), b.w - 2 * knob, t.px(18)},
           .a = s.least,
           .b = s.most,
           .tip = s.tip,
           .name = s.name,
           .now = std::clamp(s.now, float(s.least), float(std::max(s.least, s.most))),
           .drag = s.does ? HitAction([does = s.does, least = s.least, most = s.most](LoadedState& to,
                                                                                      float share) {
             does(to, least + int(std::lround(share * float(most - least))));
           })
                          : HitAction()});
}

int slider_value(const HitRegion& h, float x) {
  const float share = h.box.w > 0 ? std::clamp((x - h.box.x) / h.box.w, 0.0f, 1.0f) : 0;
  return h.a + int(std::lround(share * float(h.b - h.a)));
}

void tick_box(Pen& pen, const Theme& t, Point c, float size, bool on, Colour colour) {
  const float thick = t.thin(1.5f), h = size / 2;
  pen.rect({c.x - h, c.y - h, size, size}, on ? colour : t.panel, on ? colour : t.ink3, thick, t.px(3));
  if (!on) return;
  const Colour mark = t.on(colour);
  pen.line({c.x - h * 0.55f, c.y}, {c.x - h * 0.1f, c.y + h * 0.45f}, mark, thick);
  pen.line({c.x - h * 0.1f, c.y + h * 0.45f}, {c.x + h * 0.6f, c.y - h * 0.5f}, mark, thick);
}

long nice_step(long most, int ticks) {
  for (long power = 1;; power *= 10)
    for (long f : {1, 2, 5})
      if (most / (power * f) <= std::max(ticks, 1)) return power * f;
}

std::string first_fit(const Pen& pen, std::initializer_list<std::string> spellings, float room, float size,
                      Font f) {
  return spelled(pen, spellings, room, size, f);
}

float paragraph(Pen& pen, const std::vector<Words>& sentence, Box b, float size, Colour backing) {
  Text text = sentence;
  for (Words& w : text)
    if (!w.backing) w.backing = backing;
  const LaidText laid = lay_out(pen.metrics(), text, b.w, {.size = size});
  if (!laid.whole || laid.height > b.h) return b.y;
  draw(pen, laid, {b.x, b.y});
  return b.y + laid.height;
}

}  // namespace bscope
