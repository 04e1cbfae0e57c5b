#include "kernels/histogram/bins.hpp"

// The mistake: each thread takes several keys, a block's width apart, and the loop ends one key too late: <=
// for <. The first key of the next tile is counted by two blocks. One block alone is right. Seen where a
// kernel for one element a thread is given several.
struct OverlappingTiles {
  template <class Key, class Count>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins, int items) const {
    const int tile = items * t.block_size(), first = t.block() * tile, last = first + tile;
    t.phase("count");
    for (int k = first + t.rank(); k <= last && k < keys.size(); k += t.block_size())
      atomic_add(bins[keys[k]], 1);
  }
};

static const Register overlapping_tiles{{
    .name = "mistakes/overlapping-tiles",
    .title = "Overlapping tiles",
    .lesson =
        "several keys a thread, and a loop that ends one too late: the next tile's first key counts twice",
    .fix = "A tile ends before the next one begins: write k < last, not k <= last.",
    .parameters = {bins(), {"items", {1, 2, 4, 8, 16}, 4, "Elements a thread."}},
    .default_n = 224,
    .full_block = 16,
    .tile = [](const Problem& p) { return p.block * p["items"]; },
    .property = always(Property::histogram),
    .expected = serial::histogram,
    .program = [](Gpu& gpu, const Problem& p) -> Output {
      const int items = p["items"];
      auto keys = gpu.array("keys", p.values<uint8_t>());
      auto bins = gpu.array<int>("bins", p["bins"]);
      gpu.launch("histogram", {ceil_div(keys.size(), p.block * items), p.block}, OverlappingTiles{},
                 read_only(keys), bins, items);
      return bins;
    },
}};
