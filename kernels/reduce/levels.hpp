// Any tile sum on any length: a sum for each block, then the same on the sums, until one is left.
#pragma once

#include "engine/simt/kernel.hpp"
#include "kernels/formulas.hpp"

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

// The adds of every tile, and the span of every level. Where no tile `pads` what it lacks with identities, or
// a thread takes several elements, a short tile adds less.
inline std::vector<Formula> over_levels(const Problem& p, int items, const TileCount& adds,
                                        const TileCount& span, bool pads = true) {
  std::vector<Tiles> tiles, levels;
  bool exact = true;
  for (int n = int(p.n()), block = p.block;;) {
    const int tile = block * items, of_level = ceil_div(n, tile);
    exact = exact && ((pads && items == 1) || n % tile == 0);
    tiles.push_back({double(of_level), tile, block});
    levels.push_back({1, tile, block});
    if (of_level == 1) break;
    n = of_level;
    if (tile == 1) block *= 2;
  }
  return {summed("adds", adds, tiles, p, exact), summed("span", span, levels, p, exact)};
}
