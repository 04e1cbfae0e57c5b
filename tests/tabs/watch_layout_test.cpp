// No text of the Watch pictures is clipped or lies over another: every kernel, step, theme and window size.
#include <gtest/gtest.h>

#include "app/tabs/watch/array/view.hpp"
#include "engine/catalog/run_spec.hpp"
#include "tests/draw/screens.hpp"
#include "tests/sanitized.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

struct LayoutCase {
  std::string name;
  RunSpec request;
  friend void PrintTo(const LayoutCase& c, std::ostream* out) { *out << c.name; }
};
RunSpec layout_run(const char* kernel, long long n, long long block = 0, const char* preset = "") {
  RunSpec r;
  r.kernel = kernel;
  if (n) r.n = n;
  if (block) r.block = block;
  r.preset = preset;
  return r;
}

const LayoutCase sizes[] = {
    {"blelloch", layout_run("scan/blelloch", 16)},
    {"blelloch one cell", layout_run("scan/blelloch", 1)},
    {"blelloch three blocks", layout_run("scan/blelloch", 40, 8)},
    {"blelloch 64", layout_run("scan/blelloch", 64)},
    {"kogge-stone", layout_run("scan/kogge-stone", 16)},
    {"kogge-stone 32", layout_run("scan/kogge-stone", 32)},
    {"kogge-stone one cell", layout_run("scan/kogge-stone", 1)},
    {"kogge-stone three launches", layout_run("scan/kogge-stone", 20, 4)},
    {"kogge-stone 200", layout_run("scan/kogge-stone", 200, 256)},
    {"tree-mask", layout_run("reduce/tree-mask", 16)},
    {"tree-mask blocks", layout_run("reduce/tree-mask", 50, 16)},
    {"shared", layout_run("reduce/shared", 16)},
    {"shared one cell", layout_run("reduce/shared", 1)},
    {"racy", layout_run("histogram/racy", 0, 0, "queue-7x20")},
    {"global atomics", layout_run("histogram/global-atomics", 0, 0, "queue-7x20")},
    {"shared atomics", layout_run("histogram/shared-atomics", 0, 0, "queue-7x20")},
    {"shared atomics 256 bins", layout_run("histogram/shared-atomics", 224)},
};
bool composes_maps(const Algorithm& a) {
  for (const Parameter& p : a.parameters)
    for (const Choice& c : p.values)
      if (p.name == "operator" && c.text == "affine") return true;
  return false;
}
/// The above, every kernel as it is first seen, and every scan over several blocks of maps, the longest
/// values.
std::vector<LayoutCase> layout_cases() {
  std::vector<LayoutCase> all(std::begin(sizes), std::end(sizes));
  for (const Algorithm* a : catalog()) {
    all.push_back({"first " + a->name, layout_run(a->name.c_str(), 0)});
    if (a->family() != "scan" || !composes_maps(*a)) continue;
    RunSpec maps = layout_run(a->name.c_str(), 20, 4);
    maps.set = {{"operator", "affine"}, {"scan", "exclusive"}};
    all.push_back({"maps " + a->name, maps});
  }
  return all;
}
const auto phases = test::all_or_part<std::vector<float>>({0.0f, 0.3f, 0.75f, 1.0f}, {0.3f, 1.0f});
const auto factors = test::all_or_part<std::vector<float>>({1.5f, 3.0f, 6.0f, 40.0f}, {1.5f, 40.0f});

class WatchLayout : public testing::TestWithParam<LayoutCase> {};

TEST_P(WatchLayout, NoTextIsClippedOrCovered) {
  const RunQueries model(traced_run(GetParam().request));
  const Metrics metrics = fixed_metrics();
  for (int step = 0; step < steps(model.run()); ++step)
    for (const ThemeName theme : test::themes)
      for (const test::Screen w : test::screens)
        for (const float phase : phases) {
          // every size in the still picture; the motion in one
          if (phase < 1 && w.height != 900) continue;
          Cursor cursor = at_step(model.run(), {}, step);
          cursor.phase = phase;
          const WatchPictures p = watch_pictures(model, cursor, theme, metrics, w.width, w.height);
          for (const auto& [name, picture] : p.all()) {
            // travelling copies pass over what lies on their way
            const bool moving = phase < 1 && picture == &p.array;
            EXPECT_EQ(misplaced_text(*picture, moving), "")
                << name << ", step " << step << ", " << name_of(theme) << ", " << w.height << " high, phase "
                << phase;
          }
          if (HasFailure()) return;
        }
}

