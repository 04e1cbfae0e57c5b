// alicevision/popsift#82
#include <cstdio>
#include <vector>

const int BINS = 16;

__global__ void count(const int* keys, int* out, int n) {
  __shared__ int bins[BINS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < BINS) bins[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&bins[keys[i]], 1);
  __syncthreads();
  if (threadIdx.x < BINS) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

int main() {
  const int n = 1000;
  std::vector<int> keys(n);
  int want[BINS] = {}, out[BINS], *d_keys, *d_out, wrong = 0;
  for (int i = 0; i < n; ++i) ++want[keys[i] = i * 7 % BINS];
  cudaMalloc(&d_keys, n * sizeof(int));
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, sizeof out);
  count<<<(n + 127) / 128, 128>>>(d_keys, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int b = 0; b < BINS; ++b) wrong += out[b] != want[b];
  printf("%d bins are wrong\n", wrong);
  return wrong != 0;
}
