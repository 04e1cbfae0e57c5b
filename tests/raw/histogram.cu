// Plain CUDA on purpose: pointers, lengths and blockIdx. A kernel's name is its functor's in snake_case, by
// which tests/scripts/machine_code_test.py finds it.
#include <algorithm>
#include <cstring>

#include "tests/raw/program.hpp"

namespace bscope::tests {
namespace {

__global__ void __launch_bounds__(1024) serial_histogram(Keys keys, Ints bins) {
  if (threadIdx.x > 0) return;
  for (int k = 0; k < keys.n; ++k) bins.at[__ldg(keys.at + k)]++;
}
__global__ void __launch_bounds__(1024) racy_histogram(Keys keys, Ints bins) {
  const int i = int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
  if (i < keys.n) bins.at[__ldg(keys.at + i)]++;
}
__global__ void __launch_bounds__(1024) global_atomics(Keys keys, Ints bins) {
  const int i = int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
  if (i < keys.n) atomicAdd(bins.at + __ldg(keys.at + i), 1);
}
__global__ void __launch_bounds__(1024) shared_atomics(Keys keys, Ints bins) {
  int* local = reinterpret_cast<int*>(raw_shared);
  const int i = int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
  for (int b = threadIdx.x; b < bins.n; b += int(blockDim.x)) local[b] = 0;
  __syncthreads();
  if (i < keys.n) atomicAdd(local + __ldg(keys.at + i), 1);
  __syncthreads();
  for (int b = threadIdx.x; b < bins.n; b += int(blockDim.x)) {
    const int count = local[b];
    if (count > 0) atomicAdd(bins.at + b, count);
  }
}

__global__ void __launch_bounds__(1024) coarsened(Keys keys, Ints bins, int items, int access) {
  int* local = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x;
  for (int b = i; b < bins.n; b += n) local[b] = 0;
  __syncthreads();
  const int me = int(blockIdx.x) * n + i;
  int k = int(blockIdx.x) * n * items + i, stride = n;
  if (access == 0) {
    k = me * items;
    stride = 1;
  } else if (access == 2) {
    k = me;
    stride = int(gridDim.x) * n;
  }
#pragma unroll 4
  for (int j = 0; j < items && k < keys.n; ++j) {
    atomicAdd(local + __ldg(keys.at + k), 1);
    k += stride;
  }
  __syncthreads();
  for (int b = i; b < bins.n; b += n) {
    const int count = local[b];
    if (count > 0) atomicAdd(bins.at + b, count);
  }
}

template <int width>
struct alignas(width) Bytes {
  unsigned char at[width];
};
template <bool per_lane, int width>
__global__ void __launch_bounds__(1024) privatised(Keys keys, Ints bins) {
  int* local = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, me = int(blockIdx.x) * n + i, threads = int(gridDim.x) * n;
  const int copies = per_lane ? 32 : (n + 31) / 32;
  const int mine = per_lane ? int(threadIdx.x % 32) : int(threadIdx.x / 32);
  const int of_bin = per_lane ? 32 : 1, of_copy = per_lane ? 1 : bins.n;
  for (int c = i; c < copies * bins.n; c += n) local[c] = 0;
  __syncthreads();
  const auto* wide = reinterpret_cast<const Bytes<width>*>(keys.at);
  const int wides = keys.n / width;
  for (int k = me; k < wides; k += threads) {
    Bytes<width> v;
    if constexpr (width == 16) {
      const uint4 bits = __ldg(reinterpret_cast<const uint4*>(wide + k));
      memcpy(&v, &bits, sizeof v);
    } else {
      v = wide[k];
    }
    for (int e = 0; e < width; ++e) atomicAdd(local + (v.at[e] * of_bin + mine * of_copy), 1);
  }
  for (int k = wides * width + me; k < keys.n; k += threads)
    atomicAdd(local + (__ldg(keys.at + k) * of_bin + mine * of_copy), 1);
  __syncthreads();
  for (int b = i; b < bins.n; b += n) {
    int sum = 0;
#pragma unroll 4
    for (int k = 0; k < copies; ++k) {
      const int copy = (i + k) % copies;
      sum += local[b * of_bin + copy * of_copy];
    }
    if (sum > 0) atomicAdd(bins.at + b, sum);
  }
}

template <int loads>
__global__ void __launch_bounds__(1024, 2) per_lane(Keys keys, Ints bins, Ints ticket) {
  const int i = threadIdx.x, n = blockDim.x, lane = int(threadIdx.x % 32);
  int* cells = reinterpret_cast<int*>(raw_shared);
  int* chunk = cells + 32 * bins.n;
  const uint4* sixteens = reinterpret_cast<const uint4*>(keys.at);
  const int count16 = keys.n / 16;
  // The two parts of an address never carry into each other: an "or" joins them.
  auto copy = [&](unsigned key, int lane) {
    return reinterpret_cast<int*>(reinterpret_cast<char*>(cells) + (key * 128u | unsigned(lane) * 4u));
  };
  auto count = [&](const uint4& bits) {
    Bytes<16> v;
    memcpy(&v, &bits, sizeof v);
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(copy(v.at[k], lane), 1);
  };
  if (i == 0) chunk[0] = atomicAdd(ticket.at, 1);
  for (int c = i; c < 32 * bins.n; c += n) cells[c] = 0;
  __syncthreads();
  const int chunks = (count16 + loads * n - 1) / (loads * n);
  for (int k = 1, mine = chunk[0]; mine < chunks; ++k) {
    const int first = mine * loads * n + i;
    if (mine < chunks - 1) {
      uint4 v[loads];
#pragma unroll
      for (int l = 0; l < loads; ++l) v[l] = __ldg(sixteens + (first + l * n));
      if (i == 0) chunk[k % 2] = atomicAdd(ticket.at, 1);
#pragma unroll
      for (int l = 0; l < loads; ++l) count(v[l]);
    } else {
      if (i == 0) chunk[k % 2] = atomicAdd(ticket.at, 1);
      for (int l = first; l < count16; l += n) count(__ldg(sixteens + l));
    }
    __syncthreads();
    mine = chunk[k % 2];
  }
  if (blockIdx.x == 0)
    for (int k = keys.n - 1 - i; k >= 16 * count16; k -= n) atomicAdd(copy(__ldg(keys.at + k), lane), 1);
  __syncthreads();
  for (int b = i; b < bins.n; b += n) {
    int sum = 0;
#pragma unroll 8
    for (int k = 0; k < 32; ++k) sum += *copy(unsigned(b), (lane + k) % 32);
    if (sum > 0) atomicAdd(bins.at + b, sum);
  }
}

/// Keys, bins, one launch.
template <class... A>
void count(RawRun& run, const Problem& p, int grid, int copies, void (*form)(Keys, Ints, A...), A... more) {
  const Keys keys = run.keys(p.values<unsigned char>());
  const Ints bins = run.zeros(p["bins"]);
  const int bytes = copies * bins.n * 4, block = p.block;
  RawRun::allow_shared(form, bytes);
  run.add([=] { form<<<grid, block, bytes>>>(keys, bins, more...); });
  run.output_is(bins);
}
const Twin serial_twin{"histogram/serial",
                       [](RawRun& run, const Problem& p) { count(run, p, 1, 0, serial_histogram); }};
const Twin racy_twin{"histogram/racy", [](RawRun& run, const Problem& p) {
                       count(run, p, tiles_of(p.n(), p.block), 0, racy_histogram);
                     }};
const Twin global_twin{"histogram/global-atomics", [](RawRun& run, const Problem& p) {
                         count(run, p, tiles_of(p.n(), p.block), 0, global_atomics);
                       }};
const Twin shared_twin{"histogram/shared-atomics", [](RawRun& run, const Problem& p) {
                         count(run, p, tiles_of(p.n(), p.block), 1, shared_atomics);
                       }};
const Twin coarsened_twin{
    "histogram/coarsened", [](RawRun& run, const Problem& p) {
      const int items = p["items"];
      const int access = p.text("access") == "contiguous" ? 0 : p.text("access") == "block-strided" ? 1 : 2;
      count(run, p, tiles_of(p.n(), p.block * items), 1, coarsened, items, access);
    }};
const Twin privatised_twin{"histogram/privatised", [](RawRun& run, const Problem& p) {
                             const int width = p.text("width") != "auto" ? p["width"]
                                               : p.n() < 1 << 15         ? 4
                                                                         : 16,
                                       grid = std::min(tiles_of(p.n(), p.block * width), p["blocks"]);
                             choose<1, 4, 16>(width, [&](auto width) {
                               if (p.text("copies") == "per-lane")
                                 count(run, p, grid, 32, privatised<true, width>);
                               else
                                 count(run, p, grid, (p.block + 31) / 32, privatised<false, width>);
                             });
                           }};

const Twin per_lane_twin{"histogram/per-lane", [](RawRun& run, const Problem& p) {
                           const Keys keys = run.keys(p.values<unsigned char>());
                           const Ints bins = run.zeros(p["bins"]), ticket = run.zeros(1);
                           const int block = p.block, chunks = tiles_of(keys.n, 16 * p["loads"] * block);
                           const int grid = std::min(chunks, 2 * multiprocessors()),
                                     bytes = 32 * bins.n * 4 + 8;
                           choose<1, 2, 4>(p["loads"], [&](auto loads) {
                             RawRun::allow_shared(per_lane<loads>, bytes);
                             run.add([=] { per_lane<loads><<<grid, block, bytes>>>(keys, bins, ticket); });
                           });
                           run.output_is(bins);
                         }};

}  // namespace
}  // namespace bscope::tests
