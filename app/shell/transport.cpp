// First, back, play, forward, last; the step's number; speed and block.
#include <string>
#include <tuple>
#include <utility>

#include "app/draw/theme.hpp"
#include "app/run/titles.hpp"
#include "app/session/prediction.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_time.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/finding.hpp"
#include "engine/trace/library_launch.hpp"
#include "engine/trace/trace.hpp"

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

bool transport_button(View& v, const char* name, std::string_view tip, Glyph g, Box b, bool lit) {
  const Theme& t = v.theme;
  ImGui::SetCursorScreenPos({b.x, b.y});
  const bool pressed = ImGui::InvisibleButton(name, {b.w, b.h});
  const Colour fill = lit ? t.thread : ImGui::IsItemHovered() ? mix(t.selected, t.ink3, 0.8f) : t.selected;
  ImGui::SetItemTooltip("%.*s", int(tip.size()), tip.data());
  ImGui::GetWindowDrawList()->AddRectFilled({b.x, b.y}, {b.right(), b.bottom()}, screen(fill), t.px(4));
  draw_glyph(v, g, b.centre(), b.h / 30, lit ? t.on(fill) : t.ink);
  return pressed;
}

/// Asks what the step changes, before it is shown; between `left` and `right`, as far as there is room.
void predict_button(View& v, float left, float right, float y) {
  const Theme& t = v.theme;
  const bool on = prediction_on(v.state);
  if (!on && !can_predict(v.state)) return;
  const std::string words(tr("Predict"));
  const float size = t.px(12), w = v.width(words, size, Font::text_bold) + t.px(18), h = t.px(24);
  if (w > right - left) return;
  const Box box{right - w, y - h / 2, w, h};
  ImGui::SetCursorScreenPos({box.x, box.y});
  const bool pressed = ImGui::InvisibleButton("predict", {box.w, box.h});
  const Colour fill = on ? t.changed : ImGui::IsItemHovered() ? mix(t.selected, t.ink3, 0.8f) : t.selected;
  const std::string tip = tr("Guess what this step leaves in the cells before it is shown (P)");
  ImGui::SetItemTooltip("%.*s", int(tip.size()), tip.data());
  ImGui::GetWindowDrawList()->AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, screen(fill),
                                            t.px(4));
  v.text(box.centre(), words, size, on ? t.on(fill) : t.ink, Font::text_bold, Align::centre);
  if (pressed) v.state = on ? leave_prediction(std::move(v.state)) : predict(std::move(v.state));
}

/// "Step 4" and "of 9": of the block, or of the tab's own time.
std::pair<std::string, std::string> step_words(const LoadedState& s) {
  if (const auto own = own_time(s)) {
    if (const char* unit = tab_of(s).time_unit)
      return {fmt::format("{} = {}", unit, own->now), tr("of {}", own->length - 1)};
    return {tr("Step {}", step_number(own->now)), tr("of {}", own->length)};
  }
  const auto block = s.run->report.flow.of_block(s.cursor.launch, s.cursor.block);
  return {tr("Step {}", step_number(s.cursor.interval)),
          s.lesson.hides_future() ? std::string() : tr("of {}", block.size())};
}

void back_button(View& v, Box b) {
  if (transport_button(v, "back", tr("Back one barrier (Left)"), Glyph::back, b, false))
    v.state = back(std::move(v.state));
}
void play_button(View& v, Box b) {
  const bool playing = v.state.playing;
  if (transport_button(v, "play", playing ? tr("Pause (Space)") : tr("Play (Space)"),
                       playing ? Glyph::pause : Glyph::play, b, true))
    v.state = play_or_pause(std::move(v.state));
}
void forward_button(View& v, Box b) {
  if (transport_button(v, "forward", tr("Forward one barrier (Right)"), Glyph::forward, b, false))
    v.state = forward(std::move(v.state));
}

}  // namespace

