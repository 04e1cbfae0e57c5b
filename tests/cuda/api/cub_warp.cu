// CUB's warp primitives: reduce, scan, exchange, load and store, merge sort; segments of eight lanes.
#include <cstdio>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>

struct larger {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct less_than {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void sums(const float* in, float* out) {
  using Reduce = cub::WarpReduce<float>;
  using OfEight = cub::WarpReduce<float, 8>;
  __shared__ typename Reduce::TempStorage temp[2];
  __shared__ typename OfEight::TempStorage temp_of_eight[8];
  int warp = threadIdx.x / 32;
  float v = in[threadIdx.x];
  float sum = Reduce(temp[warp]).Sum(v);
  float most = Reduce(temp[warp]).Reduce(v, larger());
  float of_eight = OfEight(temp_of_eight[threadIdx.x / 8]).Sum(v);
  if (threadIdx.x % 32 == 0) out[warp] = sum, out[2 + warp] = most;
  if (threadIdx.x % 8 == 0) out[4 + threadIdx.x / 8] = of_eight;
}

__global__ void scans(const int* in, int* out) {
  using Scan = cub::WarpScan<int>;
  __shared__ typename Scan::TempStorage temp[2];
  int v = in[threadIdx.x], with, before, all, most;
  Scan scan(temp[threadIdx.x / 32]);
  scan.InclusiveSum(v, with, all);
  scan.ExclusiveSum(v, before);
  scan.InclusiveScan(v, most, larger());
  out[threadIdx.x] = with;
  out[64 + threadIdx.x] = before;
  out[128 + threadIdx.x] = most * 1000 + all;
}

__global__ void sort(const int* in, int* out) {
  using Load = cub::WarpLoad<int, 4, cub::WARP_LOAD_TRANSPOSE>;
  using Sort = cub::WarpMergeSort<int, 4>;
  using Store = cub::WarpStore<int, 4, cub::WARP_STORE_TRANSPOSE>;
  __shared__ typename Load::TempStorage load;
  __shared__ typename Sort::TempStorage sort;
  __shared__ typename Store::TempStorage store;
  int v[4];
  Load(load).Load(in, v);
  Sort(sort).Sort(v, less_than());
  Store(store).Store(out, v);
}

int main() {
  float *in, *out;
  int *numbers, *results;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 12 * sizeof(float));
  cudaMallocManaged(&numbers, 128 * sizeof(int));
  cudaMallocManaged(&results, 192 * sizeof(int));
  for (int k = 0; k < 64; ++k) in[k] = k * 5 % 31;
  for (int k = 0; k < 128; ++k) numbers[k] = k * 29 % 97;
  sums<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 12; ++k) printf("%g%c", out[k], k == 11 ? '\n' : ' ');
  scans<<<1, 64>>>(numbers, results);
  cudaDeviceSynchronize();
  for (int k = 0; k < 192; ++k) printf("%d%c", results[k], k % 64 == 63 ? '\n' : ' ');
  sort<<<1, 32>>>(numbers, results);
  cudaDeviceSynchronize();
  for (int k = 0; k < 128; ++k) printf("%d%c", results[k], k == 127 ? '\n' : ' ');
}
