#include "app/tabs/watch/array/cell_row.hpp"

#include <algorithm>
#include <utility>

#include "app/draw/theme.hpp"

namespace bscope {

bool CellRow::has(int cell) const { return std::binary_search(cells.begin(), cells.end(), cell); }
size_t CellRow::column(int cell) const {
  return size_t(std::lower_bound(cells.begin(), cells.end(), cell) - cells.begin());
}

CellRow cell_row(const Theme& t, std::vector<int> cells, float left, float pitch, bool roomy) {
  CellRow row;
  row.cells = std::move(cells);
  row.left = left;
  row.pitch = pitch;
  row.roomy = roomy;
  int jumped = 0;
  for (size_t k = 0; k < row.cells.size(); ++k) {
    jumped += k > 0 && row.cells[k] != row.cells[k - 1] + 1;
    row.jumps.push_back(jumped);
  }
  if (jumped) {
    row.gap = t.px(16, 20);
    row.pitch = pitch - row.gap * float(jumped) / float(row.cells.size());
  }
  row.cell_w = row.pitch - t.px(row.roomy ? 6 : 2);
  // values of neighbours keep apart; on a projector just so far that two digits have room at 32 columns
  row.room = row.cell_w - (row.roomy ? t.px(6) : t.px(4, 3));
  return row;
}

}  // namespace bscope
