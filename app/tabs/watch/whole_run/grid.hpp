// Where the rows and columns of the whole run stand.
#pragma once

#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/whole_run/rows.hpp"

namespace bscope {

struct Theme;

struct WholeRunGrid {
  float width = 0;              ///< of the picture
  float top = 0;                ///< of the first row
  float row_h = 0, cell_h = 0;  ///< a row, and the cells in it
  RowsInView view = {};
  Columns columns = {};
  float pitch = 0;  ///< of columns that are not wrapped

  float row_y(int r) const { return top + row_h * (float(r - view.first) + 0.5f); }
  float x_of(int cell) const { return columns.left + pitch * (float(cell - columns.first) + 0.5f); }
  bool visible(int cell) const { return cell >= columns.first && cell < columns.first + columns.visible; }
};

/// Width of a cell's column: in the whole run cells never wrap.
float column_pitch(const Columns&);
/// Whether that is too narrow for values.
bool is_narrow(const Theme&, float pitch);
/// Height that is left for rows.
float room_for_rows(const Theme&, float height, float top);
/// As many rows as are readable.
int rows_that_fit(const Theme&, float room);
/// `columns`: of the array view. `room`: for the rows in view.
WholeRunGrid whole_run_grid(const Theme&, const Columns&, const RowsInView&, float width, float top,
                            float room);

/// The largest letters of values in boxes of that height.
float largest_value(const Theme&, float box_h);

}  // namespace bscope
