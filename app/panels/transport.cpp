// First, back, play, forward, last; the step's number; speed and block.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/panel.hpp"

namespace bscope {
namespace {

enum class Glyph { first, back, play, pause, forward, last };

/// The glyph's bars and triangles within a square of 16 units around its middle.
void draw_glyph(View& v, Glyph g, Point c, float u, Colour colour) {
  Picture picture;
  Pen pen(picture, v.metrics);
  const auto bar = [&](float x) { pen.rect({c.x + x * u, c.y - 7 * u, 3 * u, 14 * u}, colour); };
  const auto triangle = [&](float from, float tip) {
    pen.polygon({{c.x + from * u, c.y - 7 * u}, {c.x + tip * u, c.y}, {c.x + from * u, c.y + 7 * u}}, colour);
  };
  switch (g) {
    case Glyph::first:
      bar(-7);
      triangle(7, -4);
      break;
    case Glyph::back: triangle(5, -6); break;
    case Glyph::play: triangle(-5, 7); break;
    case Glyph::pause:
      bar(-5);
      bar(2);
      break;
    case Glyph::forward: triangle(-5, 6); break;
    case Glyph::last:
      triangle(-7, 4);
      bar(4);
      break;
  }
  v.painter.draw(picture, {0, 0}, ImGui::GetWindowDrawList());
}

bool button(View& v, const char* name, const char* tip, Glyph g, Box b, bool lit) {
  const Theme& t = v.theme;
  ImGui::SetCursorScreenPos({b.x, b.y});
  const bool pressed = ImGui::InvisibleButton(name, {b.w, b.h});
  const Colour fill = lit ? t.thread : ImGui::IsItemHovered() ? mix(t.selected, t.ink3, 0.8f) : t.selected;
  ImGui::SetItemTooltip("%s", tip);
  ImGui::GetWindowDrawList()->AddRectFilled({b.x, b.y}, {b.right(), b.bottom()}, screen(fill), t.px(4));
  draw_glyph(v, g, b.centre(), b.h / 30, lit ? t.on(fill) : t.ink);
  return pressed;
}

}  // namespace

void show_transport(View& v, Box b) {
  const Theme& t = v.theme;
  State& s = v.state;
  const float side = t.px(t.projector() ? 44 : 38), gap = t.px(t.projector() ? 8 : 5);
  const float y = t.projector() ? b.centre().y - side / 2 : b.y + t.px(14);
  const auto place = [&](int i) { return Box{b.x + float(i) * (side + gap), y, side, side}; };
  if (button(v, "first", "First step (Home)", Glyph::first, place(0), false)) s = first(std::move(s));
  if (button(v, "back", "Back one barrier (Left)", Glyph::back, place(1), false)) s = back(std::move(s));
  if (button(v, "play", s.playing ? "Pause (Space)" : "Play (Space)", s.playing ? Glyph::pause : Glyph::play,
             place(2), true))
    s = play_or_pause(std::move(s));
  if (button(v, "forward", "Forward one barrier (Right)", Glyph::forward, place(3), false))
    s = forward(std::move(s));
  if (button(v, "last", "Last step (End)", Glyph::last, place(4), false)) s = last(std::move(s));

  const Run& run = *s.run;
  const auto block = run.report.flow.of_block(s.cursor.launch, s.cursor.block);
  const std::string step = fmt::format("Step {}", s.cursor.interval + 1),
                    of = fmt::format("of {}", block.size());
  if (t.projector()) {
    const float x = place(5).x + t.px(12), size = t.px(t.size_title);
    v.text({x, b.centre().y - size * 0.65f}, step, size, t.ink, Font::text_bold);
    v.text({x, b.centre().y + size * 0.65f}, of, size, t.ink2);
    return;
  }
  float text_y = y + side + t.px(18);
  const float title = t.px(17), small = t.px(12);
  v.text({b.x, text_y}, step, title, t.ink, Font::text_bold);
  v.text({b.x + v.width(step, title, Font::text_bold) + t.px(8), text_y}, of, title, t.ink2);
  if (s.speed != 1)
    v.text({b.right() - t.px(8), text_y}, fmt::format("speed {}", s.speed), small, t.ink3, Font::text,
           Align::right);
  text_y += t.px(21);
  const Launch& l = run.trace.launches[size_t(s.cursor.launch)];
  if (l.grid > 1 || run.trace.launches.size() > 1) {
    std::string where;
    if (run.trace.launches.size() > 1)
      where = fmt::format("launch {} of {}  ", s.cursor.launch + 1, run.trace.launches.size());
    where += fmt::format("block {} of {}", s.cursor.block, l.grid);
    if (v.width(where + "  PgUp PgDn", small) <= b.w) where += "  PgUp PgDn";
    v.text({b.x, text_y}, where, small, t.ink3);
  } else {
    v.text({b.x, text_y}, "Left/Right step   Space play", small, t.ink3);
  }
}

}  // namespace bscope
