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
  cudaMalloc(&d_x, n * sizeof(double));
  cudaMalloc(&d_v, n * sizeof(double));
  cudaMemcpy(d_x, x.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(d_v, v.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  move<<<1, n>>>(d_x, d_v, n);
  cudaMemcpy(got.data(), d_x, n * sizeof(double), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[i] != x[i] + 0.5 * v[i];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
