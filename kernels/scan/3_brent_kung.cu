#include <cmath>

#include "kernels/tiles.hpp"

// Inclusive scan of one tile of n = 2 x block elements (Brent and Kung 1982; Kirk and Hwu, ch. 11): a
// reduction tree adds towards the right, then a distribution tree adds what is complete to the cells half way
// between. 2n - 2 - log2 n adds, span 2 log2 n - 2. The exclusive scan is the same, handed on one cell to the
// right.
template <bool inclusive>
struct BrentKung {
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

    t.phase("reduction tree");
    int stride = 1;
    for (; stride < n; stride *= 2) {
      t.sync();
      const int right = 2 * stride * (i + 1) - 1;
      if (right < n) sum[right] = sum[right - stride] + sum[right];
    }

    t.phase("distribution tree");
    for (stride /= 4; stride > 0; stride /= 2) {
      t.sync();
      const int left = 2 * stride * (i + 1) - 1;
      if (left + stride < n) sum[left + stride] = sum[left] + sum[left + stride];
    }
    t.sync();

    t.phase("store");
    for (int k = i; k < n; k += n / 2) {
      T result = identity<T>();
      if (inclusive || k > 0) result = sum[inclusive ? k : k - 1];
      if (base + k < data.size()) data[base + k] = result;
    }
    if (i == 0) totals[t.block()] = sum[n - 1];
  }
};

static const Register brent_kung{{
    .name = "scan/brent-kung",
    .title = "Brent-Kung",
    .lesson = "a tree of sums, then a tree that fills the gaps: fewest adds, twice the levels",
    .parameters = {scan_kind("inclusive"), operators(), element_type()},
    .tile = [](const Problem& p) { return BrentKung<true>::tile(p.block); },
    .promise = scan_promise,
    .expected = serial::scan,
    .formulas =
        [](const Problem& p) {
          auto adds = [](int n) {  // a cell each 2 stride; then the cells half way between
            double sum = 0;
            for (int stride = 1; stride < n; stride *= 2)
              sum += n / (2 * stride) + (n - stride) / (2 * stride);
            return sum;
          };
          // The root is not on the longest chain: that leaves the reduction tree one level below it.
          const double levels = std::ceil(std::log2(2 * p.block));
          const bool power = (p.block & (p.block - 1)) == 0;
          return std::vector<Formula>{
              {"adds", "2n - 2 - log2 n", over_tiles<BrentKung<true>>(p, adds)},
              levels < 2 ? Formula{"span", "log2 n", levels}
                         : Formula{"span", power ? "2 log2 n - 2" : "at most 2 log2 n - 2", 2 * levels - 2}};
        },
    .program = [](Gpu& gpu, const Problem& p) { return scan<BrentKung>(gpu, p); },
}};
