// Thrust in streams: par.on, par_nosync, and kernels between the calls.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstdio>

__global__ void fill(int* v, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = i * step % 17;
}

int main() {
  const int n = 200;
  cudaStream_t streams[2];
  thrust::device_vector<int> a(n), b(n);
  int* raw[2] = {thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(b.data())};
  for (int k = 0; k < 2; ++k) {
    cudaStreamCreate(&streams[k]);
    fill<<<2, 128, 0, streams[k]>>>(raw[k], n, 5 + k);
  }
  thrust::sort(thrust::cuda::par.on(streams[0]), a.begin(), a.end());
  thrust::inclusive_scan(thrust::cuda::par_nosync.on(streams[1]), b.begin(), b.end(), b.begin());
  int* values = raw[0];
  thrust::for_each_n(thrust::cuda::par_nosync.on(streams[0]), thrust::counting_iterator<int>(0), n,
                     [values] __device__(int i) { values[i] += i; });
  int sum = thrust::reduce(thrust::cuda::par.on(streams[0]), a.begin(), a.end());
  cudaStreamSynchronize(streams[1]);
  printf("%d %d %d\n", sum, (int)b[0], (int)b[n - 1]);
  for (cudaStream_t s : streams) cudaStreamDestroy(s);
}
