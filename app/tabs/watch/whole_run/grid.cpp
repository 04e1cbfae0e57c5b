#include "app/tabs/watch/whole_run/grid.hpp"

#include <algorithm>

#include "app/draw/theme.hpp"

namespace bscope {

float column_pitch(const Columns& c) {
  return c.rows > 1 ? (c.right() - c.left) / float(c.visible) : c.pitch;
}

bool is_narrow(const Theme& t, float pitch) { return pitch / t.scale < 22; }

float room_for_rows(const Theme& t, float height, float top) { return height - top - t.px(8); }

int rows_that_fit(const Theme& t, float room) {
  return std::max(3, int(room / t.px(t.projector() ? 29 : 22)));
}

WholeRunGrid whole_run_grid(const Theme& t, const Columns& columns, const RowsInView& view, float width,
                            float top, float room) {
  WholeRunGrid grid{.width = width, .top = top, .view = view, .columns = columns};
  grid.pitch = column_pitch(columns);
  grid.row_h = std::min(room / float(view.count), t.px(t.projector() ? 60 : 48));
  grid.cell_h = std::min(grid.row_h * (t.projector() ? 0.82f : 0.68f), t.px(t.projector() ? 34 : 24));
  return grid;
}

float largest_value(const Theme& t, float box_h) {
  return std::min(t.projector() ? t.value() : t.px(14.5f), box_h * (t.projector() ? 0.94f : 0.86f));
}

}  // namespace bscope
