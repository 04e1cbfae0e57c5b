// The Memory tab: which sectors of global memory a warp's request touches, and how much comes for nothing.
#pragma once

#include <vector>

#include "app/parts/requests.hpp"

namespace bscope {

/// A sector is what comes from global memory at least; four make a line of the cache.
inline constexpr int sector_bytes = 32, line_bytes = 128, sectors_of_line = line_bytes / sector_bytes;

/// One line of the cache that a request touches.
struct TouchedLine {
  uint32_t line = 0;  ///< address / line_bytes, in the array
  struct Sector {
    std::vector<int> lanes;  ///< who asks for something of it; empty: it need not come
    uint32_t asked = 0;      ///< one bit a byte
  } sectors[sectors_of_line];
};
/// Those of a global request, by address.
std::vector<TouchedLine> touched_lines(const WarpRequest&);

/// Hits: see requests.hpp; beside them `sector K`, by its number in the array.
Picture memory_view(const RequestScene&, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
