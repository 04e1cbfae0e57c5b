// Which rows of a warp's registers are in view, and where they stand.
#pragma once

#include <cstddef>
#include <vector>

namespace bscope {

struct ArrayGrid;
struct Theme;
struct WarpLanes;

struct LanesLayout {
  size_t first = 0;           ///< of LaneRows::rows
  std::vector<float> row_y;   ///< of the rows in view, from the first on
  int exchanges = 0;          ///< among them
  int first_exchange = 0;     ///< its number
  float left = 0, pitch = 0;  ///< of the lanes' columns
  float cell_w = 0, cell_h = 0;
  float gap = 0;    ///< between rows, for an exchange's arrows
  float width = 0;  ///< of the picture

  size_t rows() const { return row_y.size(); }
  float x_of(int lane) const { return left + pitch * (float(lane) + 0.5f); }
};
/// As many rows as there is room for: from the first on, or up to what the exchange in focus made. `top`: the
/// y of the first.
LanesLayout lanes_layout(const Theme&, const ArrayGrid&, const WarpLanes&, float top);

}  // namespace bscope
