// Geometry: what a view draws, as plain data. Made by pure functions from a trace and a cursor; drawn by
// ImGui on screen and by cairo into files. Knows no ImGui.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bscope {

struct Point {
  float x = 0, y = 0;
};
struct Box {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  Point centre() const { return {x + w / 2, y + h / 2}; }
  bool contains(Point p) const { return p.x >= x && p.y >= y && p.x < x + w && p.y < y + h; }
};
/// Whether two boxes share an area; edges that touch do not.
inline bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}
/// The number between these two that is nearest to x; `least` where they leave no room, as in a window that
/// is smaller than what stands in it.
constexpr float clamp_or_least(float x, float least, float most) {
  return std::max(least, std::min(x, most));
}
/// 0xRRGGBBAA.
using Colour = uint32_t;
constexpr Colour with_alpha(Colour c, float a) { return (c & 0xffffff00u) | uint32_t(a * 255.0f + 0.5f); }

enum class Font : uint8_t { text, text_bold, mono, mono_bold };
/// Width of a text in pixels; the renderer supplies it (ImGui's fonts, cairo's, or a fixed advance in tests).
/// `size` is the em, as in CSS.
struct Metrics {
  std::function<float(Font, float size, const std::string&)> width;
};
/// A fixed advance for every character (Chinese: one em), without any font: for tests.
Metrics fixed_metrics();
/// A text's box is this many ems high; its baseline lies this many ems below the box's top. Chosen so that
/// capitals and digits sit in the middle of the box (cap height 0.73 em in both of our families).
inline constexpr float text_height = 1.2f, text_baseline = 0.964f;

/// One primitive. Which fields count depends on the shape.
struct Shape {
  enum Type : uint8_t {
    rect,     ///< box, fill, stroke, thickness, radius
    line,     ///< points, stroke, thickness, dash (0: solid)
    curve,    ///< cubic Bezier: four points, stroke, thickness
    polygon,  ///< convex: points, fill
    disc,     ///< the circle in box: fill; stroke, thickness: of a rim inside it
    hatch,    ///< box filled with 45-degree strokes: stroke, thickness, spacing in dash; clipped to the box
    text,     ///< point (left, top of the text's box, see text_height), size, font, fill
    strip,    ///< box filled with one row (or several, `rows`) of colours, stretched: for many cells
  } type = rect;
  Box box;
  std::vector<Point> points;
  Colour fill = 0, stroke = 0;
  float thickness = 1, radius = 0, dash = 0, size = 0;
  Font font = Font::text;
  std::string words;
  std::vector<Colour> colours;
  int rows = 1;
};

struct LoadedState;  // what the user changes by touching a picture; nothing here knows more of it
/// What touching a hit does to the app. `share`: where along its width, 0 to 1.
using HitAction = std::function<void(LoadedState&, float share)>;

/// A region that reacts to the mouse. It holds its action, and the code that shows the picture calls it.
struct HitRegion {
  enum RegionKind : uint8_t { cell, thread, line, interval, step, bin, button, other } what = other;
  Box box;
  int a = 0,
      b = 0;        ///< cell: array, index. thread, line, interval: a. step: a, of the run. others: their own
  std::string tip;  ///< one sentence for a tooltip; may be empty
  std::string name;      ///< for tests and for keyboards: unique in the picture
  float now = -1;        ///< a slider: where its knob stands, from a to b; so that keys can move it
  HitAction press = {};  ///< when it is pressed; null: what all hits of its kind do
  HitAction drag = {};   ///< while it is held
  std::function<void(LoadedState&, float up)> wheel = {};  ///< turned over it; up is positive
};

struct Picture {
  float width = 0, height = 0;
  std::vector<Shape> shapes;
  std::vector<HitRegion> hits;
};

/// All of it, by so much.
void move(Picture&, Point by);

/// How text sits on its point.
enum class Align : uint8_t { left, centre, right };

/// Builds a picture: the few verbs that views use. Coordinates in pixels from the picture's left top.
class Pen {
 public:
  Pen(Picture& p, const Metrics& m) : picture_(p), metrics_(m) {}
  void rect(Box, Colour fill, Colour stroke = 0, float thickness = 1, float radius = 0);
  void line(Point, Point, Colour, float thickness = 1, float dash = 0);
  void curve(Point, Point, Point, Point, Colour, float thickness = 1);
  void arrow_head(Point tip, Point direction, float size, Colour);
  void polygon(std::vector<Point>, Colour);
  /// A filled circle, with a rim inside it if `edge` is given.
  void disc(Point centre, float radius, Colour fill, Colour edge = 0, float thickness = 1);
  void hatch(Box, Colour, float spacing = 6, float thickness = 1);
  /// Text whose left/centre/right is at p.x and whose middle height is at p.y. Returns its box.
  Box text(Point p, const std::string&, float size, Colour, Font = Font::text, Align = Align::left);
  float width(const std::string&, float size, Font = Font::text) const;
  /// The longest beginning that fits, with "..." if something was left out.
  std::string fitted(const std::string&, float width, float size, Font = Font::text) const;
  void strip(Box, std::vector<Colour>, int rows = 1);
  void hit(HitRegion);
  const Metrics& metrics() const { return metrics_; }

 private:
  Picture& picture_;
  const Metrics& metrics_;
};

}  // namespace bscope
