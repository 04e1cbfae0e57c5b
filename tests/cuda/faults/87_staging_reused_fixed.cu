// cupy/cupy#5155, NVlabs/cuda-oxide#42
#include <cstdio>

__global__ void add_all(const int* in, int* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}

int main() {
  const int n = 256, parts = 4;
  int *pinned, *d_in, *d_sum, got = 0, want = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_sum, sizeof(int));
  cudaMemset(d_sum, 0, sizeof(int));
  for (int part = 0; part < parts; ++part) {
    for (int i = 0; i < n; ++i) want += pinned[i] = part * n + i;
    cudaMemcpyAsync(d_in, pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    add_all<<<n / 64, 64, 0, stream>>>(d_in, d_sum, n);
    cudaStreamSynchronize(stream);
  }
  cudaStreamSynchronize(stream);
  cudaMemcpy(&got, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, expected %d\n", got, want);
  return got != want;
}
