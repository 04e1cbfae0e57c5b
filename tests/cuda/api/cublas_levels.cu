// cuBLAS for float and double: vectors, matrices with vectors, products. The numbers are small whole ones, so
// that sums are exact in any order.
// nvcc: -lcublas
#include <cublas_v2.h>

#include <cstdio>
#include <vector>

template <class T>
struct Blas;
template <>
struct Blas<float> {
#define BLAS(name)                     \
  template <class... A>                \
  static cublasStatus_t name(A... a) { \
    return cublasS##name(a...);        \
  }
  // clang-format off
  BLAS(axpy) BLAS(scal) BLAS(copy) BLAS(swap) BLAS(dot) BLAS(nrm2) BLAS(asum) BLAS(gemv) BLAS(ger) BLAS(symv)
  BLAS(syr) BLAS(trmv) BLAS(trsv) BLAS(gemm) BLAS(symm) BLAS(syrk) BLAS(trmm) BLAS(trsm) BLAS(geam) BLAS(dgmm)
  BLAS(gemmStridedBatched)
  // clang-format on
#undef BLAS
              static cublasStatus_t amax(cublasHandle_t h, int n, const float* x, int s, int* r) {
    return cublasIsamax(h, n, x, s, r);
  }
  static cublasStatus_t amin(cublasHandle_t h, int n, const float* x, int s, int* r) {
    return cublasIsamin(h, n, x, s, r);
  }
};
template <>
struct Blas<double> {
#define BLAS(name)                     \
  template <class... A>                \
  static cublasStatus_t name(A... a) { \
    return cublasD##name(a...);        \
  }
  // clang-format off
  BLAS(axpy) BLAS(scal) BLAS(copy) BLAS(swap) BLAS(dot) BLAS(nrm2) BLAS(asum) BLAS(gemv) BLAS(ger) BLAS(symv)
  BLAS(syr) BLAS(trmv) BLAS(trsv) BLAS(gemm) BLAS(symm) BLAS(syrk) BLAS(trmm) BLAS(trsm) BLAS(geam) BLAS(dgmm)
  BLAS(gemmStridedBatched)
  // clang-format on
#undef BLAS
              static cublasStatus_t amax(cublasHandle_t h, int n, const double* x, int s, int* r) {
    return cublasIdamax(h, n, x, s, r);
  }
  static cublasStatus_t amin(cublasHandle_t h, int n, const double* x, int s, int* r) {
    return cublasIdamin(h, n, x, s, r);
  }
};

template <class T>
struct Array {
  T* at;
  int n;
  explicit Array(int count, int seed = 1) : n(count) {
    std::vector<T> host(n);
    for (int k = 0; k < n; ++k) host[k] = (T)((k * 7 + seed * 5) % 11 - 4);
    cudaMalloc(&at, n * sizeof(T));
    cublasSetVector(n, sizeof(T), host.data(), 1, at, 1);
  }
  ~Array() { cudaFree(at); }
  void show(const char* name) const {
    std::vector<T> host(n);
    cublasGetVector(n, sizeof(T), at, 1, host.data(), 1);
    printf("%s:", name);
    for (T v : host) printf(" %g", (double)v);
    printf("\n");
  }
};

template <class T>
void vectors(cublasHandle_t h) {
  Array<T> x(12, 1), y(12, 2);
  const T two = 2;
  T result = 0;
  int where = 0;
  Blas<T>::axpy(h, 12, &two, x.at, 1, y.at, 1);
  y.show("axpy");
  Blas<T>::axpy(h, 4, &two, x.at, 3, y.at, -2);
  y.show("axpy with steps");
  Blas<T>::scal(h, 6, &two, x.at, 2);
  x.show("scal");
  Blas<T>::swap(h, 5, x.at, 1, y.at, 2);
  x.show("swap");
  Blas<T>::copy(h, 3, y.at, 1, x.at, 1);
  x.show("copy");
  Blas<T>::dot(h, 12, x.at, 1, y.at, 1, &result);
  printf("dot %g\n", (double)result);
  Blas<T>::nrm2(h, 2, x.at, 1, &result);
  printf("nrm2 %.5g\n", (double)result);
  Blas<T>::asum(h, 12, x.at, 1, &result);
  printf("asum %g\n", (double)result);
  Blas<T>::amax(h, 12, x.at, 1, &where);
  printf("amax %d\n", where);
  Blas<T>::amin(h, 12, x.at, 1, &where);
  printf("amin %d\n", where);
}

