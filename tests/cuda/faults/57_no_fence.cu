// kokkos/kokkos#2681, NVIDIA/Fuser#2391
#include <cstdio>
#include <vector>

const int BLOCKS = 8, BLOCK = 64;

__global__ void sum(const int* in, int* part, unsigned* ticket, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int mine = 0;
    for (int i = 0; i < BLOCK; ++i) mine += in[blockIdx.x * BLOCK + i];
    part[blockIdx.x] = mine;
    last = atomicAdd(ticket, 1) == BLOCKS - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (int b = 0; b < BLOCKS; ++b) all += part[b];
    *out = all;
  }
}

int main() {
  const int n = BLOCKS * BLOCK;
  std::vector<int> in(n);
  int want = 0, got = 0, *d_in, *d_part, *d_out;
  unsigned* d_ticket;
  for (int i = 0; i < n; ++i) want += in[i] = i % 10;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_part, BLOCKS * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMalloc(&d_ticket, sizeof(unsigned));
  cudaMemset(d_ticket, 0, sizeof(unsigned));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<BLOCKS, BLOCK>>>(d_in, d_part, d_ticket, d_out);
  cudaMemcpy(&got, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, expected %d\n", got, want);
  return got != want;
}
