#include "app/draw/picture.hpp"

#include <cmath>
#include <utility>

#include "app/draw/letters.hpp"

namespace bscope {

Metrics fixed_metrics() {
  return {[](Font f, float size, const std::string& s) {
    const float narrow = f == Font::mono || f == Font::mono_bold ? 0.6f : 0.55f;
    float ems = 0;
    for (size_t at = 0; at < s.size();) {
      const Letter l = letter_at(s, at);
      ems += is_wide(l.code) ? 1 : narrow;
      at = l.end;
    }
    return ems * size;
  }};
}

void Pen::rect(Box b, Colour fill, Colour stroke, float thickness, float radius) {
  Shape s;
  s.type = Shape::rect;
  s.box = b;
  s.fill = fill;
  s.stroke = stroke;
  s.thickness = thickness;
  s.radius = radius;
  picture_.shapes.push_back(std::move(s));
}

void Pen::line(Point a, Point b, Colour c, float thickness, float dash) {
  Shape s;
  s.type = Shape::line;
  s.points = {a, b};
  s.stroke = c;
  s.thickness = thickness;
  s.dash = dash;
  picture_.shapes.push_back(std::move(s));
}

void Pen::curve(Point a, Point b, Point c, Point d, Colour colour, float thickness) {
  Shape s;
  s.type = Shape::curve;
  s.points = {a, b, c, d};
  s.stroke = colour;
  s.thickness = thickness;
  picture_.shapes.push_back(std::move(s));
}

void Pen::arrow_head(Point tip, Point direction, float size, Colour c) {
  const float length = std::hypot(direction.x, direction.y);
  if (length == 0) return;
  const Point u{direction.x / length, direction.y / length};
  const Point base{tip.x - u.x * size, tip.y - u.y * size};
  const float half = size * 0.5f;
  polygon({tip, {base.x - u.y * half, base.y + u.x * half}, {base.x + u.y * half, base.y - u.x * half}}, c);
}

void Pen::polygon(std::vector<Point> points, Colour c) {
  Shape s;
  s.type = Shape::polygon;
  s.points = std::move(points);
  s.fill = c;
  picture_.shapes.push_back(std::move(s));
}

void Pen::disc(Point c, float radius, Colour fill, Colour edge, float thickness) {
  Shape s;
  s.type = Shape::disc;
  s.box = {c.x - radius, c.y - radius, 2 * radius, 2 * radius};
  s.fill = fill;
  s.stroke = edge;
  s.thickness = thickness;
  picture_.shapes.push_back(std::move(s));
}

void Pen::hatch(Box b, Colour c, float spacing, float thickness) {
  Shape s;
  s.type = Shape::hatch;
  s.box = b;
  s.stroke = c;
  s.dash = spacing;
  s.thickness = thickness;
  picture_.shapes.push_back(std::move(s));
}

Box Pen::text(Point p, const std::string& words, float size, Colour c, Font f, Align align) {
  const float w = width(words, size, f);
  const float left = align == Align::left ? p.x : align == Align::centre ? p.x - w / 2 : p.x - w;
  const Box box{left, p.y - size * text_height / 2, w, size * text_height};
  if (words.empty()) return box;
  Shape s;
  s.type = Shape::text;
  s.box = box;
  s.points = {{box.x, box.y}};
  s.words = words;
  s.size = size;
  s.font = f;
  s.fill = c;
  picture_.shapes.push_back(std::move(s));
  return box;
}

float Pen::width(const std::string& words, float size, Font f) const {
  return words.empty() ? 0 : metrics_.width(f, size, words);
}

std::string Pen::fitted(const std::string& words, float room, float size, Font f) const {
  if (width(words, size, f) <= room) return words;
  // Widths grow with length: the longest prefix is found by halving.
  size_t fits = 0, too_long = words.size();
  while (too_long - fits > 1) {
    const size_t middle = (fits + too_long) / 2;
    (width(words.substr(0, cut_before(words, middle)) + "...", size, f) <= room ? fits : too_long) = middle;
  }
  fits = cut_before(words, fits);
  if (fits == 0 && width("...", size, f) > room) return {};
  return words.substr(0, fits) + "...";
}

void Pen::strip(Box b, std::vector<Colour> colours, int rows) {
  Shape s;
  s.type = Shape::strip;
  s.box = b;
  s.colours = std::move(colours);
  s.rows = rows;
  picture_.shapes.push_back(std::move(s));
}

void Pen::hit(HitRegion h) { picture_.hits.push_back(std::move(h)); }

void move(Picture& p, Point by) {
  for (Shape& s : p.shapes) {
    s.box.x += by.x, s.box.y += by.y;
    for (Point& point : s.points) point.x += by.x, point.y += by.y;
  }
  for (HitRegion& h : p.hits) h.box.x += by.x, h.box.y += by.y;
}

}  // namespace bscope
