// Plain CUDA on purpose: pointers, lengths and blockIdx. A kernel's name is its functor's in snake_case, by
// which tests/scripts/machine_code_test.py finds it.
#include "tests/raw/program.hpp"

namespace bscope::tests {
namespace {

__global__ void __launch_bounds__(1024) tree_mask(ConstInts data, Ints sum, int power) {
  int* s = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, k = int(blockIdx.x) * n + i;
  int x = 0;
  if (k < data.n) x = __ldg(data.at + k);
  int y = x;
  for (int p = 1; p < power; ++p) y *= x;
  s[i] = y;
  int offset = 1, mask = 1;
  while (offset < n) {
    __syncthreads();
    if ((i & mask) == 0) s[i] += s[i + offset];
    offset += offset;
    mask += offset;
  }
  if (i == 0) atomicAdd(sum.at, s[0]);
}

template <int unroll>
__global__ void __launch_bounds__(1024) shared_tree(ConstInts data, Ints sums) {
  int* s = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, first = int(blockIdx.x) * n * unroll + i;
  int mine = 0;
  if (first < data.n) mine = __ldg(data.at + first);
#pragma unroll
  for (int u = 1; u < unroll; ++u)
    if (first + u * n < data.n) mine += __ldg(data.at + first + u * n);
  s[i] = mine;
  for (int stride = n / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (i < stride) s[i] += s[i + stride];
  }
  if (i == 0) sums.at[int(blockIdx.x)] = s[0];
}

const Twin tree_mask_twin{
    "reduce/tree-mask", [](RawRun& run, const Problem& p) {
      const Ints data = run.ints(p.values<int>()), sum = run.zeros(1);
      const int power = p.text("of") == "sum" ? 1 : p.text("of") == "squares" ? 2 : 3;
      run.add([=, block = p.block] {
        tree_mask<<<tiles_of(data.n, block), block, block * 4>>>({data.at, data.n}, sum, power);
      });
      run.output_is(sum);
    }};

template <int unroll>
Ints reduce_shared(RawRun& run, Ints data, int block) {
  const Ints sums = run.zeros(tiles_of(data.n, block * unroll));
  run.add([=] { shared_tree<unroll><<<sums.n, block, block * 4>>>({data.at, data.n}, sums); });
  return sums.n == 1 ? sums : reduce_shared<unroll>(run, sums, block);
}
const Twin shared_twin{
    "reduce/shared", [](RawRun& run, const Problem& p) {
      const Ints data = run.ints(p.values<int>());
      choose<1, 2, 4, 8>(p["unroll"], [&](auto u) { run.output_is(reduce_shared<u>(run, data, p.block)); });
    }};

}  // namespace
}  // namespace bscope::tests
