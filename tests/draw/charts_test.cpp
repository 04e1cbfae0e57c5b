#include "app/draw/charts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/draw/chart.hpp"
#include "app/draw/layout.hpp"
#include "tests/draw/dark_theme.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

Picture drawn(const LayoutNode& form, const Theme& look = t, float w = 700, float h = 400,
              const Metrics& m = fixed_metrics()) {
  Picture p{w, h, {}, {}};
  Pen pen(p, m);
  draw({pen, look}, panel(form), {0, 0, w, h});
  return p;
}

LineChart two_curves(const Theme& look = t) {
  LineChart c{.x = {.from = 10, .to = 20, .unit = {"N, elements", "N"}},
              .y = {.from = 0.1, .to = 1000, .log = true, .unit = {"GB/s"}}};
  for (int p = 10; p <= 20; p += 2) c.x.ticks.push_back({double(p), "2^" + std::to_string(p)});
  for (const int k : {0, 1}) {
    LineChart::Series one{
        .label = k ? "Blelloch" : "Kogge-Stone", .value = "123", .name = "curve:" + std::to_string(k)};
    one.line = one.words = one.fill = one.edge = k ? look.ink : look.ink2;
    one.current = one.keep = k == 1;
    for (int p = 10; p <= 20; ++p)
      one.dots.push_back({.x = double(p),
                          .y = std::pow(2.0, p - 10) * (k + 1) / 2,
                          .name = std::to_string(k) + "@" + std::to_string(p)});
    c.curves.push_back(one);
  }
  c.guides = {{.y0 = 900, .y1 = 900, .words = "peak", .colour = look.ink, .above = true}};
  c.of = "N = 2^20";
  c.now = 15;
  return c;
}

TEST(LineChart, APointStandsWhereItsValueIs) {
  const Picture p = drawn(chart(two_curves()));
  const auto at = [&](const std::string& name) { return hit_named(p, name)->box.centre(); };
  EXPECT_NEAR(at("1@15").x, (at("1@10").x + at("1@20").x) / 2, 0.01);
  // a doubling is as high everywhere on a logarithmic axis
  EXPECT_NEAR(at("1@11").y - at("1@12").y, at("1@18").y - at("1@19").y, 0.01);
  EXPECT_NEAR(at("0@11").y, at("1@10").y, 0.01) << "the same value";
  EXPECT_TRUE(says(p, "peak"));
  EXPECT_TRUE(says(p, "N = 2^20"));
}

// Single dots whose tags have no room beside the plot are named where they stand.
TEST(LineChart, DotsWithoutATagAreNamedBesideThem) {
  const Theme look = theme(ThemeName::projector, 900);
  int named_beside = 0;
  for (float h = 150; h < 500; h += 10) {
    LineChart c{.x = {.from = 0, .to = 10}, .y = {.from = 0, .to = 9}};
    for (int k = 0; k < 9; ++k)
      c.curves.push_back({.label = "Kernel " + std::to_string(k),
                          .value = std::to_string(100 - k),
                          .here = 100 - k,
                          .line = look.ink2,
                          .words = look.ink,
                          .fill = look.ink2,
                          .dot = 5,
                          .joined = false,
                          .dots = {{.x = 1, .y = 8.5 - k}}});
    const Picture p = drawn(chart(std::move(c)), look, 1100, h);
    int tags = 0, beside = 0;
    for (const Shape& s : p.shapes) {
      if (s.type != Shape::text || !s.words.starts_with("Kernel")) continue;
      (s.box.x > 600 ? tags : beside) += 1;
    }
    if (tags + beside == 0) continue;  // no plot
    // dots that stand closer than their names are high cannot all have one
    if (h > 300) EXPECT_EQ(tags + beside, 9) << h;
    named_beside += beside;
    expect_clean(p, look, std::to_string(h));
  }
  EXPECT_GT(named_beside, 0);
}

TEST(LineChart, IsCleanAtEverySize) {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::projector})
    for (float w = 60; w < 1500; w *= 1.3f)
      for (float h = 40; h < 900; h *= 1.4f) {
        const Theme look = theme(name, 900);
        const Picture p = drawn(chart(two_curves(look)), look, w, h);
        expect_clean(p, look, "chart " + std::to_string(w) + "x" + std::to_string(h));
        if (HasFailure()) return;
      }
}

