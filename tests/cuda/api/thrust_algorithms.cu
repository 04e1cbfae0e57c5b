// Thrust's algorithms on device vectors.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
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

using vector = thrust::device_vector<int>;

struct square {
  __host__ __device__ int operator()(int v) const { return v * v; }
};
struct is_even {
  __host__ __device__ bool operator()(int v) const { return v % 2 == 0; }
};
struct add_to {
  int* sum;
  __device__ void operator()(int v) const { atomicAdd(sum, v); }
};

void show(const char* name, const vector& v, size_t count = 12) {
  thrust::host_vector<int> h = v;
  printf("%s", name);
  for (size_t k = 0; k < count && k < h.size(); ++k) printf(" %d", h[k]);
  printf("\n");
}

void make_and_change() {
  vector a(64), b(64, 3);
  thrust::sequence(a.begin(), a.end(), 5, 2);
  show("sequence", a);
  thrust::fill(b.begin(), b.begin() + 4, 9);
  show("fill", b);
  thrust::tabulate(b.begin(), b.end(), square());
  show("tabulate", b);
  thrust::transform(a.begin(), a.end(), b.begin(), a.begin(), thrust::plus<int>());
  show("transform", a);
  thrust::replace(a.begin(), a.end(), 5, -5);
  thrust::replace_if(a.begin(), a.end(), is_even(), 0);
  show("replace", a);
  thrust::reverse(a.begin(), a.end());
  show("reverse", a);
  thrust::swap_ranges(a.begin(), a.begin() + 8, b.begin());
  show("swap", a);
  thrust::for_each(b.begin(), b.end(), add_to{thrust::raw_pointer_cast(&a[0])});
  show("for_each", a);
  vector map(8), picked(8), placed(16, -1);
  thrust::tabulate(map.begin(), map.end(), square());
  thrust::transform(map.begin(), map.end(), map.begin(), [] __host__ __device__(int v) { return v % 16; });
  thrust::gather(map.begin(), map.end(), b.begin(), picked.begin());
  show("gather", picked);
  thrust::sequence(map.begin(), map.end(), 0, 2);
  thrust::scatter(picked.begin(), picked.end(), map.begin(), placed.begin());
  show("scatter", placed, 16);
}

void reduce_and_scan(const vector& a) {
  vector out(a.size()), keys(a.size());
  printf("reduce %d %d\n", thrust::reduce(a.begin(), a.end()),
         thrust::reduce(a.begin(), a.end(), 0, thrust::maximum<int>()));
  printf("transform_reduce %d\n",
         thrust::transform_reduce(a.begin(), a.end(), square(), 0, thrust::plus<int>()));
  printf("inner_product %d\n", thrust::inner_product(a.begin(), a.end(), a.begin(), 7));
  printf("count %d %d\n", (int)thrust::count(a.begin(), a.end(), 3),
         (int)thrust::count_if(a.begin(), a.end(), is_even()));
  printf("extrema %d %d\n", (int)(thrust::min_element(a.begin(), a.end()) - a.begin()),
         (int)(thrust::max_element(a.begin(), a.end()) - a.begin()));
  printf("logic %d %d %d\n", thrust::all_of(a.begin(), a.end(), is_even()),
         thrust::any_of(a.begin(), a.end(), is_even()), thrust::none_of(a.begin(), a.end(), is_even()));
  printf("find %d\n", (int)(thrust::find(a.begin(), a.end(), 50) - a.begin()));
  thrust::inclusive_scan(a.begin(), a.end(), out.begin());
  show("inclusive_scan", out);
  thrust::exclusive_scan(a.begin(), a.end(), out.begin(), 100);
  show("exclusive_scan", out);
  thrust::transform_inclusive_scan(a.begin(), a.end(), out.begin(), square(), thrust::plus<int>());
  show("transform_scan", out);
  thrust::adjacent_difference(a.begin(), a.end(), out.begin());
  show("adjacent_difference", out);
  thrust::tabulate(keys.begin(), keys.end(), [] __host__ __device__(int k) { return k / 9; });
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), a.begin(), out.begin());
  show("scan_by_key", out, 20);
  vector sums(a.size()), of(a.size());
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), a.begin(), of.begin(), sums.begin());
  show("reduce_by_key", sums, ends.second - sums.begin());
}

void select_and_sort(vector a) {
  vector out(a.size(), -1), b = a;
  auto end = thrust::copy_if(a.begin(), a.end(), out.begin(), is_even());
  printf("copy_if %d\n", (int)(end - out.begin()));
  show("copy_if", out);
  end = thrust::remove_if(b.begin(), b.end(), is_even());
  b.resize(end - b.begin());
  show("remove_if", b);
  thrust::stable_partition(a.begin(), a.end(), is_even());
  show("stable_partition", a, 60);
  thrust::sort(a.begin(), a.end(), thrust::greater<int>());
  show("sort", a, 60);
  vector values(b.size());
  thrust::sequence(values.begin(), values.end());
  thrust::stable_sort_by_key(b.begin(), b.end(), values.begin());
  show("sort_by_key", values);
  thrust::sort(a.begin(), a.end());
  a.erase(thrust::unique(a.begin(), a.end()), a.end());
  printf("unique %d\n", (int)a.size());
  vector wanted(4), where(4);
  thrust::sequence(wanted.begin(), wanted.end(), 0, 13);
  thrust::lower_bound(a.begin(), a.end(), wanted.begin(), wanted.end(), where.begin());
  show("lower_bound", where);
  printf("binary_search %d\n", (int)thrust::binary_search(a.begin(), a.end(), 37));
  thrust::sort(b.begin(), b.end());
  vector both(a.size() + b.size());
  thrust::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin());
  show("merge", both, 20);
  end = thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), both.begin());
  printf("set_intersection %d\n", (int)(end - both.begin()));
  end = thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(), both.begin());
  printf("set_difference %d\n", (int)(end - both.begin()));
  printf("equal %d\n", thrust::equal(a.begin(), a.end(), a.begin()));
  auto differ = thrust::mismatch(a.begin(), a.end(), b.begin());
  printf("mismatch %d\n", (int)(differ.first - a.begin()));
}

int main() {
  make_and_change();
  thrust::host_vector<int> h(150);
  for (int k = 0; k < 150; ++k) h[k] = k * 37 % 101;
  vector a = h;
  reduce_and_scan(a);
  select_and_sort(a);
}
