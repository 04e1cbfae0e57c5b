#include "app/export/svg.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/draw/letters.hpp"

namespace bscope {
namespace {

/// To a hundredth of a pixel, without zeros that say nothing.
std::string number(float v) {
  std::string s = fmt::format("{:.2f}", v);
  s.erase(s.find_last_not_of('0') + 1);
  if (s.ends_with('.')) s.pop_back();
  return s == "-0" ? "0" : s;
}
std::string point(Point p) { return number(p.x) + " " + number(p.y); }

std::string paint(const char* attribute, Colour c) {
  std::string s = fmt::format(" {}=\"#{:06x}\"", attribute, c >> 8);
  if ((c & 255) != 255) s += fmt::format(" {}-opacity=\"{}\"", attribute, number(float(c & 255) / 255));
  return s;
}
bool visible(Colour c) { return (c & 255) != 0; }

std::string stroked(const Shape& s) {
  std::string out = paint("stroke", s.stroke);
  if (s.thickness != 1) out += " stroke-width=\"" + number(s.thickness) + "\"";
  if (s.dash > 0 && s.type != Shape::hatch) out += " stroke-dasharray=\"" + number(s.dash) + "\"";
  return out;
}
std::string box(const Box& b) {
  return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(b.x), number(b.y), number(b.w),
                     number(b.h));
}

/// What XML reserves, and the control characters that it has no place for.
std::string escaped(const std::string& words) {
  std::string s;
  for (const char c : clean_utf8(words)) {
    if (c == '&')
      s += "&amp;";
    else if (c == '<')
      s += "&lt;";
    else if (c == '>')
      s += "&gt;";
    else
      s += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return s;
}

std::string rect(const Shape& s) {
  if (!visible(s.fill) && !visible(s.stroke)) return {};
  std::string out = "<rect" + box(s.box);
  if (const float r = std::min({s.radius, s.box.w / 2, s.box.h / 2}); r > 0)
    out += " rx=\"" + number(r) + "\"";
  out += visible(s.fill) ? paint("fill", s.fill) : " fill=\"none\"";
  if (visible(s.stroke)) out += stroked(s);
  return out + "/>\n";
}

std::string path(const std::string& d, const std::string& style) {
  return "<path d=\"" + d + "\"" + style + "/>\n";
}

std::string line(const Shape& s) {
  if (!visible(s.stroke) || s.points.empty()) return {};
  std::string d;
  for (const Point& p : s.points) d += (d.empty() ? "M" : "L") + point(p);
  return path(d, " fill=\"none\"" + stroked(s));
}
std::string curve(const Shape& s) {
  if (!visible(s.stroke)) return {};
  return path("M" + point(s.points[0]) + "C" + point(s.points[1]) + " " + point(s.points[2]) + " " +
                  point(s.points[3]),
              " fill=\"none\"" + stroked(s));
}
std::string polygon(const Shape& s) {
  if (!visible(s.fill) || s.points.empty()) return {};
  std::string d;
  for (const Point& p : s.points) d += (d.empty() ? "M" : "L") + point(p);
  return path(d + "Z", paint("fill", s.fill));
}

std::string disc(const Shape& s) {
  const bool edged = visible(s.stroke);
  const Point c = s.box.centre();
  const float radius = s.box.w / 2 - (edged ? s.thickness / 2 : 0);
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}{}/>\n", number(c.x), number(c.y), number(radius),
                     paint("fill", s.fill), edged ? stroked(s) : "");
}

/// Strokes from the bottom edge up to the right, cut off at the box.
std::string hatch(const Shape& s) {
  std::string d;
  const float step = std::max(1.0f, s.dash) * 1.41421356f;
  const Box& b = s.box;
  for (float x = b.x - b.h; x < b.right(); x += step) {
    const float from = std::max(0.0f, b.x - x), to = std::min(b.h, b.right() - x);
    if (to > from) d += "M" + point({x + from, b.bottom() - from}) + "L" + point({x + to, b.bottom() - to});
  }
  return d.empty() ? d : path(d, " fill=\"none\"" + stroked(s));
}

/// Neighbours of one colour are one rectangle.
std::string strip(const Shape& s) {
  const int rows = std::max(1, s.rows), columns = int(s.colours.size()) / rows;
  if (!columns) return {};
  const float w = s.box.w / float(columns), h = s.box.h / float(rows);
  std::string out = "<g shape-rendering=\"crispEdges\">";
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns;) {
      const Colour c = s.colours[size_t(y) * size_t(columns) + size_t(x)];
      int end = x + 1;
      while (end < columns && s.colours[size_t(y) * size_t(columns) + size_t(end)] == c) ++end;
      if (visible(c))
        out += "<rect" + box({s.box.x + w * float(x), s.box.y + h * float(y), w * float(end - x), h}) +
               paint("fill", c) + "/>";
      x = end;
    }
  return out + "</g>\n";
}

/// Families for Chinese, if there is any: ours, then what other systems have.
const char* chinese_families(const Picture& p) {
  for (const Shape& s : p.shapes)
    for (size_t at = 0; at < s.words.size();) {
      const Letter letter = letter_at(s.words, at);
      if (is_wide(letter.code))
        return "'WenQuanYi Micro Hei','Noto Sans CJK SC','PingFang SC','Microsoft YaHei',";
      at = letter.end;
    }
  return "";
}

std::string text(const Shape& s, const Metrics& metrics) {
  if (s.words.empty() || !visible(s.fill)) return {};
  constexpr char classes[] = {'t', 'b', 'm', 'n'};
  std::string out =
      fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" font-size=\"{}\"", classes[int(s.font)],
                  number(s.points[0].x), number(s.points[0].y + s.size * text_baseline), number(s.size));
  out += paint("fill", s.fill);
  if (s.words.size() > 1) out += " textLength=\"" + number(metrics.width(s.font, s.size, s.words)) + "\"";
  return out + ">" + escaped(s.words) + "</text>\n";
}

std::string drawn(const Shape& s, const Metrics& metrics) {
  switch (s.type) {
    case Shape::rect: return rect(s);
    case Shape::line: return line(s);
    case Shape::curve: return curve(s);
    case Shape::polygon: return polygon(s);
    case Shape::disc: return disc(s);
    case Shape::hatch: return hatch(s);
    case Shape::text: return text(s, metrics);
    case Shape::strip: return strip(s);
  }
  return {};
}

}  // namespace

std::string svg(const Picture& p, Colour background, const Metrics& metrics) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "stroke=\"none\">\n"
      "<style>text{{white-space:pre}}.t,.b{{font-family:Inter,Helvetica,Arial,{2}sans-serif}}"
      ".m,.n{{font-family:'JetBrains Mono',Menlo,Consolas,{2}monospace}}"
      ".t,.m{{font-weight:500}}.b,.n{{font-weight:700}}</style>\n",  // 500: what cairo draws and measures
      number(p.width), number(p.height), chinese_families(p));
  Shape page;
  page.box = {0, 0, p.width, p.height};
  page.fill = background;
  out += rect(page);
  for (const Shape& s : p.shapes) out += drawn(s, metrics);
  return out + "</svg>\n";
}

}  // namespace bscope
