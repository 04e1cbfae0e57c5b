// Plain CUDA on purpose: pointers, lengths and blockIdx. A kernel's name is its functor's in snake_case, by
// which tests/scripts/machine_code_test.py finds it.
#include <algorithm>
#include <string>

#include "tests/raw/bulk.hpp"
#include "tests/raw/program.hpp"
#include "tests/raw/relaxed.hpp"

namespace bscope::tests {
namespace {

__global__ void __launch_bounds__(1024) serial_in_block(ConstInts data, Ints sums) {
  int* s = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, k = int(blockIdx.x) * n + i;
  int mine = 0;
  if (k < data.n) mine = __ldg(data.at + k);
  s[i] = mine;
  __syncthreads();
  if (i == 0) {
    int sum = s[0];
    for (int j = 1; j < n; ++j) sum += s[j];
    sums.at[int(blockIdx.x)] = sum;
  }
}

template <int power>
__global__ void __launch_bounds__(1024) tree_mask(ConstInts data, Ints sums) {
  int* s = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, k = int(blockIdx.x) * n + i;
  int x = 0;
  if (k < data.n) x = __ldg(data.at + k);
  int y = x;
  if (power >= 2) y *= x;
  if (power == 3) y *= x;
  s[i] = y;
  int offset = 1, mask = 1;
  while (offset < n) {
    __syncthreads();
    if ((i & mask) == 0) s[i] += s[i + offset];
    offset += offset;
    mask += offset;
  }
  if (i == 0) sums.at[int(blockIdx.x)] = s[0];
}

template <int unroll>
__global__ void __launch_bounds__(1024) interleaved_global(Ints data, Ints sums) {
  const int rank = threadIdx.x, n = blockDim.x, first = int(blockIdx.x) * n * unroll, i = first + rank;
  const int left = data.n - first;
  if (unroll > 1 && left >= n * unroll) {
    int mine = data.at[i];
#pragma unroll
    for (int u = 1; u < unroll; ++u) mine += data.at[i + u * n];
    data.at[i] = mine;
  } else {
    for (int k = i + n; k < first + n * unroll && k < data.n; k += n) data.at[i] += data.at[k];
  }
  for (int stride = n / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (rank < min(stride, left - stride)) data.at[i] += data.at[i + stride];
  }
  if (rank == 0) sums.at[int(blockIdx.x)] = data.at[i];
}

template <int unroll>
__global__ void __launch_bounds__(1024) shared_tree(ConstInts data, Ints sums) {
  int* s = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, first = int(blockIdx.x) * n * unroll + i;
  int mine = 0;
  if (first < data.n) mine = __ldg(data.at + first);
#pragma unroll
  for (int u = 1; u < unroll; ++u)
    if (first + u * n < data.n) mine += __ldg(data.at + (first + u * n));
  s[i] = mine;
  for (int stride = n / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (i < stride) s[i] += s[i + stride];
  }
  if (i == 0) sums.at[int(blockIdx.x)] = s[0];
}

__global__ void __launch_bounds__(1024) warp_shuffle(ConstInts data, Ints sums) {
  int* s = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, k = int(blockIdx.x) * n + i;
  int mine = 0;
  if (k < data.n) mine = __ldg(data.at + k);
  s[i] = mine;
  int stride = n / 2;
  for (; stride >= 32; stride /= 2) {
    __syncthreads();
    if (i < stride) s[i] += s[i + stride];
  }
  if (i < 32) {
    mine = s[i];
    for (; stride > 0; stride /= 2) mine += __shfl_xor_sync(~0u, mine, stride);
  }
  if (i == 0) sums.at[int(blockIdx.x)] = mine;
}

__device__ int sum_of_lanes(int mine, int lanes) {
  for (int stride = lanes / 2; stride > 0; stride /= 2) mine += __shfl_xor_sync(~0u, mine, stride);
  return mine;
}
template <int width>
__global__ void __launch_bounds__(1024) grid_stride(ConstInts data, Ints sums) {
  int* s = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, warps = (n + 31) / 32;
  const int me = int(blockIdx.x) * n + i, threads = int(gridDim.x) * n;
  const int4* wide = reinterpret_cast<const int4*>(data.at);
  const int wides = data.n / width;
  int mine = 0;
#pragma unroll 4
  for (int k = me; k < wides; k += threads) {
    const int4 v = __ldg(wide + k);
    mine += v.x;
    mine += v.y;
    mine += v.z;
    mine += v.w;
  }
  for (int k = wides * width + me; k < data.n; k += threads) mine += __ldg(data.at + k);
  mine = sum_of_lanes(mine, min(n, 32));
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x / 32 > 0) return;
  mine = 0;
  if (i < warps) mine = s[i];
  mine = sum_of_lanes(mine, warps);
  if (i == 0) sums.at[int(blockIdx.x)] = mine;
}

/// A sum in the upper half of a word, the number of its parts in the lower one.
__device__ unsigned long long counted(int sum) { return (unsigned long long)(unsigned(sum)) << 32 | 1; }
/// Sum of a block; the block that completes the count stores the answer.
__device__ void finish(int mine, int* of_warp, Ints sum, unsigned long long* so_far) {
  const int i = threadIdx.x, n = blockDim.x;
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x / 32 > 0) return;
  int part = 0;
  if (i < (n + 31) / 32) part = of_warp[i];
  part = __reduce_add_sync(~0u, part);
  if (i > 0) return;
  const unsigned long long of_block = counted(part), all = atomicAdd(so_far, of_block) + of_block;
  if (int(all) < int(gridDim.x)) return;
  sum.at[0] = int(all >> 32);
  atomicExch(so_far, 0ull);
}

