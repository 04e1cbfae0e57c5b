// bokesyo/CSC4005_2022Fall_Demo#31
#include <cstdio>
#include <vector>

__global__ void move(double* x, const double* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 0.5 * v[i];
}

int main() {
  const int n = 128;
  std::vector<double> x(n), v(n), got(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i;
    v[i] = 2 * i;
  }
  double *d_x, *d_v;
  cudaMalloc(&d_x, n);
  cudaMalloc(&d_v, n);
  cudaMemcpy(d_x, x.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(d_v, v.data(), n, cudaMemcpyHostToDevice);
  move<<<1, n>>>(d_x, d_v, n);
  cudaMemcpy(got.data(), d_x, n, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[i] != x[i] + 0.5 * v[i];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
