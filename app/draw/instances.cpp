#include "app/draw/instances.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/draw/snapping.hpp"

namespace bscope {
namespace {

/// A strip with fewer runs of colour than this is drawn as rectangles, one a run.
constexpr size_t most_runs = 4096;
/// Above this many cells counting runs is not worth it: a texture.
constexpr size_t most_cells = 16384;
/// Pixels from which on a round box is worth taking apart: corners, whose edge is computed, and plain areas.
constexpr float least_area = 4096;

uint32_t alpha_of(Colour c) { return c & 0xff; }

std::array<uint8_t, 4> bytes(Colour c) {
  return {uint8_t(c >> 24), uint8_t(c >> 16), uint8_t(c >> 8), uint8_t(c)};
}

std::array<float, 4> numbers(const Box& b) { return {b.x, b.y, b.w, b.h}; }

Box smaller(const Box& b, float by) { return {b.x + by, b.y + by, b.w - 2 * by, b.h - 2 * by}; }

struct Maker {
  std::vector<ShapeInstance>& out;
  float alpha = 1;

  Colour faded(Colour c) const {
    return alpha >= 1 ? c : with_alpha(c, float(alpha_of(c)) / 255 * std::max(0.0f, alpha));
  }

  void flat(const Box& b, Colour c) {
    if (alpha_of(c) == 0 || b.w <= 0 || b.h <= 0) return;
    out.push_back(
        {alpha_of(c) == 255 ? Primitive::fill : Primitive::tint, {numbers(b), {}, bytes(c), {}, 0, 0}});
  }

  /// The box's edge lies inside of it.
  void box(const Box& b, Colour fill, Colour edge, float thickness, float radius) {
    const float r = std::min({radius, b.w / 2, b.h / 2}), t = alpha_of(edge) ? thickness : 0;
    if (b.w <= 0 || b.h <= 0) return;
    if (t == 0 && r <= 0) return flat(b, fill);
    const bool sharp = t == std::round(t) && b.x == std::round(b.x) && b.y == std::round(b.y);
    const float corner = std::max(std::ceil(r), t);
    const auto frame = [&](float from) {  // the straight parts of the edge
      flat({b.x + from, b.y, b.w - 2 * from, t}, edge);
      flat({b.x + from, b.bottom() - t, b.w - 2 * from, t}, edge);
      const float begin = std::max(from, t);
      flat({b.x, b.y + begin, t, b.h - 2 * begin}, edge);
      flat({b.right() - t, b.y + begin, t, b.h - 2 * begin}, edge);
    };
    if (r <= 0 && sharp && b.w > 2 * t && b.h > 2 * t) {
      if (alpha_of(fill) == 255 && alpha_of(edge) == 255)
        flat(b, edge);  // the larger shape behind the smaller one
      else
        frame(0);
      return flat(smaller(b, t), fill);
    }
    const auto part = [&](const Box& drawn) {
      out.push_back(
          {Primitive::box, {numbers(b), numbers(drawn), bytes(fill), bytes(edge), std::max(0.0f, r), t}});
    };
    if (!sharp || b.w * b.h < least_area || b.w < 2 * corner || b.h < 2 * corner) return part(b);
    for (const float x : {b.x, b.right() - corner})
      for (const float y : {b.y, b.bottom() - corner}) part({x, y, corner, corner});
    if (t > 0) frame(corner);
    flat({b.x + corner, b.y + t, b.w - 2 * corner, corner - t}, fill);
    flat({b.x + corner, b.bottom() - corner, b.w - 2 * corner, corner - t}, fill);
    flat({b.x + t, b.y + corner, b.w - 2 * t, b.h - 2 * corner}, fill);
  }

  void rectangle(const Shape& s, Point o) {
    const Box b = snapped({o.x + s.box.x, o.y + s.box.y, s.box.w, s.box.h});
    // small corners would only blur small boxes
    const bool round = s.radius >= 3.5f || (b.w >= 12 && b.h >= 8);
    box(b, faded(s.fill), faded(s.stroke), std::max(1.0f, std::round(s.thickness)), round ? s.radius : 0);
  }