template <int items, int stages>
__global__ void __launch_bounds__(1024) bulk_copy_sum(ConstInts data, Ints sum, Words so_far) {
  const int i = threadIdx.x, n = blockDim.x, size = data.n, tile = 4 * items * n;
  int* ring = reinterpret_cast<int*>(raw_shared);
  int* of_warp = ring + stages * tile;
  auto* arrived = reinterpret_cast<unsigned long long*>(of_warp + ((n + 31) / 32 + 3) / 4 * 4);
  if (i == 0)
    for (int k = 0; k < stages; ++k) mbarrier_init(arrived + k);
  auto first = [&](int k) { return (int(blockIdx.x) + k * int(gridDim.x)) * tile; };
  auto cells = [&](int k) { return first(k) >= size ? 0 : min(tile, (size - first(k)) / 4 * 4); };
  auto load = [&](int k) {
    mbarrier_expect(arrived + k % stages, cells(k) * 4);
    if (cells(k)) bulk_load(ring + k % stages * tile, data.at + first(k), cells(k) * 4, arrived + k % stages);
  };
  if (i == 0)
    for (int k = 0; k < stages; ++k) load(k);
  __syncthreads();
  const int4* tiles = reinterpret_cast<const int4*>(ring);
  int mine = 0;
  for (int k = 0; cells(k) > 0; ++k) {
    mbarrier_await(arrived + k % stages, k / stages % 2);
#pragma unroll
    for (int v = i; v < items * n; v += n) {
      if (4 * v >= cells(k)) break;
      const int4 x = tiles[k % stages * items * n + v];
      mine += x.x + x.y + x.z + x.w;
    }
    __syncthreads();
    if (i == 0) load(k + stages);
  }
  if (blockIdx.x == 0)
    for (int k = size - 1 - i; k >= size / 4 * 4; k -= n) mine += __ldg(data.at + k);
  finish(mine, of_warp, sum, so_far.at);
}

template <int loads>
__global__ void __launch_bounds__(1024) one_atomic_sum(ConstInts data, Ints sum, Words so_far) {
  const int i = threadIdx.x, n = blockDim.x, size = data.n, first = int(blockIdx.x) * loads * n + i;
  int* of_warp = reinterpret_cast<int*>(raw_shared);
  const int4* fours = reinterpret_cast<const int4*>(data.at);
  const int count = size / 4;
  int mine = 0;
  auto add = [&](const int4& x) { mine += x.x + x.y + x.z + x.w; };
  if (first + (loads - 1) * n < count) {
    int4 x[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) x[k] = __ldg(fours + (first + k * n));
#pragma unroll
    for (int k = 0; k < loads; ++k) add(x[k]);
  } else {
    for (int k = first; k < count; k += n) add(__ldg(fours + k));
  }
  if (blockIdx.x == 0)
    for (int k = size - 1 - i; k >= size / 4 * 4; k -= n) mine += __ldg(data.at + k);
  finish(mine, of_warp, sum, so_far.at);
}

