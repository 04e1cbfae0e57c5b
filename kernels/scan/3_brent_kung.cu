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
    .property = scan_property,
    .expected = serial::scan,
    .formulas =
        [](const Problem& p) {
          const bool power = std::has_single_bit(unsigned(p.block));
          const auto ones = [](double n) { return std::popcount(unsigned(n)); };
          const TileCount adds{
              power ? "2n - 2 - log2 n" : "2n - 1 - b - floor(log2 n)",
              [=](double n, double) { return 2 * n - 1 - ones(n) - std::floor(std::log2(n)); },
              power ? "" : "b = " + std::to_string(ones(p.block)) + " ones in n's bits"};
          // The root is nobody's left neighbour: the longest chain goes up to its children and down again.
          const std::string log = log2_of("n", p.block);
          auto formulas = over_tiles(p, BrentKung<true>::tile, adds,
                                     {p.block > 1 ? "2 " + log + " - 2" : log,
                                      [](double n, double) { return n > 2 ? 2 * steps_of(n) - 2 : 1; }});
          // Without a power of two the trees have gaps, and their longest paths need not meet.
          if (!power && !formulas[1].text.starts_with("at most ")) formulas[1].text.insert(0, "at most ");
          return formulas;
        },
    .program = [](Gpu& gpu, const Problem& p) { return scan<BrentKung>(gpu, p); },
}};
