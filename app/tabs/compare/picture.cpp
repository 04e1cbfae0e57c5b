#include "app/tabs/compare/picture.hpp"

#include "app/tabs/compare/sheet.hpp"

namespace bscope {
namespace {

using compare::Sheet;

std::array<int, 2> rows_at(const Comparison& c, const CompareLook& look) {
  const auto& steps = c.steps[size_t(look.sync)];
  return steps[size_t(std::clamp(look.position, 0, int(steps.size()) - 1))];
}

struct Chip {
  std::string name, words, tip;
  int value;
  bool chosen;
};
/// Choices beside each other, the chosen one filled. Returns the x after the last.
float chips(Sheet& s, Point at, const std::string& title, const std::vector<Chip>& all, float right) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float size = s.label(), tall = size * 1.75f;
  float x = pen.text(at, title, size, t.ink2).right() + t.px(8);
  for (const Chip& c : all) {
    const float wide = pen.width(c.words, size, Font::text_bold) + t.px(16);
    if (x + wide > right) break;
    const Box b{x, at.y - tall / 2, wide, tall};
    pen.rect(b, c.chosen ? t.selected : t.panel, c.chosen ? t.ink3 : t.line, s.thin(), t.px(4));
    pen.text(b.centre(), c.words, size, c.chosen ? t.ink : t.ink2, c.chosen ? Font::text_bold : Font::text,
             Align::centre);
    pen.hit({.what = Hit::button, .box = b, .a = c.value, .tip = c.tip, .name = c.name});
    x = b.right() + t.px(6);
  }
  return x;
}

}  // namespace

Picture compare_view(const Comparison& c, const CompareLook& look, const std::vector<Recording>& recordings,
                     const Theme& t, const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  pen.rect({0, 0, w, h}, t.window);
  Sheet s{pen, t, c, look};
  s.now = rows_at(c, look);
  const float gap = t.px(8), half = (w - gap) / 2, wide = w * (t.projector() ? 0.62f : 0.60f);
  // the counts carry the point: they take from the figures above what their rows need
  const float usual = h * (t.projector() ? 0.62f : 0.61f),
              upper = std::clamp(h - gap - compare::table_height(s, wide), std::min(usual, h * 0.45f), usual);
  compare::side_panel(s, 0, {0, 0, half, upper});
  compare::side_panel(s, 1, {gap + half, 0, half, upper});
  const float lower = h - upper - gap;
  compare::table(s, {0, upper + gap, wide, lower});
  compare::measured(s, recordings, {wide + gap, upper + gap, w - wide - gap, lower});
  return picture;
}

Picture compare_transport(const Comparison& c, const CompareLook& look, const Theme& t,
                          const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  pen.rect({0, 0, w, h}, t.panel);
  Sheet s{pen, t, c, look};
  s.now = rows_at(c, look);
  const auto& steps = c.steps[size_t(look.sync)];
  const int length = int(steps.size()), at = std::clamp(look.position, 0, length - 1);
  const float label = s.label(), chip_y = h - label * 1.25f, inner = t.px(12);

  // a lane a side: its phases over the positions
  float names = 0;
  for (const auto& name : s.names) names = std::max(names, pen.width(name, label));
  // in the projector's bar lanes are too low for words: the panels above say which is which
  const bool named = (chip_y - label * 1.2f - t.px(15)) / 2 > label;
  names = named ? std::min(names, w * 0.2f) + t.px(12) : 0;
  const Box lanes{inner + names, t.px(10), w - names - 2 * inner, chip_y - label * 1.2f - t.px(10)};
  const float tall = (lanes.h - t.px(5)) / 2, pitch = lanes.w / float(length);
  for (size_t side = 0; side < 2; ++side) {
    const float y = lanes.y + float(side) * (tall + t.px(5));
    if (named)
      pen.text({inner, y + tall / 2}, pen.fitted(s.names[side], names - t.px(10), label), label, t.ink2);
    const auto& rows = c.sides[side].rows;
    if (rows.empty()) continue;
    for (int first = 0, end; first < length; first = end) {
      const auto row = [&](int k) -> const CompareSide::Row& { return rows[size_t(steps[size_t(k)][side])]; };
      const auto waits = [&](int k) { return k > 0 && steps[size_t(k)][side] == steps[size_t(k) - 1][side]; };
      for (end = first + 1; end < length && row(end).phase == row(first).phase &&
                            row(end).launch == row(first).launch && waits(end) == waits(first);)
        ++end;
      const Box b{lanes.x + float(first) * pitch, y, float(end - first) * pitch - t.px(1.5f), tall};
      const Colour band = waits(first) ? t.panel : t.phase(row(first).phase);
      pen.rect(b, band, waits(first) ? t.line : 0, s.thin(), t.px(3));
      if (waits(first) && b.w > t.px(8)) pen.hatch(b, t.line, t.px(7), s.thin());
      const std::string words =
          waits(first) ? std::string() : first_fit(pen, {said(row(first).phase)}, b.w - t.px(12), label);
      if (label < tall) pen.text({b.x + t.px(6), y + tall / 2}, words, label, t.on(band));
    }
  }
  const float x = lanes.x + (float(at) + 0.5f) * pitch;
  pen.rect({x - std::max(t.px(2), pitch / 2), lanes.y - t.px(3), std::max(t.px(4), pitch), lanes.h + t.px(6)},
           0, s.present(), s.thin(2.5f), t.px(3));
  // presses mean positions: a pitch's middle is its own
  pen.hit({.what = Hit::other,
           .box = {lanes.x + pitch / 2, lanes.y, std::max(1.0f, lanes.w - pitch), lanes.h},
           .a = 0,
           .b = length - 1,
           .tip = say("Drag: both sides go to this step."),
           .name = "position"});

  const float end = chips(
      s, {inner, chip_y}, say("keep step by"),
      {{"sync by interval", say("interval"), say("Both sides take one step at a time, to the next barrier."),
        0, look.sync == SyncBy::interval},
       {"sync by phase", say("phase"), say("Phases of the same name begin together; who is done waits."), 1,
        look.sync == SyncBy::phase},
       {"sync by work", say("work done"), say("Both sides stand where the same share of their adds is done."),
        2, look.sync == SyncBy::work}},
      w - inner);
  std::vector<Chip> scales;
  const char* names_of_scales[] = {"scale work", "scale wavefronts", "scale sectors", "scale threads"};
  const std::string tips[] = {
      say("Bars show the additions of each step."),
      say("Bars show wavefronts: how often shared memory was asked in each step."),
      std::string(
          say("Bars show sectors: pieces of 32 bytes that each step moves from or to global memory.")),
      say("Bars show how many threads touch memory in each step.")};
  for (int k = 0; k < compare_scales; ++k)
    scales.push_back({names_of_scales[k], compare::counted_thing(c, CompareBy(k)), tips[k], k,
                      look.scale == CompareBy(k)});
  chips(s, {end + t.px(20), chip_y}, say("bars count"), scales, w - inner);
  return picture;
}

}  // namespace bscope
