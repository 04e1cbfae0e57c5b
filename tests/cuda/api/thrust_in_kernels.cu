// Thrust's algorithms that a kernel calls, with thrust::seq and thrust::device: one thread does all of a
// call.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#include <cstdio>

constexpr int n = 24, most = 60;

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2; }
};
struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct AddOne {
  __device__ void operator()(int& x) const { ++x; }
};

/// Leaves a number of each algorithm, or a checksum of what it has written.
struct Results {
  int* at;
  __device__ void one(long value) { *at++ = int(value); }
  __device__ void all(const int* first, const int* last) {
    unsigned sum = 7;
    for (; first != last; ++first) sum = sum * 31 + unsigned(*first);
    *at++ = int(sum);
  }
};

template <class Policy>
__device__ void write_cells(Policy p, const int* in, int* out, Results r) {
  int* end = thrust::copy(p, in, in + n, out);
  r.all(out, end);
  r.all(out, thrust::copy_n(p, in + 2, 5, out));
  r.all(out, thrust::copy_if(p, in, in + n, out, IsOdd{}));
  r.all(out, thrust::transform(p, in, in + n, out, Square{}));
  r.all(out, thrust::transform(p, in, in + n, in, out, thrust::plus<int>()));
  thrust::fill(p, out, out + n, 3);
  thrust::for_each(p, out, out + n / 2, AddOne{});
  r.all(out, out + n);
  thrust::sequence(p, out, out + n, 5, 2);
  r.all(out, out + n);
  thrust::tabulate(p, out, out + n, Square{});
  thrust::replace(p, out, out + n, 4, 40);
  thrust::reverse(p, out, out + n);
  thrust::swap_ranges(p, out, out + 4, out + 10);
  r.all(out, out + n);
  r.all(out, thrust::inclusive_scan(p, in, in + n, out));
  r.all(out, thrust::exclusive_scan(p, in, in + n, out, 10));
  r.all(out, thrust::transform_inclusive_scan(p, in, in + n, out, Square{}, thrust::plus<int>()));
  r.all(out, thrust::adjacent_difference(p, in, in + n, out));
  r.all(out,
        thrust::gather(p, thrust::counting_iterator<int>(3), thrust::counting_iterator<int>(9), in, out));
  thrust::scatter(p, in, in + 4, thrust::counting_iterator<int>(1), out);
  r.all(out, out + 6);
}

template <class Policy>
__device__ void reduce_cells(Policy p, const int* in, Results r) {
  r.one(thrust::reduce(p, in, in + n));
  r.one(thrust::reduce(p, in, in + n, 0, thrust::maximum<int>()));
  r.one(thrust::transform_reduce(p, in, in + n, Square{}, 1, thrust::plus<int>()));
  r.one(thrust::inner_product(p, in, in + n, in, 0));
  r.one(thrust::count(p, in, in + n, 4));
  r.one(thrust::count_if(p, in, in + n, IsOdd{}));
  r.one(thrust::min_element(p, in, in + n) - in);
  r.one(thrust::max_element(p, in, in + n) - in);
  r.one(thrust::find(p, in, in + n, 9) - in);
  r.one(thrust::find_if(p, in, in + n, IsOdd{}) - in);
  r.one(thrust::any_of(p, in, in + n, IsOdd{}));
  r.one(thrust::all_of(p, in, in + n, IsOdd{}));
  r.one(thrust::equal(p, in, in + n, in));
}

template <class Policy>
__device__ void order_cells(Policy p, const int* in, int* keys, int* values, int* out, Results r) {
  thrust::copy(p, in, in + n, keys);
  thrust::sort(p, keys, keys + n);
  r.all(keys, keys + n);
  r.one(thrust::lower_bound(thrust::seq, keys, keys + n, 6) - keys);
  r.one(thrust::binary_search(thrust::seq, keys, keys + n, 100));
  r.all(out, thrust::merge(p, keys, keys + n, keys, keys + n, out));
  r.all(out, thrust::set_union(p, keys, keys + n / 2, keys + n / 4, keys + n, out));
  r.all(out, thrust::set_difference(p, keys, keys + n, keys + n / 2, keys + n, out));
  r.all(keys, thrust::unique(p, keys, keys + n));
  thrust::copy(p, in, in + n, keys);
  thrust::sequence(p, values, values + n);
  thrust::stable_sort_by_key(p, keys, keys + n, values);
  r.all(values, values + n);
  thrust::sort(p, values, values + n, thrust::greater<int>());
  r.all(values, values + n);
  auto ends =
      thrust::merge_by_key(p, keys, keys + 6, keys + 6, keys + n, values, values + 6, out, out + n + 1);
  r.one(ends.first - out);
  r.all(out, ends.second);
  ends = thrust::reduce_by_key(p, keys, keys + n, values, out, out + n + 1);
  r.one(ends.first - out);
  r.all(out, ends.first);
  thrust::inclusive_scan_by_key(p, keys, keys + n, values, out);
  r.all(out, out + n);
  thrust::copy(p, in, in + n, keys);
  r.all(keys, thrust::remove_if(p, keys, keys + n, IsOdd{}));
  thrust::copy(p, in, in + n, keys);
  r.one(thrust::stable_partition(p, keys, keys + n, IsOdd{}) - keys);
  r.all(keys, keys + n);
  // values fall from n - 1 to 0; thrust::device searches for no single value, on a GPU its result is wrong
  r.one(thrust::upper_bound(thrust::seq, values, values + n, 6, thrust::greater<int>()) - values);
  const auto range = thrust::equal_range(thrust::seq, values, values + n, 6, thrust::greater<int>());
  r.one(range.first - values);
  r.one(range.second - values);
}

template <class Policy>
__global__ void with_policy(Policy p, const int* in, int* keys, int* values, int* out, int* results) {
  write_cells(p, in, out, {results});
  reduce_cells(p, in, {results + most / 3});
  order_cells(p, in, keys, values, out, {results + 2 * most / 3});
}

/// Each thread sorts and sums a row of its own.
__global__ void rows(int* all, int* sums) {
  int* row = all + threadIdx.x * 6;
  thrust::sort(thrust::device, row, row + 6);
  sums[threadIdx.x] = thrust::reduce(thrust::seq, row, row + 6);
}

int main() {
  int host[n], results[2][most], *in, *keys, *values, *out, *left;
  for (int i = 0; i < n; ++i) host[i] = i * 7 % 13;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&keys, sizeof host);
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&out, 3 * sizeof host);
  cudaMalloc(&left, sizeof results);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(left, 0, sizeof results);
  cudaMemset(out, 0, 3 * sizeof host);
  with_policy<<<1, 1>>>(thrust::seq, in, keys, values, out, left);
  with_policy<<<1, 1>>>(thrust::device, in, keys, values, out, left + most);
  cudaMemcpy(results, left, sizeof results, cudaMemcpyDeviceToHost);
  for (int k = 0; k < most; ++k) printf("%d %d\n", results[0][k], results[1][k]);
  rows<<<1, 4>>>(in, out);
  cudaMemcpy(host, in, sizeof host, cudaMemcpyDeviceToHost);
  for (int x : host) printf("%d ", x);
  cudaMemcpy(host, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("\n%d %d %d %d\n", host[0], host[1], host[2], host[3]);
  for (int* p : {in, keys, values, out, left}) cudaFree(p);
}
