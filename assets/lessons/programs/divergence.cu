// A warp has one instruction at a time. Where its lanes take different branches, it runs both, one after the
// other. Three kernels: neighbouring lanes differ, whole warps differ, and a loop as long as the data says.
#include <cstdio>
#include <vector>

const int N = 64, BLOCK = 64, WARP = 32, ROUNDS = 3;

__global__ void by_lane(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  if (i % 2 == 0)
    for (int k = 0; k < ROUNDS; k++) x = x + 3;
  else
    for (int k = 0; k < ROUNDS; k++) x = x * 2;
  out[i] = x;
}

__global__ void by_warp(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  if (i / WARP % 2 == 0)
    for (int k = 0; k < ROUNDS; k++) x = x + 3;
  else
    for (int k = 0; k < ROUNDS; k++) x = x * 2;
  out[i] = x;
}

// Collatz: how many steps from x down to 1. A warp goes on until its last lane is done.
__global__ void by_data(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i], steps = 0;
  while (x > 1) {
    if (x % 2 == 0)
      x = x / 2;
    else
      x = 3 * x + 1;
    steps++;
  }
  out[i] = steps;
}

int collatz(int x) {
  int steps = 0;
  for (; x > 1; steps++) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  return steps;
}

int main() {
  std::vector<int> numbers(N), lanes(N), warps(N), lengths(N);
  for (int i = 0; i < N; i++) numbers[i] = 1 + 7 * i % 10;

  int *in, *out;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  const int blocks = (N + BLOCK - 1) / BLOCK;
  by_lane<<<blocks, BLOCK>>>(in, out, N);
  cudaMemcpy(lanes.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  by_warp<<<blocks, BLOCK>>>(in, out, N);
  cudaMemcpy(warps.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  by_data<<<blocks, BLOCK>>>(in, out, N);
  cudaMemcpy(lengths.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);

  int wrong = 0;
  for (int i = 0; i < N; i++) {
    int x = numbers[i], added = x + 3 * ROUNDS, doubled = x << ROUNDS;
    wrong += lanes[i] != (i % 2 == 0 ? added : doubled);
    wrong += warps[i] != (i / WARP % 2 == 0 ? added : doubled);
    wrong += lengths[i] != collatz(x);
  }
  printf("%d numbers, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
