#include "tests/tabs/watch_support.hpp"

#include <cstdio>

#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/timeline/timeline.hpp"
#include "app/tabs/watch/whole_run/whole_run.hpp"
#include "app/tabs/watch/why_panel.hpp"

namespace bscope {

WatchPictures watch_pictures(const RunQueries& model, const Cursor& c, ThemeName name, const Metrics& m,
                             float w, float h) {
  const Theme t = theme(name, h);
  const bool big = t.projector();
  const float gap = t.px(8);
  const float header = t.px(big ? 54 : 44), transport = t.px(big ? 92 : 122);
  const float left = big ? gap : gap + t.px(232) + gap, side = t.px(big ? 508 : 380);
  const float centre = w - left - side - 2 * gap, tall = h - header - transport - 3 * gap;
  const float upper = tall * 0.482f;
  WatchPictures p;
  p.array = array_view(model, c, t, m, centre, upper - gap / 2);
  p.whole = whole_run(model, c, t, m, centre, tall - upper - gap / 2);
  const float source = big ? upper - gap / 2 : tall - t.px(186) - gap;
  p.source = source_panel(model, c, t, m, side, source);
  p.why = why_panel(model, c, t, m, side, tall - source - gap);
  p.timeline = timeline(model, c, t, m, w - 2 * gap - t.px(big ? 400 : 230), transport);
  return p;
}

std::string misplaced_text(const Picture& p, bool moving) {
  // The box of a text holds its line's leading; the letters fill about four fifths of it.
  const auto letters = [](const Shape& s) {
    return Box{s.box.x, s.box.y + s.size * 0.2f, s.box.w, s.size * 0.8f};
  };
  const auto say = [](const char* what, const Shape& a, const std::string& b) {
    char place[96];
    std::snprintf(place, sizeof place, " at %.1f,%.1f size %.1f width %.1f", double(a.box.x), double(a.box.y),
                  double(a.size), double(a.box.w));
    return std::string(what) + " '" + a.words + "'" + (b.empty() ? "" : " and '" + b + "'") + place;
  };
  std::vector<const Shape*> all;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text) all.push_back(&s);
  for (size_t a = 0; a < all.size(); ++a) {
    const Box box = letters(*all[a]);
    if (box.x < -0.5f || box.y < -0.5f || box.right() > p.width + 0.5f || box.bottom() > p.height + 0.5f)
      return say("outside:", *all[a], "");
    for (size_t b = 0; b < a && !moving; ++b) {
      const Box other = letters(*all[b]);
      const float slack = 0.3f;
      if (box.x + slack < other.right() && other.x + slack < box.right() && box.y + slack < other.bottom() &&
          other.y + slack < box.bottom())
        return say("overlap:", *all[a], all[b]->words);
    }
  }
  return {};
}

std::vector<std::string> texts(const Picture& p) {
  std::vector<std::string> out;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text) out.push_back(s.words);
  return out;
}

}  // namespace bscope
