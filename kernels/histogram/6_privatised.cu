#include "kernels/histogram/bins.hpp"

// Several private copies of the bins in each block, added up in the end: the fewer threads share a copy, the
// shorter its queues. One copy a warp: only lanes of one warp meet. One copy a lane, for all warps of the
// block: lane l's bin b is word 32 b + l, in bank l, so that two lanes of a warp meet neither in a bin nor in
// a bank, whatever the keys. Wide loads keep enough keys on their way while the atomics are served.
template <bool per_lane, int width>
struct Privatised {
  template <class Key, class Count>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins) const {
    const Index i = t.rank(), n = t.block_size(), me = t.block() * n + i, threads = t.grid_size() * n;
    const int copies = per_lane ? 32 : (n + 31) / 32, mine = per_lane ? t.lane() : t.warp();
    const int of_bin = per_lane ? 32 : 1, of_copy = per_lane ? 1 : bins.size();  // cells from one to the next
    auto local = shared<Count>(t, "local", copies * bins.size());
    t.phase("clear");
    for (int c = i; c < local.size(); c += n) local[c] = 0;
    t.sync();

    t.phase("count");
    auto count = [&](Key key) { atomic_add(local[Count(key) * of_bin + mine * of_copy], 1); };
    auto wide = vectors<width>(keys);
    for (Index k = me; k < wide.size(); k += threads) {
      const Vec<Key, width> v = wide[k];
      for (int e = 0; e < width; ++e) count(v[e]);
    }
    const Index rest = wide.size() * width;
    for (Index k = rest + me; k < keys.size(); k += threads) count(keys[k]);
    t.sync();

    t.phase("add to the grid");
    for (int b = i; b < bins.size(); b += n) {
      Count sum = 0;
#pragma unroll 4
      for (int k = 0; k < copies; ++k) {
        const int copy = (i + k) % copies;  // each lane begins with another: else all would ask one bank
        sum += local[b * of_bin + copy * of_copy];
      }
      if (sum > 0) atomic_add(bins[b], sum);
    }
  }
};

// A short row of keys is spread over threads; a long one is over sooner in few blocks that each take more,
// since all add to the same bins of the grid.
static int width(const Problem& p) {
  if (p.text("width") != "auto") return p["width"];
  return p.n() < 1 << 15 ? 4 : 16;
}
static int grid_of(const Problem& p) { return int(min(ceil_div(p.n(), p.block * width(p)), p["blocks"])); }

static const Register privatised{{
    .name = "histogram/privatised",
    .title = "Privatised",
    .lesson = "a copy of the bins for each warp or each lane: the queues of a warp shorten, or vanish",
    .parameters = {{"copies",
                    {"per-warp", "per-lane"},
                    "per-lane",
                    "Who has a histogram of its own: each warp or each lane."},
                   {"width", {"auto", 1, 4, 16}, "auto", "Bytes a thread loads at once."},
                   {.name = "blocks",
                    .values = {},
                    .initial = 264,
                    .hint = "How many blocks are launched.",
                    .most = 65535},  // 2 for each SM of an H100
                   bins()},
    .presets = {queue_7x20()},
    .full_block = 1024,
    .timed_block = [](const Problem& p) { return p.n() < 1 << 20 ? 512 : 1024; },
    .tile = [](const Problem& p) { return p.block * width(p); },
    .property = always(Property::histogram),
    .expected = serial::histogram,
    .formulas =
        [](const Problem& p) {
          return std::vector<Formula>{{"shared atomics", "n", double(p.n())},
                                      at_most_bins_a_block(p, grid_of(p))};
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          Output bins{Buffer<int>{}};
          choose<1, 4, 16>(width(p), [&](auto width) {
            if (p.text("copies") == "per-lane")
              bins = histogram(gpu, p, Privatised<true, width>{}, grid_of(p));
            else
              bins = histogram(gpu, p, Privatised<false, width>{}, grid_of(p));
          });
          return bins;
        },
}};
