// Tensor cores: fragments, their loads and stores, products of all shapes and types; a sum that begins with
// a tile, by rows or by columns; rounding to tf32. The numbers are small whole ones: their sums are exact in
// any order.
#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;

template <class T>
T number(int k) {
  return T(float(k));
}

/// Every element as a float, so that one loop prints all types.
template <class T>
__global__ void as_floats(const T* from, float* to, int n) {
  for (int k = threadIdx.x; k < n; k += blockDim.x) to[k] = float(from[k]);
}

template <int M, int N, int K, class T, class Stored, class Sum, class LayoutA, class LayoutB>
__global__ void product(const Stored* a, const Stored* b, Sum* c, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sums;
  wmma::fill_fragment(sums, Sum(1.0f));
  wmma::load_matrix_sync(left, a, std::is_same<LayoutA, wmma::row_major>::value ? K : M);
  wmma::load_matrix_sync(right, b, std::is_same<LayoutB, wmma::row_major>::value ? N : K);
  wmma::mma_sync(sums, left, right, sums);
  wmma::mma_sync(sums, left, right, sums);
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = sums.x[i] + sums.x[i];
  wmma::store_matrix_sync(c, sums, layout == wmma::mem_row_major ? N : M, layout);
}

template <int M, int N, int K, class T, class Stored, class Sum, class LayoutA, class LayoutB>
void show(const char* name, wmma::layout_t layout) {
  Stored *a, *b;
  Sum* c;
  float* shown;
  cudaMallocManaged(&a, M * K * sizeof(Stored));
  cudaMallocManaged(&b, K * N * sizeof(Stored));
  cudaMallocManaged(&c, M * N * sizeof(Sum));
  cudaMallocManaged(&shown, M * N * sizeof(float));
  for (int k = 0; k < M * K; ++k) a[k] = number<Stored>(k * 7 % 5);
  for (int k = 0; k < K * N; ++k) b[k] = number<Stored>(k * 3 % 4);
  product<M, N, K, T, Stored, Sum, LayoutA, LayoutB><<<1, 32>>>(a, b, c, layout);
  as_floats<<<1, 64>>>(c, shown, M * N);
  cudaDeviceSynchronize();
  printf("%s:", name);
  for (int k = 0; k < M * N; k += 13) printf(" %g", shown[k]);
  printf("\n");
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(shown);
}

template <int M, int N, int K, class T, class Stored, class Sum>
void show_layouts(const char* name) {
  using wmma::col_major;
  using wmma::row_major;
  printf("%s, %dx%dx%d\n", name, M, N, K);
  show<M, N, K, T, Stored, Sum, row_major, row_major>("rows, rows", wmma::mem_row_major);
  show<M, N, K, T, Stored, Sum, row_major, col_major>("rows, columns", wmma::mem_col_major);
  show<M, N, K, T, Stored, Sum, col_major, row_major>("columns, rows", wmma::mem_row_major);
}

/// A product of 32 x 32, in tiles that warps stage in shared memory, with c = 2 ab + 3 c at the end.
__global__ void tiled(const half* a, const half* b, float* c, int n) {
  __shared__ half left[2][16 * 16], right[2][16 * 16];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 16, column = warp * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums, before;
  wmma::fill_fragment(sums, 0.0f);
  for (int k = 0; k < n; k += 16) {
    for (int i = lane; i < 256; i += 32) {
      left[warp][i] = a[(row + i / 16) * n + k + i % 16];
      right[warp][i] = b[(k + i / 16) * n + column + i % 16];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
    wmma::load_matrix_sync(x, left[warp], 16);
    wmma::load_matrix_sync(y, right[warp], 16);
    wmma::mma_sync(sums, x, y, sums);
    __syncthreads();
  }
  wmma::load_matrix_sync(before, c + row * n + column, n, wmma::mem_row_major);
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = 2.0f * sums.x[i] + 3.0f * before.x[i];
  wmma::store_matrix_sync(c + row * n + column, sums, n, wmma::mem_row_major);
}

void show_tiled() {
  const int n = 32;
  half *a, *b;
  float* c;
  cudaMallocManaged(&a, n * n * sizeof(half));
  cudaMallocManaged(&b, n * n * sizeof(half));
  cudaMallocManaged(&c, n * n * sizeof(float));
  for (int k = 0; k < n * n; ++k) {
    a[k] = number<half>(k % 3);
    b[k] = number<half>(k % 7);
    c[k] = float(k % 2);
  }
  tiled<<<n / 16, 2 * 32>>>(a, b, c, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int k = 0; k < n; ++k) sum += (i * n + k) % 3 * ((k * n + j) % 7);
      wrong += c[i * n + j] != float(2 * sum + 3 * ((i * n + j) % 2));
    }
  printf("tiled: %d wrong, %g\n", wrong, c[n + 5]);
}

