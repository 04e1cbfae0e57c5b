// Memory that host and device see: universal_vector, and Thrust on managed and raw pointers.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/universal_vector.h>

#include <cstdio>

__global__ void doubled(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  thrust::universal_vector<float> v(100), w(100);
  for (int k = 0; k < 100; ++k) v[k] = k * 0.5f;
  doubled<<<1, 128>>>(thrust::raw_pointer_cast(v.data()), thrust::raw_pointer_cast(w.data()), 100);
  cudaDeviceSynchronize();
  printf("%g %g\n", float(w[1]), float(w[99]));
  thrust::transform(thrust::device, w.begin(), w.end(), w.begin(),
                    [] __host__ __device__(float x) { return x + 1; });
  printf("%g\n", float(w[50]));
  printf("%g\n", thrust::reduce(thrust::host, w.begin(), w.end()));
  thrust::tabulate(thrust::device, v.begin(), v.end(), [] __host__ __device__(int i) { return i * 0.25f; });
  printf("%g %g\n", float(v[4]), float(v[99]));
  int* raw;
  cudaMallocManaged(&raw, 64 * sizeof(int));
  thrust::fill(thrust::device, raw, raw + 64, 3);
  printf("%d\n", thrust::reduce(thrust::device, raw, raw + 64));
  int* on_device;
  cudaMalloc(&on_device, 64 * sizeof(int));
  thrust::device_ptr<int> p(on_device);
  thrust::fill(p, p + 64, 4);
  p[5] = 10;
  printf("%d %d\n", thrust::reduce(p, p + 64), (int)p[5]);
}
