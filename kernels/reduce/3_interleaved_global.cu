#include "kernels/reduce/levels.hpp"

// Sum in place in global memory, which destroys the input: each thread first adds `unroll` elements that lie
// a block apart, so that a warp's loads are coalesced and several are on their way at once; then the lower
// half of the threads adds the upper half's sums, and half of it again. n-1 adds, span unroll - 1 + log2
// block.
template <int unroll>
struct InterleavedGlobal {
  static constexpr bool in_place = true;

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<T> sums) const {
    const Index n = t.block_size(), first = t.block() * n * unroll, i = first + t.rank();
    const Index left = data.size() - first;  // elements from this tile on: the last one may be short
    if (unroll > 1 && left >= n * unroll) {
      T mine = data[i];
#pragma unroll
      for (int u = 1; u < unroll; ++u) mine += data[i + u * n];
      data[i] = mine;
    } else {
      for (Index k = i + n; k < first + n * unroll && k < data.size(); k += n) data[i] += data[k];
    }

    t.phase("halves");
    for (int stride = n / 2; stride > 0; stride /= 2) {
      t.sync();
      if (t.rank() < min(stride, left - stride)) data[i] += data[i + stride];
    }

    t.phase("store");
    if (t.rank() == 0) sums[t.block()] = data[i];
  }
};

static const Register interleaved_global{{
    .name = "reduce/interleaved-global",
    .title = "Interleaved global",
    .lesson =
        "several loads a thread, a block apart: coalesced and on their way at once; the input is destroyed",
    .parameters =
        {{"unroll", {1, 2, 4, 8}, 1, "Elements a thread loads one after another before it adds them."},
         commutative_operators("a thread takes from those half a block away, so that x0 meets x8 "
                               "before x1"),
         element_type()},
    .full_block = 1024,
    .power_of_two_block = true,
    .tile = [](const Problem& p) { return p.block * p["unroll"]; },
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .formulas =
        [](const Problem& p) {
          const double unroll = p["unroll"];
          auto formulas =
              over_levels(p, p["unroll"], {"n-1", [](double n, double) { return n - 1; }},
                          {"unroll - 1 + log2 T",
                           [=](double, double threads) { return unroll - 1 + std::log2(threads); }},
                          false);
          // Each add, of whatever level, leaves one element fewer.
          formulas[0] = {"adds", "n-1", double(p.n()) - 1};
          return formulas;
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto zero) -> Output {
            auto data = gpu.array("data", p.values<decltype(zero)>());
            auto sum = data;
            choose<1, 2, 4, 8>(p["unroll"], [&](auto unroll) {
              sum = reduce_levels(gpu, InterleavedGlobal<unroll>{}, data, p.block, unroll);
            });
            return sum;
          });
        },
}};