template <int width, int loads>
__global__ void __launch_bounds__(1024, 2) last_block_sum(ConstInts data, Ints sum, Words parts) {
  const int i = threadIdx.x, n = blockDim.x, block = int(blockIdx.x), first = block * loads * n + i;
  int* of_warp = reinterpret_cast<int*>(raw_shared);
  int mine = 0;
  auto add = [&](int4 x) { mine += x.x, mine += x.y, mine += x.z, mine += x.w; };
  const int4* wide = reinterpret_cast<const int4*>(data.at);
  const int count = data.n / width;
  if (first + (loads - 1) * n < count) {
    int4 x[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) x[k] = __ldg(wide + (first + k * n));
#pragma unroll
    for (int k = 0; k < loads; ++k) add(x[k]);
  } else {
    for (int k = first; k < count; k += n) add(__ldg(wide + k));
  }
  if (block == 0)
    for (int k = data.n - 1 - i; k >= width * count; k -= n) mine += __ldg(data.at + k);
  const bool is_last = block == int(gridDim.x) - 1;
  if (block > 0 && (is_last || block % n == n - 1)) {
    const int k = block / n * n - 1 + i;
    if (k >= 0 && k < block) {
      unsigned long long part;
      while (!(part = load_relaxed(parts.at + k))) {}
      mine += int(part >> 32);
      store_relaxed(parts.at + k, 0);
    }
  }
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x / 32 > 0) return;
  int part = 0;
  if (i < (n + 31) / 32) part = of_warp[i];
  part = __reduce_add_sync(~0u, part);
  if (is_last) {
    if (i == 0) sum.at[0] = part;
    return;
  }
  if (i == 0) store_relaxed(parts.at + block, counted(part));
}

using LayoutNode = void (*)(ConstInts, Ints);
/// A sum for each block, then the same on the sums.
Ints levels(RawRun& run, Ints data, int block, int items, LayoutNode form, LayoutNode rest) {
  const Ints sums = run.array(tiles_of(data.n, block * items));
  run.add([=] { form<<<sums.n, block, block * 4>>>({data.at, data.n}, sums); });
  return sums.n == 1 ? sums : levels(run, sums, block, items, rest, rest);
}
void reduce(RawRun& run, const Problem& p, int items, LayoutNode form, LayoutNode rest) {
  const Ints data = run.ints(p.values<int>());
  run.output_is(levels(run, data, p.block, items, form, rest));
}
template <int unroll>
Ints levels_in_place(RawRun& run, Ints data, int block) {
  const Ints sums = run.array(tiles_of(data.n, block * unroll));
  run.add([=] { interleaved_global<unroll><<<sums.n, block>>>(data, sums); });
  return sums.n == 1 ? sums : levels_in_place<unroll>(run, sums, block);
}

const Twin serial_twin{"reduce/serial-in-block", [](RawRun& run, const Problem& p) {
                         reduce(run, p, 1, serial_in_block, serial_in_block);
                       }};
const Twin tree_mask_twin{"reduce/tree-mask", [](RawRun& run, const Problem& p) {
                            const std::string of = p.text("of");
                            reduce(run, p, 1,
                                   of == "sum"       ? tree_mask<1>
                                   : of == "squares" ? tree_mask<2>
                                                     : tree_mask<3>,
                                   tree_mask<1>);
                          }};
const Twin interleaved_twin{"reduce/interleaved-global", [](RawRun& run, const Problem& p) {
                              const Ints data = run.ints(p.values<int>());
                              run.changes(data);
                              choose<1, 2, 4, 8>(p["unroll"], [&](auto unroll) {
                                run.output_is(levels_in_place<unroll>(run, data, p.block));
                              });
                            }};
