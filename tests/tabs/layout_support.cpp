#include "tests/tabs/layout_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/draw/letters.hpp"
#include "app/words/words.hpp"
#include "tests/draw/screens.hpp"

#ifdef BARRIERSCOPE_PICTURES
#include "app/export/cairo.hpp"
#include "engine/catalog/run_spec.hpp"
#endif

namespace bscope {
namespace {

/// The part of a text's box that ink reaches: leading above and below may touch a neighbour's.
Box inked(const Shape& s) {
  return {s.box.x + 0.5f, s.box.centre().y - s.size * 0.42f, s.box.w - 1, s.size * 0.84f};
}
std::string describe(const Shape& s) {
  return "\"" + s.words + "\" at " + std::to_string(int(s.box.x)) + "," + std::to_string(int(s.box.y)) + " " +
         std::to_string(int(s.box.w)) + "x" + std::to_string(int(s.box.h));
}

/// A colour over another, each with its opacity.
Colour over(Colour top, Colour below) {
  const float a = float(top & 0xff) / 255;
  return a >= 1 ? top : mix(top | 0xff, below, a);
}
Box bounds(const std::vector<Point>& polygon) {
  Point least = polygon.front(), most = least;
  for (const Point& p : polygon) {
    least = {std::min(least.x, p.x), std::min(least.y, p.y)};
    most = {std::max(most.x, p.x), std::max(most.y, p.y)};
  }
  return {least.x, least.y, most.x - least.x, most.y - least.y};
}
bool inside(const std::vector<Point>& polygon, Point p) {
  bool odd = false;
  for (size_t i = 0, k = polygon.size() - 1; i < polygon.size(); k = i++) {
    const Point &a = polygon[i], &b = polygon[k];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) odd = !odd;
  }
  return odd;
}
/// What a shape leaves at a point where `below` was. Lines are no ground to read on: they are passed over.
Colour painted(const Shape& s, Point p, Colour below) {
  switch (s.type) {
    case Shape::rect: return s.box.contains(p) ? over(s.fill, below) : below;
    case Shape::polygon: return inside(s.points, p) ? over(s.fill, below) : below;
    case Shape::disc: {
      const float away = std::hypot(p.x - s.box.centre().x, p.y - s.box.centre().y), radius = s.box.w / 2;
      if (away > radius) return below;
      return over((s.stroke & 0xff) && away > radius - s.thickness ? s.stroke : s.fill, below);
    }
    case Shape::hatch: {  // seen from afar: as much of the stroke as it covers
      if (!s.box.contains(p)) return below;
      const float share = std::min(1.0f, s.thickness / std::max(1.0f, s.dash * 1.41f));
      return over(with_alpha(s.stroke, share * float(s.stroke & 0xff) / 255), below);
    }
    case Shape::strip: {
      const int rows = std::max(1, s.rows), columns = int(s.colours.size()) / rows;
      if (!columns || !s.box.contains(p)) return below;
      const int x = std::min(columns - 1, int((p.x - s.box.x) / s.box.w * float(columns)));
      const int y = std::min(rows - 1, int((p.y - s.box.y) / s.box.h * float(rows)));
      return over(s.colours[size_t(y) * size_t(columns) + size_t(x)], below);
    }
    default: return below;
  }
}
/// The least contrast of a text against what was drawn before it, over the whole of its ink.
float least_contrast(const Picture& p, size_t text, Colour background) {
  const Shape& s = p.shapes[text];
  const Box ink = inked(s);
  std::vector<const Shape*> below;
  for (size_t k = 0; k < text; ++k) {
    const Shape& b = p.shapes[k];
    const bool ground = b.type == Shape::rect ? (b.fill & 0xff) != 0 : b.type != Shape::text;
    if (ground && overlap(ink, b.type == Shape::polygon ? bounds(b.points) : b.box)) below.push_back(&b);
  }
  float least = 21;
  const int columns = std::max(3, int(s.words.size()));
  for (int x = 0; x < columns; ++x)
    for (const float y : {0.3f, 0.5f, 0.7f}) {
      const Point at{ink.x + ink.w * (float(x) + 0.5f) / float(columns), ink.y + ink.h * y};
      Colour ground = background;
      for (const Shape* b : below) ground = painted(*b, at, ground);
      least = std::min(least, contrast(over(s.fill, ground), ground));
    }
  return least;
}

}  // namespace

