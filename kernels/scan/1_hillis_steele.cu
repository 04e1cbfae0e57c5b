#include <cmath>

#include "kernels/tiles.hpp"

// Inclusive scan of one tile (Hillis and Steele 1986; Harris, GPU Gems 3, ch. 39): each thread adds what lies
// `stride` to its left. Two buffers, swapped each step: nobody writes where another still reads, so that one
// barrier a step is enough. n log2 n - (n-1) adds, span log2 n. The exclusive scan is the same,
// handed on one cell to the right.
template <bool inclusive>
struct HillisSteele {
  static int tile(int block) { return block; }

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<T> totals) const {
    const Index i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto sum = shared<T>(t, "sum", {.rows = 2, .columns = n});
    int from = 0, to = n;
    T mine = identity<T>();
    if (k < data.size()) mine = data[k];
    sum[from + i] = mine;

    t.phase("doubling");
    for (int stride = 1; stride < n; stride *= 2) {
      t.sync();
      mine = sum[from + i];
      if (i >= stride) mine = sum[from + i - stride] + mine;
      sum[to + i] = mine;
      from = to;
      to = n - from;
    }

    t.phase("store");
    if (i == n - 1) totals[t.block()] = sum[from + i];
    if (!inclusive) t.sync();
    T result = identity<T>();
    if (inclusive || i > 0) result = sum[inclusive ? from + i : from + i - 1];
    if (k < data.size()) data[k] = result;
  }
};

static const Register hillis_steele{{
    .name = "scan/hillis-steele",
    .title = "Hillis-Steele",
    .lesson = "two buffers that take turns: one barrier a level, and no thread writes where another reads",
    .parameters = {scan_kind("inclusive"), operators(), element_type()},
    .full_block = 512,
    .property = scan_property,
    .expected = serial::scan,
    .formulas =
        [](const Problem& p) {
          return over_tiles(p, HillisSteele<true>::tile, adds_by_doubling(p.block),
                            {log2_of("n", p.block), [](double n, double) { return steps_of(n); }});
        },
    .program = [](Gpu& gpu, const Problem& p) { return scan<HillisSteele>(gpu, p); },
}};