TEST(LineChart, TheKeptTagIsTheLastToGo) {
  LineChart c = two_curves();
  for (int k = 2; k < 30; ++k) {
    c.curves.push_back(c.curves[0]);
    c.curves.back().label = "other";
    c.curves.back().name = "curve:" + std::to_string(k);
    for (LineChart::DataPoint& d : c.curves.back().dots) d.name.clear();
  }
  const Picture p = drawn(chart(c), t, 700, 160);
  EXPECT_TRUE(hit_named(p, "curve:1"));
  EXPECT_FALSE(hit_named(p, "curve:29"));
}

// Two curves that cross: the tags stand in the order of what they say, not of where the curves end.
TEST(LineChart, TagsStandInTheOrderOfTheirValues) {
  LineChart c = two_curves();
  const auto first = [&] {
    const Picture p = drawn(chart(c));
    return hit_named(p, "curve:0")->box.y < hit_named(p, "curve:1")->box.y ? 0 : 1;
  };
  EXPECT_EQ(first(), 1) << "without values as the curves end";
  c.curves[0].here = 30, c.curves[1].here = 20;
  EXPECT_EQ(first(), 0);
  c.curves[0].here.reset();
  EXPECT_EQ(first(), 1) << "what has no value stands last";
}

TEST(LineChart, ASecondScaleStandsAwayFromTheTags) {
  LineChart c = two_curves();
  c.second = {{1000, "100%"}, {10, "1%"}};
  c.second_unit = {"of copy"};
  const Picture p = drawn(chart(c));
  const float plot = hit_named(p, "0@10")->box.centre().x;
  for (const char* words : {"100%", "1%", "of copy"}) {
    const auto found = std::ranges::find(p.shapes, words, &Shape::words);
    ASSERT_NE(found, p.shapes.end()) << words;
    EXPECT_LT(found->points[0].x, plot) << words;
  }
  expect_clean(p, t, "two scales");
}

TEST(LineChart, WhatIsBelowThePlotIsCutThere) {
  LineChart c = two_curves();
  c.y.from = 10;
  const Picture p = drawn(chart(c));
  float bottom = 0;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::rect && s.fill == t.paper()) bottom = std::max(bottom, s.box.bottom());
  for (const Shape& s : p.shapes) {
    if (s.type != Shape::line) continue;
    for (const Point& at : s.points) EXPECT_LE(at.y, bottom + 0.01f);
  }
  EXPECT_FALSE(hit_named(p, "1@10")) << "a point that is not shown is not pressed";
}

BarChart bars(int count, bool stacked, int chosen = -1) {
  BarChart c{.heading = {"Wavefronts of every stride", "Wavefronts"},
             .says = {"whole run: 1,234 of 5,678", "1,234"},
             .series = {{"no padding", t.conflict}, {"padded", t.read}},
             .chosen = chosen,
             .stacked = stacked,
             .numbers = true};
  for (int k = 0; k < count; ++k) {
    BarChart::Bar b{.values = {double(k + 1), double(count - k)}, .label = {std::to_string(k)}};
    b.hit.name = "bar " + std::to_string(k);
    b.hit.a = k;
    c.bars.push_back(b);
  }
  return c;
}

TEST(BarChart, BarsAreAsHighAsTheirValues) {
  for (const bool stacked : {false, true}) {
    const Picture p = drawn(chart(bars(8, stacked), t));
    std::vector<float> first, second;
    for (const Shape& s : p.shapes) {
      if (s.type != Shape::rect || s.radius > 0) continue;
      if (s.fill == t.conflict) first.push_back(s.box.h);
      if (s.fill == t.read) second.push_back(s.box.h);
    }
    ASSERT_EQ(first.size(), 8u);
    ASSERT_EQ(second.size(), 8u);
    for (size_t k = 0; k < 8; ++k) {
      EXPECT_NEAR(first[k], first[0] * float(k + 1), 0.1);
      EXPECT_NEAR(second[k], first[0] * float(8 - k), 0.1);
    }
  }
}

