// How many blocks fit on a multiprocessor: as many as its threads, its shared memory, its registers and its
// block slots allow, whichever are used up first. The program computes that and asks CUDA for the same
// number.
#include <algorithm>
#include <cstdio>
#include <vector>

const int N = 64, BLOCK = 32, WORDS = 1024;  // WORDS of shared memory for a block

// Each output is the sum of the inputs at its place and at the mirrored place of its block.
__global__ void mirror(const int* in, int* out, int n) {
  __shared__ int s[WORDS];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x] + s[BLOCK - 1 - threadIdx.x];
}

int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

int main() {
  static_assert(BLOCK <= WORDS && BLOCK % 32 == 0, "whole warps, and a word for each thread");
  cudaDeviceProp gpu;
  cudaFuncAttributes kernel;
  cudaGetDeviceProperties(&gpu, 0);
  cudaFuncGetAttributes(&kernel, mirror);

  int warps = BLOCK / 32;
  int by_threads = gpu.maxThreadsPerMultiProcessor / BLOCK;
  int by_slots = gpu.maxBlocksPerMultiProcessor;
  int shared = round_up(kernel.sharedSizeBytes + gpu.reservedSharedMemPerBlock, 128);
  int by_shared = gpu.sharedMemPerMultiprocessor / shared;
  int of_warp = round_up(kernel.numRegs * 32, 256);  // registers are given to warps, 256 at a time
  int by_registers = of_warp ? gpu.regsPerMultiprocessor / of_warp / warps : by_slots;
  int fit = std::min({by_threads, by_slots, by_shared, by_registers}), asked = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&asked, mirror, BLOCK, 0);
  printf("blocks by threads %d, by slots %d, by shared memory %d, by registers %d\n", by_threads, by_slots,
         by_shared, by_registers);
  printf("%d blocks fit, CUDA says %d: %d of %d warps\n", fit, asked, fit * warps,
         gpu.maxThreadsPerMultiProcessor / 32);

  std::vector<int> numbers(N), result(N);
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10;
  int *in, *out, wrong = 0;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  mirror<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, N);
  cudaMemcpy(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) {
    int other = i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK;
    wrong += result[i] != numbers[i] + (other < N ? numbers[other] : 0);
  }
  printf("%d numbers, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong || fit != asked ? 1 : 0;
}
