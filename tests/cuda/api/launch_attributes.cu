// What a launch can ask for: cooperative, a priority, and programmatic dependent launch.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

#define CHECK(call)                                         \
  do {                                                      \
    cudaError_t error = (call);                             \
    if (error != cudaSuccess) {                             \
      printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      return 1;                                             \
    }                                                       \
  } while (0)

__global__ void together(int* x, int* total) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + 1;
  cg::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < int(gridDim.x * blockDim.x); ++i) sum += x[i];
    *total = sum;
  }
}

__global__ void first(int* x) {
  x[threadIdx.x] = 3 * threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void second(const int* x, int* y, int offset) {
  int mine = threadIdx.x + offset;  // needs nothing of the kernel before
  cudaGridDependencySynchronize();
  y[threadIdx.x] = x[threadIdx.x] + mine;
}

int main() {
  const int n = 64;
  int host[n], *x, *y;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&y, n * sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attributes[2];
  config.gridDim = dim3(2);
  config.blockDim = dim3(32);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 2;
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  attributes[1].val.priority = 0;
  CHECK(cudaLaunchKernelEx(&config, together, x, y));
  CHECK(cudaMemcpyAsync(host, y, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("cooperative: %d\n", host[0]);

  first<<<1, n, 0, stream>>>(x);
  config.gridDim = dim3(1);
  config.blockDim = dim3(n);
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, second, (const int*)x, y, 1000));
  CHECK(cudaMemcpyAsync(host, y, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("dependent: %d %d\n", host[0], host[n - 1]);

  config.numAttrs = 0;
  void* arguments[] = {&x};
  CHECK(cudaLaunchKernelExC(&config, (const void*)first, arguments));
  CHECK(cudaMemcpyAsync(host, x, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("by pointer: %d\n", host[n - 1]);
  return 0;
}
