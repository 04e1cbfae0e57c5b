// cudpp/cudpp#79
#include <cstdio>

__global__ void sums_and_flags(const double* in, double* out, int* negative) {
  extern __shared__ char memory[];
  double* sums = (double*)memory;
  int* flags = (int*)(memory + blockDim.x * sizeof(int));
  int t = threadIdx.x;
  sums[t] = in[t] * 2;
  flags[t] = in[t] < 0;
  __syncthreads();
  out[t] = sums[blockDim.x - 1 - t];
  negative[t] = flags[blockDim.x - 1 - t];
}

int main() {
  const int n = 64;
  double in[n], out[n], *d_in, *d_out;
  int negative[n], *d_negative, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i % 3 - 1;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_negative, sizeof negative);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  sums_and_flags<<<1, n, n * (sizeof(double) + sizeof(int))>>>(d_in, d_out, d_negative);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(negative, d_negative, sizeof negative, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != 2 * in[n - 1 - i] || negative[i] != (in[n - 1 - i] < 0);
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
