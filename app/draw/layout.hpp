// Forms: rows, columns and tables that are said as a tree; boxes come out of what is in them and of the room.
//
//   const Form form = column(t.gap(), {
//       row(t.apart(), {line({tr("Roofline at {}", n), tr("Roofline")}, heading_look(t)).grows().gives(1),
//                       choices(facets)}),
//       text({{sentence, t.ink2}}, {.size = t.label()}).gives(2),
//       chart.form().grows()});
//   draw({pen, t}, panel(form), box);
//
// Each part says how wide it would like to be, what is the least, and how high it is at a width. Where room
// is short, the part with the highest `gives` is the first to get its least, to be said shorter (`or_else`),
// or to be left out, and of several such the last; what gives 0 stays. What `grows` shares the room that is
// left.
//
// Yoga and Clay lay out flexible boxes, too; neither chooses a shorter spelling, nor says what goes first,
// and both need the text measured from here.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/text.hpp"

namespace bscope {

struct Theme;

/// What is drawn on, and how everything looks.
struct DrawContext {
  Pen& pen;
  const Theme& t;
};

/// A part of a form, which may hold others.
struct LayoutNode {
  std::function<float(const DrawContext&)> wanted;  ///< width; none: 0, it takes what it is given
  std::function<float(const DrawContext&)> least;   ///< width without which it is left out; none: `wanted`
  std::function<float(const DrawContext&, float width)> height;  ///< none: 0
  /// Height to which it can be squeezed in a column, before another part gives way; none: `height`.
  std::function<float(const DrawContext&, float width)> low;
  std::function<void(const DrawContext&, Box)> drawn;  ///< none: empty room
  float share = 0;                                     ///< of the room that is left over
  int order = 0;                                       ///< 0: stays; else the highest goes first
  float most = 0;                                      ///< of its row's width, as a share; 0: as it wants
  bool fills = false;               ///< in a row: as high as that; else in its middle, as high as itself
  std::vector<LayoutNode> shorter;  ///< what stands for it where it has no room

  LayoutNode& grows(float part = 1) & { return share = part, *this; }
  LayoutNode&& grows(float part = 1) && { return share = part, std::move(*this); }
  LayoutNode&& at_most(float part) && { return most = part, std::move(*this); }
  LayoutNode&& gives(int when) && { return order = when, std::move(*this); }
  LayoutNode& or_else(LayoutNode other) & { return shorter.push_back(std::move(other)), *this; }
  LayoutNode&& or_else(LayoutNode other) && { return shorter.push_back(std::move(other)), std::move(*this); }

  float wants(const DrawContext& p) const { return wanted ? wanted(p) : 0; }
  /// Nothing at all: `when ? button(...) : LayoutNode{}`.
  bool empty() const { return !wanted && !height && !drawn && share == 0; }
  float needs(const DrawContext& p) const { return least ? least(p) : wants(p); }
  float height_at(const DrawContext& p, float width) const { return height ? height(p, width) : 0; }
  float low_at(const DrawContext& p, float width) const { return low ? low(p, width) : height_at(p, width); }
};
void draw(const DrawContext&, const LayoutNode&, Box);
/// A picture of that size, the form on the window's colour; or on nothing, where the caller frames it.
Picture picture_of(const LayoutNode&, const Theme&, const Metrics&, float width, float height,
                   bool on_window = true);

/// A text in lines, as wide as its room. It wants its width in one line.
LayoutNode text(Text, TextLook);
/// One line: the longest spelling that fits, and if none does, nothing, or the last one cut with dots.
struct LineLook {
  float size = 0;
  Colour colour = 0;
  Font font = Font::text;
  Align align = Align::left;
  bool cut = false;
};
LayoutNode line(std::vector<std::string> spellings, LineLook);
/// A name: in one line, in two, or smaller, down to `least`; cut only where that is not enough.
LayoutNode name(std::string, LineLook, float least);
/// How a panel's title looks, cut where it must be.
LineLook heading_look(const Theme&);

/// One below the other. Parts that are left out take no gap, nor does an empty `LayoutNode{}`.
LayoutNode column(float gap, std::vector<LayoutNode>);
/// Side by side, each in the middle of the row's height.
LayoutNode row(float gap, std::vector<LayoutNode>);
/// Cells one below the other in columns that are as wide as their widest cell.
struct Table {
  float gap = 0, row_gap = 0;
  std::vector<LayoutNode> heads = {};  ///< what grows, gives way or has a most of a column; drawn above it
  std::vector<std::vector<LayoutNode>> rows = {};
  std::vector<LayoutNode> foot = {};  ///< drawn below the last row
  float least_row = 0, most_row = 0;  ///< rows' heights; most_row 0: what is in them
  int chosen = -1;                    ///< lies on a lighter ground; stays where not all rows have room
  int keeps = -1;                     ///< stays, too
  bool from_end = false;              ///< which rows stay: the last ones
  bool squeezes = false;              ///< rows are left out before others of its column give way
  std::vector<HitRegion> hits = {};   ///< what a press on a row means; none without a name
  std::function<LayoutNode(int from, int to)> more = {};  ///< stands below where only these rows have room
};
LayoutNode table(Table);

/// Side by side, each with its share of the width, whatever is in it.
LayoutNode shares(float gap, std::vector<std::pair<float, LayoutNode>>);
/// One below the other, each with its share of the height.
LayoutNode floors(float gap, std::vector<std::pair<float, LayoutNode>>);
/// The first whose wanted width has room; else the last.
LayoutNode widest_that_fits(std::vector<LayoutNode>);
/// The first that is no higher than its room; else the last. As high as the first would like to be.
LayoutNode highest_that_fits(std::vector<LayoutNode>);

/// Room of its own: fixed, or (`space(0).grows()`) whatever is left.
LayoutNode space(float size);
/// A thin line across a column.
LayoutNode rule(Colour);
/// Something that is drawn by hand: at least this high, as wide as asked for (0: as wide as the room).
LayoutNode drawing(float width, float height, std::function<void(const DrawContext&, Box)>);
/// Within a panel's frame and margins.
LayoutNode panel(LayoutNode inside, Colour stroke = 0);
/// With room around it, on a ground if it has a colour.
LayoutNode padded(LayoutNode inside, float x, float y, Colour fill = 0, float radius = 0);
/// The whole part answers to the mouse; nothing in a printed figure.
LayoutNode pressed(LayoutNode inside, HitRegion);

}  // namespace bscope
