// Thrust's iterators: counting, constant, transform, zip, permutation, reverse, discard; tuples and pairs.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/zip_function.h>

#include <cstdio>

struct square {
  __host__ __device__ int operator()(int v) const { return v * v; }
};
struct dot {
  __host__ __device__ int operator()(const thrust::tuple<int, int>& t) const {
    return thrust::get<0>(t) * thrust::get<1>(t);
  }
};
struct in_circle {
  int n;
  __host__ __device__ int operator()(int i) const {
    int x = i % n, y = i / n;
    return x * x + y * y < n * n;
  }
};

int main() {
  const int n = 100;
  thrust::device_vector<int> a(n), b(n, 2), out(n);
  thrust::counting_iterator<int> from(0);
  thrust::copy(from, from + n, a.begin());
  printf("counting %d\n", thrust::reduce(from, from + n));
  printf("constant %d\n",
         thrust::reduce(thrust::make_constant_iterator(3), thrust::make_constant_iterator(3) + n));
  auto squares = thrust::make_transform_iterator(from, square());
  printf("transform %d\n", thrust::reduce(squares, squares + n));
  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  printf("zip %d\n", thrust::transform_reduce(pairs, pairs + n, dot(), 0, thrust::plus<int>()));
  thrust::transform(pairs, pairs + n, out.begin(),
                    thrust::make_zip_function([] __host__ __device__(int x, int y) { return x - y; }));
  printf("zip_function %d %d\n", (int)out[0], (int)out[n - 1]);
  thrust::device_vector<int> order(3);
  order[0] = 50, order[1] = 7, order[2] = 99;
  auto chosen = thrust::make_permutation_iterator(a.begin(), order.begin());
  printf("permutation %d\n", thrust::reduce(chosen, chosen + 3));
  thrust::inclusive_scan(thrust::make_reverse_iterator(a.end()), thrust::make_reverse_iterator(a.begin()),
                         out.begin());
  printf("reverse %d %d\n", (int)out[0], (int)out[1]);
  auto end =
      thrust::reduce_by_key(b.begin(), b.end(), a.begin(), thrust::make_discard_iterator(), out.begin());
  printf("discard %d %d\n", (int)(end.second - out.begin()), (int)out[0]);
  printf("circle %d\n",
         thrust::transform_reduce(from, from + 50 * 50, in_circle{50}, 0, thrust::plus<int>()));
}