  void line(const Shape& s, Point o) {
    const Colour c = faded(s.stroke);
    const float t = std::max(1.0f, s.thickness);
    for (size_t i = 1; i < s.points.size(); ++i) {
      Point a{o.x + s.points[i - 1].x, o.y + s.points[i - 1].y}, b{o.x + s.points[i].x, o.y + s.points[i].y};
      snap_line(a, b, t);
      const float x = std::round(std::min(a.x, b.x)), y = std::round(std::min(a.y, b.y));
      if (s.dash <= 0 && t == std::round(t) && a.x == b.x)
        flat({a.x - t / 2, y, t, std::round(std::max(a.y, b.y)) - y}, c);
      else if (s.dash <= 0 && t == std::round(t) && a.y == b.y)
        flat({x, a.y - t / 2, std::round(std::max(a.x, b.x)) - x, t}, c);
      else
        out.push_back({Primitive::line, {{a.x, a.y, b.x, b.y}, {}, {}, bytes(c), s.dash, t}});
    }
  }
};

}  // namespace

Box snapped(Box b) {
  const auto whole = [](float& from, float& size) {
    if (size < 1) return;
    const float to = std::round(from + size);
    from = std::round(from);
    size = to - from;
  };
  whole(b.x, b.w);
  whole(b.y, b.h);
  return b;
}

bool runs_of(const Shape& s, Point o, const std::function<void(Box, Colour)>& each) {
  const int rows = std::max(1, s.rows), columns = int(s.colours.size()) / rows;
  if (columns == 0) return true;
  if (s.colours.size() > most_cells) return false;
  size_t runs = size_t(rows);
  for (size_t i = 1; i < s.colours.size(); ++i) runs += s.colours[i] != s.colours[i - 1];
  if (runs > most_runs) return false;
  const Box b{o.x + s.box.x, o.y + s.box.y, s.box.w, s.box.h};
  // cells meet on whole pixels: between them nothing shines through
  const auto edge = [](float from, float size, int i, int n) {
    const float at = from + size * float(i) / float(n);
    return size >= float(n) ? std::round(at) : at;
  };
  for (int r = 0; r < rows; ++r) {
    const Colour* row = s.colours.data() + size_t(r) * size_t(columns);
    const float top = edge(b.y, b.h, r, rows), bottom = edge(b.y, b.h, r + 1, rows);
    for (int from = 0, to; from < columns; from = to) {
      for (to = from + 1; to < columns && row[to] == row[from];) ++to;
      const float left = edge(b.x, b.w, from, columns);
      if (alpha_of(row[from])) each({left, top, edge(b.x, b.w, to, columns) - left, bottom - top}, row[from]);
    }
  }
  return true;
}

bool parts_of(const Shape& s, Point o, float alpha, std::vector<ShapeInstance>& out) {
  Maker make{out, alpha};
  const Box b{o.x + s.box.x, o.y + s.box.y, s.box.w, s.box.h};
  switch (s.type) {
    case Shape::rect: make.rectangle(s, o); return true;
    case Shape::line: make.line(s, o); return true;
    case Shape::disc: {
      const Colour edge = make.faded(s.stroke);
      out.push_back({Primitive::box,
                     {numbers(b), numbers(b), bytes(make.faded(s.fill)), bytes(edge), b.w / 2,
                      alpha_of(edge) ? s.thickness : 0}});
      return true;
    }
    case Shape::hatch:
      out.push_back({Primitive::hatch,
                     {numbers(b), {}, {}, bytes(make.faded(s.stroke)), std::max(2.0f, s.dash), s.thickness}});
      return true;
    case Shape::curve: {
      if (s.points.size() != 4) return true;
      const auto& p = s.points;
      out.push_back({Primitive::curve,
                     {{o.x + p[0].x, o.y + p[0].y, o.x + p[1].x, o.y + p[1].y},
                      {o.x + p[2].x, o.y + p[2].y, o.x + p[3].x, o.y + p[3].y},
                      {},
                      bytes(make.faded(s.stroke)),
                      0,
                      std::max(1.0f, s.thickness)}});
      return true;
    }
    case Shape::strip:
      if (!runs_of(s, o, [&](Box run, Colour c) { make.flat(run, make.faded(c)); }))
        out.push_back({Primitive::strip, {numbers(b), {}, bytes(make.faded(0xffffffff)), {}, 0, 0}});
      return true;
    case Shape::text:
    case Shape::polygon: return false;
  }
  return false;
}

void filled_box(Box b, Colour c, float radius, std::vector<ShapeInstance>& out) {
  Maker{out}.box(b, c, 0, 0, radius);
}

void bounds_of(const ShapeInstance& p, std::vector<Box>& out) {
  const auto& [a, m] = std::tie(p.instance.at, p.instance.more);
  if (p.kind == Primitive::box) return out.push_back({m[0], m[1], m[2], m[3]});
  if (p.kind != Primitive::line && p.kind != Primitive::curve) return out.push_back({a[0], a[1], a[2], a[3]});
  // what is askew, in pieces: one box would cover much that it does not
  const bool curved = p.kind == Primitive::curve;
  const auto at = [&](float t) {
    const float s = 1 - t;
    if (!curved) return Point{s * a[0] + t * a[2], s * a[1] + t * a[3]};
    const float w[] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    return Point{w[0] * a[0] + w[1] * a[2] + w[2] * m[0] + w[3] * m[2],
                 w[0] * a[1] + w[1] * a[3] + w[2] * m[1] + w[3] * m[3]};
  };
  const float margin = p.instance.thickness / 2 + 1;
  const bool straight = !curved && (a[0] == a[2] || a[1] == a[3]);
  const Point end = at(1);
  const float across = std::min(std::abs(end.x - a[0]), std::abs(end.y - a[1]));
  const int pieces = straight ? 1 : curved ? 8 : std::clamp(int(across / 24), 1, 8);
  Point from = at(0);
  for (int i = 1; i <= pieces; ++i) {
    const Point to = at(float(i) / float(pieces));
    out.push_back({std::min(from.x, to.x) - margin, std::min(from.y, to.y) - margin,
                   std::abs(to.x - from.x) + 2 * margin, std::abs(to.y - from.y) + 2 * margin});
    from = to;
  }
}

}  // namespace bscope
