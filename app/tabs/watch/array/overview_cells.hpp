// All cells in view of a long array, small: in lines, or as a strip.
#pragma once

#include <vector>

#include "app/draw/picture.hpp"
#include "app/tabs/watch/array/columns.hpp"

namespace bscope {

struct ArrayState;
struct CellTexts;
struct StepView;
struct Theme;

/// How cells stand in lines.
struct CellLines {
  int wide = wrap_at;  ///< cells of one: a tile's own row; else as many as there are banks
  bool tile = false;
  int before = 0;  ///< cells of the first line that are not in view
  int count = 0;
  int row = 0;  ///< of a tile: the first line's
  float left = 0, top = 0, cell_w = 0, line_h = 0;
  /// Of the k-th cell in view.
  Box box_of(int k) const;
};
/// Without places yet.
CellLines cell_lines(const StepView&, const Columns&);

/// What there is to explain of cells as they were drawn.
struct DrawnCells {
  bool dots = false;    ///< for values that are too long for their cells
  bool shades = false;  ///< greys that stand for values
};
/// `level`: what lines are high enough for, above a strip. `values`: they may be high enough for values.
DrawnCells draw_cells_in_lines(Pen&, const Theme&, const Columns&, const StepView&, const CellTexts&,
                               const std::vector<bool>& relatives, const CellLines&, Zoom level, bool values);
/// Of a tile's rows, and of columns.
void draw_line_numbers(Pen&, const Theme&, const StepView&, const CellLines&);
/// Too many for lines.
DrawnCells draw_cells_in_strip(Pen&, const Theme&, const Columns&, const StepView&, const ArrayState&, Box);

}  // namespace bscope
