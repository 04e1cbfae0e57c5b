// Any tile scan on any length: scan the tiles, scan their totals the same way, add them back.
#pragma once

#include "engine/simt/kernel.hpp"

// Each block but the first adds what lies before its tile.
template <bool inclusive>
struct AddTotals {
  static constexpr const char* file = __FILE__;

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<const T> totals, int tile) const {
    const int first = t.block() * tile;
    if (inclusive && t.block() == 0) return;
    const T before = totals[t.block() - inclusive];
    for (int k = first + t.rank(); k < first + tile && k < data.size(); k += t.block_size())
      data[k] = before + data[k];
  }
};

template <template <bool inclusive> class Tile, bool inclusive, class T>
Buffer<T> scan_tiles(Gpu& gpu, Tile<inclusive> kernel, Buffer<T> data, int block) {
  const int tile = kernel.tile(block), tiles = ceil_div(data.size(), tile);
  auto totals = gpu.array<T>("totals", tiles);
  gpu.launch("scan tiles", {tiles, block}, kernel, data, totals);
  if (tiles == 1) return data;
  scan_tiles(gpu, kernel, totals, tile == 1 ? 2 * block : block);  // tiles of one would never become fewer
  gpu.launch("add totals", {tiles, block}, AddTotals<inclusive>{}, data, read_only(totals), tile);
  return data;
}

// The program of a tile scan, inclusive or exclusive.
template <template <bool inclusive> class Tile>
Output scan(Gpu& gpu, const Problem& p) {
  return with_element(p, [&](auto first) -> Output {
    auto data = gpu.array("data", p.values<decltype(first)>());
    if (p.text("scan") == "inclusive") return scan_tiles(gpu, Tile<true>{}, data, p.block);
    return scan_tiles(gpu, Tile<false>{}, data, p.block);
  });
}

// A textbook's count for one tile of n elements, summed over all tiles of the run.
template <class Tile>
double over_tiles(const Problem& p, double (*of_tile)(double n)) {
  double sum = 0;
  for (int n = p.n(), block = p.block;;) {
    const int tile = Tile::tile(block), tiles = ceil_div(n, tile);
    sum += tiles * of_tile(tile);
    if (tiles == 1) return sum;
    n = tiles;
    if (tile == 1) block *= 2;
  }
}
