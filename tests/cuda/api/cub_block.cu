// CUB's block primitives: reduce, scan, load, store, exchange, radix sort, histogram, discontinuity, shuffle.
#include <cstdio>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>

constexpr int threads = 64, items = 4;

struct largest {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

struct Differ {
  __device__ bool operator()(int a, int b) const { return a != b; }
};

__global__ void reduce_and_scan(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, threads>;
  using Raking = cub::BlockReduce<int, threads, cub::BLOCK_REDUCE_RAKING>;
  using Scan = cub::BlockScan<int, threads>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Raking::TempStorage raking;
    typename Scan::TempStorage scan;
  } temp;
  int v = in[threadIdx.x];
  int sum = Reduce(temp.reduce).Sum(v);
  if (threadIdx.x == 0) out[0] = sum;
  __syncthreads();
  int most = Raking(temp.raking).Reduce(v, largest());
  if (threadIdx.x == 0) out[1] = most;
  __syncthreads();
  int before, whole;
  Scan(temp.scan).ExclusiveSum(v, before, whole);
  out[2 + threadIdx.x] = before;
  if (threadIdx.x == 0) out[2 + threads] = whole;
  __syncthreads();
  int with;
  Scan(temp.scan).InclusiveScan(v, with, largest());
  out[3 + threads + threadIdx.x] = with;
}

__global__ void sort(const int* in, int* out) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, threads, items>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Store::TempStorage store;
  } temp;
  int keys[items];
  Load(temp.load).Load(in, keys);
  __syncthreads();
  Sort(temp.sort).Sort(keys);
  __syncthreads();
  Store(temp.store).Store(out, keys);
}

__global__ void exchange(const int* in, int* out) {
  using Exchange = cub::BlockExchange<int, threads, items>;
  __shared__ typename Exchange::TempStorage temp;
  int v[items];
  for (int k = 0; k < items; ++k) v[k] = in[k * threads + threadIdx.x];
  Exchange(temp).StripedToBlocked(v, v);
  for (int k = 0; k < items; ++k) out[threadIdx.x * items + k] = v[k] * 2;
}

__global__ void histogram(const unsigned char* in, unsigned* out) {
  using Histogram = cub::BlockHistogram<unsigned char, threads, items, 16, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage temp;
  __shared__ unsigned bins[16];
  unsigned char v[items];
  for (int k = 0; k < items; ++k) v[k] = in[threadIdx.x * items + k];
  Histogram(temp).Histogram(v, bins);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void heads_and_neighbours(const int* in, int* heads, int* next) {
  using Discontinuity = cub::BlockDiscontinuity<int, threads>;
  using Shuffle = cub::BlockShuffle<int, threads>;
  __shared__ typename Discontinuity::TempStorage of_heads;
  __shared__ typename Shuffle::TempStorage of_shuffle;
  int v[1] = {in[threadIdx.x] / 8}, flags[1];
  Discontinuity(of_heads).FlagHeads(flags, v, Differ());
  heads[threadIdx.x] = flags[0];
  int from = -1;
  Shuffle(of_shuffle).Offset(in[threadIdx.x], from, 1);
  next[threadIdx.x] = from;
}

int main() {
  const int n = threads * items;
  int *in, *out, *next;
  unsigned char* bytes;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&next, threads * sizeof(int));
  cudaMallocManaged(&bytes, n);
  auto show = [&](const char* name, int count) {
    cudaDeviceSynchronize();
    printf("%s", name);
    for (int k = 0; k < count; ++k) printf(" %d", out[k]);
    printf("\n");
  };
  for (int k = 0; k < n; ++k) in[k] = k * 37 % 101, bytes[k] = (unsigned char)(k * k % 16);
  reduce_and_scan<<<1, threads>>>(in, out);
  show("reduce_and_scan", 3 + 2 * threads);
  sort<<<1, threads>>>(in, out);
  show("sort", n);
  exchange<<<1, threads>>>(in, out);
  show("exchange", n);
  histogram<<<1, threads>>>(bytes, (unsigned*)out);
  show("histogram", 16);
  for (int k = 0; k < n; ++k) in[k] = k * 3;
  heads_and_neighbours<<<1, threads>>>(in, out, next);
  show("heads", threads);
  for (int k = 0; k + 1 < threads; ++k) out[k] = next[k];
  show("neighbours", threads - 1);
}
