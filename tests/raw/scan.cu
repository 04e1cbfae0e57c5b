// Plain CUDA on purpose: pointers, lengths and blockIdx. A kernel's name is its functor's in snake_case, by
// which tests/scripts/machine_code_test.py finds it.
#include <algorithm>

#include "tests/raw/bulk.hpp"
#include "tests/raw/program.hpp"
#include "tests/raw/relaxed.hpp"

namespace bscope::tests {
namespace {

template <bool inclusive>
__global__ void __launch_bounds__(1024) hillis_steele(Ints data, Ints totals) {
  int* sum = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, k = int(blockIdx.x) * n + i;
  int from = 0, to = n;
  int mine = 0;
  if (k < data.n) mine = data.at[k];
  sum[from + i] = mine;
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    mine = sum[from + i];
    if (i >= stride) mine = sum[from + i - stride] + mine;
    sum[to + i] = mine;
    from = to;
    to = n - from;
  }
  if (i == n - 1) totals.at[int(blockIdx.x)] = sum[from + i];
  if (!inclusive) __syncthreads();
  int result = 0;
  if (inclusive || i > 0) result = sum[inclusive ? from + i : from + i - 1];
  if (k < data.n) data.at[k] = result;
}

template <bool inclusive>
__global__ void __launch_bounds__(1024) kogge_stone(Ints data, Ints totals) {
  int* sum = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, k = int(blockIdx.x) * n + i;
  int mine = 0;
  if (k < data.n) mine = data.at[k];
  sum[i] = mine;
  for (int stride = 1; stride < n; stride *= 2) {
    int left = 0;
    __syncthreads();
    if (i >= stride) left = sum[i - stride];
    __syncthreads();
    if (i >= stride) sum[i] = left + sum[i];
  }
  if (!inclusive) __syncthreads();
  if (k < data.n) {
    int result = 0;
    if (inclusive || i > 0) result = sum[inclusive ? i : i - 1];
    data.at[k] = result;
  }
  if (i == n - 1) totals.at[int(blockIdx.x)] = sum[i];
}

template <bool inclusive>
__global__ void __launch_bounds__(1024) brent_kung(Ints data, Ints totals) {
  int* sum = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = 2 * int(blockDim.x), base = int(blockIdx.x) * n;
  for (int k = i; k < n; k += n / 2) {
    int x = 0;
    if (base + k < data.n) x = data.at[base + k];
    sum[k] = x;
  }
  int stride = 1;
  for (; stride < n; stride *= 2) {
    __syncthreads();
    const int right = 2 * stride * (i + 1) - 1;
    if (right < n) sum[right] = sum[right - stride] + sum[right];
  }
  for (stride /= 4; stride > 0; stride /= 2) {
    __syncthreads();
    const int left = 2 * stride * (i + 1) - 1;
    if (left + stride < n) sum[left + stride] = sum[left] + sum[left + stride];
  }
  __syncthreads();
  for (int k = i; k < n; k += n / 2) {
    int result = 0;
    if (inclusive || k > 0) result = sum[inclusive ? k : k - 1];
    if (base + k < data.n) data.at[base + k] = result;
  }
  if (i == 0) totals.at[int(blockIdx.x)] = sum[n - 1];
}

template <bool inclusive>
__global__ void __launch_bounds__(1024) three_phase(Ints data, Ints totals, int items) {
  int* sum = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, threads = blockDim.x, n = threads * items, base = int(blockIdx.x) * n;
  const int first = i * items, last = first + items - 1;
  for (int k = i; k < n; k += threads) {
    int x = 0;
    if (base + k < data.n) x = data.at[base + k];
    sum[k] = x;
  }
  __syncthreads();
  for (int k = first + 1; k <= last; ++k) sum[k] = sum[k - 1] + sum[k];
  for (int stride = 1; stride < threads; stride *= 2) {
    int left = 0;
    __syncthreads();
    if (i >= stride) left = sum[last - stride * items];
    __syncthreads();
    if (i >= stride) sum[last] = left + sum[last];
  }
  __syncthreads();
  if (i > 0) {
    const int before = sum[first - 1];
    for (int k = first; k < last; ++k) sum[k] = before + sum[k];
  }
  __syncthreads();
  for (int k = i; k < n; k += threads) {
    int result = 0;
    if (inclusive || k > 0) result = sum[inclusive ? k : k - 1];
    if (base + k < data.n) data.at[base + k] = result;
  }
  if (i == 0) totals.at[int(blockIdx.x)] = sum[n - 1];
}

template <bool inclusive>
__global__ void __launch_bounds__(1024) blelloch(Ints data, Ints totals) {
  int* sum = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = 2 * int(blockDim.x), base = int(blockIdx.x) * n;
  for (int k = i; k < n; k += n / 2) {
    int x = 0;
    if (base + k < data.n) x = data.at[base + k];
    sum[k] = x;
  }
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    const int right = 2 * stride * (i + 1) - 1;
    if (right < n) sum[right] = sum[right - stride] + sum[right];
  }
  __syncthreads();
  if (i == 0) {
    totals.at[int(blockIdx.x)] = sum[n - 1];
    sum[n - 1] = 0;
  }
  __syncthreads();
  for (int stride = n / 2; stride > 0; stride /= 2) {
    const int right = 2 * stride * (i + 1) - 1;
    if (right < n) {
      const int left = sum[right - stride];
      sum[right - stride] = sum[right];
      sum[right] += left;
    }
    __syncthreads();
  }
  for (int k = i; k < n; k += n / 2) {
    if (base + k >= data.n) break;
    int result = sum[k];
    if (inclusive) result += data.at[base + k];
    data.at[base + k] = result;
  }
}

