// A pill for each move: the thread and what it does with its values, over the cell that it writes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/tabs/watch/array/moves.hpp"

namespace bscope {

struct ArrayGrid;
struct ArrowZone;
struct CellRow;
struct StepView;
struct Theme;

/// A move, and where its pill stands.
struct MovePill {
  DrawnMove of;
  int lane = 0;          ///< from above, under most_lanes
  float dx = 0;          ///< from its column's middle
  bool stacked = false;  ///< others stand above or below it
  int readers = 1;       ///< threads whose reads of the cell it stands for, its own included
};
inline constexpr int most_lanes = 3;

/// The pills of a row of cells.
struct MovePills {
  std::vector<MovePill> all;
  int lanes = 1;
  bool tight = false;   ///< without their blank: columns are narrow
  bool family = false;  ///< so many that only the followed thread's have words and values
};
/// The pills of one cell stand side by side; where the column has no room for that, one below the other
/// (`stack`), or one of them for all.
MovePills move_pills(const Pen&, const Theme&, const StepView&, const CellRow&,
                     const std::vector<DrawnMove>& moves, bool stack);
/// Above so many pills only the followed thread's have words.
inline constexpr size_t most_worded = 16;

/// What a pill says: its thread and operator, "t3 +"; of several threads how many, "20x +". `tight`: without
/// the blank.
std::string pill_text(const StepView&, const DrawnMove&, bool tight);
float pill_width(const Pen&, const Theme&, const StepView&, const DrawnMove&, bool tight);
/// A pill at its place.
struct PlacedPill {
  const MovePill* of = nullptr;
  Point middle = {};  ///< of its column, aside as it stands, and of its lane
  Box box = {};
  bool dot = false;  ///< too many, or it would cover another: a point without words
  /// The x of arrows straight into it and out of it: they pass the pills above and below.
  float port() const { return middle.x + (!of->stacked ? 0 : of->dx < 0 ? -0.36f : 0.36f) * box.w; }
};
/// Those that are drawn, the followed thread's last. They refer to the pills.
std::vector<PlacedPill> placed_pills(const Pen&, const Theme&, const ArrayGrid&, const StepView&,
                                     const CellRow&, const MovePills&, const ArrowZone&);

/// Whether the box would lie over one of them; dots do not count.
bool covers_a_pill(const Box&, std::span<const PlacedPill>);

/// The pill as it looks at this moment of the step's motion.
void draw_pill(Pen&, const Theme&, const StepView&, const DrawnMove&, const Box&, bool tight);
/// A pill's sentence.
std::string pill_tip(const StepView&, const DrawnMove&);

}  // namespace bscope
