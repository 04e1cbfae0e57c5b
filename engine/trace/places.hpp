// Threads, blocks and grids in sentences: by number, and by x, y and z where there is more than one
// dimension.
#pragma once

#include <string>

#include "engine/trace/trace.hpp"

namespace bscope {

/// A thread of a block: "37", or "37 (x 5, y 2)".
inline std::string rank_text(const Launch& l, int rank) {
  return std::to_string(rank) + place_in_block(l, rank);
}
/// A block of the grid: "3", or "3 (x 1, y 1)".
inline std::string block_text(const Launch& l, int block) {
  return std::to_string(block) + place_in_grid(l, block);
}
/// How large a grid or block is: "256", or "16 x 16".
std::string size_text(const std::optional<Extent>&, int count);

}  // namespace bscope