void expect_clean(const Picture& p, const Theme& t, const std::string& name, Colour background) {
  SCOPED_TRACE(name);
  if (!background) background = t.panel;
  // cells may be numbered smaller than labels where each is a chip; never in the projector's theme
  const float least = t.px(t.projector() ? 22 : 9) - 0.01f;
  // but there a value is drawn smaller, rather than not at all, where 32 cells or 12 rows share the whole run
  const float least_value = t.px(t.projector() ? 19 : 9) - 0.01f;
  const auto is_value = [](const std::string& words) {
    return words == "•" || words.find_first_not_of("-0123456789") == std::string::npos;
  };
  std::vector<const Shape*> texts;
  for (size_t k = 0; k < p.shapes.size(); ++k) {
    const Shape& s = p.shapes[k];
    if (s.type != Shape::text) continue;
    EXPECT_GE(s.size, is_value(s.words) ? least_value : least) << describe(s);
    EXPECT_EQ(clean_utf8(s.words), s.words) << describe(s) << " tears a character";
    const Box ink = inked(s);
    EXPECT_TRUE(ink.x >= 0 && ink.y >= 0 && ink.right() <= p.width && ink.bottom() <= p.height)
        << describe(s);
    const Shape* panel = nullptr;
    for (size_t below = 0; below < k; ++below) {
      const Shape& b = p.shapes[below];
      if (b.type == Shape::rect && (b.fill & 0xff) == 0xff && b.box.contains(s.box.centre()) &&
          b.fill == t.panel && b.radius > 0 && b.box.w > p.width / 8 && b.box.h > p.height / 8)
        panel = &b;
    }
    EXPECT_GE(least_contrast(p, k, background), 4.5f) << describe(s) << " is faint";
    const Box room = panel ? panel->box : Box{0, 0, p.width, p.height};
    EXPECT_TRUE(ink.x >= room.x && ink.right() <= room.right() && ink.y >= room.y &&
                ink.bottom() <= room.bottom())
        << describe(s) << " leaves its panel";
    for (const Shape* other : texts)
      EXPECT_FALSE(overlap(ink, inked(*other))) << describe(s) << " lies over " << describe(*other);
    texts.push_back(&s);
  }
  std::set<std::string> names;
  for (const HitRegion& h : p.hits) {
    EXPECT_TRUE(names.insert(h.name).second) << "two hits are named " << h.name;
    EXPECT_TRUE(h.box.x >= -1 && h.box.y >= -1 && h.box.right() <= p.width + 1 &&
                h.box.bottom() <= p.height + 1)
        << h.name;
    EXPECT_GT(h.box.w, 0) << h.name;
    EXPECT_GT(h.box.h, 0) << h.name;
  }
}

void expect_clean_everywhere(const std::string& name, const MakePicture& make) {
  std::vector<std::pair<std::string, Metrics>> all{{"fixed", fixed_metrics()}};
#ifdef BARRIERSCOPE_PICTURES
  all.emplace_back("cairo", cairo_metrics());
#endif
  struct Spoken {  // the tests after this one speak English
    ~Spoken() { speak(Language::en); }
  } spoken_again;
  for (const Language language : {Language::en, Language::zh})
    for (const auto& [which, metrics] : all)
      for (ThemeName look : test::themes)
        for (auto [w, h] : test::screens) {
          speak(language);
          const Theme t = theme(look, h);
          // the tabs' bar is 44 pixels of 900 high, 56 in the projector's theme
          const Picture p = make(t, metrics, w, h - t.px(t.projector() ? 56 : 44));
          expect_clean(p, t,
                       name + ", " + name_of(look) + ", " + std::to_string(int(h)) + ", " + which + ", " +
                           name_of(language));
          if (testing::Test::HasFailure()) return;  // one size's failures are enough to read
        }
}

std::shared_ptr<const Run> traced(const std::string& kernel, const std::string& preset, long long n,
                                  long long block) {
  RunSpec r;
  r.kernel = kernel;
  r.preset = preset;
  if (n) r.n = n;
  if (block) r.block = block;
  return open_run(r);
}

const Theme& dark_theme() {
  static const Theme t = theme(ThemeName::dark, 900);
  return t;
}

std::string without_blanks(std::string s) {
  std::erase(s, ' ');
  return s;
}

bool says(const Picture& p, const std::string& words) {
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text && s.words.starts_with(words)) return true;
  return false;
}

const HitRegion* hit_named(const Picture& p, const std::string& name) {
  for (const HitRegion& h : p.hits)
    if (h.name == name) return &h;
  return nullptr;
}

}  // namespace bscope
