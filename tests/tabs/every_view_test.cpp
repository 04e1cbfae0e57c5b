// Every view as render and export draw it, of kernels that differ: no text is clipped, covered or faint, in
// any theme, size and language.
#ifdef BARRIERSCOPE_PICTURES
#include <gtest/gtest.h>

#include <cmath>

#include "app/cli/start.hpp"
#include "app/export/cairo.hpp"
#include "app/export/caption.hpp"
#include "app/export/figure.hpp"
#include "app/session/tab.hpp"
#include "tests/at_once.hpp"
#include "tests/draw/screens.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

struct Case {
  const char* kernel;
  std::vector<const char*> views;
  long long n = 0;
  const char* preset = "";
  std::vector<int> steps = {0, 3, 1 << 20};
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.kernel << " " << c.n; }

const Case cases[] = {
    {"scan/blelloch", {"watch", "run", "banks", "memory", "atomics", "compare", "time", "schedule"}},
    {"scan/blelloch", {"watch", "run", "banks", "compare"}, 4096},
    {"scan/kogge-stone", {"watch", "banks", "compare"}, 32},
    {"scan/hierarchical", {"watch", "run", "memory", "compare"}},
    {"scan/look-back", {"watch", "memory", "atomics", "schedule"}},
    {"scan/look-ahead", {"schedule"}},
    {"reduce/warp-shuffle", {"watch", "banks", "memory", "compare", "time", "schedule"}},
    {"reduce/grid-stride", {"watch", "memory"}},
    {"reduce/interleaved-global", {"watch", "run", "memory"}},
    {"histogram/global-atomics", {"watch", "atomics", "memory", "time", "schedule"}, 0, "queue-7x20"},
    {"histogram/racy", {"watch", "atomics", "compare"}},
    {"histogram/privatised", {"watch", "banks", "atomics"}},
    {"mistakes/missing-barrier", {"watch", "run", "compare"}},
    {"mistakes/divergent-barrier", {"watch", "run"}},
};

/// It says of what it is, and nothing in it serves to be pressed.
void expect_a_figure(const Picture& p, const LoadedState& s, const Theme& t, const Metrics& m,
                     const std::string& name) {
  const Caption c = caption_of(with_needs(s));
  const float height = caption_height(c, t, m, p.width);
  std::string top;
  for (const Shape& shape : p.shapes)
    if (shape.type == Shape::text && shape.box.y < height) top += without_blanks(shape.words);
  for (const std::string& part : {c.title, c.parameters, c.step})
    EXPECT_NE(top.find(without_blanks(part)), std::string::npos) << name << ": " << part << " in " << top;
  EXPECT_FALSE(c.title.empty() || c.parameters.empty()) << name;
  EXPECT_EQ(c.step.empty(), !s.only_run && (s.tab == "atomics" || s.tab == "time" || s.tab == "schedule"))
      << name;
  for (const HitRegion& h : p.hits) EXPECT_NE(h.what, HitRegion::button) << name << ": " << h.name;
}

/// English again, at the end of a test.
struct SpokenAgain {
  ~SpokenAgain() { speak(Language::en); }
};

LoadedState first_step_of(const Case& c, const char* view) {
  RenderOptions o;
  Target target;
  target.request.kernel = c.kernel;
  target.request.preset = c.preset;
  if (c.n) target.request.n = c.n;
  o.targets = {target};
  o.view = view;
  o.step = 0;
  return with_needs(start(o));
}

class EveryView : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryView, testing::ValuesIn(cases), [](const auto& info) {
  std::string name = std::string(info.param.kernel) + "_" + std::to_string(info.param.n);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST_P(EveryView, IsClean) {
  const Case& c = GetParam();
  const Metrics metrics = cairo_metrics();
  const SpokenAgain spoken_again;
  for (const char* view : c.views) {
    const LoadedState opened = first_step_of(c, view);
    Figures figures;
    for (const Language language : {Language::en, Language::zh})
      for (const ThemeName look : test::themes)
        for (const auto& [w, h] : test::screens)
          for (const int step : c.steps) {
            LoadedState s = to_step(opened, step);
            s.theme = look;
            s.language = language;
            speak(language);
            Theme t = figure_theme(s, w, h);
            for (const bool printed : {true, false}) {  // on a page, and in the window with its controls
              t.printed = printed;
              // Compare looks alike; Watch in the window has tests of its own
              if (!printed && (s.tab == "watch" || s.tab == "compare")) continue;
              const std::string name = std::string(c.kernel) + " " + view + ", step " + std::to_string(step) +
                                       ", " + name_of(look) + ", " + std::to_string(int(h)) + ", " +
                                       name_of(language) + (printed ? ", printed" : "");
              const Picture p = figures(s, t, metrics, w, h);
              expect_clean(p, t, name, figure_background(s, t));
              if (printed) expect_a_figure(p, s, t, metrics, name);
            }
            if (testing::Test::HasFailure()) goto next_view;  // one picture's failures are enough to read
          }
  next_view:;
  }
}

/// One part below the other, in the width of a phone.
TEST_P(EveryView, IsCleanOnAPhone) {
  const Case& c = GetParam();
  const Metrics metrics = cairo_metrics();
  const SpokenAgain spoken_again;
  std::vector<std::pair<int, float>> steps_and_widths;
  for (const int step : c.steps)
    for (const float width : {330.0f, 366.0f, 400.0f}) steps_and_widths.emplace_back(step, width);
  for (const char* view : c.views) {
    const Tab* tab = tab_named(view);
    if (!tab || tab->narrow_height == 0) continue;
    const LoadedState opened = first_step_of(c, view);
    Figures figures;
    for (const Language language : {Language::en, Language::zh})
      for (const auto& [step, width] : steps_and_widths) {
        LoadedState s = to_step(opened, step);
        s.language = language;
        speak(language);
        const Theme t = theme(ThemeName::dark, 900);
        const Picture p = figures(s, t, metrics, width, t.px(tab->narrow_height));
        expect_clean(
            p, t,
            std::string(c.kernel) + " " + view + ", step " + std::to_string(step) + ", " + name_of(language),
            figure_background(s, t));
        if (testing::Test::HasFailure()) return;  // one picture's failures are enough to read
      }
  }
}

/// A window may be smaller than what stands in it: nothing is clean then, but all is drawn, at places that
/// are numbers.
TEST_P(EveryView, IsDrawnInRoomsThatAreTooSmall) {
  const Case& c = GetParam();
  const Metrics metrics = cairo_metrics();
  constexpr std::pair<float, float> rooms[] = {{1, 1}, {60, 400}, {150, 90}, {230, 900}, {319, 60}};
  for (const char* view : c.views) {
    LoadedState s = to_step(first_step_of(c, view), c.steps.back());
    Figures figures;
    for (const ThemeName look : {ThemeName::dark, ThemeName::projector}) {
      s.theme = look;
      for (const auto& [w, h] : rooms)
        for (const Shape& shape : figures(s, theme(look, 900), metrics, w, h).shapes)
          EXPECT_TRUE(std::isfinite(shape.box.x + shape.box.y + shape.box.w + shape.box.h))
              << c.kernel << " " << view << " in " << w << " x " << h;
    }
  }
}

}  // namespace
}  // namespace bscope
#endif
