#include "tests/view/layout_support.hpp"

#include <gtest/gtest.h>

#include <set>

#ifdef BARRIERSCOPE_PICTURES
#include "app/export/cairo.hpp"
#endif

namespace bscope {
namespace {

/// The part of a text's box that ink reaches: leading above and below may touch a neighbour's.
Box inked(const Shape& s) {
  return {s.box.x + 0.5f, s.box.centre().y - s.size * 0.42f, s.box.w - 1, s.size * 0.84f};
}
bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}
std::string describe(const Shape& s) {
  return "\"" + s.words + "\" at " + std::to_string(int(s.box.x)) + "," + std::to_string(int(s.box.y)) + " " +
         std::to_string(int(s.box.w)) + "x" + std::to_string(int(s.box.h));
}

}  // namespace

void expect_clean(const Picture& p, const Theme& t, const std::string& name) {
  SCOPED_TRACE(name);
  // cells may be numbered smaller than labels where each is a chip; never in the projector's theme
  const float least = t.px(t.projector() ? 22 : 9) - 0.01f;
  std::vector<const Shape*> texts;
  for (size_t k = 0; k < p.shapes.size(); ++k) {
    const Shape& s = p.shapes[k];
    if (s.type != Shape::text) continue;
    EXPECT_GE(s.size, least) << describe(s);
    const Box ink = inked(s);
    EXPECT_TRUE(ink.x >= 0 && ink.y >= 0 && ink.right() <= p.width && ink.bottom() <= p.height)
        << describe(s);
    const Shape *behind = nullptr, *panel = nullptr;
    for (size_t below = 0; below < k; ++below) {
      const Shape& b = p.shapes[below];
      if (b.type != Shape::rect || (b.fill & 0xff) != 0xff || !b.box.contains(s.box.centre())) continue;
      behind = &b;
      if (b.fill == t.panel && b.radius > 0 && b.box.w > p.width / 8 && b.box.h > p.height / 8) panel = &b;
    }
    ASSERT_NE(behind, nullptr) << describe(s);
    EXPECT_GE(contrast(s.fill, behind->fill), 4.45f) << describe(s);
    const Box room = panel ? panel->box : Box{0, 0, p.width, p.height};
    EXPECT_TRUE(ink.x >= room.x && ink.right() <= room.right() && ink.y >= room.y &&
                ink.bottom() <= room.bottom())
        << describe(s) << " leaves its panel";
    for (const Shape* other : texts)
      EXPECT_FALSE(overlap(ink, inked(*other))) << describe(s) << " lies over " << describe(*other);
    texts.push_back(&s);
  }
  std::set<std::string> names;
  for (const Hit& h : p.hits) {
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
  for (const auto& [which, metrics] : all)
    for (ThemeName look : {ThemeName::dark, ThemeName::light, ThemeName::projector})
      for (auto [w, h] : {std::pair{1280.0f, 720.0f}, {1600.0f, 900.0f}, {3840.0f, 2160.0f}}) {
        const Theme t = theme(look, h);
        // the tabs' bar is 44 pixels of 900 high, 56 in the projector's theme
        const Picture p = make(t, metrics, w, h - t.px(t.projector() ? 56 : 44));
        expect_clean(p, t, name + ", " + name_of(look) + ", " + std::to_string(int(h)) + ", " + which);
        if (testing::Test::HasFailure()) return;  // one size's failures are enough to read
      }
}

std::shared_ptr<const Run> traced(const std::string& kernel, const std::string& preset, long long n,
                                  long long block) {
  Request r;
  r.kernel = kernel;
  r.preset = preset;
  if (n) r.n = n;
  if (block) r.block = block;
  return open_run(r);
}

bool says(const Picture& p, const std::string& words) {
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text && s.words.starts_with(words)) return true;
  return false;
}

const Hit* hit_named(const Picture& p, const std::string& name) {
  for (const Hit& h : p.hits)
    if (h.name == name) return &h;
  return nullptr;
}

}  // namespace bscope
