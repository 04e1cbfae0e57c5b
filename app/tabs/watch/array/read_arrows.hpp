// Arrows from cells, and from other pills, into the pills that take their values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/tabs/watch/array/arrow_paths.hpp"
#include "app/tabs/watch/array/inputs.hpp"

namespace bscope {

struct CellRow;
struct DrawnMove;
struct OccupiedBoxes;
struct PlacedPill;
struct StepStates;
struct StepView;
struct Theme;

/// An arrow, and what it carries into a pill.
struct ReadArrow {
  ArrowPath path;
  bool curved = false;
  MoveInput value;
  const DrawnMove* of = nullptr;
};

/// Draws them pill by pill, and keeps what they carry, so that values are drawn over all arrows.
class ReadArrows {
 public:
  /// `all`: the pills of the picture. Boxes of registers and rings occupy their places. What is given must
  /// outlive it.
  ReadArrows(Pen&, const Theme&, const StepView&, const StepStates&, const CellRow&, const ArrowZone&,
             std::span<const PlacedPill> all, OccupiedBoxes&);
  void draw(const PlacedPill&, Colour);

  const std::vector<ReadArrow>& from_cells() const { return from_cells_; }  ///< or from elsewhere
  const std::vector<ReadArrow>& from_pills() const { return from_pills_; }
  bool boxed() const { return boxed_; }  ///< a register's box was drawn

 private:
  void draw_into_dot(const PlacedPill&, Colour);
  void draw_into_pill(const PlacedPill&, Colour);
  void draw_register(const Box& pill, const std::string& words, Colour);
  void draw_from_cell(const PlacedPill&, const MoveInput&, Colour);
  bool draw_from_pill(const PlacedPill&, const MoveInput&, Colour);
  void draw_from_elsewhere(const PlacedPill&, const MoveInput&, float side, Colour);

  Pen& pen_;
  const Theme& t_;
  const StepView& view_;
  const StepStates& states_;
  const CellRow& row_;
  const ArrowZone& zone_;
  std::span<const PlacedPill> all_;
  OccupiedBoxes& occupied_;
  std::vector<Box> pill_boxes_;
  std::vector<ReadArrow> from_cells_, from_pills_;
  bool boxed_ = false;
};

}  // namespace bscope
