// What the parts of the Atomics picture share.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/draw/chart.hpp"
#include "app/draw/controls.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/atomics/picture.hpp"
#include "app/words/words.hpp"

namespace bscope::atomics {

struct AtomicsSheet {
  const Theme& t;
  const AtomicsModel& m;
  const AtomicsLook& look;
  int now;

  Colour faded(Colour c) const { return mix(c, t.panel, 0.55f); }
  /// The first side whose addresses are bins.
  const AtomicsModel::Side* bins() const {
    for (const AtomicsModel::Side& side : m.sides)
      if (side.histogram) return &side;
    return nullptr;
  }
  std::string address() const { return bins() ? tr("bin {}", m.bin) : m.sides[0].place; }
};

/// The same while it is drawn.
struct AtomicsCanvas : AtomicsSheet {
  Pen& pen;
  float label() const { return t.label(); }
  float small() const { return t.small(); }
  float thin(float v = 1) const { return t.thin(v); }
  /// Says a form in a box of this drawing.
  void say_in(Box b, const LayoutNode& form) const { draw(DrawContext{pen, t}, form, b); }
};
/// What is drawn by hand: it takes the room that is left.
inline LayoutNode by_hand(const AtomicsSheet& s, void (*drawn)(AtomicsCanvas&, Box)) {
  return drawing(0, 0,
                 [s, drawn](const DrawContext& p, Box b) {
                   AtomicsCanvas d{s, p.pen};
                   drawn(d, b);
                 })
      .grows();
}

LayoutNode queues(const AtomicsSheet&);
LayoutNode input(const AtomicsSheet&);
LayoutNode bins(const AtomicsSheet&);
LayoutNode racy(const AtomicsSheet&);

/// The plot of a chart of bins: x of each, y of a count.
struct BinBars {
  Box box;
  double most = 1;
  float pitch = 0;
  float x(int bin) const { return box.x + (float(bin) + 0.5f) * pitch; }
  float y(double count) const { return box.bottom() - float(count / most) * box.h; }
  float width() const { return pitch < 3 ? pitch : pitch * 0.8f; }
};
/// Columns side by side without gaps, each up to its height: what all have is one block, and neighbours of
/// one height are one.
template <class Height>
void terrain(Pen& pen, const BinBars& b, int columns, float width, const Height& height_of, Colour c) {
  double least = b.most;
  for (int k = 0; k < columns; ++k) least = std::min(least, double(height_of(k)));
  const float base = b.y(least);
  if (least > 0) pen.rect({b.box.x, base, float(columns) * width, b.box.bottom() - base}, c);
  for (int k = 0, end; k < columns; k = end) {
    const double height = double(height_of(k));
    for (end = k + 1; end < columns && double(height_of(end)) == height;) ++end;
    if (height > least)
      pen.rect({b.box.x + float(k) * width, b.y(height), float(end - k) * width, base - b.y(height)}, c);
  }
}
/// Which bin each column shows where `together` of them share one: the chosen one, else the fullest.
template <class Height>
std::vector<int> fullest(int bins, int together, int chosen, const Height& height_of) {
  std::vector<int> shown;
  for (int first = 0; first < bins; first += together) {
    int k = first;
    for (int other = first; other < std::min(bins, first + together); ++other)
      if (height_of(other) > height_of(k)) k = other;
    shown.push_back(chosen >= first && chosen < first + together ? chosen : k);
  }
  return shown;
}
/// How many bins share a column: each column is a pixel at least.
inline int bins_together(float pitch) { return std::max(1, int(std::ceil(1 / pitch))); }
/// The bins' numbers below the plot, as many as have room; the chosen one always.
void bin_axis(AtomicsCanvas&, const BinBars&, int bins, int chosen);
/// Room for words beside the chosen bar: the wider side, down to its highest bar's label.
template <class Height>
Box beside(const AtomicsCanvas& s, const BinBars& b, int bins, int chosen, const Height& height_of,
           float margin) {
  const float gap = s.t.px(12);
  const float left_edge = b.x(chosen) - margin - gap, right_edge = b.x(chosen) + margin + gap;
  const bool right = b.box.right() - right_edge >= left_edge - b.box.x;
  double highest = 0;
  for (int k = 0; k < bins; ++k)
    if (right ? k > chosen : k < chosen) highest = std::max(highest, double(height_of(k)));
  const float bottom = b.y(highest) - s.small() * 1.6f;
  return right ? Box{right_edge, b.box.y, b.box.right() - right_edge, bottom - b.box.y}
               : Box{b.box.x, b.box.y, left_edge - b.box.x, bottom - b.box.y};
}
/// Top of the chosen bar and of those that a text of this width above it would reach; `over` is what stands
/// on the others.
template <class Height>
float top_near(const BinBars& b, int bins, int chosen, float wide, const Height& height_of, float over) {
  float top = b.y(height_of(chosen));
  for (int k = 0; k < bins; ++k)
    if (k != chosen && std::abs(b.x(k) - b.x(chosen)) < (wide + b.pitch) / 2)
      top = std::min(top, b.y(height_of(k)) - over);
  return top;
}

}  // namespace bscope::atomics
