// The order in which shapes may be drawn so that those of a kind come together: a change of kind costs the
// renderer more than many shapes of one kind do.
#pragma once

#include <span>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

/// Ranks shapes as they come. Drawn by rank, and shapes of one rank as they came, shapes that overlap keep
/// their order, and all of one rank are of one kind.
class Layers {
 public:
  /// Begins with shapes in this area. What lies outside of it is ranked, too.
  void begin(Box area, int kinds);
  /// The rank of the next shape, which lies within these boxes: rank % kinds is its kind.
  int rank(std::span<const Box>, int kind);
  int rank(const Box& b, int kind) { return rank({&b, 1}, kind); }

 private:
  struct Seen {
    Box box;
    int rank, before;  ///< of the same tile; -1: none
  };
  struct Tile {
    int last = -1, most = -1;
  };
  struct GridRange {
    int from_x, to_x, from_y, to_y;
  };
  GridRange tiles(const Box&) const;

  Point origin_;
  int kinds_ = 1, columns_ = 1, rows_ = 1;
  std::vector<Tile> tiles_ = std::vector<Tile>(1);
  std::vector<Seen> seen_;
};

}  // namespace bscope
