// OpenPPL/ppl.cv#135, alpaka-group/alpaka#850
#include <cstdio>
#include <vector>

__global__ void squares(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}

int main() {
  const int n = 1000;
  std::vector<int> out(n);
  int *d_out, wrong = 0;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&d_out, n * sizeof(int));
  squares<<<(n + 255) / 256, 256, 0, stream>>>(d_out, n);
  cudaStreamSynchronize(stream);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != i * i;
  printf("%d are wrong\n", wrong);
  cudaStreamDestroy(stream);
  return wrong != 0;
}