const Twin shared_twin{"reduce/shared", [](RawRun& run, const Problem& p) {
                         choose<1, 2, 4, 8>(p["unroll"], [&](auto unroll) {
                           reduce(run, p, unroll, shared_tree<unroll>, shared_tree<unroll>);
                         });
                       }};
const Twin warp_shuffle_twin{"reduce/warp-shuffle", [](RawRun& run, const Problem& p) {
                               reduce(run, p, 1, warp_shuffle, warp_shuffle);
                             }};
const Twin grid_stride_twin{
    "reduce/grid-stride", [](RawRun& run, const Problem& p) {
      const Ints data = run.ints(p.values<int>());
      const Ints sums = run.array(std::min(tiles_of(data.n, 4 * p.block), p["blocks"]));
      const int block = p.block, bytes = (block + 31) / 32 * 4;
      run.add([=] { grid_stride<4><<<sums.n, block, bytes>>>({data.at, data.n}, sums); });
      run.output_is(sums);
      if (sums.n == 1) return;
      const Ints sum = run.array(1);
      run.add([=] { grid_stride<4><<<1, block, bytes>>>({sums.at, sums.n}, sum); });
      run.output_is(sum);
    }};

const Twin bulk_copy_twin{
    "reduce/bulk-copy", [](RawRun& run, const Problem& p) {
      const Ints data = run.ints(p.values<int>()), sum = run.array(1);
      const Words so_far{run.words(1), 1};
      const int block = p.block;
      const int items = p.text("items") != "auto" ? p["items"]
                        : data.n < 1 << 18        ? 1
                        : data.n < 1 << 23        ? 2
                                                  : 4;
      const int grid = std::min(multiprocessors(), tiles_of(data.n, 4 * items * block));
      choose<1, 2, 4>(items, [&](auto items) {
        choose<2, 3>(p["stages"], [&](auto stages) {
          const int bytes = stages * 16 * items * block + ((block + 31) / 32 + 3) / 4 * 16 + stages * 8;
          RawRun::allow_shared(bulk_copy_sum<items, stages>, bytes);
          run.add([=] {
            bulk_copy_sum<items, stages><<<grid, block, bytes>>>({data.at, data.n}, sum, so_far);
          });
        });
      });
      run.output_is(sum);
    }};
const Twin one_atomic_twin{
    "reduce/one-atomic", [](RawRun& run, const Problem& p) {
      const Ints data = run.ints(p.values<int>()), sum = run.array(1);
      const Words so_far{run.words(1), 1};
      const int block = p.block, loads = p.text("loads") != "auto" ? p["loads"] : data.n < 1 << 16 ? 1 : 8;
      choose<1, 2, 4, 8>(loads, [&](auto loads) {
        const int grid = tiles_of(data.n, 4 * loads * block), bytes = (block + 31) / 32 * 4;
        run.add([=] { one_atomic_sum<loads><<<grid, block, bytes>>>({data.at, data.n}, sum, so_far); });
      });
      run.output_is(sum);
    }};
const Twin last_block_twin{
    "reduce/last-block", [](RawRun& run, const Problem& p) {
      const Ints data = run.ints(p.values<int>()), sum = run.array(1);
      const int block = p.block, of_one_block = tiles_of(data.n, 4 * block);
      const int each = block >= 256 && of_one_block <= 4 ? of_one_block : tiles_of(of_one_block, 256);
      choose<1, 2, 4>(
          p.text("loads") != "auto" ? p["loads"]
          : each > 2                ? 4
          : each > 1                ? 2
                                    : 1,
          [&](auto loads) {
            const int grid = tiles_of(data.n, 4 * loads * block), bytes = (block + 31) / 32 * 4;
            const Words parts{run.words(grid), grid};
            run.add([=] { last_block_sum<4, loads><<<grid, block, bytes>>>({data.at, data.n}, sum, parts); });
          });
      run.output_is(sum);
    }};

}  // namespace
}  // namespace bscope::tests
