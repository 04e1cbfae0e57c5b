// Cells of a part, side by side: where each of them stands.
#pragma once

#include <cstddef>
#include <vector>

namespace bscope {

struct Theme;

struct CellRow {
  std::vector<int> cells;  ///< ascending
  float left = 0, pitch = 0, cell_w = 0, room = 0;
  bool roomy = false;      ///< wide enough for values at full size, ghosts and pills
  float gap = 0;           ///< more room where the cells jump, for a mark
  std::vector<int> jumps;  ///< of each column: how often they jumped before it
  float x(size_t column) const {
    return left + pitch * (float(column) + 0.5f) + (column < jumps.size() ? gap * float(jumps[column]) : 0);
  }
  float x_of(int cell) const { return x(column(cell)); }
  bool has(int cell) const;
  float right() const {
    return left + pitch * float(cells.size()) + (jumps.empty() ? 0 : gap * float(jumps.back()));
  }

 private:
  size_t column(int cell) const;
};
/// Ascending cells in columns of that pitch; where they jump, columns become narrower for the mark's room.
CellRow cell_row(const Theme&, std::vector<int> cells, float left, float pitch, bool roomy);

}  // namespace bscope
