#include <cmath>

#include "engine/simt/kernel.hpp"

// As many blocks as keep the device busy, and no more: each thread walks over the input in strides of the
// whole grid, 16 bytes a load and four loads on their way at once. Then the lanes of a warp take from one
// another, and so do the warps' sums; a second launch of one block does the blocks' (an atomic would do for
// int, but not for every type and operator). N adds and n log2 n a block, span N / threads + log2 n.
template <int width>  // elements in 16 bytes
struct GridStride {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sums) const {
    const int i = t.rank(), n = t.block_size(), threads = t.grid_size() * n, first = t.block() * n + i;
    const int warps = (n + 31) / 32;
    auto s = shared<T>(t, "s", warps);
    auto in = vectors<width>(data);
    T mine = identity<T>();
#pragma unroll 4
    for (int k = first; k < in.size(); k += threads) {
      const Vec<T, width> v = in[k];
      for (int e = 0; e < width; ++e) mine += v[e];
    }
    for (int k = in.size() * width + first; k < data.size(); k += threads) mine += data[k];

    t.phase("within warps");
    for (int stride = min(n, 32) / 2; stride > 0; stride /= 2) mine += t.shuffle_xor(mine, stride);
    if (t.lane() == 0) s[t.warp()] = mine;
    t.sync();

    t.phase("across warps");
    if (t.warp() > 0) return;
    mine = identity<T>();
    if (i < warps) mine = s[i];
    for (int stride = warps / 2; stride > 0; stride /= 2) mine += t.shuffle_xor(mine, stride);
    if (i == 0) sums[t.block()] = mine;
  }
};

static int grid_of(const Problem& p) { return std::min(ceil_div(p.n(), 4 * p.block), p["blocks"]); }

// Adds and the longest chain, thread 0's, of one launch on n elements.
static void count(double n, double grid, const Problem& p, Formula& adds, Formula& span) {
  const double width = p.text("type") == "double" ? 2 : 4, threads = grid * p.block,
               lanes = std::min(p.block, 32);
  adds.value += n + grid * (p.block * std::log2(lanes) + lanes * std::log2(p.block / lanes));
  span.value += width * std::ceil(std::floor(n / width) / threads) +
                std::ceil(std::fmod(n, width) / threads) + std::log2(p.block);
}

static const Register grid_stride{{
    .name = "reduce/grid-stride",
    .title = "Grid-stride loop",
    .lesson = "no more blocks than the device holds, each thread with several wide loads on their way",
    .parameters =
        {{.name = "blocks", .values = {}, .initial = 1056, .most = 65535},  // 8 for each SM of an H100
         commutative_operators("a thread takes an element from beyond the whole grid before the one "
                               "that its neighbour holds"),
         element_type()},
    .presets = {{"two-blocks", "67 elements and 8 threads: two trips round the loop, and a tail of 3",
                 [](Problem& p) {
                   p.data.clear();
                   for (int k = 0; k < 67; ++k) p.data.push_back(k % 10);
                   p.block = 4;
                   p.set["blocks"] = "2";
                 }}},
    .power_of_two_block = true,
    .tile = [](const Problem& p) { return 4 * p.block; },
    .promise = always(Promise::reduction),
    .expected = serial::reduction,
    .formulas =
        [](const Problem& p) {
          Formula adds{"adds", "N + blocks (n log2 w + w log2(n/w)), w = min(n, 32)"};
          Formula span{"span", "N/threads + log2 n"};
          const int grid = grid_of(p);
          count(p.n(), grid, p, adds, span);
          if (grid > 1) count(grid, 1, p, adds, span);
          return std::vector{adds, span};
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto zero) -> Output {
            using T = decltype(zero);
            constexpr GridStride<16 / sizeof(T)> kernel;
            auto data = gpu.array("data", p.values<T>()), sums = gpu.array<T>("sums", grid_of(p));
            gpu.launch("reduce", {sums.size(), p.block}, kernel, read_only(data), sums);
            if (sums.size() == 1) return sums;
            auto sum = gpu.array<T>("sum", 1);
            gpu.launch("reduce the sums", {1, p.block}, kernel, read_only(sums), sum);
            return sum;
          });
        },
}};
