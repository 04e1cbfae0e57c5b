#include <cmath>

#include "engine/simt/kernel.hpp"

// Sum, sum of squares or sum of cubes by a tree in shared memory. A thread stays active while its low bits,
// told by a mask that grows by one bit a step, are zero: 1 thread in 2, in 4, in 8. n-1 adds, span log2 n.
struct TreeMask {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sum, int power) const {
    const int i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto s = shared<T>(t, "s", n);
    T x = 0;
    if (k < data.size()) x = data[k];
    T y = x;
    for (int p = 1; p < power; ++p) y *= x;
    s[i] = y;

    t.phase("tree");
    int offset = 1, mask = 1;
    while (offset < n) {
      t.sync();
      if ((i & mask) == 0) s[i] += s[i + offset];
      offset += offset;
      mask += offset;
    }

    t.phase("store");
    if (i == 0) atomic_add(sum[0], s[0]);
  }
};

static int power_of(const Problem& p) {
  return p.text("of") == "sum" ? 1 : p.text("of") == "squares" ? 2 : 3;
}

static const Register tree_mask{{
    .name = "reduce/tree-mask",
    .title = "Tree, active by mask",
    .lesson = "which threads stay active by their low bits: ever fewer of each warp",
    .parameters = {{"of", {"sum", "squares", "cubes"}, "sum"},
                   addition_only("its blocks add their sums to one cell by an atomic add"),
                   element_type()},
    .power_of_two_block = true,
    // A proof follows sums of inputs; powers of them are only checked.
    .promise = [](const Problem& p) { return power_of(p) == 1 ? Promise::reduction : Promise::none; },
    .expected = [](const Problem& p) { return serial::sum_of_powers(p, power_of(p)); },
    .formulas =
        [](const Problem& p) {
          const int tiles = ceil_div(p.n(), p.block);
          return std::vector<Formula>{{"adds", "n-1", double(tiles) * (p.block - 1)},
                                      {"span", "log2 n", std::log2(p.block)}};
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_type(p, [&](auto zero) -> Output {
            using T = decltype(zero);
            auto data = gpu.array("data", p.values<T>());
            auto sum = gpu.array<T>("sum", 1);
            gpu.launch("reduce", {ceil_div(data.size(), p.block), p.block}, TreeMask{}, read_only(data), sum,
                       power_of(p));
            return sum;
          });
        },
}};