__device__ __forceinline__ int padded(int k) { return k + k / 32; }
template <bool inclusive>
__global__ void __launch_bounds__(1024) blelloch_padded(Ints data, Ints totals) {
  int* sum = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = 2 * int(blockDim.x), base = int(blockIdx.x) * n;
  for (int k = i; k < n; k += n / 2) {
    int x = 0;
    if (base + k < data.n) x = data.at[base + k];
    sum[padded(k)] = x;
  }
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    const int right = 2 * stride * (i + 1) - 1;
    if (right < n) sum[padded(right)] = sum[padded(right - stride)] + sum[padded(right)];
  }
  __syncthreads();
  if (i == 0) {
    totals.at[int(blockIdx.x)] = sum[padded(n - 1)];
    sum[padded(n - 1)] = 0;
  }
  __syncthreads();
  for (int stride = n / 2; stride > 0; stride /= 2) {
    const int right = 2 * stride * (i + 1) - 1;
    if (right < n) {
      const int left = sum[padded(right - stride)];
      sum[padded(right - stride)] = sum[padded(right)];
      sum[padded(right)] += left;
    }
    __syncthreads();
  }
  for (int k = i; k < n; k += n / 2) {
    if (base + k >= data.n) break;
    int result = sum[padded(k)];
    if (inclusive) result += data.at[base + k];
    data.at[base + k] = result;
  }
}

template <bool inclusive>
__global__ void __launch_bounds__(1024) add_totals(Ints data, ConstInts totals, int tile) {
  const int first = int(blockIdx.x) * tile;
  if (inclusive && blockIdx.x == 0) return;
  const int before = __ldg(totals.at + int(blockIdx.x) - inclusive);
  for (int k = first + int(threadIdx.x); k < first + tile && k < data.n; k += int(blockDim.x))
    data.at[k] = before + data.at[k];
}

