// ComputationalRadiationPhysics/picongpu#2231
#include <cstdio>
#include <vector>

__global__ void count_odd(const int* in, int* found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 == 1) atomicAdd(found, 1);
}

int main() {
  const int n = 500;
  std::vector<int> in(n);
  int got = 0, *d_in, *d_found;
  for (int i = 0; i < n; ++i) in[i] = i;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_found, sizeof(int));
  cudaMemset(d_found, 0, sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  count_odd<<<(n + 127) / 128, 128>>>(d_in, d_found, n);
  cudaMemcpy(&got, d_found, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d odd numbers, expected %d\n", got, n / 2);
  return got != n / 2;
}
