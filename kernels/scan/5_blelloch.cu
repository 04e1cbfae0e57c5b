#include <cmath>

#include "kernels/tiles.hpp"

// Exclusive scan of one tile of n = 2 x block elements (Blelloch 1990; Harris, GPU Gems 3, ch. 39): an
// up-sweep adds towards the root, the root is cleared, a down-sweep hands what lies before each subtree down
// to it. 2(n-1) adds, span 2 log2 n - 1. The inclusive scan adds each element to what lies before it: n adds
// more.
template <bool inclusive>
struct Blelloch {
  static int tile(int block) { return 2 * block; }

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<T> totals) const {
    const Index i = t.rank(), n = 2 * t.block_size(), base = t.block() * n;
    auto sum = shared<T>(t, "sum", n);
    for (int k = i; k < n; k += n / 2) {
      T x = identity<T>();
      if (base + k < data.size()) x = data[base + k];
      sum[k] = x;
    }

    t.phase("up-sweep");
    for (int stride = 1; stride < n; stride *= 2) {
      t.sync();
      const int right = 2 * stride * (i + 1) - 1;
      if (right < n) sum[right] = sum[right - stride] + sum[right];
    }
    t.sync();  // thread 0 makes the last add, clears and begins again: these two barriers only set the steps
               // apart

    t.phase("clear");
    if (i == 0) {
      totals[t.block()] = sum[n - 1];
      sum[n - 1] = identity<T>();
    }
    t.sync();

    t.phase("down-sweep");
    for (int stride = n / 2; stride > 0; stride /= 2) {
      const int right = 2 * stride * (i + 1) - 1;
      if (right < n) {
        const T left = sum[right - stride];
        sum[right - stride] = sum[right];
        sum[right] += left;
      }
      t.sync();
    }

    t.phase("store");
    for (int k = i; k < n; k += n / 2) {
      if (base + k >= data.size()) break;
      T result = sum[k];
      if (inclusive) result += data[base + k];
      data[base + k] = result;
    }
  }
};

static const Register blelloch{{
    .name = "scan/blelloch",
    .title = "Blelloch",
    .lesson = "a tree up and a tree down: 2(n-1) adds, in twice as many levels",
    .parameters = {scan_kind("exclusive"), operators(), element_type()},
    .power_of_two_block = true,
    .tile = [](const Problem& p) { return Blelloch<false>::tile(p.block); },
    .property = scan_property,
    .expected = serial::scan,
    .formulas = [](const Problem& p) { return blelloch_formulas(p, Blelloch<true>::tile); },
    .program = [](Gpu& gpu, const Problem& p) { return scan<Blelloch>(gpu, p); },
}};
