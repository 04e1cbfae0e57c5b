// What a class must be able to read on the projector, below a lesson's strip, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/draw/theme.hpp"
#include "app/parts/requests.hpp"
#include "app/tabs/banks/picture.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/tabs/memory/picture.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/whole_run/whole_run.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/run_spec.hpp"
#include "tests/tabs/layout_support.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

constexpr float array_w = 1067;  ///< of the cells in a window of 1600 pixels
constexpr const char* dot = "\u2022";

const Theme& far() {
  static const Theme t = theme(ThemeName::projector, 900);
  return t;
}

TEST(Projector, TwoDigitsAreReadableAt32Columns) {
  for (const char* kernel : {"scan/kogge-stone", "reduce/shared", "scan/hillis-steele"}) {
    RunSpec r;
    r.kernel = kernel;
    r.n = 32, r.block = 32;
    std::vector<double> values;
    for (int k = 0; k < 32; ++k) values.push_back(k % 4 == 3 ? 2 : k % 2);
    r.values = values;
    const RunQueries m(traced_run(r));
    for (int k = 0; k < steps(m.run()); ++k) {
      const Cursor c = at_step(m.run(), {}, k);
      for (const Picture& p : {array_view(m, c, far(), fixed_metrics(), array_w, 320),
                               whole_run(m, c, far(), fixed_metrics(), array_w, 400)}) {
        EXPECT_FALSE(says(p, dot)) << kernel << " step " << k;
        for (const Shape& s : p.shapes)
          if (s.type == Shape::text) EXPECT_GE(s.size, far().px(20) - 0.1f) << s.words;
      }
    }
  }
}

TEST(Projector, WhatADotMeansIsSaidWhereThereIsOne) {
  int dots = 0;
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name, 64, 32);
    for (int k = 0; k < steps(m.run()); k += 3) {
      const Cursor c = at_step(m.run(), {}, k);
      if (!m.step(c)) continue;
      for (const Picture& p : {array_view(m, c, far(), fixed_metrics(), array_w, 340),
                               whole_run(m, c, far(), fixed_metrics(), array_w, 300)}) {
        const auto words = texts(p);
        const bool there = std::ranges::count(words, dot) > 0;
        const bool told = std::ranges::any_of(
            words, [](const std::string& s) { return s.find("dot: a ") != std::string::npos; });
        dots += there;
        EXPECT_TRUE(!told || there) << a->name << " step " << k;
        EXPECT_TRUE(told || !there) << a->name << " step " << k;
      }
    }
  }
  EXPECT_GT(dots, 0);
}

TEST(Projector, WideColumnsShowAllDigits) {
  RunSpec r;
  r.kernel = "reduce/shared";
  r.n = 8, r.block = 8;
  r.values = std::vector<double>{2048, 3, 3, 3, 3, 3, 3, 3};
  const RunQueries m(traced_run(r));
  for (int k = 0; k < steps(m.run()); ++k) {
    const Picture p = whole_run(m, at_step(m.run(), {}, k), far(), fixed_metrics(), array_w, 300);
    EXPECT_FALSE(says(p, "2k")) << k;
  }
}

// A few cells have the panel's width, though another step reads 32 at once.
TEST(Projector, AFewCellsAreAsWideAsTheirPanelLets) {
  RunSpec r;
  r.kernel = "reduce/shared";
  r.n = 64, r.block = 8;
  r.set = {{"unroll", "4"}};
  const RunQueries m(traced_run(r));
  const Columns c = array_columns(m, at_step(m.run(), {}, 3), far(), array_w);
  EXPECT_EQ(c.size, 8);
  EXPECT_GT(c.pitch, 100);
}

