#include "app/draw/layers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/draw/instances.hpp"
#include "app/draw/sorted.hpp"

namespace bscope {
namespace {

TEST(Layers, ShapesThatOverlapKeepTheirOrderAndEachRankIsOfOneKind) {
  std::mt19937 random(7);
  const auto any = [&](float from, float to) {
    return std::uniform_real_distribution<float>(from, to)(random);
  };
  Layers layers;
  for (int round = 0; round < 40; ++round) {
    const int kinds = 1 + int(random() % 8);
    const Box area{any(-50, 50), any(-50, 50), any(1, 1600), any(1, 900)};
    layers.begin(area, kinds);
    struct Ranked {
      Box box;
      int rank;
    };
    std::vector<Ranked> all;
    for (int i = 0; i < 150; ++i) {
      // some lie outside, some are lines without a width
      const Box b{area.x + any(-60, area.w), area.y + any(-60, area.h), any(0, 200), any(0, 60)};
      const int kind = int(random() % unsigned(kinds)), rank = layers.rank(b, kind);
      ASSERT_EQ(rank % kinds, kind);
      for (const Ranked& before : all)
        if (overlap(before.box, b)) { ASSERT_LE(before.rank, rank); }
      all.push_back({b, rank});
    }
  }
}

TEST(Layers, CellsWithTheirTextsAreTwoRanksHoweverMany) {
  Layers layers;
  layers.begin({0, 0, 1000, 1000}, 2);
  int most = 0;
  for (int i = 0; i < 400; ++i) {
    const Box cell{float(i % 20) * 50, float(i / 20) * 50, 48, 48}, text{cell.x + 10, cell.y + 10, 28, 28};
    most = std::max({most, layers.rank(cell, 0), layers.rank(text, 1)});
  }
  EXPECT_EQ(most, 1);
}

/// How often each pixel lies in a part of a box.
TEST(Instances, PartsOfABoxCoverItOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    Shape s;
    s.box = {float(random() % 9), float(random() % 9), float(1 + random() % 120), float(1 + random() % 120)};
    s.fill = random() % 4 ? 0x334455ffu : random() % 2 ? 0x33445580u : 0u;
    s.stroke = random() % 2 ? 0xaabbccffu : 0u;
    s.thickness = float(1 + random() % 3);
    s.radius = float(random() % 9);
    std::vector<ShapeInstance> parts;
    ASSERT_TRUE(parts_of(s, {}, 1, parts));
    std::vector<int> inside(140 * 140);
    std::vector<Box> where;
    for (const ShapeInstance& p : parts) {
      where.clear();
      bounds_of(p, where);
      ASSERT_EQ(where.size(), 1u);
      for (int y = 0; y < 140; ++y)
        for (int x = 0; x < 140; ++x)
          inside[size_t(y * 140 + x)] += where[0].contains({float(x) + 0.5f, float(y) + 0.5f});
    }
    // an opaque edge is a larger box behind the fill: there a pixel is drawn twice
    const int most = s.fill % 256 == 255 && s.stroke && parts.size() == 2 ? 2 : 1;
    const Box& b = s.box;
    for (int y = 0; y < 140; ++y)
      for (int x = 0; x < 140; ++x) {
        const int times = inside[size_t(y * 140 + x)];
        ASSERT_LE(times, most) << b.w << "x" << b.h << " r " << s.radius << " t " << s.thickness;
        if (s.fill && b.contains({float(x) + 0.5f, float(y) + 0.5f})) { ASSERT_GE(times, 1); }
      }
  }
}

TEST(Instances, AFadedShapeIsTranslucentThroughout) {
  std::vector<ShapeInstance> parts;
  for (const Shape::Type type :
       {Shape::rect, Shape::line, Shape::curve, Shape::disc, Shape::hatch, Shape::strip}) {
    Shape s;
    s.type = type;
    s.box = {0, 0, 300, 200};
    s.points = {{0, 0}, {0, 90}};
    if (type == Shape::curve) s.points.resize(4);
    s.fill = 0xffffffff;
    s.stroke = 0x808080ff;
    s.radius = 6;
    s.colours = {0xffffffff, 0x000000ff};
    ASSERT_TRUE(parts_of(s, {}, 0.5f, parts));
  }
  ASSERT_GE(parts.size(), 6u);
  for (const ShapeInstance& p : parts) {
    EXPECT_NE(p.kind, Primitive::fill);
    EXPECT_LE(p.instance.fill[3], 128);
    EXPECT_LE(p.instance.edge[3], 128);
  }
}

TEST(Sorted, EveryShapeIsDrawnOnceAndBeforeThoseThatLieOverIt) {
  std::mt19937 random(5);
  const auto at = [&](int most) { return float(random() % unsigned(most)); };
  Sorter sorter;
  Sorted sorted;
  for (int round = 0; round < 40; ++round) {
    Picture picture{400, 300, {}, {}};
    const Metrics widths = fixed_metrics();
    Pen pen(picture, widths);
    // each differs from the others in its place; all are made of one part
    for (int i = 0; i < 60; ++i) {
      const Box b{at(380), at(280), 1 + at(60), 1 + at(60)};
      if (const auto type = random() % 4; type == 0)
        pen.text({b.x, b.y}, std::to_string(i), 12, 0xff);
      else if (type == 1)
        pen.disc({b.x, b.y}, 1 + at(30), 0xff);
      else if (type == 2)
        pen.hatch(b, 0xff);
      else
        pen.strip(b, std::vector<Colour>(20000, 0xff));
    }
    sorter.sort(picture, {7, 9}, 1, sorted);
    std::vector<int> place(picture.shapes.size(), -1);
    int drawn = 0;
    const auto draws = [&](size_t shape) {
      ASSERT_EQ(place[shape], -1) << "drawn twice";
      place[shape] = drawn++;
    };
    for (const Sorted::DrawBatch& run : sorted.runs)
      for (uint32_t k = run.begin; k < run.end; ++k) {
        if (run.kind == Sorted::lists) {
          draws(sorted.shapes[k]);
        } else {
          const auto& place_of = sorted.instances[k].at;
          const auto same = [&](const Shape& s) {
            return s.type != Shape::text && s.box.x + 7 == place_of[0] && s.box.y + 9 == place_of[1] &&
                   s.box.w == place_of[2] && s.box.h == place_of[3];
          };
          const auto shape = std::ranges::find_if(picture.shapes, same);
          ASSERT_NE(shape, picture.shapes.end());
          if (run.kind == int(Primitive::strip)) { EXPECT_TRUE(same(picture.shapes[run.strip])); }
          draws(size_t(shape - picture.shapes.begin()));
        }
      }
    EXPECT_EQ(drawn, int(picture.shapes.size()));
    const auto letters = [](const Shape& s) {
      return s.type == Shape::text ? Box{s.box.x, s.box.y + s.box.h * 0.1f, s.box.w, s.box.h * 0.8f} : s.box;
    };
    for (size_t a = 0; a < place.size(); ++a)
      for (size_t b = a + 1; b < place.size(); ++b)
        if (overlap(letters(picture.shapes[a]), letters(picture.shapes[b]))) {
          EXPECT_LT(place[a], place[b]);
        }
  }
}

}  // namespace
}  // namespace bscope
