#include <cmath>

#include "kernels/tiles.hpp"

// Blelloch's scan without bank conflicts (Harris, GPU Gems 3, 39.2.3): the steps reach cells that lie a power
// of two apart, which are all in one bank. An unused word after each 32 moves them to banks of their own. The
// same 2(n-1) adds and span 2 log2 n - 1 in far fewer wavefronts.
template <bool inclusive>
struct BlellochPadded {
  static int tile(int block) { return 2 * block; }
  __device__ static int at(int k) { return k + k / 32; }  // an unused word after each 32

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<T> totals) const {
    const Index i = t.rank(), n = 2 * t.block_size(), base = t.block() * n;
    auto sum = shared<T>(t, "sum", at(n));
    for (int k = i; k < n; k += n / 2) {
      T x = identity<T>();
      if (base + k < data.size()) x = data[base + k];
      sum[at(k)] = x;
    }

    t.phase("up-sweep");
    for (int stride = 1; stride < n; stride *= 2) {
      t.sync();
      const int right = 2 * stride * (i + 1) - 1;
      if (right < n) sum[at(right)] = sum[at(right - stride)] + sum[at(right)];
    }
    t.sync();  // thread 0 makes the last add, clears and begins again: these two barriers only set the steps
               // apart

    t.phase("clear");
    if (i == 0) {
      totals[t.block()] = sum[at(n - 1)];
      sum[at(n - 1)] = identity<T>();
    }
    t.sync();

    t.phase("down-sweep");
    for (int stride = n / 2; stride > 0; stride /= 2) {
      const int right = 2 * stride * (i + 1) - 1;
      if (right < n) {
        const T left = sum[at(right - stride)];
        sum[at(right - stride)] = sum[at(right)];
        sum[at(right)] += left;
      }
      t.sync();
    }

    t.phase("store");
    for (int k = i; k < n; k += n / 2) {
      if (base + k >= data.size()) break;
      T result = sum[at(k)];
      if (inclusive) result += data[base + k];
      data[base + k] = result;
    }
  }
};

static const Register blelloch_padded{{
    .name = "scan/blelloch-padded",
    .title = "Blelloch, padded",
    .lesson = "the same adds and levels; a word of padding after each 32 ends the bank conflicts",
    .parameters = {scan_kind("exclusive"), operators(), element_type()},
    .power_of_two_block = true,
    .tile = [](const Problem& p) { return BlellochPadded<false>::tile(p.block); },
    .property = scan_property,
    .expected = serial::scan,
    .formulas = [](const Problem& p) { return blelloch_formulas(p, BlellochPadded<true>::tile); },
    .program = [](Gpu& gpu, const Problem& p) { return scan<BlellochPadded>(gpu, p); },
}};