// Values at arrows stand between the barriers' lines.
TEST(Arrows, NoValueStandsUponABarrier) {
  int barriers = 0;
  for (const Algorithm* a : catalog())
    for (const ThemeName name : {ThemeName::dark, ThemeName::projector}) {
      const Theme t = theme(name, 900);
      const RunQueries m = model_of(a->name);
      for (int k = 0; k < steps(m.run()); k += 2) {
        const Cursor c = at_step(m.run(), {}, k);
        if (!m.step(c)) continue;
        const Picture p = array_view(m, c, t, fixed_metrics(), 956, 342);
        for (const Shape& line : p.shapes) {
          if (line.type != Shape::line || line.points.size() != 2 || line.dash <= 0 ||
              std::fabs(line.points[0].y - line.points[1].y) > 0.5f)
            continue;
          ++barriers;
          for (const Shape& s : p.shapes) {
            if (s.type != Shape::text || s.font != Font::mono_bold || s.fill == t.on(t.thread)) continue;
            // one that waited in a register has a box, which may lie across the barrier that it waited for
            if (std::ranges::any_of(p.shapes, [&](const Shape& box) {
                  return box.type == Shape::rect && box.stroke && box.box.w < 80 &&
                         box.box.contains(s.box.centre());
                }))
              continue;
            const float middle = s.box.centre().y;
            if (s.box.x > line.points[0].x && s.box.x < line.points[1].x) {
              EXPECT_GT(std::fabs(middle - line.points[0].y), s.size * 0.35f)
                  << a->name << " step " << k << ": " << s.words;
            }
          }
        }
      }
    }
  EXPECT_GT(barriers, 100);
}

TEST(Projector, CompareShowsItsFiguresBelowAStrip) {
  const auto run = [](const char* kernel) { return traced(kernel, "", 16); };
  const Comparison c = comparison(run("scan/brent-kung"), run("scan/kogge-stone"));
  for (const Language language : {Language::en, Language::zh}) {
    speak(language);
    const Picture p = compare_view(c, {.position = 7}, {}, far(), fixed_metrics(), 1584, 468);
    expect_clean(p, far(), "compare below a strip");
    float first = 0, last = 0;
    for (const HitRegion& h : p.hits) {
      if (h.name == "left 0") first = h.box.y;
      if (h.name == "left 8") last = h.box.y;
    }
    EXPECT_GT(last - first, 150);  // of nine rows
    speak(Language::en);
  }
  const Picture p = compare_view(c, {.position = 7}, {}, far(), fixed_metrics(), 1584, 468);
  for (const char* row : {"load", "reduction tree #3", "distribution tree #3", "doubling #2", "doubling #8"})
    EXPECT_TRUE(says(p, row)) << row;
  for (const char* told : {"adds", "span", "49", "26"}) EXPECT_TRUE(says(p, told)) << told;
}

/// The names at the left of rows, from the top, are at least a letter's height apart.
void expect_names_apart(const Picture& p, const std::vector<std::string>& names) {
  float last = -1e9f;
  for (const std::string& name : names)
    for (const Shape& s : p.shapes)
      if (s.type == Shape::text && s.words == name && s.points[0].x < p.width / 20) {
        EXPECT_GE(s.points[0].y - last, s.size) << name;
        last = s.points[0].y;
      }
}

TEST(Projector, RowsOfBanksAndMemoryKeepTheirNamesApartBelowAStrip) {
  const auto run = traced("scan/blelloch", "", 1024, 512);
  for (const Language language : {Language::en, Language::zh}) {
    const ScopedLanguage spoken(language);
    for (const float height : {420.0f, 468.0f, 540.0f})
      for (int k = 0; k < steps(*run); k += 3) {
        RequestScene scene;
        scene.here = {run, at_step(*run, {}, k), -1};
        SCOPED_TRACE(testing::Message() << "step " << k << ", " << height << " pixels");
        expect_names_apart(banks_view(scene, far(), fixed_metrics(), 1584, height),
                           {tr("lanes"), tr("banks")});
        expect_names_apart(memory_view(scene, far(), fixed_metrics(), 1584, height),
                           {tr("lanes"), tr("sectors"), tr("bytes")});
      }
  }
}

}  // namespace
}  // namespace bscope
