// Any tile sum on any length: a sum for each block, then the same on the sums, until one is left.
#pragma once

#include <cmath>

#include "engine/simt/kernel.hpp"

// The blocks of `kernel` take block x items elements each; `rest` does the sums.
template <class T, class Kernel, class Rest = Kernel>
Buffer<T> reduce_levels(Gpu& gpu, Kernel kernel, Buffer<T> data, int block, int items = 1, Rest rest = {}) {
  const int tile = block * items;
  auto sums = gpu.array<T>("sums", ceil_div(data.size(), tile));
  if constexpr (requires { Kernel::in_place; })
    gpu.launch("reduce", {sums.size(), block}, kernel, data, sums);
  else
    gpu.launch("reduce", {sums.size(), block}, kernel, read_only(data), sums);
  if (sums.size() == 1) return sums;
  // Tiles of one element would never become fewer.
  return reduce_levels(gpu, rest, sums, tile == 1 ? 2 * block : block, items);
}

// A textbook's count for one tile, from the number of threads of its block.
struct TileCount {
  const char* text;
  std::function<double(double threads)> of_tile;
};
// The adds of every tile and the span of every level.
inline std::vector<Formula> over_levels(const Problem& p, int items, const TileCount& adds,
                                        const TileCount& span) {
  Formula work{"adds", adds.text, 0}, longest{"span", span.text, 0};
  for (int n = p.n(), block = p.block;;) {
    const int tile = block * items, tiles = ceil_div(n, tile);
    work.value += tiles * adds.of_tile(block);
    longest.value += span.of_tile(block);
    if (tiles == 1) return {work, longest};
    n = tiles;
    if (tile == 1) block *= 2;
  }
}
