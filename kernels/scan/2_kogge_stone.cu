#include <cmath>

#include "kernels/tiles.hpp"

// Inclusive scan of one tile (Kogge and Stone 1973), one buffer, two barriers a step: each thread adds what
// lies `stride` to its left. n log2 n - (n-1) adds, span log2 n. The exclusive scan is the same, handed on
// one cell to the right.
template <bool inclusive>
struct KoggeStone {
  static int tile(int block) { return block; }

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<T> totals) const {
    const Index i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto sum = shared<T>(t, "sum", n);
    T mine = identity<T>();
    if (k < data.size()) mine = data[k];
    sum[i] = mine;

    t.phase("doubling");
    for (int stride = 1; stride < n; stride *= 2) {
      T left = identity<T>();
      t.sync();
      if (i >= stride) left = sum[i - stride];
      t.sync();
      if (i >= stride) sum[i] = left + sum[i];
    }

    t.phase("store");
    if (!inclusive) t.sync();
    if (k < data.size()) {
      T result = identity<T>();
      if (inclusive || i > 0) result = sum[inclusive ? i : i - 1];
      data[k] = result;
    }
    if (i == n - 1) totals[t.block()] = sum[i];
  }
};

static const Register kogge_stone{{
    .name = "scan/kogge-stone",
    .title = "Kogge-Stone",
    .lesson = "most adds, fewest levels: each level doubles the reach of every thread",
    .parameters = {scan_kind("inclusive"), operators(), element_type()},
    .property = scan_property,
    .expected = serial::scan,
    .formulas =
        [](const Problem& p) {
          return over_tiles(p, KoggeStone<true>::tile, adds_by_doubling(p.block),
                            {log2_of("n", p.block), [](double n, double) { return steps_of(n); }});
        },
    .program = [](Gpu& gpu, const Problem& p) { return scan<KoggeStone>(gpu, p); },
}};
