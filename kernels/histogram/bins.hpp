// What the histogram family shares: its keys, its bins, its preset.
#pragma once

#include "engine/simt/kernel.hpp"
#include "kernels/formulas.hpp"

// 7 blocks of 32 keys: in each, 20 keys fall in bin 5 and 12 in bins of their own, in scattered order.
inline Preset queue_7x20() {
  return {"queue-7x20", "7 blocks of 32 keys, 20 of each in bin 5: the longest queues", [](Problem& p) {
            p.data.clear();
            for (int block = 0; block < 7; ++block)
              for (int i = 0, other = 0; i < 32; ++i) {
                const bool favourite = i * 7 % 32 < 20;
                p.data.push_back(favourite ? 5 : (6 + other) % 16);
                other += !favourite;
              }
            p.block = 32;
            p.set["bins"] = "16";
          }};
}
inline Parameter bins() {
  return {.name = "bins",
          .values = {},
          .initial = 256,
          .hint = "How many counters the histogram has.",
          .least = 1,
          .most = 256};
}

inline Formula at_most_bins_a_block(const Problem& p, double blocks) {
  return {"global atomics", "at most bins x blocks, blocks = " + whole(blocks), p["bins"] * blocks};
}

// The program of a histogram on so many blocks; what is `more` goes to the kernel.
template <class Kernel, class... A>
Output histogram(Gpu& gpu, const Problem& p, Kernel kernel, long long blocks, A... more) {
  auto keys = gpu.array("keys", p.values<uint8_t>());
  auto bins = gpu.zeros<int>("bins", p["bins"]);
  gpu.launch("histogram", {blocks, p.block}, kernel, read_only(keys), bins, more...);
  return bins;
}
// One key a thread.
template <class Kernel>
Output histogram(Gpu& gpu, const Problem& p, Kernel kernel) {
  return histogram(gpu, p, kernel, ceil_div(p.n(), p.block));
}