/// Rounding of tf32, and d of another type than c.
__global__ void rounded(float* out) {
  const float numbers[] = {1.0f, 1.0004883f, 1.00048828125f, 1.0009765f, -3.1415927f, 0.1f, 65504.5f};
  if (threadIdx.x < 7) out[threadIdx.x] = wmma::__float_to_tf32(numbers[threadIdx.x]);
}
__global__ void round_to_tf32(float* out) {
  const float numbers[] = {1.2345678f, -1 - 0x1p-11f, 0x1.ffffp20f, 1e-40f};
  out[threadIdx.x] = wmma::__float_to_tf32(numbers[threadIdx.x]);
}
__global__ void mixed(const half* a, half* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> out;
  wmma::fill_fragment(sums, 0.5f);
  wmma::load_matrix_sync(x, a, 16);
  wmma::load_matrix_sync(y, a, 16);
  wmma::mma_sync(out, x, y, sums);
  wmma::store_matrix_sync(c, out, 16, wmma::mem_row_major);
}

void show_numbers() {
  half *a, *c;
  float* out;
  cudaMallocManaged(&a, 256 * sizeof(half));
  cudaMallocManaged(&c, 256 * sizeof(half));
  cudaMallocManaged(&out, 7 * sizeof(float));
  for (int k = 0; k < 256; ++k) a[k] = number<half>(k % 6);
  rounded<<<1, 32>>>(out);
  mixed<<<1, 32>>>(a, c);
  cudaDeviceSynchronize();
  printf("tf32:");
  for (int k = 0; k < 7; ++k) printf(" %.9g", out[k]);
  printf("\nmixed:");
  for (int k = 0; k < 256; k += 17) printf(" %g", float(c[k]));
  printf("\n");
}

/// One warp: d = 2 (a * b + c) + 1.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class Sum>
__global__ void added(const T* a, const T* b, const Sum* c, Sum* d, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, one;
  wmma::load_matrix_sync(left, a, std::is_same<LayoutA, wmma::row_major>::value ? K : M);
  wmma::load_matrix_sync(right, b, std::is_same<LayoutB, wmma::row_major>::value ? N : K);
  const int ld = layout == wmma::mem_row_major ? N : M;
  wmma::load_matrix_sync(sum, c, ld, layout);
  wmma::mma_sync(sum, left, right, sum);
  wmma::fill_fragment(one, Sum(1.0f));
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] + sum.x[i] + one.x[i];
  wmma::store_matrix_sync(d, sum, ld, layout);
}

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class Sum>
void show_added(const char* name, wmma::layout_t layout) {
  T *a, *b;
  Sum *c, *d;
  cudaMallocManaged(&a, M * K * sizeof(T));
  cudaMallocManaged(&b, K * N * sizeof(T));
  cudaMallocManaged(&c, M * N * sizeof(Sum));
  cudaMallocManaged(&d, M * N * sizeof(Sum));
  for (int i = 0; i < M * K; ++i) a[i] = number<T>(i * 7 % 5 - 2);
  for (int i = 0; i < K * N; ++i) b[i] = number<T>(i * 3 % 7 - 2);
  for (int i = 0; i < M * N; ++i) c[i] = number<Sum>(i % 3);
  added<M, N, K, T, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, layout);
  cudaDeviceSynchronize();
  double sum = 0, weighted = 0;
  for (int i = 0; i < M * N; ++i) sum += double(float(d[i])), weighted += double(float(d[i])) * (i % 97);
  printf("%s %dx%dx%d: %g %g %g %.0f %.0f\n", name, M, N, K, double(float(d[0])), double(float(d[1])),
         double(float(d[M * N - 1])), sum, weighted);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

/// A tie, whose rounding is away from zero, and numbers that a float can just hold.
void show_tf32() {
  float* out;
  cudaMallocManaged(&out, 4 * sizeof(float));
  round_to_tf32<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) printf("%a\n", out[i]);
  cudaFree(out);
}

int main() {
  show_layouts<16, 16, 16, half, half, float>("half to float");
  show_layouts<16, 16, 16, half, half, half>("half to half");
  show_layouts<32, 8, 16, half, half, float>("half to float");
  show_layouts<8, 32, 16, half, half, float>("half to float");
  show_layouts<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>("bfloat16 to float");
  show_layouts<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float>("bfloat16 to float");
  show_layouts<16, 16, 16, signed char, signed char, int>("signed char to int");
  show_layouts<32, 8, 16, unsigned char, unsigned char, int>("unsigned char to int");
  show_layouts<16, 16, 8, wmma::precision::tf32, float, float>("tf32 to float");
  show_layouts<8, 8, 4, double, double, double>("double to double");
  show_tiled();
  show_numbers();
  show_added<16, 16, 16, half, wmma::row_major, wmma::col_major, float>("half, float", wmma::mem_row_major);
  show_added<16, 16, 16, half, wmma::col_major, wmma::row_major, half>("half, half", wmma::mem_col_major);
  show_added<8, 32, 16, half, wmma::col_major, wmma::col_major, float>("half, float", wmma::mem_col_major);
  show_added<8, 8, 4, double, wmma::col_major, wmma::row_major, double>("double", wmma::mem_col_major);
  show_tf32();
  return 0;
}
