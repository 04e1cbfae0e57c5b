#include <cmath>

#include "engine/simt/kernel.hpp"

// Sum by halves in shared memory, so that the input stays as it was: each thread first adds `unroll`
// elements, then the lower half of the threads adds the upper half's sums. n-1 adds, span unroll - 1 + log2
// block.
template <int unroll>
struct SharedTree {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sums) const {
    const int i = t.rank(), n = t.block_size(), first = t.block() * n * unroll + i;
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

// A sum for each block; then the same again on the sums.
template <class T>
static Buffer<T> reduce(Gpu& gpu, Buffer<T> data, const Problem& p) {
  const int unroll = p["unroll"];
  // One element a block would never become fewer.
  const int block = p.block * unroll == 1 && data.size() > 1 ? 2 : p.block;
  auto sums = gpu.array<T>("sums", ceil_div(data.size(), block * unroll));
  choose<1, 2, 4, 8>(unroll, [&](auto u) {
    gpu.launch("reduce", {sums.size(), block}, SharedTree<u>{}, read_only(data), sums);
  });
  return sums.size() == 1 ? sums : reduce(gpu, sums, p);
}

static const Register shared_tree{{
    .name = "reduce/shared",
    .title = "Shared memory",
    .lesson = "a tree of halves in shared memory: whole warps go idle, no bank conflicts, the input is kept",
    .parameters = {{"unroll", {1, 2, 4, 8}, 1},
                   commutative_operators(
                       "the lower half of the threads takes from the upper half, so that x0 "
                       "meets x8 before x1"),
                   element_type()},
    .power_of_two_block = true,
    .tile = [](const Problem& p) { return p.block * p["unroll"]; },
    .promise = always(Promise::reduction),
    .expected = serial::reduction,
    .formulas =
        [](const Problem& p) {
          const int unroll = p["unroll"], tile = p.block * unroll;
          double adds = 0, span = 0;
          for (int n = p.n(), tiles = 0; tiles != 1; n = tiles) {
            if (tile == 1 && n > 1) return std::vector<Formula>{};  // the sums go in blocks of two
            tiles = ceil_div(n, tile);
            adds += double(tiles) * (tile - 1);
            span += unroll - 1 + std::log2(p.block);
          }
          return std::vector<Formula>{{"adds", "n-1", adds}, {"span", "unroll - 1 + log2 block", span}};
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto first) -> Output {
            return reduce(gpu, gpu.array("data", p.values<decltype(first)>()), p);
          });
        },
}};
