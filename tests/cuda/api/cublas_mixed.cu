// Products of cuBLAS whose numbers are of several types, alone and many at once. The numbers are small whole
// ones, so that sums are exact in any order.
// nvcc: -lcublas
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <vector>

template <class T>
T number(int v) {
  return T(float(v));
}
template <class T>
float value(T v) {
  return float(v);
}

template <class T>
struct Array {
  T* at;
  int n;
  explicit Array(int count, int seed = 1) : n(count) {
    std::vector<T> host(n);
    for (int k = 0; k < n; ++k) host[k] = number<T>((k * 7 + seed * 5) % 11 - 4);
    cudaMalloc(&at, n * sizeof(T));
    cudaMemcpy(at, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(at); }
  void show(const char* name) const {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (T v : host) printf(" %g", value(v));
    printf("\n");
  }
};

const int m = 8, n = 4, k = 12;

template <class From, class To, class Scale>
void product(cublasHandle_t h, const char* name, cudaDataType from, cudaDataType to,
             cublasComputeType_t compute) {
  Array<From> a(m * k, 1), b(k * n, 2);
  Array<To> c(m * n, 3);
  const Scale two = number<Scale>(2), one = number<Scale>(1);
  printf("%d ", (int)cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &two, a.at, from, m, b.at, from, k,
                                  &one, c.at, to, m, compute, CUBLAS_GEMM_DEFAULT));
  c.show(name);
  Array<To> turned(m * n, 4);
  const Scale none = number<Scale>(0);
  printf("%d ", (int)cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, a.at, from, k, b.at, from, k,
                                  &none, turned.at, to, m, compute, CUBLAS_GEMM_DEFAULT));
  turned.show("turned");
}

template <class From, class To>
void products_at_once(cublasHandle_t h, const char* name, cudaDataType from, cudaDataType to) {
  const int count = 3;
  const float one = 1, half = 0.5f;
  Array<From> a(count * m * k, 1), b(count * k * n, 2);
  Array<To> c(count * m * n, 3), d(count * m * n, 5);
  printf("%d ", (int)cublasGemmStridedBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a.at, from, m,
                                                m * k, b.at, from, k, k * n, &one, c.at, to, m, m * n, count,
                                                CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  c.show(name);
  void *at[3][count], **places;
  for (int j = 0; j < count; ++j) {
    at[0][j] = a.at + j * m * k;
    at[1][j] = b.at + (count - 1 - j) * k * n;
    at[2][j] = d.at + j * m * n;
  }
  cudaMalloc(&places, sizeof at);
  cudaMemcpy(places, at, sizeof at, cudaMemcpyHostToDevice);
  printf("%d ", (int)cublasGemmBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &half, places, from, m,
                                         places + count, from, k, &one, places + 2 * count, to, m, count,
                                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  d.show("by places");
  cudaFree(places);
}

void of_half(cublasHandle_t h) {
  Array<__half> a(m * k, 1), b(k * n, 2), c(m * n, 3);
  const __half two = __float2half(2), none = __float2half(0);
  printf("%d ",
         (int)cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &two, a.at, m, b.at, n, &none, c.at, m));
  c.show("Hgemm");
  Array<__half> many(2 * m * n, 4);
  printf("%d ", (int)cublasHgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, 4, &two, a.at, m, 4 * m,
                                               b.at, 4, 4 * n, &none, many.at, m, m * n, 2));
  many.show("Hgemm, two");
  Array<float> wide(m * n, 3);
  const float one = 1;
  printf("%d ", (int)cublasSgemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a.at, CUDA_R_16F, m, b.at,
                                   CUDA_R_16F, k, &one, wide.at, CUDA_R_32F, m));
  wide.show("SgemmEx");
}

int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  product<__half, __half, __half>(h, "half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  product<__half, __half, float>(h, "half, sums of float", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  product<__half, float, float>(h, "half to float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  product<__nv_bfloat16, float, float>(h, "bfloat16 to float", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  product<__nv_bfloat16, __nv_bfloat16, float>(h, "bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  product<float, float, float>(h, "float", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  product<double, double, double>(h, "double", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  product<int8_t, int32_t, int32_t>(h, "bytes", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  products_at_once<__half, float>(h, "three, half to float", CUDA_R_16F, CUDA_R_32F);
  products_at_once<float, float>(h, "three, float", CUDA_R_32F, CUDA_R_32F);
  of_half(h);
  cublasDestroy(h);
}