float show_small_transport(View& v, Box row) {
  const Theme& t = v.theme;
  const float side = row.h, gap = t.px(5);
  const auto place = [&](int i) { return Box{row.x + float(i) * (side + gap), row.y, side, side}; };
  back_button(v, place(0));
  play_button(v, place(1));
  forward_button(v, place(2));
  const auto [step, of] = step_words(v.state);
  const float size = t.px(t.projector() ? t.size_title : 15);
  float x = place(3).x + t.px(7);
  for (const auto& [words, ink, font] :
       {std::tuple(step, t.ink, Font::text_bold), {of, t.ink2, Font::text}}) {
    const float w = v.width(words, size, font);
    if (x + w > row.right()) break;
    v.text({x, row.centre().y}, words, size, ink, font);
    x += w + t.px(6);
  }
  return x;
}

void show_transport(View& v, Box b) {
  const Theme& t = v.theme;
  LoadedState& s = v.state;
  const float side = t.px(t.projector() ? 44 : 38), gap = t.px(t.projector() ? 8 : 5);
  const float y = t.projector() ? b.centre().y - side / 2 : b.y + t.px(14);
  const auto place = [&](int i) { return Box{b.x + float(i) * (side + gap), y, side, side}; };
  if (transport_button(v, "first", tr("First step (Home)"), Glyph::first, place(0), false))
    s = first(std::move(s));
  back_button(v, place(1));
  play_button(v, place(2));
  forward_button(v, place(3));
  if (transport_button(v, "last", tr("Last step (End)"), Glyph::last, place(4), false))
    s = last(std::move(s));

  const Run& run = *s.run;
  const auto own = own_time(s);
  auto [step, of] = step_words(s);
  if (t.projector()) {
    const float x = place(5).x + t.px(12), size = t.px(t.size_title), room = b.right() - t.px(6) - x;
    // of a thousand steps the number stands alone
    if (!own && v.width(step, size, Font::text_bold) > room)
      step = std::to_string(step_number(s.cursor.interval));
    v.text({x, b.centre().y - size * 0.65f}, step, size, t.ink, Font::text_bold);
    v.text({x, b.centre().y + size * 0.65f}, of, size, t.ink2);
    return;
  }
  float text_y = y + side + t.px(18);
  const float title = t.px(17), small = t.px(12), right = b.right() - t.px(8);
  v.text({b.x, text_y}, step, title, t.ink, Font::text_bold);
  const float step_w = v.width(step, title, Font::text_bold) + t.px(8);
  v.text({b.x + step_w, text_y}, of, title, t.ink2);
  if (!own) predict_button(v, b.x + step_w + v.width(of, title) + t.px(8), right, text_y);
  text_y += t.px(21);
  const std::string speed = s.speed != 1 ? tr("speed {}", s.speed) : std::string();
  float room = right - b.x;
  if (!speed.empty()) {
    v.text({right, text_y}, speed, small, t.ink3, Font::text, Align::right);
    room -= v.width(speed, small) + t.px(8);
  }
  const Launch& l = run.trace.launches[size_t(s.cursor.launch)];
  std::string where;
  if (is_between_launches(l) && !own)
    where = is_library_launch(l) ? launch_title(run.trace, l)
                                 : tr("between launches ({})", launch_title(run.trace, l));
  else if (run.trace.launches.size() > 1 && !own)
    where = s.lesson.hides_future()
                ? tr("launch {}", launch_number(run.trace, s.cursor.launch))
                : tr("launch {} of {}", launch_number(run.trace, s.cursor.launch), launch_count(run.trace));
  if (l.grid > 1 && !own) where += (where.empty() ? "" : "  ") + tr("block {} of {}", s.cursor.block, l.grid);
  const std::string keys(t.touch              ? std::string()
                         : l.grid > 1 && !own ? "PgUp PgDn"
                                              : tr("Left/Right step   Space play"));
  if (where.empty())
    where = keys;
  else if (!keys.empty() && v.width(where + "  " + keys, small) <= room)
    where += "  " + keys;
  Picture measure;
  v.text({b.x, text_y}, Pen(measure, v.metrics).fitted(where, room, small), small, t.ink3);
}

}  // namespace bscope
