// A matrix copied, and transposed in three ways: what tests time in place, or have had timed.
#include <cstdio>
const int N = 64;

__global__ void copy(float* out, const float* in) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[y * N + x] = in[y * N + x];
}
__global__ void naive(float* out, const float* in) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[x * N + y] = in[y * N + x];
}
template <int PAD>
__global__ void tiled(float* out, const float* in) {
  __shared__ float tile[16][16 + PAD];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * N + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[y * N + x] = tile[threadIdx.x][threadIdx.y];
}
int main() {
  static float a[N * N], b[N * N];
  for (int i = 0; i < N * N; i++) a[i] = i;
  float *in, *out;
  cudaMalloc(&in, sizeof a);
  cudaMalloc(&out, sizeof a);
  cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
  dim3 grid(N / 16, N / 16), block(16, 16);
  copy<<<grid, block>>>(out, in);
  naive<<<grid, block>>>(out, in);
  tiled<0><<<grid, block>>>(out, in);
  tiled<1><<<grid, block>>>(out, in);
  cudaMemcpy(b, out, sizeof a, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  printf("%g %g %g\n", b[1], b[N], b[N * N - 2]);
}
