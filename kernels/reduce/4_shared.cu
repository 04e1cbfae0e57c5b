#include "kernels/reduce/levels.hpp"

// Sum by halves in shared memory, so that the input stays as it was: each thread first adds `unroll`
// elements, then the lower half of the threads adds the upper half's sums. n-1 adds, span unroll - 1 + log2
// block.
template <int unroll>
struct SharedTree {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sums) const {
    const Index i = t.rank(), n = t.block_size(), first = t.block() * n * unroll + i;
    auto s = shared<T>(t, "s", n);
    T mine = identity<T>();
    if (first < data.size()) mine = data[first];
#pragma unroll
    for (int u = 1; u < unroll; ++u)
      if (first + u * n < data.size()) mine += data[first + u * n];
    s[i] = mine;

    t.phase("halves");
    for (int stride = n / 2; stride > 0; stride /= 2) {
      t.sync();
      if (i < stride) s[i] += s[i + stride];
    }

    t.phase("store");
    if (i == 0) sums[t.block()] = s[0];
  }
};

static const Register shared_tree{{
    .name = "reduce/shared",
    .title = "Shared memory",
    .lesson = "a tree of halves in shared memory: whole warps go idle, no bank conflicts, the input is kept",
    .parameters =
        {{"unroll", {1, 2, 4, 8}, 1, "Elements a thread loads one after another before it adds them."},
         commutative_operators("the lower half of the threads takes from the upper half, so that x0 "
                               "meets x8 before x1"),
         element_type()},
    .power_of_two_block = true,
    .tile = [](const Problem& p) { return p.block * p["unroll"]; },
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .formulas =
        [](const Problem& p) {
          const double unroll = p["unroll"];
          return over_levels(p, p["unroll"], {"n-1", [](double n, double) { return n - 1; }},
                             {"unroll - 1 + log2 T",
                              [=](double, double threads) { return unroll - 1 + std::log2(threads); }});
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto first) -> Output {
            auto data = gpu.array("data", p.values<decltype(first)>());
            auto sum = data;
            choose<1, 2, 4, 8>(p["unroll"], [&](auto unroll) {
              sum = reduce_levels(gpu, SharedTree<unroll>{}, data, p.block, unroll);
            });
            return sum;
          });
        },
}};
