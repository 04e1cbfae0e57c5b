#include "engine/simt/kernel.hpp"

// Scan in a single pass, by decoupled look-back (Merrill and Garland 2016). Each block scans one tile,
// publishes the tile's total, and looks back: it adds up what the tiles before it have published, as it
// comes, until it meets one that has published the sum of everything up to its end. Blocks draw their tiles
// by ticket, so that whoever waits, waits for a block that has started. Every element is read once and
// written once; the work is that of Kogge-Stone in warps, n log2 32, and the span is in the waiting.
template <class T>
__device__ T scan_warp(auto& t, T sum) {
#pragma unroll(if_untraced<T>)
  for (int stride = 1; stride < 32; stride *= 2) {
    const T left = t.shuffle_up(sum, stride);
    if (t.lane() >= stride) sum = left + sum;
  }
  return sum;
}

template <int items>
struct LookBack {
  static constexpr int nothing = 0, total = 1, prefix = 2;  // what a tile has published
  static constexpr int blocks_per_multiprocessor = 2;
  template <class T, class I>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> result, Array<I> ticket,
                             Array<I> published, Array<T> totals, Array<T> prefixes, int shift) const {
    const int n = t.block_size(), warps = (n + 31) / 32, warp = t.warp(), lane = t.lane();
    const int lanes = n - 32 * warp < 32 ? n - 32 * warp : 32, end = lanes - 1;
    auto drawn = shared<I>(t, "tile", 1);
    auto before = shared<T>(t, "before", warps);
    t.phase("draw a tile");
    if (t.rank() == 0) drawn[0] = atomic_add(ticket[0], 1);
    t.sync();

    t.phase("scan the tile");  // a warp takes `items` rows, one after the other
    const Index tile = int(drawn[0]), first = (tile * n + 32 * warp) * items + lane;
    T sum[items], upto = identity<T>();
    t.works_on(tile);
#pragma unroll(if_untraced<T>)
    for (int r = 0; r < items; ++r) {
      sum[r] = identity<T>();
      if (first + r * lanes < data.size()) sum[r] = data[first + r * lanes];
      sum[r] = upto + scan_warp(t, sum[r]);
      upto = t.shuffle(sum[r], end);
    }
    if (lane == end) before[warp] = upto;
    t.sync();

    t.phase("look back");
    if (warp == 0) {
      T own = identity<T>(), left = identity<T>();
      if (lane < warps) own = before[lane];
      own = scan_warp(t, own);
      if (lane == end) totals[tile] = own;
      if (lane == end) store_release(published[tile], total);
      t.has_published(tile);
      for (int last = int(tile) - 1; last >= 0; last -= lanes) {  // a lane for each tile up to the last
        const int k = last - end + lane;
        bool complete = false;
        T theirs = identity<T>();
        t.awaits(last - end, last);
        if (k >= 0) {
          complete = bool(wait_while(published[k], nothing) == prefix);
          theirs = complete ? prefixes[k] : totals[k];
        }
        const uint32_t completes = t.ballot(complete);
        t.goes_on();
        if (completes >> lane > 1) theirs = identity<T>();  // it is in the prefix of a later tile
        left = t.shuffle(scan_warp(t, theirs), end) + left;
        if (completes) break;
      }
      if (lane == end) prefixes[tile] = left + own;
      if (lane == end) store_release(published[tile], prefix);
      t.has_published(tile);
      own = t.shuffle_up(own, 1);
      if (lane < warps) before[lane] = lane > 0 ? left + own : left;
    }
    t.sync();

    t.phase("store");  // an exclusive scan shifts its result by one
    const T carried = before[warp];
    if (shift == 1 && tile + t.rank() == 0) result[0] = identity<T>();
#pragma unroll(if_untraced<T>)
    for (int r = 0; r < items; ++r) {
      const Index k = first + r * lanes + shift;
      if (k < result.size()) result[k] = carried + sum[r];
    }
  }
};

static const Register look_back{{
    .name = "scan/look-back",
    .title = "Decoupled look-back",
    .lesson = "one pass: each element is read once, and blocks look back at what those before have published",
    .parameters =
        {{"items", {4, 16}, 4, "Elements a thread."}, scan_kind("inclusive"), operators(), element_type()},
    .default_n = 96,
    .full_block = 512,
    .levels = 2,
    .tile = [](const Problem& p) { return p.block * p["items"]; },
    .property = scan_property,
    .expected = serial::scan,
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto zero) -> Output {
            using T = decltype(zero);
            const Index n = Index(p.n()), tiles = ceil_div(n, p.block * p["items"]);
            auto data = gpu.array("data", p.values<T>()), result = gpu.array<T>("result", n);
            auto ticket = gpu.zeros<int>("ticket", 1), published = gpu.zeros<int>("published", tiles);
            auto totals = gpu.array<T>("totals", tiles), prefixes = gpu.array<T>("prefixes", tiles);
            const int shift = p.text("scan") == "exclusive";
            choose<4, 16>(p["items"], [&](auto items) {
              gpu.launch("scan", {tiles, p.block}, LookBack<items>{}, read_only(data), result, ticket,
                         published, totals, prefixes, shift);
            });
            return result;
          });
        },
}};