__device__ int scan_warp(int sum) {
#pragma unroll
  for (int stride = 1; stride < 32; stride *= 2) {
    const int left = __shfl_up_sync(~0u, sum, stride);
    if (int(threadIdx.x % 32) >= stride) sum = left + sum;
  }
  return sum;
}
__device__ int load_acquire(int* at) {
  int v;
  __nv_atomic_load(at, &v, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  return v;
}
__device__ void store_release(int* at, int v) {
  __nv_atomic_store(at, &v, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
template <int items>
__global__ void __launch_bounds__(1024) look_back(ConstInts data, Ints result, Ints ticket, Ints published,
                                                  Ints totals, Ints prefixes, int shift) {
  constexpr int nothing = 0, total = 1, prefix = 2;
  const int n = blockDim.x, warps = (n + 31) / 32, warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
  const int lanes = n - 32 * warp < 32 ? n - 32 * warp : 32, end = lanes - 1;
  int* drawn = reinterpret_cast<int*>(raw_shared);
  int* before = drawn + 4;  // on 16 bytes
  if (threadIdx.x == 0) drawn[0] = atomicAdd(ticket.at, 1);
  __syncthreads();
  const int tile = drawn[0], first = (tile * n + 32 * warp) * items + lane;
  int sum[items], upto = 0;
#pragma unroll
  for (int r = 0; r < items; ++r) {
    sum[r] = 0;
    if (first + r * lanes < data.n) sum[r] = __ldg(data.at + (first + r * lanes));
    sum[r] = upto + scan_warp(sum[r]);
    upto = __shfl_sync(~0u, sum[r], end);
  }
  if (lane == end) before[warp] = upto;
  __syncthreads();
  if (warp == 0) {
    int own = 0, left = 0;
    if (lane < warps) own = before[lane];
    own = scan_warp(own);
    if (lane == end) totals.at[tile] = own;
    if (lane == end) store_release(published.at + tile, total);
    for (int last = tile - 1; last >= 0; last -= lanes) {
      const int k = last - end + lane;
      bool complete = false;
      int theirs = 0;
      if (k >= 0) {
        int state;
        while ((state = load_acquire(published.at + k)) == nothing) {}
        complete = state == prefix;
        theirs = complete ? prefixes.at[k] : totals.at[k];
      }
      const unsigned completes = __ballot_sync(~0u, complete);
      if (completes >> lane > 1) theirs = 0;
      left = __shfl_sync(~0u, scan_warp(theirs), end) + left;
      if (completes) break;
    }
    if (lane == end) prefixes.at[tile] = left + own;
    if (lane == end) store_release(published.at + tile, prefix);
    own = __shfl_up_sync(~0u, own, 1);
    if (lane < warps) before[lane] = lane > 0 ? left + own : left;
  }
  __syncthreads();
  const int carried = before[warp];
  if (shift == 1 && tile + int(threadIdx.x) == 0) result.at[0] = 0;
#pragma unroll
  for (int r = 0; r < items; ++r) {
    const int k = first + r * lanes + shift;
    if (k < result.n) result.at[k] = carried + sum[r];
  }
}

template <int width, int items, int stages>
__global__ void __launch_bounds__(1024)
    look_ahead(ConstInts data, Ints result, Words totals, Ints state, int piece, bool inclusive) {
  const int i = threadIdx.x, n = blockDim.x, lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
  const int lanes = min(32, n - 32 * warp);
  const int warps = (n + 31) / 32, grid = gridDim.x;
  const int size = data.n, tile = width * items * n, tiles = (size + tile - 1) / tile;
  const int whole = size / width * width;
  int* ring = reinterpret_cast<int*>(raw_shared);
  int* of_warp = ring + stages * tile;
  int* seen = of_warp + (2 * warps + 3) / 4 * 4;
  int* tile_at = seen + (warps + 3) / 4 * 4;
  int* half = tile_at + 4;
  auto* arrived = reinterpret_cast<unsigned long long*>(half + 4);
  if (i == 0)
    for (int k = 0; k < stages; ++k) mbarrier_init(arrived + k);
  auto cells = [&](int number) { return number < tiles ? min(tile, whole - number * tile) : 0; };
  auto load = [&](int k, int number) {
    tile_at[k % stages] = number;
    mbarrier_expect(arrived + k % stages, cells(number) * 4);
    for (int c = 0; c < cells(number); c += piece) {
      const int length = min(piece, cells(number) - c);
      if (length)
        bulk_load(ring + (k % stages * tile + c), data.at + (number * tile + c), length * 4,
                  arrived + k % stages);
    }
  };
  if (i == 0) {
    for (int k = 0; k < stages; ++k) load(k, int(blockIdx.x) + k * grid);
    half[0] = load_acquire(state.at + 1) * tiles;
  }
  __syncthreads();
  const int now = half[0];
  int4* vectors = reinterpret_cast<int4*>(ring);
  auto vector = [&](int k, int v) { return (k % stages * n + i) * items + v; };
  int before = 0, mine, next, last = 0, drawn = 0, ahead = 0;
  auto there = [&](int number, int v) { return number * tile + width * (i * items + v) < size; };
  auto publish_step = [&](int k) {
    int sum = 0;
    mbarrier_await(arrived + k % stages, k / stages % 2);
    next = tile_at[k % stages];
    if (next >= tiles) return sum;
    if (next == tiles - 1 && whole < size && i == cells(next) / (width * items))
      for (int r = 0; r < width; ++r) {
        int x = 0;
        if (whole + r < size) x = __ldg(data.at + (whole + r));
        ring[k % stages * tile + cells(next) + r] = x;
      }
#pragma unroll
    for (int v = 0; v < items; ++v)
      if (there(next, v)) {
        const int4 x = vectors[vector(k, v)];
        sum += x.x + x.y + x.z + x.w;
      }
    int upto = sum;
#pragma unroll
    for (int stride = 1; stride < 32; stride *= 2) {
      const int left = __shfl_up_sync(~0u, upto, stride);
      if (lane >= stride) upto = left + upto;
    }
    if (lane == 31) of_warp[k % 2 * warps + warp] = upto;
    __syncthreads();
    int left = 0;
    if (lane < warp) left = of_warp[k % 2 * warps + lane];
#pragma unroll 1
    for (int w = lane + lanes; w < warp; w += lanes) left += of_warp[k % 2 * warps + w];
    left = __reduce_add_sync(~0u, left);
    if (i == n - 1) {
      store_relaxed(totals.at + (now + next), (unsigned long long)(unsigned(left + upto)) << 32 | 1);
      totals.at[tiles - now + next] = 0;
    }
    const int below = __shfl_up_sync(~0u, upto, 1);
    if (lane > 0) left += below;
    return left;
  };
  int in_tile = publish_step(0);
  mine = next;
  for (int k = 0; mine < tiles; ++k) {
    const int in_next = publish_step(k + 1);
    if (i == 0) drawn = atomicAdd(state.at, 1);
    const int look = min(warps, (mine - last + 31) / 32);
    if (warp < look) {
      int since = 0;
      for (int j = last + i; j < mine; j += n) {
        unsigned long long total;
        while (!unsigned(total = load_relaxed(totals.at + (now + j)))) {}
        since += int(total >> 32);
      }
      since = __reduce_add_sync(~0u, since);
      if (lane == 0) seen[warp] = since;
    }
    __syncthreads();
#pragma unroll
    for (int w = 0; w < 8; ++w)
      if (w < look) before += seen[w];
    for (int w = 8; w < look; ++w) before += seen[w];
    auto scan_own = [&](auto kind) {
      constexpr bool with_own = decltype(kind)::value;
      int sum = before + in_tile;
#pragma unroll
      for (int v = 0; v < items; ++v)
        if (there(mine, v)) {
          int4 x = vectors[vector(k, v)];
          int* const c = &x.x;
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            const int upto = sum + c[e];
            c[e] = with_own ? upto : sum;
            sum = upto;
          }
          vectors[vector(k, v)] = x;
        }
    };
    if (inclusive)
      scan_own(std::true_type{});
    else
      scan_own(std::false_type{});
    fence_async();
    __syncthreads();
    if (mine == tiles - 1)
      for (int r = whole + i; r < size; r += n) result.at[r] = ring[k % stages * tile + r - mine * tile];
    if (i == 0) {
      bulk_store(result.at + mine * tile, ring + k % stages * tile, cells(mine) * 4);
      await_all_but_one_read();
      if (k > 0) load(k - 1 + stages, ahead + stages * grid);
      ahead = drawn;
    }
    in_tile = in_next;
    last = mine;
    mine = next;
  }
  if (i > 0) return;
  await_all_read();
  if (drawn < tiles - 1) return;
  atomicExch(state.at, 0);
  atomicExch(state.at + 1, now ? 0 : 1);
}

/// Scans tiles, then their totals the same way, then adds these. `more` goes to the kernel.
template <bool inclusive, class... A>
void scan_tiles(RawRun& run, void (*form)(Ints, Ints, A...), Ints data, int tile, int block, int bytes,
                A... more) {
  const int tiles = tiles_of(data.n, tile);
  const Ints totals = run.array(tiles);
  RawRun::allow_shared(form, bytes);
  run.add([=] { form<<<tiles, block, bytes>>>(data, totals, more...); });
  if (tiles == 1) return;
  scan_tiles<inclusive>(run, form, totals, tile, block, bytes, more...);
  run.add([=] { add_totals<inclusive><<<tiles, block>>>(data, {totals.at, totals.n}, tile); });
}
/// The program of a tile scan of `tile` elements, `cells` of them in shared memory; its two forms are
/// inclusive and exclusive.
template <class... A>
void scan(RawRun& run, const Problem& p, int tile, int cells, void (*inclusive)(Ints, Ints, A...),
          void (*exclusive)(Ints, Ints, A...), A... more) {
  const Ints data = run.ints(p.values<int>());
  run.output_is(data);
  run.changes(data);
  if (p.text("scan") == "inclusive")
    scan_tiles<true>(run, inclusive, data, tile, p.block, cells * 4, more...);
  else
    scan_tiles<false>(run, exclusive, data, tile, p.block, cells * 4, more...);
}

void by_hillis_steele(RawRun& run, const Problem& p) {
  scan(run, p, p.block, 2 * p.block, hillis_steele<true>, hillis_steele<false>);
}
void by_kogge_stone(RawRun& run, const Problem& p) {
  scan(run, p, p.block, p.block, kogge_stone<true>, kogge_stone<false>);
}
void by_brent_kung(RawRun& run, const Problem& p) {
  scan(run, p, 2 * p.block, 2 * p.block, brent_kung<true>, brent_kung<false>);
}
void by_three_phase(RawRun& run, const Problem& p) {
  const int items = p.set.contains("items") ? p["items"] : 4, tile = p.block * items;
  scan(run, p, tile, tile, three_phase<true>, three_phase<false>, items);
}
void by_blelloch(RawRun& run, const Problem& p) {
  scan(run, p, 2 * p.block, 2 * p.block, blelloch<true>, blelloch<false>);
}
void by_blelloch_padded(RawRun& run, const Problem& p) {
  scan(run, p, 2 * p.block, 2 * p.block + 2 * p.block / 32, blelloch_padded<true>, blelloch_padded<false>);
}
const Twin hillis_steele_twin{"scan/hillis-steele", by_hillis_steele};
const Twin kogge_stone_twin{"scan/kogge-stone", by_kogge_stone};
const Twin brent_kung_twin{"scan/brent-kung", by_brent_kung};
const Twin three_phase_twin{"scan/three-phase", by_three_phase};
const Twin blelloch_twin{"scan/blelloch", by_blelloch};
const Twin blelloch_padded_twin{"scan/blelloch-padded", by_blelloch_padded};
const Twin hierarchical_twin{"scan/hierarchical", [](RawRun& run, const Problem& p) {
                               const std::string tiles = p.text("block_scan");
                               (tiles == "hillis-steele" ? by_hillis_steele
                                : tiles == "kogge-stone" ? by_kogge_stone
                                : tiles == "brent-kung"  ? by_brent_kung
                                : tiles == "three-phase" ? by_three_phase
                                                         : by_blelloch)(run, p);
                             }};
const Twin look_back_twin{"scan/look-back", [](RawRun& run, const Problem& p) {
                            const Ints data = run.ints(p.values<int>()), result = run.array(data.n);
                            choose<4, 16>(p["items"], [&](auto items) {
                              const int tiles = tiles_of(data.n, p.block * items), block = p.block,
                                        bytes = 16 + (block + 31) / 32 * 4;
                              const Ints ticket = run.zeros(1), published = run.zeros(tiles);
                              const Ints totals = run.array(tiles), prefixes = run.array(tiles);
                              const int shift = p.text("scan") == "exclusive";
                              run.add([=] {
                                look_back<items><<<tiles, block, bytes>>>({data.at, data.n}, result, ticket,
                                                                          published, totals, prefixes, shift);
                              });
                            });
                            run.output_is(result);
                          }};

template <int items, int stages>
void by_look_ahead(RawRun& run, const Problem& p) {
  const Ints data = run.ints(p.values<int>()), result = run.array(data.n);
  const int tile = 4 * items * p.block, tiles = tiles_of(data.n, tile);
  const Words totals{run.words(2 * tiles), 2 * tiles};
  const Ints state = run.array(2);
  const int piece = data.n < 1 << 26 ? 4 * p.block : tile;
  const int warps = (p.block + 31) / 32;
  const int bytes = stages * tile * 4 + (2 * warps + 3) / 4 * 16 + (warps + 3) / 4 * 16 + 2 * 16 + stages * 8;
  const int side_by_side = 8 * stages * tile <= (220 << 10) && 2 * p.block <= 1024 ? 2 : 1;
  const int grid = std::min(side_by_side * multiprocessors(), tiles), block = p.block;
  const auto form = look_ahead<4, items, stages>;
  const bool inclusive = p.text("scan") == "inclusive";
  RawRun::allow_shared(form, bytes);
  run.add([=] {
    ConstInts from{data.at, data.n};
    Ints to = result, last = state;
    Words words = totals;
    int length = piece;
    bool kind = inclusive;
    void* arguments[] = {&from, &to, &words, &last, &length, &kind};
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(form), grid, block, arguments, bytes, nullptr);
  });
  run.output_is(result);
}
const Twin look_ahead_twin{"scan/look-ahead", [](RawRun& run, const Problem& p) {
                             choose<1, 3>(p["items"], [&](auto items) {
                               choose<3, 4>(p["stages"],
                                            [&](auto stages) { by_look_ahead<items, stages>(run, p); });
                             });
                           }};

}  // namespace
}  // namespace bscope::tests
