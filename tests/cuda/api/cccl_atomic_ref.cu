// cuda::atomic and cuda::atomic_ref: scopes, orders, and all operations.
#include <cstdio>
#include <cuda/atomic>

template <class T>
using of_device = cuda::atomic_ref<T, cuda::thread_scope_device>;

__global__ void histogram(const int* in, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) of_device<int>(bins[in[i] % 8]).fetch_add(1, cuda::memory_order_relaxed);
}

__global__ void operations(int* v, unsigned long long* wide, float* f, double* d) {
  int i = threadIdx.x;
  of_device<int>(v[0]).fetch_sub(i);
  of_device<int>(v[1]).fetch_and(~(1 << (i % 8)));
  of_device<int>(v[2]).fetch_or(1 << (i % 16));
  of_device<int>(v[3]).fetch_xor(i);
  of_device<int>(v[4]).fetch_min(100 - i);
  of_device<int>(v[5]).fetch_max(i * 3 % 50);
  of_device<unsigned long long>(wide[0]).fetch_add(1ull << 33, cuda::memory_order_acq_rel);
  of_device<float>(f[0]).fetch_add(0.25f);
  of_device<double>(d[0]).fetch_add(0.5, cuda::memory_order_relaxed);
  int seen = of_device<int>(v[6]).load(cuda::memory_order_relaxed);
  while (!of_device<int>(v[6]).compare_exchange_weak(seen, seen + 2)) {}
  if (i == 5) of_device<int>(v[7]).store(77, cuda::memory_order_release);
  if (i == 6) v[8] = of_device<int>(v[9]).exchange(5);
}

__device__ cuda::atomic<int, cuda::thread_scope_device> ready;

__global__ void message(int* data, int* got) {
  if (blockIdx.x == 0) {
    data[0] = 123;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {}
    got[0] = data[0];
  }
}

__global__ void in_block(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> count;
  if (threadIdx.x == 0) new (&count) cuda::atomic<int, cuda::thread_scope_block>(0);
  __syncthreads();
  if (threadIdx.x % 3 == 0) ++count;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count.load();
}

int main() {
  int *in, *bins;
  unsigned long long* wide;
  float* f;
  double* d;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&bins, 10 * sizeof(int));
  cudaMallocManaged(&wide, sizeof *wide);
  cudaMallocManaged(&f, sizeof *f);
  cudaMallocManaged(&d, sizeof *d);
  for (int i = 0; i < 256; ++i) in[i] = i * 7 % 61;
  for (int i = 0; i < 10; ++i) bins[i] = 0;
  histogram<<<2, 128>>>(in, bins, 256);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%d%c", bins[i], i == 7 ? '\n' : ' ');
  for (int i = 0; i < 10; ++i) bins[i] = i == 1 ? 0xffff : i == 4 ? 1000 : i == 9 ? 4 : 0;
  *wide = 1, *f = 0, *d = 1;
  operations<<<1, 64>>>(bins, wide, f, d);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10; ++i) printf("%d%c", bins[i], i == 9 ? '\n' : ' ');
  printf("%llx %g %g\n", *wide, *f, *d);
  message<<<2, 1>>>(in, bins);
  cudaDeviceSynchronize();
  printf("%d\n", bins[0]);
  in_block<<<1, 100>>>(bins);
  cudaDeviceSynchronize();
  printf("%d\n", bins[0]);
}
