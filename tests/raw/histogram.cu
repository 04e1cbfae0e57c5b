// Plain CUDA on purpose: pointers, lengths and blockIdx. A kernel's name is its functor's in snake_case, by
// which tests/scripts/machine_code_test.py finds it.
#include "tests/raw/program.hpp"

namespace bscope::tests {
namespace {

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

using Form = void (*)(Keys, Ints);
void count(RawRun& run, const Problem& p, Form form, bool shared) {
  const Keys keys = run.keys(p.values<unsigned char>());
  const Ints bins = run.zeros(p["bins"]);
  run.add([=, block = p.block] {
    form<<<tiles_of(keys.n, block), block, shared ? bins.n * 4 : 0>>>(keys, bins);
  });
  run.output_is(bins);
}
const Twin racy_twin{"histogram/racy",
                     [](RawRun& run, const Problem& p) { count(run, p, racy_histogram, false); }};
const Twin global_twin{"histogram/global-atomics",
                       [](RawRun& run, const Problem& p) { count(run, p, global_atomics, false); }};
const Twin shared_twin{"histogram/shared-atomics",
                       [](RawRun& run, const Problem& p) { count(run, p, shared_atomics, true); }};

}  // namespace
}  // namespace bscope::tests
