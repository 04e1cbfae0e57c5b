// Products of cuBLAS whose numbers are of several types: half precision, bfloat16, bytes. Sums are made in
// double and rounded once to the type of the result; tensor cores round more often, in an order of their own.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/cuda/runtime/cublas_matrices.hpp"
#include "engine/trace/small_float.hpp"

using namespace bscope;
using namespace bscope::cuda;
using namespace bscope::cuda::blas;

namespace {

/// One of the three matrices of a product, or of the first of many.
struct TypedMatrix {
  const void* at;
  cudaDataType type;
  int ld;
  long long stride = 0;  ///< numbers to the next one
};

/// Calls `use` with a null pointer to the C++ type of such numbers. False: there is none.
template <class Use>
bool with_type(cudaDataType type, Use use) {
  switch (type) {
    case CUDA_R_16F: return use(static_cast<Half*>(nullptr)), true;
    case CUDA_R_16BF: return use(static_cast<Bfloat16*>(nullptr)), true;
    case CUDA_R_32F: return use(static_cast<float*>(nullptr)), true;
    case CUDA_R_64F: return use(static_cast<double*>(nullptr)), true;
    case CUDA_R_8I: return use(static_cast<int8_t*>(nullptr)), true;
    case CUDA_R_32I: return use(static_cast<int32_t*>(nullptr)), true;
    default: return false;
  }
}
const void* moved(const void* at, cudaDataType type, long long by) {
  with_type(type, [&]<class T>(T*) { at = static_cast<const T*>(at) + by; });
  return at;
}

/// The type of alpha and beta.
cudaDataType scale_of(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUDA_R_32I;
    default: return CUDA_R_32F;
  }
}
/// Whether cuBLAS has such a product: the table of cublasGemmEx in its documentation, without complex
/// numbers.
bool is_there(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c) {
  if (a != b) return false;
  switch (compute) {
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      return c == CUDA_R_32F ? a == CUDA_R_8I || a == CUDA_R_16F || a == CUDA_R_16BF || a == CUDA_R_32F
                             : c == a && (a == CUDA_R_16F || a == CUDA_R_16BF);
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: return a == CUDA_R_32F && c == CUDA_R_32F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return a == CUDA_R_8I && c == CUDA_R_32I;
    default: return a == scale_of(compute) && c == a;
  }
}

struct MixedProduct {
  cublasOperation_t op_a, op_b;
  int m, n, k;
  const void *alpha, *beta;
  cublasComputeType_t compute;
  TypedMatrix a, b, c;

  bool fits() const {
    return blas::fits(op_a == CUBLAS_OP_N ? m : k, op_a == CUBLAS_OP_N ? k : m, a.ld) &&
           blas::fits(op_b == CUBLAS_OP_N ? k : n, op_b == CUBLAS_OP_N ? n : k, b.ld) &&
           blas::fits(m, n, c.ld);
  }
  double scalar(HostLibraryCall& call, const void* at) const {
    double value = 0;
    with_type(scale_of(compute),
              [&]<class T>(T*) { value = double(call.scalar(static_cast<const T*>(at))); });
    return value;
  }
  static Dense<double> operand(HostLibraryCall& call, const void* at, const TypedMatrix& of,
                               cublasOperation_t op, int rows, int columns) {
    if (op != CUBLAS_OP_N) std::swap(rows, columns);
    Dense<double> made{0, 0};
    with_type(of.type, [&]<class T>(T*) {
      made = dense_as<double>(Matrix<T>(call, static_cast<const T*>(at), rows, columns, of.ld), op);
    });
    return made;
  }
  /// c = alpha * a * b + beta * c, of matrices at these places.
  void run(HostLibraryCall& call, double by, double kept, const void* at_a, const void* at_b,
           const void* at_c) const {
    if (m == 0 || n == 0) return;
    Dense<double> left = operand(call, at_a, a, op_a, m, k), right = operand(call, at_b, b, op_b, k, n);
    with_type(c.type, [&]<class T>(T*) {
      Matrix<T> to(call, static_cast<const T*>(at_c), m, n, c.ld, kept != 0);
      if (!call.good()) return;
      multiply(by, left, right, kept, to);
      to.write();
    });
  }
};

