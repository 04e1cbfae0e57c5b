#include <cmath>

#include "engine/simt/kernel.hpp"
#include "kernels/formulas.hpp"

// The sum of so many lanes, in each of them.
template <class T>
__device__ T sum_of_lanes(auto& t, T mine, int lanes) {
  for (int stride = lanes / 2; stride > 0; stride /= 2) { mine += t.shuffle_xor(mine, stride); }
  return mine;
}

// A fixed number of blocks, whatever the length: each thread walks over the input in strides of the whole
// grid, 16 bytes a load and four loads on their way at once. Then the lanes of each warp take from one
// another, then the warps. A second launch of one block adds the blocks' sums: an atomic would do for int,
// but not for every type and operator. N adds and n log2 n a block, span N / threads + log2 n.
template <int width>  // elements in 16 bytes
struct GridStride {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sums) const {
    const int i = t.rank(), n = t.block_size(), warps = (n + 31) / 32;
    const Index me = t.block() * n + i, threads = t.grid_size() * n;
    auto s = shared<T>(t, "s", warps);
    auto wide = vectors<width>(data);
    T mine = identity<T>();
#pragma unroll 4
    for (Index k = me; k < wide.size(); k += threads) {
      const Vec<T, width> v = wide[k];
      for (int e = 0; e < width; ++e) mine += v[e];
    }
    const Index rest = wide.size() * width;
    for (Index k = rest + me; k < data.size(); k += threads) mine += data[k];

    t.phase("within warps");
    mine = sum_of_lanes(t, mine, min(n, 32));
    if (t.lane() == 0) s[t.warp()] = mine;
    t.sync();

    t.phase("across warps");
    if (t.warp() > 0) return;
    mine = identity<T>();
    if (i < warps) mine = s[i];
    mine = sum_of_lanes(t, mine, warps);
    if (i == 0) sums[t.block()] = mine;
  }
};

static int grid_of(const Problem& p) { return int(min(ceil_div(p.n(), 4 * p.block), p["blocks"])); }

// Elements that thread 0 takes of n, when each launch has so many threads: it takes most.
static double taken(double n, double threads, const Problem& p) {
  const double width = p.text("type") == "double" ? 2 : 4, rest = std::fmod(n, width);
  return width * std::ceil((n - rest) / width / threads) + std::ceil(rest / threads);
}

static std::vector<Formula> formulas(const Problem& p) {
  const double n = double(p.n()), blocks = grid_of(p), threads = p.block, w = std::min(p.block, 32);
  const double tree = threads * std::log2(w) + w * std::log2(threads / w), e = taken(n, blocks * threads, p);
  const std::string a_tree = "(T log2 w + w log2(T/w))", with = ", w = min(T, 32)";
  if (blocks == 1)
    return {{"adds", "n + " + a_tree + with, n + tree},
            {"span", "e + log2 T, e = " + whole(e) + " elements of thread 0", e + std::log2(threads)}};
  const double of_sums = taken(blocks, threads, p);
  return {{"adds", "n + b + (b+1) " + a_tree + with + ", b = " + whole(blocks) + " blocks",
           n + blocks + (blocks + 1) * tree},
          {"span", "e + 2 log2 T, e = " + whole(e + of_sums) + " elements of thread 0, and sums",
           e + of_sums + 2 * std::log2(threads)}};
}

static const Register grid_stride{{
    .name = "reduce/grid-stride",
    .title = "Grid-stride loop",
    .lesson = "a fixed number of blocks for any length, each thread with several wide loads on their way",
    .parameters = {{.name = "blocks",
                    .values = {},
                    .initial = 4224,
                    .hint = "How many blocks are launched.",
                    .most = 65535},  // 32 an SM of an H100
                   commutative_operators(
                       "a thread takes elements that lie a whole grid apart before those between"),
                   element_type()},
    .presets = {{"two-blocks", "67 ones and 8 threads: two trips round the loop, and a rest of 3",
                 [](Problem& p) {
                   p.data.assign(67, 1);
                   p.block = 4;
                   p.set["blocks"] = "2";
                 }}},
    .full_block = 512,
    .power_of_two_block = true,
    .tile = [](const Problem& p) { return 4 * p.block; },
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .formulas = formulas,
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
