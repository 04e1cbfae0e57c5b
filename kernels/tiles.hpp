// Any tile scan on any length: scan the tiles, scan their totals the same way, add them back.
#pragma once

#include "engine/simt/kernel.hpp"
#include "kernels/formulas.hpp"

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

// The adds of every tile of every level and those that add the totals back; the span of every level, and one
// add to come back. Of several levels the span is a bound: the longest chains of two need not meet. `own`:
// each element is added once more.
inline std::vector<Formula> over_tiles(const Problem& p, const std::function<int(int block)>& tile_of,
                                       const TileCount& adds, const TileCount& span, bool exact = true,
                                       bool own = false) {
  std::vector<Tiles> tiles, levels;
  double added = 0;
  for (int n = int(p.n()), block = p.block;;) {
    const int tile = tile_of(block), of_level = ceil_div(n, tile);
    tiles.push_back({double(of_level), tile, block});
    levels.push_back({1, tile, block});
    if (own) added += n;
    if (of_level == 1) break;
    added += p.text("scan") == "inclusive" ? n - tile : n;
    n = of_level;
    if (tile == 1) block *= 2;
  }
  const double up = double(levels.size()) - 1;
  return {summed("adds", adds, tiles, p, exact, added, "added to elements"),
          summed("span", span, levels, p, exact && !up, up, "to add totals back")};
}

// Each of the steps, whose strides double, adds for all threads but the first `stride`.
inline TileCount adds_by_doubling(int block) {
  const bool power = std::has_single_bit(unsigned(block));
  return {power ? "n log2 n - (n-1)" : "n s - 2^s + 1",
          [](double n, double) { return n * steps_of(n) - std::exp2(steps_of(n)) + 1; },
          power ? "" : "s = ceil(log2 n)"};
}

// An up-sweep and a down-sweep; the inclusive scan adds each element to what lies before it.
inline std::vector<Formula> blelloch_formulas(const Problem& p,
                                              const std::function<int(int block)>& tile_of) {
  const bool inclusive = p.text("scan") == "inclusive";
  const TileCount adds{"2(n-1)", [](double n, double) { return 2 * (n - 1); }};
  const TileCount span{inclusive ? "2 log2 n" : "2 log2 n - 1",
                       [=](double n, double) { return 2 * std::log2(n) - 1 + inclusive; }};
  auto formulas = over_tiles(p, tile_of, adds, span, true, inclusive);
  if (!inclusive) return formulas;
  if (tile_of(p.block) == p.n())
    formulas[0].text = "2(n-1) + n";
  else if (!formulas[1].text.starts_with("at most "))  // what a short tile lacks is not added in the end
    formulas[1].text.insert(0, "at most ");
  return formulas;
}
