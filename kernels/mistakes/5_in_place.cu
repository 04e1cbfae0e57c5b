#include "kernels/tiles.hpp"

// The mistake: the steps of Hillis and Steele (1986) on one buffer. In a step each thread reads its left
// neighbour's sum and overwrites its own, with no barrier between: some neighbours are read after they have
// moved on. Seen in early printed listings of this scan.
template <bool>
struct InPlace {
  static int tile(int block) { return block; }

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<T> totals) const {
    const int i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto sum = shared<T>(t, "sum", n);
    T mine = 0;
    if (k < data.size()) mine = data[k];
    sum[i] = mine;
    t.sync();

    t.phase("doubling");
    for (int stride = 1; stride < n; stride *= 2) {
      if (i >= stride) sum[i] = sum[i - stride] + sum[i];
      t.sync();
    }

    t.phase("store");
    if (k < data.size()) data[k] = sum[i];
    if (i == n - 1) totals[t.block()] = sum[i];
  }
};

static const Register in_place{{
    .name = "mistakes/in-place",
    .title = "In place",
    .lesson = "a scan on one buffer with one barrier a step: sums are read after they have moved on",
    .fix = "A step must read all old sums before it writes a new one: into variables, then a barrier, then "
           "write "
           "(scan/kogge-stone), or from one buffer into another (scan/hillis-steele).",
    .parameters = {element_type()},
    .property = always(Property::inclusive_scan),
    .expected = serial::inclusive_scan,
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_type(p, [&](auto zero) -> Output {
            auto data = gpu.array("data", p.values<decltype(zero)>());
            return scan_tiles(gpu, InPlace<true>{}, data, p.block);
          });
        },
}};
