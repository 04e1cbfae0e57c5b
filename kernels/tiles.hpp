// Any tile scan on any length: scan the tiles, scan their totals the same way, add them back.
#pragma once

#include "engine/simt/kernel.hpp"

// Each block but the first adds what lies before its tile.
template <bool inclusive>
struct AddTotals {
  static constexpr const char* file = __FILE__;

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<const T> totals, int tile) const {
    const Index first = t.block() * tile;
    if (inclusive && t.block() == 0) return;
    const T before = totals[t.block() - inclusive];
    for (Index k = first + t.rank(); k < first + tile && k < data.size(); k += t.block_size())
      data[k] = before + data[k];
  }
};

// Each level has totals of its own: totals, totals 2, totals 3...
inline std::string totals_of(int level) { return level ? "totals " + std::to_string(level + 1) : "totals"; }

// `more` are the tile scan's own arguments, which the size of its tile may depend on.
template <template <bool inclusive> class Tile, bool inclusive, class T, class... More>
void scan_level(Gpu& gpu, Tile<inclusive> kernel, Buffer<T> data, int level, int block, More... more) {
  const Index tile = kernel.tile(block, more...), tiles = ceil_div(data.size(), tile);
  const std::string name = totals_of(level), below = level ? totals_of(level - 1) : "tiles";
  auto totals = gpu.array<T>(name.c_str(), tiles);
  gpu.launch(("scan " + below).c_str(), {tiles, block}, kernel, data, totals, more...);
  if (tiles == 1) return;
  scan_level(gpu, kernel, totals, level + 1, tile == 1 ? 2 * block : block, more...);  // ones never get fewer
  gpu.launch(("add " + name).c_str(), {tiles, block}, AddTotals<inclusive>{}, data, read_only(totals),
             int(tile));
}
template <template <bool inclusive> class Tile, bool inclusive, class T, class... More>
Buffer<T> scan_tiles(Gpu& gpu, Tile<inclusive> kernel, Buffer<T> data, int block, More... more) {
  scan_level(gpu, kernel, data, 0, block, more...);
  return data;
}

// The program of a tile scan, inclusive or exclusive.
template <template <bool inclusive> class Tile, class... More>
Output scan(Gpu& gpu, const Problem& p, More... more) {
  return with_element(p, [&](auto first) -> Output {
    auto data = gpu.array("data", p.values<decltype(first)>());
    if (p.text("scan") == "inclusive") return scan_tiles(gpu, Tile<true>{}, data, p.block, more...);
    return scan_tiles(gpu, Tile<false>{}, data, p.block, more...);
  });
}

// A textbook's count for one tile of n elements, summed over all tiles of the run.
template <class Tile, class Count, class... More>
double over_tiles(const Problem& p, Count of_tile, More... more) {
  double sum = 0;
  for (int n = p.n(), block = p.block;;) {
    const int tile = Tile::tile(block, more...), tiles = ceil_div(n, tile);
    sum += tiles * of_tile(tile);
    if (tiles == 1) return sum;
    n = tiles;
    if (tile == 1) block *= 2;
  }
}
