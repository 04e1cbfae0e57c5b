#include "app/draw/controls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/theme.hpp"

namespace bscope {
namespace {

float control_height(const Theme& t) { return t.label() * 1.4f + t.px(8); }

/// "Measure   Ctrl Enter".
bool shows_key(const Button& b, const Theme& t) { return !b.key.empty() && !t.touch; }
std::string with_key(const Button& b, const Theme& t) {
  return shows_key(b, t) ? b.label + "   " + b.key : b.label;
}
/// With room on both sides of its words.
float button_width(const DrawContext& p, const Button& b, Font f = Font::text) {
  return p.pen.width(with_key(b, p.t), p.t.label(), f) + p.t.px(20);
}

HitRegion hit_of(const Button& b, Box box) {
  return {.what = HitRegion::button, .box = box, .a = b.value, .tip = b.tip, .name = b.name, .press = b.does};
}

void draw_choices(const DrawContext& p, Box b, const std::vector<Button>& all) {
  const Theme& t = p.t;
  const float size = t.label();
  if (t.printed) {
    for (const Button& one : all)
      if (one.on) p.pen.text({b.x, b.centre().y}, p.pen.fitted(one.label, b.w, size), size, t.ink2);
    return;
  }
  float wanted = 0;
  for (const Button& one : all) wanted += button_width(p, one);
  // where room is short, the air beside the labels goes before the longest of them are cut
  const float short_of = (wanted - b.w) / float(all.size());
  const bool closer = short_of > 0 && short_of <= t.px(20 - 6);
  p.pen.rect(b, t.cell, t.line, t.thin(), t.px(5));
  float x = b.x;
  for (const Button& one : all) {
    const float w = closer ? button_width(p, one) - short_of : button_width(p, one) * b.w / wanted;
    const Box part{x, b.y, w, b.h};
    if (one.on)
      p.pen.rect({x + t.px(2), b.y + t.px(2), w - t.px(4), b.h - t.px(4)}, t.selected, t.ink3, t.thin(),
                 t.round());
    p.pen.text(part.centre(), p.pen.fitted(one.label, w - t.px(6) + 0.1f, size), size,
               one.on ? t.ink : t.ink2, Font::text, Align::centre);
    p.pen.hit(hit_of(one, part));
    x += w;
  }
}

}  // namespace

LayoutNode button(Button one, Colour main) {
  const Font font = main ? Font::text_bold : Font::text;
  LayoutNode form;
  form.wanted = [one, font](const DrawContext& p) { return p.t.printed ? 0 : button_width(p, one, font); };
  form.least = [one](const DrawContext& p) { return p.t.printed ? 0 : p.t.label() * 3; };
  form.height = [main](const DrawContext& p, float) {
    return p.t.printed ? 0 : main ? std::max(p.t.px(36), p.t.title() * 1.7f) : control_height(p.t);
  };
  form.drawn = [one, font, main](const DrawContext& p, Box b) {
    const Theme& t = p.t;
    if (t.printed) return;
    const float size = main ? t.title() : t.label();
    p.pen.rect(b,
               main     ? main
               : one.on ? t.selected
                        : t.cell,
               one.on                   ? t.ink3
               : main && main != t.cell ? 0
                                        : t.line,
               t.thin(), t.px(main ? 6 : 5));
    const Colour ink = main ? t.on(main) : t.ink;
    const float wide = p.pen.width(with_key(one, t), size, font), room = b.w - t.px(8);
    if (!shows_key(one, t) || wide > room) {
      p.pen.text(b.centre(), p.pen.fitted(one.label, room, size, font), size, ink, font, Align::centre);
    } else {
      const Point c = b.centre();
      p.pen.text({c.x - wide / 2, c.y}, one.label, size, ink, font);
      p.pen.text({c.x + wide / 2, c.y}, one.key, size, main ? ink : t.ink2, font, Align::right);
    }
    p.pen.hit(hit_of(one, b));
  };
  return form;
}

LayoutNode choices(std::vector<Button> all) {
  LayoutNode form;
  if (all.size() < 2) return form;
  form.wanted = [all](const DrawContext& p) {
    float w = 0;
    for (const Button& one : all)
      if (!p.t.printed || one.on) w += button_width(p, one);
    return w;
  };
  form.least = [all](const DrawContext& p) {
    return p.t.printed ? 0 : float(all.size()) * p.t.label() * 2.2f;
  };
  form.height = [](const DrawContext& p, float) { return control_height(p.t); };
  form.drawn = [all](const DrawContext& p, Box b) { draw_choices(p, b, all); };
  return form;
}

LayoutNode tick(float size, bool on, Colour c) {
  return drawing(size, size,
                 [=](const DrawContext& p, Box b) { tick_box(p.pen, p.t, b.centre(), size, on, c); });
}

LayoutNode arrow(Colour c) {
  LayoutNode form;
  form.fills = true;
  form.drawn = [c](const DrawContext& p, Box b) {
    const float y = b.centre().y, head = p.t.px(10);
    p.pen.line({b.x + p.t.close(), y}, {b.right() - head, y}, c, p.t.thin(2));
    p.pen.arrow_head({b.right() - p.t.close(), y}, {1, 0}, head, c);
  };
  return form;
}

LayoutNode cross(float size, Button one) {
  return drawing(size, size, [size, one](const DrawContext& p, Box b) {
    const Point c = b.centre();
    const float arm = size * 0.23f;
    for (const float way : {-1.0f, 1.0f})
      p.pen.line({c.x - arm, c.y - way * arm}, {c.x + arm, c.y + way * arm}, p.t.ink3, p.t.px(1.5f));
    press(p.pen, p.t, hit_of(one, {c.x - size / 2, c.y - size / 2, size, size}));
  });
}

LayoutNode slider(Slider s) {
  LayoutNode form;
  form.wanted = [s](const DrawContext& p) {
    return p.pen.width(s.label, p.t.label()) + p.pen.width(s.value, p.t.label(), Font::mono_bold) +
           p.t.px(12);
  };
  form.least = [](const DrawContext& p) { return p.t.px(60); };
  form.height = [](const DrawContext& p, float) { return slider_height(p.t); };
  form.drawn = [s](const DrawContext& p, Box b) { slider(p.pen, p.t, b, s); };
  return form;
}

LayoutNode progress(float share, Colour c) {
  LayoutNode form;
  form.height = [](const DrawContext& p, float) { return p.t.px(8); };
  form.drawn = [share, c](const DrawContext& p, Box b) {
    p.pen.rect(b, p.t.selected, 0, 1, p.t.round());
    p.pen.rect({b.x, b.y, b.w * std::clamp(share, 0.0f, 1.0f), b.h}, c, 0, 1, p.t.round());
  };
  return form;
}

LayoutNode legend(std::vector<Meaning> all) {
  const auto mark = [](const Theme& t) { return t.label() * 0.8f; };
  const auto width = [mark](const DrawContext& p, const Meaning& m) {
    return mark(p.t) + p.t.px(6) + p.pen.width(m.words, p.t.label());
  };
  LayoutNode form;
  form.wanted = [all, width](const DrawContext& p) {
    float w = -p.t.px(22);
    for (const Meaning& m : all) w += width(p, m) + p.t.px(22);
    return w;
  };
  form.height = [](const DrawContext& p, float) { return p.t.line_height(); };
  form.drawn = [all, mark, width](const DrawContext& p, Box b) {
    const float side = mark(p.t), y = b.centre().y;
    float x = b.x;
    for (const Meaning& m : all) {
      if (x + width(p, m) > b.right() + 0.1f) return;
      const Box box{x, y - side / 2, side, side};
      if (m.round)
        p.pen.disc(box.centre(), side / 2, m.colour, m.edge, p.t.thin());
      else if (m.shades.empty())
        p.pen.rect(box, m.colour, m.edge, m.edge ? p.t.thin(1.5f) : 1, p.t.px(2));
      else
        p.pen.strip(box, m.shades);
      if (m.hatch) p.pen.hatch(box, m.hatch, p.t.px(4));
      p.pen.text({x + side + p.t.px(6), y}, m.words, p.t.label(), p.t.ink2);
      x += width(p, m) + p.t.px(22);
    }
  };
  return form;
}

}  // namespace bscope
