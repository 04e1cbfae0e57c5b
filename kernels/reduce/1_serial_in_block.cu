#include "kernels/reduce/levels.hpp"

// The baseline of every tree: each thread of a block loads one element, then thread 0 adds them up alone,
// from left to right, while the others wait. n-1 adds and span n-1: nothing is done at once but the loads.
struct SerialInBlock {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sums) const {
    const Index i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto s = shared<T>(t, "s", n);
    T mine = identity<T>();
    if (k < data.size()) mine = data[k];
    s[i] = mine;
    t.sync();

    t.phase("serial");
    if (i == 0) {
      T sum = s[0];
      for (int j = 1; j < n; ++j) sum += s[j];
      sums[t.block()] = sum;
    }
  }
};

constexpr bool blocks_are_clocked(SerialInBlock) { return true; }

static const Register serial_in_block{{
    .name = "reduce/serial-in-block",
    .title = "Serial in each block",
    .lesson = "thread 0 adds the block's values alone: a queue of n-1 adds, and all other threads wait",
    .parameters = {operators(), element_type()},
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .formulas =
        [](const Problem& p) {
          const TileCount all_but_one{"n-1", [](double n, double) { return n - 1; }};
          return over_levels(p, 1, all_but_one, all_but_one);
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto first) -> Output {
            return reduce_levels(gpu, SerialInBlock{}, gpu.array("data", p.values<decltype(first)>()),
                                 p.block);
          });
        },
}};