// On a phone, too, the strip of threads ends within the panel.
TEST(Threads, StayWithinANarrowPanel) {
  for (const RunSpec& r : {layout_run("histogram/racy", 0, 64), layout_run("reduce/shared", 256, 64),
                           layout_run("scan/kogge-stone", 256, 256)}) {
    const RunQueries model(traced_run(r));
    for (const float width : {378.0f, 600.0f, 1000.0f}) {
      const Picture p = array_view(model, at_step(model.run(), {}, 1), theme(ThemeName::dark, 900),
                                   fixed_metrics(), width, 500);
      int threads = 0;
      for (const HitRegion& h : p.hits)
        if (h.what == HitRegion::thread) {
          ++threads;
          EXPECT_LE(h.box.right(), width) << r.kernel << " " << h.name;
        }
      EXPECT_GT(threads, 0) << r.kernel;
    }
  }
}

// Of threads without names, those of one warp stand together.
TEST(Threads, OfDifferentWarpsStandApart) {
  const RunQueries model(traced_run(layout_run("reduce/shared", 256, 64)));
  const Picture p =
      array_view(model, at_step(model.run(), {}, 1), theme(ThemeName::dark, 900), fixed_metrics(), 1000, 500);
  std::vector<Box> threads;
  for (const HitRegion& h : p.hits)
    if (h.what == HitRegion::thread && h.name.starts_with("thread:")) threads.push_back(h.box);
  ASSERT_EQ(threads.size(), 64u);
  const auto gap = [&](size_t k) { return threads[k + 1].x - threads[k].right(); };
  for (size_t k = 0; k + 1 < threads.size(); ++k) {
    if (k == 31)
      EXPECT_GT(gap(k), 3 * gap(0));
    else
      EXPECT_NEAR(gap(k), gap(0), 0.01f) << "after thread " << k;
  }
}

// Whatever part of whatever array is in view, at the levels of zoom that hold on as well.
TEST_P(WatchLayout, NorWhenZoomed) {
  const RunQueries model(traced_run(GetParam().request));
  for (int step = 0; step < steps(model.run()); step += 3)
    for (const ThemeName name : test::themes)
      for (const test::Screen w : test::screens)
        for (const float factor : factors) {
          Cursor cursor = at_step(model.run(), {}, step);
          cursor.zoom = factor;
          cursor.scroll = 5;
          const WatchPictures p = watch_pictures(model, cursor, name, fixed_metrics(), w.width, w.height);
          for (const auto& [what, picture] : p.all())
            EXPECT_EQ(misplaced_text(*picture), "") << what << ", step " << step << ", " << name_of(name)
                                                    << ", " << w.height << " high, zoom " << factor;
          for (std::optional<Zoom> level : {Zoom::full, Zoom::brief, Zoom::colour, Zoom::dense}) {
            const Theme t = theme(name, w.height);
            const Picture held = array_view(model, cursor, t, fixed_metrics(), p.array.width, p.array.height,
                                            nullptr, {}, &level);
            EXPECT_EQ(misplaced_text(held), "")
                << "step " << step << ", " << name_of(name) << ", zoom " << factor;
          }
          if (HasFailure()) return;
        }
}

TEST_P(WatchLayout, EveryHitIsInsideAndNamed) {
  const RunQueries model(traced_run(GetParam().request));
  for (int step = 0; step < steps(model.run()); ++step) {
    const WatchPictures p =
        watch_pictures(model, at_step(model.run(), {}, step), ThemeName::dark, fixed_metrics(), 1600, 900);
    for (const auto& [name, picture] : p.all())
      for (const HitRegion& hit : picture->hits) {
        EXPECT_FALSE(hit.name.empty()) << name;
        EXPECT_GE(hit.box.x, -8) << hit.name;
        EXPECT_LE(hit.box.right(), picture->width + 8) << hit.name;
        EXPECT_LE(hit.box.bottom(), picture->height + 1) << hit.name;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, WatchLayout, testing::ValuesIn(layout_cases()), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace bscope