template <class T>
void matrices(cublasHandle_t h) {
  const T two = 2, one = 1, none = 0;
  Array<T> a(20, 3), x(5, 1), y(5, 2);
  Blas<T>::gemv(h, CUBLAS_OP_N, 4, 5, &two, a.at, 4, x.at, 1, &one, y.at, 1);
  y.show("gemv");
  Blas<T>::gemv(h, CUBLAS_OP_T, 3, 5, &one, a.at, 4, x.at, 1, &none, y.at, 1);
  y.show("gemv turned");
  Blas<T>::ger(h, 4, 5, &two, x.at, 1, y.at, 1, a.at, 4);
  a.show("ger");
  Array<T> s(16, 1), u(4, 2), v(4, 3);
  Blas<T>::symv(h, CUBLAS_FILL_MODE_LOWER, 4, &one, s.at, 4, u.at, 1, &two, v.at, 1);
  v.show("symv");
  Blas<T>::syr(h, CUBLAS_FILL_MODE_UPPER, 4, &one, u.at, 1, s.at, 4);
  s.show("syr");
  Array<T> t(16, 2);
  Blas<T>::trmv(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, t.at, 4, u.at, 1);
  u.show("trmv");
  Blas<T>::trsv(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, t.at, 4, u.at, 1);
  u.show("trsv");
}

template <class T>
void products(cublasHandle_t h) {
  const T two = 2, one = 1, none = 0;
  Array<T> a(30, 1), b(30, 2), c(30, 3);
  Blas<T>::gemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 3, 5, &two, a.at, 5, b.at, 6, &one, c.at, 7);
  c.show("gemm");
  Blas<T>::gemm(h, CUBLAS_OP_T, CUBLAS_OP_N, 4, 3, 5, &one, a.at, 5, b.at, 6, &none, c.at, 4);
  c.show("gemm turned");
  Blas<T>::gemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 4, 3, 5, &one, a.at, 4, b.at, 3, &two, c.at, 4);
  c.show("gemm turned right");
  Blas<T>::gemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.at, 2, 4ll, b.at, 2, 4ll, &none,
                              c.at, 2, 4ll, 5);
  c.show("batched");
  Blas<T>::symm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 3, 4, &one, a.at, 3, b.at, 3, &none, c.at, 3);
  c.show("symm");
  Blas<T>::symm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, 3, 4, &one, a.at, 4, b.at, 3, &one, c.at, 3);
  c.show("symm right");
  Blas<T>::syrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 3, 4, &one, a.at, 3, &two, c.at, 3);
  c.show("syrk");
  Blas<T>::syrk(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, 3, 4, &one, a.at, 4, &none, c.at, 3);
  c.show("syrk turned");
  Blas<T>::trmm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, 4, &two,
                a.at, 3, b.at, 3, c.at, 3);
  c.show("trmm");
  Blas<T>::trmm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT, 3, 4, &one, a.at,
                4, b.at, 3, c.at, 3);
  c.show("trmm right");
  Blas<T>::trsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT, 3, 4, &one, a.at,
                4, c.at, 3);
  c.show("trsm right");
  Blas<T>::trsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT, 3, 4, &two, a.at,
                3, c.at, 3);
  c.show("trsm");
  Blas<T>::geam(h, CUBLAS_OP_T, CUBLAS_OP_N, 3, 4, &two, a.at, 4, &one, b.at, 3, c.at, 3);
  c.show("geam");
  Blas<T>::dgmm(h, CUBLAS_SIDE_LEFT, 3, 4, a.at, 3, b.at, 1, c.at, 3);
  c.show("dgmm");
}

__global__ void twice(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] *= 2;
}

int main() {
  cublasHandle_t h;
  printf("%d\n", (int)cublasCreate(&h));
  vectors<float>(h);
  vectors<double>(h);
  matrices<float>(h);
  matrices<double>(h);
  products<float>(h);
  products<double>(h);
  // a kernel between two calls, scalars in the device's memory
  Array<float> x(8, 1), y(8, 2);
  float* result;
  cudaMalloc(&result, sizeof(float));
  twice<<<1, 8>>>(x.at, 8);
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
  cublasSdot(h, 8, x.at, 1, y.at, 1, result);
  float host = 0;
  cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host);
  cudaFree(result);
  cublasDestroy(h);
}
