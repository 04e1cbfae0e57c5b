// bitsandbytes-foundation/bitsandbytes#905, ROCm/rocMLIR#2447
#include <cstdio>
#include <vector>

const int ROWS = 16, BLOCK = 64;

__global__ void count_zeros(const int* a, int* out) {
  __shared__ int counts[ROWS];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int row = 0; row < ROWS; ++row)
    if (a[row * BLOCK + threadIdx.x] == 0) atomicAdd(&counts[row], 1);
  __syncthreads();
  if (threadIdx.x < ROWS) out[threadIdx.x] = counts[threadIdx.x];
}

int main() {
  std::vector<int> a(ROWS * BLOCK);
  int out[ROWS], want[ROWS] = {}, *d_a, *d_out, wrong = 0;
  for (int i = 0; i < ROWS * BLOCK; ++i) {
    a[i] = i * i % 5;
    want[i / BLOCK] += a[i] == 0;
  }
  cudaMalloc(&d_a, a.size() * sizeof(int));
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
  count_zeros<<<1, BLOCK>>>(d_a, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int r = 0; r < ROWS; ++r) wrong += out[r] != want[r];
  printf("%d rows are wrong\n", wrong);
  return wrong != 0;
}
