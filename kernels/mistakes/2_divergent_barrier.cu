#include "kernels/tiles.hpp"

// The mistake: the guard of the tail stands around the whole scan, its barriers too. Threads without an
// element never come to them. Harmless only when every block is full; else undefined in CUDA: some
// GPUs count a thread that has returned as arrived, others wait for it for ever. The step itself is right
// (Hillis and Steele 1986, two buffers). Seen in published listings of this scan.
template <bool>
struct DivergentBarrier {
  static int tile(int block) { return block; }

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<T> totals) const {
    const int i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto sum = shared<T>(t, "sum", {.rows = 2, .columns = n});
    int to = 0;
    if (k < data.size()) {
      sum[i] = data[k];
      t.sync();

      t.phase("doubling");
      for (int stride = 1; stride < n; stride *= 2) {
        const int from = to;
        to = n - to;
        T mine = sum[from + i];
        if (i >= stride) mine = sum[from + i - stride] + mine;
        sum[to + i] = mine;
        t.sync();
      }

      t.phase("store");
      data[k] = sum[to + i];
      if (i == n - 1 || k == data.size() - 1) totals[t.block()] = sum[to + i];
    }
  }
};

static const Register divergent_barrier{{
    .name = "mistakes/divergent-barrier",
    .title = "Divergent barrier",
    .lesson = "barriers inside the guard of the tail: threads without an element never come to them",
    .fix =
        "Every thread of a block must pass every barrier, whether it has an element or not: guard the loads "
        "and "
        "the stores only, as scan/kogge-stone does. A run in which all blocks are full shows nothing.",
    .parameters = {element_type()},
    .default_n = 13,
    .property = always(Property::inclusive_scan),
    .expected = serial::inclusive_scan,
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_type(p, [&](auto zero) -> Output {
            auto data = gpu.array("data", p.values<decltype(zero)>());
            return scan_tiles(gpu, DivergentBarrier<true>{}, data, p.block);
          });
        },
}};
