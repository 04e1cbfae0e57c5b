// Which lines of the cache, and which sectors of them, a request for global memory touches.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/analysis/requests.hpp"

namespace bscope {

/// Four sectors make a line of the cache.
inline constexpr int line_bytes = 128, sectors_of_line = line_bytes / sector_bytes;

/// One line of the cache that a request touches.
struct TouchedLine {
  uint32_t line = 0;  ///< address / line_bytes, in the array
  struct Sector {
    std::vector<int> lanes;  ///< who asks for something of it; empty: it need not come
    uint32_t asked = 0;      ///< one bit a byte
  } sectors[sectors_of_line];
};
/// Those of a global request, by address.
std::vector<TouchedLine> touched_lines(const WarpAccess&);
/// Bytes that the lanes ask for, each counted once.
int asked_bytes(const std::vector<TouchedLine>&);

}  // namespace bscope
