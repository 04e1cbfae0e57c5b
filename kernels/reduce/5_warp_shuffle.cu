#include "kernels/reduce/levels.hpp"

// Halves in shared memory until one warp is left; its lanes then take from one another by shuffles: no shared
// memory, no barrier in the last five steps (NVIDIA, Faster Parallel Reductions on Kepler, 2014). All lanes
// add in all five, since a lane that waits for its warp saves nothing: in the end each holds the sum.
// n - w + w log2 w adds with w lanes in a warp, span log2 n.
struct WarpShuffle {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sums) const {
    const Index i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto s = shared<T>(t, "s", n);
    T mine = identity<T>();
    if (k < data.size()) mine = data[k];
    s[i] = mine;

    t.phase("halves");
    int stride = n / 2;
    for (; stride >= 32; stride /= 2) {
      t.sync();
      if (i < stride) s[i] += s[i + stride];
    }

    t.phase("shuffles");
    if (i < 32) {
      mine = s[i];
      for (; stride > 0; stride /= 2) {
        const T other = t.shuffle_xor(mine, stride);
        mine += other;
      }
    }
    if (i == 0) sums[t.block()] = mine;
  }
};

static const Register warp_shuffle{{
    .name = "reduce/warp-shuffle",
    .title = "Warp shuffles",
    .lesson = "the last five steps from lane to lane: no barrier, no shared memory",
    .parameters = {commutative_operators(
                       "the lower half of the threads takes from the upper half, so that x0 "
                       "meets x8 before x1"),
                   element_type()},
    .power_of_two_block = true,
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .formulas =
        [](const Problem& p) {
          auto adds = [](double n, double) {
            const double w = std::min(n, 32.);
            return n - w + w * std::log2(w);
          };
          return over_levels(p, 1, {"n - w + w log2 w", adds, "w = min(n, 32)"},
                             {"log2 n", [](double n, double) { return std::log2(n); }});
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto first) -> Output {
            return reduce_levels(gpu, WarpShuffle{}, gpu.array("data", p.values<decltype(first)>()), p.block);
          });
        },
}};
