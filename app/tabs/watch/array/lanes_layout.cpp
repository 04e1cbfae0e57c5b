#include "app/tabs/watch/array/lanes_layout.hpp"

#include <algorithm>

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/warp.hpp"
#include "app/tabs/watch/draw.hpp"
#include "engine/analysis/lane_rows.hpp"

namespace bscope {
namespace {

/// The least heights of rows.
struct RowHeights {
  float cell = 0, gap = 0, apart = 0;  ///< above a row that an exchange made; above another
  float above(const LaneRows::LaneRow& row) const { return row.made_by >= 0 ? gap : apart; }
};

struct RowSpan {
  size_t first = 0, last = 0;
};

/// As many rows as fit, from the first on.
size_t last_that_fits(const std::vector<LaneRows::LaneRow>& rows, const RowHeights& h, float room) {
  size_t last = 0;
  float taken = h.cell;
  while (last + 1 < rows.size() && taken + h.above(rows[last + 1]) + h.cell <= room)
    taken += h.above(rows[++last]) + h.cell;
  // nothing in view comes of other values at the end
  if (last + 1 < rows.size() && last > 0 && rows[last].made_by < 0) --last;
  return last;
}

/// As many rows as fit, up to that one.
size_t first_that_fits(const std::vector<LaneRows::LaneRow>& rows, const RowHeights& h, float room,
                       size_t last) {
  size_t first = last;
  float taken = h.cell;
  while (first > 0 && taken + h.above(rows[first]) + h.cell <= room) taken += h.above(rows[first--]) + h.cell;
  if (first > 0 && rows[first].gives_to < 0) ++first;  // nothing comes of it in view
  return first;
}

RowSpan rows_in_view(const WarpLanes& w, const RowHeights& h, float room) {
  const std::vector<LaneRows::LaneRow>& rows = w.held.rows;
  size_t focus = 0;
  if (w.focus >= 0)
    while (rows[focus].made_by != w.focus) ++focus;
  RowSpan out{0, last_that_fits(rows, h, room)};
  if (out.last < focus) out = {first_that_fits(rows, h, room, focus), focus};
  out.last = std::max(out.last, std::min(out.first + 1, rows.size() - 1));
  return out;
}

}  // namespace

LanesLayout lanes_layout(const Theme& t, const ArrayGrid& grid, const WarpLanes& w, float top) {
  const float index_h = t.small() * 1.2f + t.px(4), foot_h = t.label() * 1.3f + t.px(4);
  const float room = grid.bottom - top - index_h - foot_h;
  const RowHeights h{t.px(23, 32), t.px(18, 26), t.px(7)};
  const RowSpan span = rows_in_view(w, h, room);
  LanesLayout out;
  out.first = span.first;
  out.cell_h = h.cell;
  float spare = room - h.cell * float(span.last - span.first + 1);
  for (size_t k = span.first + 1; k <= span.last; ++k) {
    const int made_by = w.held.rows[k].made_by;
    if (made_by < 0)
      spare -= h.apart;
    else if (out.exchanges++ == 0)
      out.first_exchange = made_by;
  }
  // what is left over goes below
  out.gap = std::clamp(spare / float(std::max(1, out.exchanges)), t.px(4), t.px(72));
  float y = top;
  for (size_t k = span.first; k <= span.last; ++k) {
    if (k > span.first) y += h.cell + (w.held.rows[k].made_by >= 0 ? out.gap : h.apart);
    out.row_y.push_back(y);
  }
  out.left = grid.columns.left;
  out.width = grid.width;
  out.pitch = std::min((grid.width - margin(t) - grid.columns.left) / float(w.lanes), t.px(92));
  out.cell_w = out.pitch - t.px(out.pitch >= t.px(44) ? 6 : 2);
  return out;
}

}  // namespace bscope
