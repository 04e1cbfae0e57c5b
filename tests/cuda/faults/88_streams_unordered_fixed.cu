// k2-fsa/k2#226, huggingface/blog#3372
#include <cstdio>

__global__ void squares(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}

__global__ void sum(const int* in, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, in[i]);
}

int main() {
  const int n = 500;
  int *values, *d_total, got = 0, want = 0;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&d_total, sizeof(int));
  cudaMemset(d_total, 0, sizeof(int));
  squares<<<4, 128, 0, first>>>(values, n);
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done, 0);
  sum<<<4, 128, 0, second>>>(values, d_total, n);
  cudaDeviceSynchronize();
  cudaMemcpy(&got, d_total, sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) want += i * i;
  printf("sum %d, expected %d\n", got, want);
  return got != want;
}
