// CUB's device functions: reduce, scan, select, partition, sort, histogram, run lengths, segments.
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda/functional>

struct is_even {
  __host__ __device__ bool operator()(int v) const { return v % 2 == 0; }
};

// Every function is called twice: for the size of its memory, and to work.
template <class Call>
void run(Call call) {
  void* memory = nullptr;
  size_t bytes = 0;
  call(memory, bytes);
  cudaMalloc(&memory, bytes);
  call(memory, bytes);
  cudaDeviceSynchronize();
  cudaFree(memory);
}

void show(const char* name, const int* v, int count) {
  printf("%s", name);
  for (int k = 0; k < count; ++k) printf(" %d", v[k]);
  printf("\n");
}

int main() {
  const int n = 300;
  int *in, *out, *values, *sorted, *count, *offsets;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&values, n * sizeof(int));
  cudaMallocManaged(&sorted, n * sizeof(int));
  cudaMallocManaged(&count, 4 * sizeof(int));
  cudaMallocManaged(&offsets, 4 * sizeof(int));
  for (int k = 0; k < n; ++k) in[k] = k * 37 % 101, values[k] = k;
  run([&](void* m, size_t& b) { cub::DeviceReduce::Sum(m, b, in, out, n); });
  run([&](void* m, size_t& b) { cub::DeviceReduce::Max(m, b, in, out + 1, n); });
  run([&](void* m, size_t& b) { cub::DeviceReduce::Reduce(m, b, in, out + 2, n, cuda::minimum<>(), 1000); });
  show("reduce", out, 3);
  run([&](void* m, size_t& b) { cub::DeviceScan::ExclusiveSum(m, b, in, out, n); });
  show("exclusive", out, n);
  run([&](void* m, size_t& b) { cub::DeviceScan::InclusiveScan(m, b, in, out, cuda::maximum<>(), n); });
  show("largest so far", out, 20);
  run([&](void* m, size_t& b) { cub::DeviceSelect::If(m, b, in, out, count, n, is_even()); });
  show("even", out, *count);
  run([&](void* m, size_t& b) { cub::DevicePartition::If(m, b, in, out, count, n, is_even()); });
  show("partition", out, *count);
  run([&](void* m, size_t& b) { cub::DeviceRadixSort::SortKeys(m, b, in, sorted, n); });
  show("sort", sorted, n);
  run([&](void* m, size_t& b) {
    cub::DeviceRadixSort::SortPairsDescending(m, b, in, sorted, values, out, 40);
  });
  show("pairs", out, 40);
  for (int k = 0; k < n; ++k) in[k] = k / 7 % 5;
  run([&](void* m, size_t& b) { cub::DeviceRunLengthEncode::Encode(m, b, in, out, values, count, n); });
  show("runs", out, *count);
  show("lengths", values, *count);
  run([&](void* m, size_t& b) { cub::DeviceHistogram::HistogramEven(m, b, in, out, 6, 0, 5, n); });
  show("histogram", out, 5);
  offsets[0] = 0, offsets[1] = 10, offsets[2] = 100, offsets[3] = n;
  run([&](void* m, size_t& b) { cub::DeviceSegmentedReduce::Sum(m, b, in, out, 3, offsets, offsets + 1); });
  show("segments", out, 3);
}
