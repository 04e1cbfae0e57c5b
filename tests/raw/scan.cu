// Plain CUDA on purpose: pointers, lengths and blockIdx. A kernel's name is its functor's in snake_case, by
// which tests/scripts/machine_code_test.py finds it.
#include "tests/raw/program.hpp"

namespace bscope::tests {
namespace {

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

template <bool inclusive>
__global__ void __launch_bounds__(1024) add_totals(Ints data, ConstInts totals, int tile) {
  const int first = int(blockIdx.x) * tile;
  if (inclusive && blockIdx.x == 0) return;
  const int before = __ldg(totals.at + int(blockIdx.x) - inclusive);
  for (int k = first + int(threadIdx.x); k < first + tile && k < data.n; k += int(blockDim.x))
    data.at[k] = before + data.at[k];
}

/// Scans tiles, then their totals the same way, then adds these.
template <bool inclusive>
void scan_tiles(RawRun& run, void (*form)(Ints, Ints), Ints data, int tile, int block, int shared_bytes) {
  const int tiles = tiles_of(data.n, tile);
  const Ints totals = run.zeros(tiles);
  RawRun::allow_shared(form, shared_bytes);
  run.add([=] { form<<<tiles, block, shared_bytes>>>(data, totals); });
  if (tiles == 1) return;
  scan_tiles<inclusive>(run, form, totals, tile, block, shared_bytes);
  run.add([=] { add_totals<inclusive><<<tiles, block>>>(data, {totals.at, totals.n}, tile); });
}
/// The program of a tile scan; its two forms are inclusive and exclusive.
void scan(RawRun& run, const Problem& p, void (*inclusive)(Ints, Ints), void (*exclusive)(Ints, Ints),
          int tile, int shared_bytes) {
  const Ints data = run.ints(p.values<int>());
  run.output_is(data, true);
  if (p.text("scan") == "inclusive")
    scan_tiles<true>(run, inclusive, data, tile, p.block, shared_bytes);
  else
    scan_tiles<false>(run, exclusive, data, tile, p.block, shared_bytes);
}
const Twin kogge_stone_twin{"scan/kogge-stone", [](RawRun& run, const Problem& p) {
                              scan(run, p, kogge_stone<true>, kogge_stone<false>, p.block, p.block * 4);
                            }};
const Twin blelloch_twin{"scan/blelloch", [](RawRun& run, const Problem& p) {
                           scan(run, p, blelloch<true>, blelloch<false>, 2 * p.block, p.block * 8);
                         }};

}  // namespace
}  // namespace bscope::tests
