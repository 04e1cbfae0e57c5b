// Charts that are said: curves, dots and bars with their axes, ticks, tags and hits; a part of a form.
//
//   LineChart c{.x = {.from = 10, .to = 28, .ticks = lengths, .unit = {tr("N, elements"), "N"}},
//               .y = {.from = least, .to = most, .log = true, .words = number_text, .unit = {"GB/s"}}};
//   c.curves.push_back({.label = "Blelloch", .value = "2,910", .line = t.read, .words = t.read});
//   for (const Record* r : points) c.curves.back().dots.push_back({.x = log2(r->n), .y = r->gb_per_s});
//   draw({pen, t}, panel(column(0, {heading, chart(std::move(c)).grows()})), box);
//
// ImPlot, Matplot++ and the like draw to their own windows or files, with their own fonts and no hits that
// tests could read; a picture here is plain data that goes to all of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/controls.hpp"
#include "app/draw/picture.hpp"

namespace bscope {

struct LayoutNode;
struct Theme;

struct LineChart {
  struct Tick {
    double at = 0;
    std::string words = {};
  };
  struct Axis {
    double from = 0, to = 1;                        ///< values at its ends
    bool log = false;                               ///< decades
    std::vector<Tick> ticks = {};                   ///< none: round numbers, said by `words`
    std::function<std::string(double)> words = {};  ///< none: in the format %g
    std::vector<std::string> unit = {};             ///< spellings, longest first
    bool named = false;  ///< ticks are words: what does not fit side by side stands on two rows in turn
  };

  /// A point of a curve. What lies between `low` and `high` is its band.
  struct DataPoint {
    double x = 0, y = 0, low = 0, high = 0;
    std::string tip = {}, name = {};  ///< of its hit; none without a name
  };
  /// A curve, or dots alone. Its tag stands at the right: the label and a value. Tags stand in the order of
  /// `here`, which is what the value says, the most on top; those without it below, as their curves end.
  struct Series {
    std::string label = {}, value = {};
    std::optional<double> here = {};
    std::string tip = {}, name = {};  ///< of the tag's hit
    HitAction does = {};              ///< when that is pressed
    Colour line = 0, words = 0, fill = 0, edge = 0;
    float thickness = 2, dash = 0;
    float dot = 2.6f;      ///< radius; 0: no dots
    bool current = false;  ///< in bold, drawn over the others
    bool keep = false;     ///< its tag goes last where there is no room
    bool joined = true;    ///< else dots alone, each with a thin line down to the axis
    std::vector<DataPoint> dots = {};
  };
  /// A straight line to compare with: from the left edge to the curves' ends unless x says otherwise.
  struct Guide {
    std::optional<double> x0 = {}, x1 = {};
    double y0 = 0, y1 = 0;
    std::string words = {};
    Colour colour = 0;
    float thickness = 1.5f, dash = 7;
    Font font = Font::text;
    bool above = false;  ///< its words stand above it; else below
    float at = 0;        ///< where its words begin, as a share of its length
  };

  Axis x = {}, y = {};
  std::vector<Tick> second = {};              ///< of a second scale, left of the first
  std::vector<std::string> second_unit = {};  ///< spellings
  std::vector<Series> curves = {};
  std::vector<Guide> guides = {};
  std::string of = {};             ///< where on x the tags' values are of
  std::optional<double> now = {};  ///< a dotted line
  float tags = 0.34f;              ///< the share of the width that tags' labels may take
  float least = 40;                ///< height, before scaling: what gives way goes before that
};
/// Takes what it is given; where that is too little for a plot, it draws nothing.
LayoutNode chart(LineChart);

struct BarChart {
  /// One bar, or one of each series, at each place.
  struct Bar {
    std::vector<double> values = {};      ///< by series
    std::vector<std::string> label = {};  ///< below it, spellings; none: no label
    HitRegion hit = {};                   ///< of its whole column; none without a name
  };

  std::vector<std::string> heading = {};  ///< spellings
  std::vector<std::string> says = {};     ///< at the right of the heading, spellings
  std::vector<Meaning> series = {};       ///< a legend where there are more than one
  std::vector<Bar> bars = {};
  int chosen = -1;       ///< lies on a lighter ground
  bool stacked = false;  ///< one upon the other; else side by side
  bool numbers = false;  ///< a bar's height above it, where all have room
  float widest = 240;    ///< of a place, before scaling: a few bars stand in the middle
  std::function<std::string(double)> words = {};
};
LayoutNode chart(BarChart, const Theme&);

/// A bar that lies in a table's cell.
struct LyingBar {
  double value = 0, most = 1;
  Colour fill = 0, edge = 0;
  double low = 0, high = 0;  ///< a whisker; none where both are 0
  Colour whisker = 0;
  /// A line through all rows.
  struct Mark {
    double at = 0;
    Colour colour = 0;
    float dash = 0;
  };
  std::vector<Mark> marks = {};
};
LayoutNode lying(LyingBar);

/// Counts one behind the other, in a table's cell: a block for each, or a bar where blocks would be too
/// small.
struct Tally {
  struct Segment {
    int count = 0;
    Colour colour = 0;
  };
  std::vector<Segment> parts = {};
  int most = 1;        ///< what takes the whole width
  bool blocks = true;  ///< else a bar always
};
LayoutNode tally(Tally);

}  // namespace bscope