cublasStatus_t multiply_mixed(cublasHandle_t handle, const char* name, const MixedProduct& p, int count = 1) {
  if (handle && !is_there(p.compute, p.a.type, p.b.type, p.c.type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return blas::call(handle, name, p.fits() && count >= 0, [&](HostLibraryCall& call) {
    const double by = p.scalar(call, p.alpha), kept = p.scalar(call, p.beta);
    const auto place = [](const TypedMatrix& x, int number) {
      return moved(x.at, x.type, number * x.stride);
    };
    for (int number = 0; call.good() && number < count; ++number)
      p.run(call, by, kept, place(p.a, number), place(p.b, number), place(p.c, number));
  });
}
/// The matrices' places are in three arrays of the device.
cublasStatus_t multiply_pointed(cublasHandle_t handle, const char* name, const MixedProduct& p, int count) {
  if (handle && !is_there(p.compute, p.a.type, p.b.type, p.c.type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return blas::call(handle, name, p.fits() && count >= 0, [&](HostLibraryCall& call) {
    const double by = p.scalar(call, p.alpha), kept = p.scalar(call, p.beta);
    const auto places = [&](const TypedMatrix& x) {
      return call.read(static_cast<const void* const*>(x.at), size_t(count));
    };
    const auto all_a = places(p.a), all_b = places(p.b), all_c = places(p.c);
    for (size_t k = 0; call.good() && k < size_t(count); ++k)
      p.run(call, by, kept, all_a[k], all_b[k], all_c[k]);
  });
}

}  // namespace

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                            const void* b, cudaDataType type_b, int ldb, const void* beta, void* c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_mixed(
      handle, __func__,
      {op_a, op_b, m, n, k, alpha, beta, compute, {a, type_a, lda}, {b, type_b, ldb}, {c, type_c, ldc}});
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType type_a, int lda, long long stride_a,
                                          const void* b, cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
  return multiply_mixed(handle, __func__,
                        {op_a,
                         op_b,
                         m,
                         n,
                         k,
                         alpha,
                         beta,
                         compute,
                         {a, type_a, lda, stride_a},
                         {b, type_b, ldb, stride_b},
                         {c, type_c, ldc, stride_c}},
                        count);
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                   int m, int n, int k, const void* alpha, const void* const* a,
                                   cudaDataType type_a, int lda, const void* const* b, cudaDataType type_b,
                                   int ldb, const void* beta, void* const* c, cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_pointed(
      handle, __func__,
      {op_a, op_b, m, n, k, alpha, beta, compute, {a, type_a, lda}, {b, type_b, ldb}, {c, type_c, ldc}},
      count);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                             int n, int k, const float* alpha, const void* a, cudaDataType type_a, int lda,
                             const void* b, cudaDataType type_b, int ldb, const float* beta, void* c,
                             cudaDataType type_c, int ldc) {
  return multiply_mixed(handle, __func__,
                        {op_a,
                         op_b,
                         m,
                         n,
                         k,
                         alpha,
                         beta,
                         CUBLAS_COMPUTE_32F,
                         {a, type_a, lda},
                         {b, type_b, ldb},
                         {c, type_c, ldc}});
}
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const __half* alpha, const __half* a, int lda, const __half* b,
                           int ldb, const __half* beta, __half* c, int ldc) {
  return multiply_mixed(handle, __func__,
                        {op_a,
                         op_b,
                         m,
                         n,
                         k,
                         alpha,
                         beta,
                         CUBLAS_COMPUTE_16F,
                         {a, CUDA_R_16F, lda},
                         {b, CUDA_R_16F, ldb},
                         {c, CUDA_R_16F, ldc}});
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k, const __half* alpha,
                                         const __half* a, int lda, long long stride_a, const __half* b,
                                         int ldb, long long stride_b, const __half* beta, __half* c, int ldc,
                                         long long stride_c, int count) {
  return multiply_mixed(handle, __func__,
                        {op_a,
                         op_b,
                         m,
                         n,
                         k,
                         alpha,
                         beta,
                         CUBLAS_COMPUTE_16F,
                         {a, CUDA_R_16F, lda, stride_a},
                         {b, CUDA_R_16F, ldb, stride_b},
                         {c, CUDA_R_16F, ldc, stride_c}},
                        count);
}
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                  int m, int n, int k, const __half* alpha, const __half* const* a, int lda,
                                  const __half* const* b, int ldb, const __half* beta, __half* const* c,
                                  int ldc, int count) {
  return multiply_pointed(handle, __func__,
                          {op_a,
                           op_b,
                           m,
                           n,
                           k,
                           alpha,
                           beta,
                           CUBLAS_COMPUTE_16F,
                           {a, CUDA_R_16F, lda},
                           {b, CUDA_R_16F, ldb},
                           {c, CUDA_R_16F, ldc}},
                          count);
}
