// NVIDIA/cccl#10627
#include <cstdio>
#include <vector>

const int BLOCKS = 4, BLOCK = 64;

__global__ void sum(const int* in, int* part, unsigned* ticket, int* out) {
  __shared__ bool last;
  int i = blockIdx.x * BLOCK + threadIdx.x;
  part[i] = in[i] * in[i];
  __threadfence();
  if (threadIdx.x == 0) last = atomicAdd(ticket, 1) == BLOCKS - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    int all = 0;
    for (int k = 0; k < BLOCKS * BLOCK; ++k) all += part[k];
    *out = all;
  }
}

int main() {
  const int n = BLOCKS * BLOCK;
  std::vector<int> in(n);
  int want = 0, got = 0, *d_in, *d_part, *d_out;
  unsigned* d_ticket;
  for (int i = 0; i < n; ++i) {
    in[i] = i % 10;
    want += in[i] * in[i];
  }
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_part, n * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMalloc(&d_ticket, sizeof(unsigned));
  cudaMemset(d_ticket, 0, sizeof(unsigned));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<BLOCKS, BLOCK>>>(d_in, d_part, d_ticket, d_out);
  cudaMemcpy(&got, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, expected %d\n", got, want);
  return got != want;
}