TEST(BarChart, TheChosenOneIsNamed) {
  for (const int chosen : {0, 13, 63}) {
    const Picture p = drawn(chart(bars(64, false, chosen), t), t, 400);
    bool bold = false;
    for (const Shape& s : p.shapes)
      bold |= s.type == Shape::text && s.font == Font::text_bold && s.words == std::to_string(chosen);
    EXPECT_TRUE(bold) << chosen;
    EXPECT_EQ(p.hits.size(), 64u);
  }
}

// In a strip that is as low as one below a lesson's text, numbers of the axis leave each other room.
TEST(BarChart, NumbersOfTheAxisNeverOverlap) {
  const Theme look = theme(ThemeName::projector, 720);
  int drawn_axes = 0;
  for (float h = 60; h < 300; h += 7) {
    BarChart c = bars(128, true);
    c.numbers = false;
    const Picture p = drawn(chart(std::move(c), look), look, 700, h);
    std::vector<float> numbers;
    for (const Shape& s : p.shapes)
      if (s.type == Shape::text && s.font == Font::mono) numbers.push_back(s.box.y);
    drawn_axes += !numbers.empty();
    for (size_t k = 1; k < numbers.size(); ++k) EXPECT_GE(numbers[k - 1] - numbers[k], look.small()) << h;
  }
  EXPECT_GT(drawn_axes, 20);
}

// However low the chart is: bars without any number say nothing.
TEST(BarChart, ANumberSaysHowHighBarsAre) {
  int low = 0;
  for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
    for (const int count : {1, 6, 64})
      for (float h = 40; h < 400; h += 5) {
        const Theme look = theme(name, 900);
        BarChart c = bars(count, true);
        c.numbers = true;
        const Picture p = drawn(chart(std::move(c), look), look, 900, h);
        if (p.hits.empty()) continue;  // too low for bars
        double most = 0;
        for (const Shape& shape : p.shapes)
          if (shape.type == Shape::text && shape.font == Font::mono)
            most = std::max(most, std::atof(shape.words.c_str()));
        low += h < 150;
        EXPECT_GT(most, 0) << count << " bars, " << h << " high";
      }
  EXPECT_GT(low, 20);
}

// Lines of the axis end at the numbers that stand above bars.
TEST(BarChart, NoLineRunsThroughANumber) {
  int crossed = 0;
  for (const bool stacked : {false, true})
    for (float h = 60; h < 300; h += 7) {
      const Theme look = theme(ThemeName::projector, 720);
      const Picture p = drawn(chart(bars(6, stacked, 2), look), look, 900, h);
      std::vector<Shape> lines;
      std::vector<Box> grounds;  // over all lines so far
      for (const Shape& s : p.shapes) {
        if (s.type == Shape::line) lines.push_back(s);
        if (s.type == Shape::rect) grounds.push_back(s.box);
        if (s.type != Shape::text || s.font != Font::mono) continue;
        const Point left{s.box.x, s.box.y + s.size * text_height / 2};
        for (const Shape& line : lines) {
          const Point a = line.points[0], b = line.points[1];
          if (a.x > left.x || b.x < left.x || std::abs(a.y - left.y) > s.size * 0.4f) continue;
          ++crossed;
          EXPECT_TRUE(std::ranges::any_of(grounds,
                                          [&](const Box& g) {
                                            return g.contains({left.x + 1, a.y});
                                          }))
              << s.words << ", " << h << " high";
        }
      }
    }
  EXPECT_GT(crossed, 0);
}

TEST(BarChart, IsCleanAtEverySize) {
  for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
    for (const int count : {0, 1, 5, 65})
      for (float w = 80; w < 1500; w *= 1.4f)
        for (float h = 60; h < 900; h *= 1.5f) {
          const Theme look = theme(name, 900);
          const Picture p = drawn(chart(bars(count, count % 2 == 1, count / 2), look), look, w, h);
          expect_clean(p, look,
                       std::to_string(count) + " bars " + std::to_string(w) + "x" + std::to_string(h));
          if (HasFailure()) return;
        }
}

TEST(Axes, StepsAreRound) {
  EXPECT_EQ(nice_step(7, 3), 2);
  EXPECT_EQ(nice_step(100, 10), 10);
  EXPECT_EQ(nice_step(0, 3), 1);
}

}  // namespace
}  // namespace bscope
