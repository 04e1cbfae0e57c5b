// Kernels that launch kernels: recursion, order in one stream, tail launches, templates, and what the device
// runtime answers.
#include <cstdio>

#define CHECK(call)                                         \
  do {                                                      \
    cudaError_t error = (call);                             \
    if (error != cudaSuccess) {                             \
      printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      return 1;                                             \
    }                                                       \
  } while (0)

template <class T>
__global__ void fill(T* out, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

__global__ void scale(int* x, int factor) { x[threadIdx.x] *= factor; }

__global__ void add(const int* x, int* total, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *total += sum;
}

// Two children in the block's stream run one after the other; the tail launch when all have ended.
__global__ void in_order(int* x, int* total, int n) {
  fill<<<2, (n + 1) / 2>>>(x, 3, n);
  scale<<<1, n>>>(x, 5);
  add<<<1, 1, 0, cudaStreamTailLaunch>>>(x, total, n);
}

// Quicksort as courses write it: each part in a child of its own.
__global__ void quicksort(int* data, int left, int right, int depth) {
  if (depth > 8 || right - left < 4) {
    for (int i = left; i < right; ++i)
      for (int j = i + 1; j <= right; ++j)
        if (data[j] < data[i]) {
          int swap = data[i];
          data[i] = data[j];
          data[j] = swap;
        }
    return;
  }
  int pivot = data[(left + right) / 2], i = left, j = right;
  while (i <= j) {
    while (data[i] < pivot) ++i;
    while (data[j] > pivot) --j;
    if (i <= j) {
      int swap = data[i];
      data[i++] = data[j];
      data[j--] = swap;
    }
  }
  if (left < j) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, s>>>(data, left, j, depth + 1);
    cudaStreamDestroy(s);
  }
  if (i < right) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, s>>>(data, i, right, depth + 1);
    cudaStreamDestroy(s);
  }
}

struct Pair {
  int a, b;
};
__global__ void by_value(Pair p, int* out) { *out = 10 * p.a + p.b; }

__device__ void launch_from_helper(int* out) {
  Pair p = {4, 2};
  by_value<<<1, 1>>>(p, out);
}

__global__ void each_thread(int* out) {
  if (threadIdx.x < 4) fill<int><<<1, 1>>>(out + threadIdx.x, (int)threadIdx.x + 100, 1);
  if (threadIdx.x == 0) launch_from_helper(out + 4);
}

__global__ void nested(int* depths, int depth, int most) {
  depths[depth] = depth * depth;
  if (depth < most) nested<<<1, 1>>>(depths, depth + 1, most);
}

__global__ void device_side(int* out) {
  int device = -1, warp = 0;
  out[0] = cudaGetDevice(&device);
  out[1] = device;
  out[2] = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0);
  out[3] = warp;
  out[4] = cudaGetLastError();
  int* mine = nullptr;
  out[5] = cudaMalloc(&mine, 4 * sizeof(int));
  if (mine) {
    mine[1] = 7;
    out[6] = mine[1];
    cudaFree(mine);
  }
}

int main() {
  const int n = 16;
  int host[n], *x, *total;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&total, sizeof(int)));

  CHECK(cudaMemset(total, 0, sizeof(int)));
  in_order<<<1, 1>>>(x, total, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host, total, sizeof(int), cudaMemcpyDeviceToHost));
  printf("in order: %d\n", host[0]);

  int unsorted[n] = {9, 3, 14, 1, 12, 0, 7, 15, 4, 11, 2, 8, 13, 5, 10, 6};
  CHECK(cudaMemcpy(x, unsorted, sizeof unsorted, cudaMemcpyHostToDevice));
  quicksort<<<1, 1>>>(x, 0, n - 1, 0);
  CHECK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  printf("sorted:");
  for (int v : host) printf(" %d", v);
  printf("\n");

  each_thread<<<1, 32>>>(x);
  CHECK(cudaMemcpy(host, x, 5 * sizeof(int), cudaMemcpyDeviceToHost));
  printf("each thread: %d %d %d %d, by value: %d\n", host[0], host[1], host[2], host[3], host[4]);

  CHECK(cudaMemset(x, 0, n * sizeof(int)));
  nested<<<1, 1>>>(x, 0, 6);
  CHECK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  printf("nested:");
  for (int i = 0; i < 8; ++i) printf(" %d", host[i]);
  printf("\n");

  device_side<<<1, 1>>>(x);
  CHECK(cudaMemcpy(host, x, 7 * sizeof(int), cudaMemcpyDeviceToHost));
  printf("device side: %d %d %d %d %d %d %d\n", host[0], host[1], host[2], host[3], host[4], host[5],
         host[6]);

  cudaFree(x);
  cudaFree(total);
  return 0;
}
