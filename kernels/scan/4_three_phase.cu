#include <cmath>

#include "kernels/tiles.hpp"

// Inclusive scan of one tile of n elements by T threads (Kirk and Hwu, ch. 11, after Merrill's raking): each
// thread scans a section of n/T elements alone; the last elements of the sections are scanned, here by
// Kogge-Stone; each section but the first adds what lies before it. At most (n-1) + T log2 T + (n-T) adds,
// span n/T + log2 T. The loads and stores of global memory are coalesced: thread i takes i, i + T, i + 2T,
// ...
template <bool inclusive>
struct ThreePhase {
  static int tile(int block, int items) { return block * items; }

  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<T> totals, int items) const {
    const Index i = t.rank(), threads = t.block_size(), n = threads * items, base = t.block() * n;
    const int first = i * items, last = first + items - 1;  // of this thread's section
    auto sum = shared<T>(t, "sum", n);
    for (int k = i; k < n; k += threads) {
      T x = identity<T>();
      if (base + k < data.size()) x = data[base + k];
      sum[k] = x;
    }
    t.sync();

    t.phase("each scans its section");
    for (int k = first + 1; k <= last; ++k) sum[k] = sum[k - 1] + sum[k];

    t.phase("scan the last elements");
    for (int stride = 1; stride < threads; stride *= 2) {
      T left = identity<T>();
      t.sync();
      if (i >= stride) left = sum[last - stride * items];
      t.sync();
      if (i >= stride) sum[last] = left + sum[last];
    }
    t.sync();

    t.phase("add what lies before");
    if (i > 0) {
      const T before = sum[first - 1];
      for (int k = first; k < last; ++k) sum[k] = before + sum[k];
    }
    t.sync();

    t.phase("store");
    for (int k = i; k < n; k += threads) {
      T result = identity<T>();
      if (inclusive || k > 0) result = sum[inclusive ? k : k - 1];
      if (base + k < data.size()) data[base + k] = result;
    }
    if (i == 0) totals[t.block()] = sum[n - 1];
  }
};

static const Register three_phase{{
    .name = "scan/three-phase",
    .title = "Three phases",
    .lesson = "each thread scans a section alone: more work for each thread, fewer levels together",
    .parameters =
        {{.name = "items", .values = {}, .initial = 4, .hint = "Elements a thread.", .least = 1, .most = 48},
         scan_kind("inclusive"),
         operators(),
         element_type()},
    .tile = [](const Problem& p) { return ThreePhase<true>::tile(p.block, p["items"]); },
    .property = scan_property,
    .expected = serial::scan,
    .formulas =
        [](const Problem& p) {
          const std::string log = log2_of("T", p.block);
          const int items = p["items"];
          return over_tiles(
              p, [=](int block) { return ThreePhase<true>::tile(block, items); },
              {"(n-1) + T " + log + " + (n-T)",
               [](double n, double t) { return n - 1 + t * steps_of(t) + n - t; }},
              {"n/T + " + log, [](double n, double t) { return n / t + steps_of(t); }}, false);
        },
    .program = [](Gpu& gpu, const Problem& p) { return scan<ThreePhase>(gpu, p, p["items"]); },
}};
