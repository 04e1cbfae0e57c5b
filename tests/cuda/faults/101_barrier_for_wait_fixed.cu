#include <cuda_pipeline.h>

#include <cstdio>

constexpr int width = 32, height = 4, rows = 16;

/// Scales each row by weights, which the first threads fetch.
__global__ void scale(const float* in, const float* weights, float* out) {
  __shared__ float weight[width];
  int x = threadIdx.x;
  if (threadIdx.y == 0) {
    __pipeline_memcpy_async(&weight[x], &weights[x], sizeof(float));
    __pipeline_commit();
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int y = threadIdx.y; y < rows; y += height) out[y * width + x] = in[y * width + x] * weight[x];
}

int main() {
  float in[rows * width], weights[width], out[rows * width], *d_in, *d_weights, *d_out;
  for (int x = 0; x < width; ++x) weights[x] = x + 1;
  for (int k = 0; k < rows * width; ++k) in[k] = k % 7;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_weights, sizeof weights);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(d_weights, weights, sizeof weights, cudaMemcpyHostToDevice);
  scale<<<1, dim3(width, height)>>>(d_in, d_weights, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int k = 0; k < rows * width; ++k) wrong += out[k] != in[k] * weights[k % width];
  printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_weights);
  cudaFree(d_out);
  return wrong != 0;
}
