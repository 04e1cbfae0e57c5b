// Tensor cores: products of tiles in each shape and type, with small whole numbers, so that sums are exact in
// any order; tiles by rows and by columns; elements that are changed before they are stored.
#include <mma.h>

#include <cstdio>
#include <type_traits>

using namespace nvcuda;

template <class T>
__host__ __device__ T number(int v) {
  return (T)v;
}
template <>
__host__ __device__ __half number<__half>(int v) {
  return __float2half((float)v);
}
template <>
__host__ __device__ __nv_bfloat16 number<__nv_bfloat16>(int v) {
  return __float2bfloat16((float)v);
}
template <class T>
double value(T v) {
  return (double)(float)v;
}

/// One warp: d = a * b + c, then twice of each element and 1 more.
template <int m, int n, int k, class T, class LA, class LB, class S, class D>
__global__ void multiply(const S* a, const S* b, const D* c, D* d, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LA> left;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LB> right;
  wmma::fragment<wmma::accumulator, m, n, k, D> sum, more;
  constexpr bool a_rows = std::is_same<LA, wmma::row_major>::value;
  constexpr bool b_rows = std::is_same<LB, wmma::row_major>::value;
  wmma::load_matrix_sync(left, a, a_rows ? k : m);
  wmma::load_matrix_sync(right, b, b_rows ? n : k);
  const int ld = layout == wmma::mem_row_major ? n : m;
  wmma::load_matrix_sync(sum, c, ld, layout);
  wmma::mma_sync(sum, left, right, sum);
  wmma::fill_fragment(more, number<D>(1));
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] + sum.x[i] + more.x[i];
  wmma::store_matrix_sync(d, sum, ld, layout);
}

template <int m, int n, int k, class T, class LA, class LB, class S, class D>
void tile(const char* name, wmma::layout_t layout, int least) {
  S *a, *b;
  D *c, *d;
  cudaMallocManaged(&a, m * k * sizeof(S));
  cudaMallocManaged(&b, k * n * sizeof(S));
  cudaMallocManaged(&c, m * n * sizeof(D));
  cudaMallocManaged(&d, m * n * sizeof(D));
  for (int i = 0; i < m * k; ++i) a[i] = number<S>(i * 7 % 5 + least);
  for (int i = 0; i < k * n; ++i) b[i] = number<S>(i * 3 % 7 + least);
  for (int i = 0; i < m * n; ++i) c[i] = number<D>(i % 3);
  multiply<m, n, k, T, LA, LB, S, D><<<1, 32>>>(a, b, c, d, layout);
  cudaError_t error = cudaDeviceSynchronize();
  double sum = 0, weighted = 0;
  for (int i = 0; i < m * n; ++i) sum += value(d[i]), weighted += value(d[i]) * (i % 97);
  printf("%s %dx%dx%d: %s %g %g %g %.0f %.0f\n", name, m, n, k, cudaGetErrorName(error), value(d[0]),
         value(d[1]), value(d[m * n - 1]), sum, weighted);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

__global__ void round_to_tf32(const float* in, float* out) {
  out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]);
}

int main() {
  using row = wmma::row_major;
  using col = wmma::col_major;
  const auto by_rows = wmma::mem_row_major, by_columns = wmma::mem_col_major;
  tile<16, 16, 16, __half, row, col, __half, float>("half, float", by_rows, -2);
  tile<16, 16, 16, __half, col, row, __half, __half>("half, half", by_columns, -2);
  tile<32, 8, 16, __half, row, row, __half, float>("half, float", by_rows, -2);
  tile<8, 32, 16, __half, col, col, __half, float>("half, float", by_columns, -2);
  tile<16, 16, 16, __nv_bfloat16, row, row, __nv_bfloat16, float>("bfloat16", by_columns, -2);
  tile<32, 8, 16, __nv_bfloat16, col, col, __nv_bfloat16, float>("bfloat16", by_rows, -2);
  tile<16, 16, 8, wmma::precision::tf32, row, col, float, float>("tf32", by_rows, -2);
  tile<8, 8, 4, double, row, col, double, double>("double", by_rows, -2);
  tile<8, 8, 4, double, col, row, double, double>("double", by_columns, -2);
  tile<16, 16, 16, signed char, row, col, signed char, int>("signed char", by_rows, -2);
  tile<8, 32, 16, unsigned char, row, row, unsigned char, int>("unsigned char", by_rows, 0);
  float *in, *out;
  cudaMallocManaged(&in, 4 * sizeof(float));
  cudaMallocManaged(&out, 4 * sizeof(float));
  in[0] = 1.2345678f, in[1] = -1 - 0x1p-11f, in[2] = 0x1.ffffp20f, in[3] = 1e-40f;
  round_to_tf32<<<1, 4>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) printf("%a\n", out[i]);
  cudaFree(in), cudaFree(out);
}
