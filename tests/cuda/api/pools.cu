// Memory pools: the device's own and one that the program creates, what they count, and allocations in a
// stream's order.
#include <cstdint>
#include <cstdio>

#define CHECK(call)                                         \
  do {                                                      \
    cudaError_t error = (call);                             \
    if (error != cudaSuccess) {                             \
      printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      return 1;                                             \
    }                                                       \
  } while (0)

__global__ void fill(int* x, int value) { x[threadIdx.x] = value + threadIdx.x; }

int main() {
  const int n = 256;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  cudaMemPool_t standard, pool, current;
  CHECK(cudaDeviceGetDefaultMemPool(&standard, 0));
  CHECK(cudaDeviceGetMemPool(&current, 0));
  printf("the default pool is the current one: %d\n", current == standard);

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  CHECK(cudaMemPoolCreate(&pool, &properties));
  uint64_t threshold = UINT64_MAX, value = 1;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
  printf("release threshold at first: %d\n", (int)value);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
  printf("as set: %d\n", value == threshold);
  int reuse = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &reuse));
  printf("reuse by events: %d\n", reuse);

  int *x, *y, host[n];
  CHECK(cudaMallocFromPoolAsync((void**)&x, n * sizeof(int), pool, stream));
  fill<<<1, n, 0, stream>>>(x, 10);
  CHECK(cudaMemcpyAsync(host, x, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("x: %d to %d\n", host[0], host[n - 1]);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  printf("used: %d\n", value >= n * sizeof(int));
  CHECK(cudaFreeAsync(x, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  printf("used after the free: %d\n", (int)value);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
  printf("still reserved: %d\n", value > 0);
  CHECK(cudaMemPoolTrimTo(pool, 0));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
  printf("reserved after the trim: %d\n", (int)value);

  cudaMemLocation here = {};
  here.type = cudaMemLocationTypeDevice;
  here.id = 0;
  cudaMemAccessFlags access;
  CHECK(cudaMemPoolGetAccess(&access, pool, &here));
  printf("read and written: %d\n", access == cudaMemAccessFlagsProtReadWrite);

  CHECK(cudaDeviceSetMemPool(0, pool));
  CHECK(cudaMallocAsync((void**)&y, n * sizeof(int), stream));
  CHECK(cudaMemsetAsync(y, 0, n * sizeof(int), stream));
  fill<<<1, n, 0, stream>>>(y, 20);
  CHECK(cudaMemcpyAsync(host, y, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(y, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("y: %d to %d\n", host[0], host[n - 1]);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  printf("high mark: %d\n", value >= n * sizeof(int));
  CHECK(cudaDeviceSetMemPool(0, standard));
  CHECK(cudaMemPoolDestroy(pool));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
