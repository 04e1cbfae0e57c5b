// cuBLAS for float and double: each call takes its arrays out of the device's memory, computes, and puts the
// result back. Matrices lie column by column. Sums of floats are made in double, so that they are rounded
// once; a GPU's differ in the last bits, as they do from one GPU to another.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/cuda/runtime/cublas_matrices.hpp"

using namespace bscope::cuda;
using namespace bscope::cuda::blas;

const char* bscope::cuda::blas::name_without_version(std::string_view name) {
  static auto* const names = new std::set<std::string, std::less<>>;
  if (name.ends_with("_v2")) name.remove_suffix(3);
  return names->emplace(name).first->c_str();
}

namespace {

/// What a sum of T is made in.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// A vector of n numbers, so many apart in memory; a negative step begins at its end.
template <class T>
class Vector {
 public:
  Vector(HostLibraryCall& call, const T* at, int n, int step, bool reads = true)
      : call_(call), at_(at), n_(std::max(n, 0)), step_(step) {
    const size_t span = n_ ? size_t(n_ - 1) * size_t(std::abs(step)) + 1 : 0;
    cells_ = reads ? call.read(at, span) : call.look(at, span);
    cells_.resize(span);
  }
  T& operator[](int k) {
    return cells_[step_ >= 0 ? size_t(k) * size_t(step_) : size_t(n_ - 1 - k) * size_t(-step_)];
  }
  int size() const { return n_; }
  void write() { call_.write(const_cast<T*>(at_), std::span<const T>(cells_)); }

 private:
  HostLibraryCall& call_;
  const T* at_;
  int n_, step_;
  std::vector<T> cells_;
};

/// Of a square of which one half is given: the other is its mirror image.
template <class T>
Dense<T> symmetric(Matrix<T> m, cublasFillMode_t half) {
  Dense<T> made{m.rows(), m.rows()};
  for (int column = 0; column < made.columns; ++column)
    for (int row = 0; row < made.rows; ++row)
      made(row, column) = (half == CUBLAS_FILL_MODE_LOWER) == (row >= column) || row == column
                              ? m(row, column)
                              : m(column, row);
  return made;
}
/// The same where the other half is 0.
template <class T>
Dense<T> triangle(Matrix<T> m, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t diagonal) {
  Dense<T> made{m.rows(), m.rows()};
  for (int column = 0; column < made.columns; ++column)
    for (int row = 0; row < made.rows; ++row) {
      const bool given = half == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
      const T value = row == column && diagonal == CUBLAS_DIAG_UNIT ? T(1) : given ? m(row, column) : T(0);
      op == CUBLAS_OP_N ? made(row, column) = value : made(column, row) = value;
    }
  return made;
}

/// Solves a * x = b for each column of b, in place. `a` is a triangle.
template <class T>
void solve(Dense<T>& a, bool lower, Dense<T>& b) {
  const int n = a.rows;
  for (int column = 0; column < b.columns; ++column)
    for (int step = 0; step < n; ++step) {
      const int row = lower ? step : n - 1 - step;
      Sum<T> rest = b(row, column);
      for (int k = lower ? 0 : row + 1; k < (lower ? row : n); ++k) rest -= Sum<T>(a(row, k)) * b(k, column);
      b(row, column) = T(rest / a(row, row));
    }
}

template <class T>
Dense<T> transposed(Dense<T>& m) {
  Dense<T> made{m.columns, m.rows};
  for (int column = 0; column < made.columns; ++column)
    for (int row = 0; row < made.rows; ++row) made(row, column) = m(column, row);
  return made;
}

// ---- level 1
template <class T>
void axpy(HostLibraryCall& call, int n, const T* alpha, const T* x, int step_x, T* y, int step_y) {
  const T factor = call.scalar(alpha);
  Vector<T> from(call, x, n, step_x), to(call, y, n, step_y);
  for (int k = 0; k < to.size(); ++k) to[k] = std::fma(factor, from[k], to[k]);
  to.write();
}
template <class T>
void scal(HostLibraryCall& call, int n, const T* alpha, T* x, int step) {
  const T factor = call.scalar(alpha);
  Vector<T> v(call, x, n, step);
  for (int k = 0; k < v.size(); ++k) v[k] *= factor;
  v.write();
}
template <class T>
void copy(HostLibraryCall& call, int n, const T* x, int step_x, T* y, int step_y) {
  Vector<T> from(call, x, n, step_x), to(call, y, n, step_y, false);
  for (int k = 0; k < to.size(); ++k) to[k] = from[k];
  to.write();
}
template <class T>
void swap(HostLibraryCall& call, int n, T* x, int step_x, T* y, int step_y) {
  Vector<T> a(call, x, n, step_x), b(call, y, n, step_y);
  for (int k = 0; k < a.size(); ++k) std::swap(a[k], b[k]);
  a.write();
  b.write();
}
template <class T>
void dot(HostLibraryCall& call, int n, const T* x, int step_x, const T* y, int step_y, T* result) {
  Vector<T> a(call, x, n, step_x), b(call, y, n, step_y);
  Sum<T> sum = 0;
  for (int k = 0; k < a.size(); ++k) sum += Sum<T>(a[k]) * b[k];
  call.give(result, T(sum));
}
template <class T>
void nrm2(HostLibraryCall& call, int n, const T* x, int step, T* result) {
  Vector<T> v(call, x, n, step);
  long double sum = 0;
  for (int k = 0; k < v.size(); ++k) sum += (long double)(v[k]) * v[k];
  call.give(result, T(std::sqrt(sum)));
}
template <class T>
void asum(HostLibraryCall& call, int n, const T* x, int step, T* result) {
  Vector<T> v(call, x, n, step);
  Sum<T> sum = 0;
  for (int k = 0; k < v.size(); ++k) sum += std::fabs(v[k]);
  call.give(result, T(sum));
}
template <class T>
void rot(HostLibraryCall& call, int n, T* x, int step_x, T* y, int step_y, const T* c, const T* s) {
  const T cosine = call.scalar(c), sine = call.scalar(s);
  Vector<T> a(call, x, n, step_x), b(call, y, n, step_y);
  for (int k = 0; k < a.size(); ++k) {
    const T first = a[k], second = b[k];
    a[k] = cosine * first + sine * second;
    b[k] = cosine * second - sine * first;
  }
  a.write();
  b.write();
}
/// The first of the largest or smallest sizes, counted from 1; 0: there is none.
template <class T>
void extreme(HostLibraryCall& call, int n, const T* x, int step, int* result, bool greatest) {
  Vector<T> v(call, x, n, step);
  int found = 0;
  for (int k = 1; k < v.size(); ++k) {
    const T size = std::fabs(v[k]), best = std::fabs(v[found]);
    if (greatest ? size > best : size < best) found = k;
  }
  call.give(result, v.size() ? found + 1 : 0);
}

// ---- level 2
template <class T>
void multiply_vector(HostLibraryCall& call, T alpha, Dense<T> a, const T* x, int step_x, T beta, T* y,
                     int step_y) {
  Vector<T> from(call, x, a.columns, step_x), to(call, y, a.rows, step_y, beta != 0);
  for (int row = 0; row < a.rows; ++row) {
    Sum<T> sum = 0;
    for (int k = 0; k < a.columns; ++k) sum += Sum<T>(a(row, k)) * from[k];
    to[row] = T(beta == 0 ? alpha * sum : alpha * sum + Sum<T>(beta) * to[row]);
  }
  to.write();
}
template <class T>
void ger(HostLibraryCall& call, int rows, int columns, const T* alpha, const T* x, int step_x, const T* y,
         int step_y, T* a, int lda) {
  const T factor = call.scalar(alpha);
  Vector<T> left(call, x, rows, step_x), right(call, y, columns, step_y);
  Matrix<T> m(call, a, rows, columns, lda);
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows; ++row)
      m(row, column) = T(m(row, column) + Sum<T>(factor) * left[row] * right[column]);
  m.write();
}
template <class T>
void syr(HostLibraryCall& call, cublasFillMode_t half, int n, const T* alpha, const T* x, int step, T* a,
         int lda) {
  const T factor = call.scalar(alpha);
  Vector<T> v(call, x, n, step);
  Matrix<T> m(call, a, n, n, lda);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < n; ++row)
      if (half == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column)
        m(row, column) = T(m(row, column) + Sum<T>(factor) * v[row] * v[column]);
  m.write();
}
template <class T>
void of_triangle(HostLibraryCall& call, cublasFillMode_t half, cublasOperation_t op,
                 cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int step, bool solves) {
  Dense<T> m = triangle(Matrix<T>(call, a, n, n, lda), half, op, diagonal);
  Vector<T> v(call, x, n, step);
  Dense<T> column{n, 1};
  for (int k = 0; k < n; ++k) column(k, 0) = v[k];
  if (solves) {
    solve(m, (half == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N), column);
    for (int k = 0; k < n; ++k) v[k] = column(k, 0);
  } else {
    for (int row = 0; row < n; ++row) {
      Sum<T> sum = 0;
      for (int k = 0; k < n; ++k) sum += Sum<T>(m(row, k)) * column(k, 0);
      v[row] = T(sum);
    }
  }
  v.write();
}

// ---- level 3
template <class T>
struct Product {
  cublasOperation_t op_a, op_b;
  int m, n, k;
  T alpha, beta;
  int lda, ldb, ldc;
  bool fits() const {
    return blas::fits(op_a == CUBLAS_OP_N ? m : k, op_a == CUBLAS_OP_N ? k : m, lda) &&
           blas::fits(op_b == CUBLAS_OP_N ? k : n, op_b == CUBLAS_OP_N ? n : k, ldb) && blas::fits(m, n, ldc);
  }
  void compute(HostLibraryCall& call, const T* a, const T* b, T* c) const {
    if (m == 0 || n == 0) return;
    const auto given = [&](const T* at, cublasOperation_t op, int rows, int columns, int ld) {
      return dense(
          op == CUBLAS_OP_N ? Matrix<T>(call, at, rows, columns, ld) : Matrix<T>(call, at, columns, rows, ld),
          op);
    };
    Dense<T> left = given(a, op_a, m, k, lda), right = given(b, op_b, k, n, ldb);
    Matrix<T> to(call, c, m, n, ldc, beta != 0);
    if (!call.good()) return;
    multiply(alpha, left, right, beta, to);
    to.write();
  }
};
template <class T>
cublasStatus_t gemm(cublasHandle_t handle, const char* name, Product<T> p, const T* alpha, const T* beta,
                    const T* a, long long stride_a, const T* b, long long stride_b, T* c, long long stride_c,
                    int count) {
  return blas::call(handle, name, p.fits() && count >= 0, [&](HostLibraryCall& call) {
    p.alpha = call.scalar(alpha);
    p.beta = call.scalar(beta);
    for (long long k = 0; k < count; ++k)
      p.compute(call, a + k * stride_a, b + k * stride_b, c + k * stride_c);
  });
}
template <class T>
cublasStatus_t gemm_of_pointers(cublasHandle_t handle, const char* name, Product<T> p, const T* alpha,
                                const T* beta, const T* const* a, const T* const* b, T* const* c, int count) {
  return blas::call(handle, name, p.fits() && count >= 0, [&](HostLibraryCall& call) {
    p.alpha = call.scalar(alpha);
    p.beta = call.scalar(beta);
    const auto all_a = call.read(a, size_t(count)), all_b = call.read(b, size_t(count));
    const auto all_c = call.read(c, size_t(count));
    for (size_t k = 0; call.good() && k < size_t(count); ++k) p.compute(call, all_a[k], all_b[k], all_c[k]);
  });
}
template <class T>
void symm(HostLibraryCall& call, cublasSideMode_t side, cublasFillMode_t half, int m, int n, const T* alpha,
          const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
  const int size = side == CUBLAS_SIDE_LEFT ? m : n;
  const T factor = call.scalar(alpha), kept = call.scalar(beta);
  Dense<T> square = symmetric(Matrix<T>(call, a, size, size, lda), half);
  Dense<T> other = dense(Matrix<T>(call, b, m, n, ldb), CUBLAS_OP_N);
  Matrix<T> to(call, c, m, n, ldc, kept != 0);
  side == CUBLAS_SIDE_LEFT ? multiply(factor, square, other, kept, to)
                           : multiply(factor, other, square, kept, to);
  to.write();
}
template <class T>
void syrk(HostLibraryCall& call, cublasFillMode_t half, cublasOperation_t op, int n, int k, const T* alpha,
          const T* a, int lda, const T* beta, T* c, int ldc) {
  const T factor = call.scalar(alpha), kept = call.scalar(beta);
  const bool plain = op == CUBLAS_OP_N;
  Dense<T> left = dense(Matrix<T>(call, a, plain ? n : k, plain ? k : n, lda), op), right = transposed(left);
  Matrix<T> to(call, c, n, n, ldc, kept != 0), whole = to;
  multiply(factor, left, right, kept, whole);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < n; ++row)
      if (half == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column)
        to(row, column) = whole(row, column);
  to.write();
}
template <class T>
void trmm(HostLibraryCall& call, cublasSideMode_t side, cublasFillMode_t half, cublasOperation_t op,
          cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb,
          T* c, int ldc) {
  const int size = side == CUBLAS_SIDE_LEFT ? m : n;
  const T factor = call.scalar(alpha);
  Dense<T> square = triangle(Matrix<T>(call, a, size, size, lda), half, op, diagonal);
  Dense<T> other = dense(Matrix<T>(call, b, m, n, ldb), CUBLAS_OP_N);
  Matrix<T> to(call, c, m, n, ldc, false);
  side == CUBLAS_SIDE_LEFT ? multiply(factor, square, other, T(0), to)
                           : multiply(factor, other, square, T(0), to);
  to.write();
}
template <class T>
void trsm(HostLibraryCall& call, cublasSideMode_t side, cublasFillMode_t half, cublasOperation_t op,
          cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, T* b, int ldb) {
  const bool left = side == CUBLAS_SIDE_LEFT, lower = (half == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
  const int size = left ? m : n;
  const T factor = call.scalar(alpha);
  Dense<T> square = triangle(Matrix<T>(call, a, size, size, lda), half, op, diagonal);
  Matrix<T> to(call, b, m, n, ldb);
  Dense<T> right = dense(to, CUBLAS_OP_N);
  for (T& cell : right.cells) cell *= factor;
  if (left) {
    solve(square, lower, right);
  } else {  // x * a = b: a' * x' = b'
    Dense<T> turned = transposed(square), columns = transposed(right);
    solve(turned, !lower, columns);
    right = transposed(columns);
  }
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) to(row, column) = right(row, column);
  to.write();
}

}  // namespace

// ---- handles
cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  delete handle;
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  constexpr int ours = 120000;
  *version = ours;
  return CUBLAS_STATUS_SUCCESS;
}
#define MEMBER(set, get, T, member)                     \
  cublasStatus_t set(cublasHandle_t handle, T value) {  \
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;  \
    handle->member = value;                             \
    return CUBLAS_STATUS_SUCCESS;                       \
  }                                                     \
  cublasStatus_t get(cublasHandle_t handle, T* value) { \
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;  \
    *value = handle->member;                            \
    return CUBLAS_STATUS_SUCCESS;                       \
  }
MEMBER(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)
MEMBER(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointers)
MEMBER(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math)
#undef MEMBER
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

namespace {
struct NamedStatus {
  cublasStatus_t status;
  const char *name, *text;
};
constexpr NamedStatus statuses[] = {
#define ENTRY(name, text) {name, #name, text},
    __BSCOPE_CUBLAS_STATUSES(ENTRY)
#undef ENTRY
};
const NamedStatus* named_status(cublasStatus_t status) {
  const auto* const found = std::ranges::find(statuses, status, &NamedStatus::status);
  return found == std::end(statuses) ? nullptr : found;
}
cublasStatus_t copied(int rows, int columns, int bytes, const void* from, int ld_from, void* to, int ld_to,
                      cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || bytes <= 0 || ld_from < std::max(1, rows) || ld_to < std::max(1, rows))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto size = size_t(bytes);
  return cudaMemcpy2D(to, size_t(ld_to) * size, from, size_t(ld_from) * size, size_t(rows) * size,
                      size_t(columns), kind) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
/// A vector is a matrix of one row.
cublasStatus_t copied(int n, int bytes, const void* from, int step_from, void* to, int step_to,
                      cudaMemcpyKind kind) {
  if (step_from == 1 && step_to == 1)
    return copied(n, 1, bytes, from, std::max(n, 1), to, std::max(n, 1), kind);
  return copied(1, n, bytes, from, step_from, to, step_to, kind);
}
}  // namespace

const char* cublasGetStatusName(cublasStatus_t status) {
  const NamedStatus* const entry = named_status(status);
  return entry ? entry->name : "<unknown>";
}
const char* cublasGetStatusString(cublasStatus_t status) {
  const NamedStatus* const entry = named_status(status);
  return entry ? entry->text : "<unknown>";
}
cublasStatus_t cublasSetVector(int n, int bytes, const void* from, int step_from, void* to, int step_to) {
  return copied(n, bytes, from, step_from, to, step_to, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* from, int step_from, void* to, int step_to) {
  return copied(n, bytes, from, step_from, to, step_to, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* from, int ld_from, void* to,
                               int ld_to) {
  return copied(rows, columns, bytes, from, ld_from, to, ld_to, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* from, int ld_from, void* to,
                               int ld_to) {
  return copied(rows, columns, bytes, from, ld_from, to, ld_to, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* from, int step_from, void* to, int step_to,
                                    cudaStream_t) {
  return cublasSetVector(n, bytes, from, step_from, to, step_to);
}
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* from, int step_from, void* to, int step_to,
                                    cudaStream_t) {
  return cublasGetVector(n, bytes, from, step_from, to, step_to);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* from, int ld_from, void* to,
                                    int ld_to, cudaStream_t) {
  return cublasSetMatrix(rows, columns, bytes, from, ld_from, to, ld_to);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* from, int ld_from, void* to,
                                    int ld_to, cudaStream_t) {
  return cublasGetMatrix(rows, columns, bytes, from, ld_from, to, ld_to);
}

// ---- the functions by name, for float and double
#define CALL(sizes, work) blas::call(handle, __func__, sizes, [&](HostLibraryCall& call) { work; })
#define LEVEL_1(S, i, T)                                                                                  \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, int step_x, \
                                    T* y, int step_y) {                                                   \
    return CALL(true, axpy(call, n, alpha, x, step_x, y, step_y));                                        \
  }                                                                                                       \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int step_x) {     \
    return CALL(true, scal(call, n, alpha, x, step_x));                                                   \
  }                                                                                                       \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const T* x, int step_x, T* y,           \
                                    int step_y) {                                                         \
    return CALL(true, copy(call, n, x, step_x, y, step_y));                                               \
  }                                                                                                       \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, T* x, int step_x, T* y, int step_y) {   \
    return CALL(true, swap(call, n, x, step_x, y, step_y));                                               \
  }                                                                                                       \
  cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const T* x, int step_x, const T* y,      \
                                   int step_y, T* result) {                                               \
    return CALL(true, dot(call, n, x, step_x, y, step_y, result));                                        \
  }                                                                                                       \
  cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int n, const T* x, int step_x, T* result) {    \
    return CALL(true, nrm2(call, n, x, step_x, result));                                                  \
  }                                                                                                       \
  cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int n, const T* x, int step_x, T* result) {    \
    return CALL(true, asum(call, n, x, step_x, result));                                                  \
  }                                                                                                       \
  cublasStatus_t cublas##S##rot_v2(cublasHandle_t handle, int n, T* x, int step_x, T* y, int step_y,      \
                                   const T* c, const T* s) {                                              \
    return CALL(true, rot(call, n, x, step_x, y, step_y, c, s));                                          \
  }                                                                                                       \
  cublasStatus_t cublasI##i##amax_v2(cublasHandle_t handle, int n, const T* x, int step_x, int* result) { \
    return CALL(true, extreme(call, n, x, step_x, result, true));                                         \
  }                                                                                                       \
  cublasStatus_t cublasI##i##amin_v2(cublasHandle_t handle, int n, const T* x, int step_x, int* result) { \
    return CALL(true, extreme(call, n, x, step_x, result, false));                                        \
  }
LEVEL_1(S, s, float)
LEVEL_1(D, d, double)

#define LEVEL_2(S, T)                                                                                        \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t handle, cublasOperation_t op, int rows, int columns,      \
                                    const T* alpha, const T* a, int lda, const T* x, int step_x,             \
                                    const T* beta, T* y, int step_y) {                                       \
    return CALL(fits(rows, columns, lda),                                                                    \
                multiply_vector(call, call.scalar(alpha), dense(Matrix<T>(call, a, rows, columns, lda), op), \
                                x, step_x, call.scalar(beta), y, step_y));                                   \
  }                                                                                                          \
  cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int rows, int columns, const T* alpha, const T* x, \
                                   int step_x, const T* y, int step_y, T* a, int lda) {                      \
    return CALL(fits(rows, columns, lda), ger(call, rows, columns, alpha, x, step_x, y, step_y, a, lda));    \
  }                                                                                                          \
  cublasStatus_t cublas##S##symv_v2(cublasHandle_t handle, cublasFillMode_t half, int n, const T* alpha,     \
                                    const T* a, int lda, const T* x, int step_x, const T* beta, T* y,        \
                                    int step_y) {                                                            \
    return CALL(fits(n, n, lda),                                                                             \
                multiply_vector(call, call.scalar(alpha), symmetric(Matrix<T>(call, a, n, n, lda), half), x, \
                                step_x, call.scalar(beta), y, step_y));                                      \
  }                                                                                                          \
  cublasStatus_t cublas##S##syr_v2(cublasHandle_t handle, cublasFillMode_t half, int n, const T* alpha,      \
                                   const T* x, int step_x, T* a, int lda) {                                  \
    return CALL(fits(n, n, lda), syr(call, half, n, alpha, x, step_x, a, lda));                              \
  }                                                                                                          \
  cublasStatus_t cublas##S##trmv_v2(cublasHandle_t handle, cublasFillMode_t half, cublasOperation_t op,      \
                                    cublasDiagType_t diagonal, int n, const T* a, int lda, T* x,             \
                                    int step_x) {                                                            \
    return CALL(fits(n, n, lda), of_triangle(call, half, op, diagonal, n, a, lda, x, step_x, false));        \
  }                                                                                                          \
  cublasStatus_t cublas##S##trsv_v2(cublasHandle_t handle, cublasFillMode_t half, cublasOperation_t op,      \
                                    cublasDiagType_t diagonal, int n, const T* a, int lda, T* x,             \
                                    int step_x) {                                                            \
    return CALL(fits(n, n, lda), of_triangle(call, half, op, diagonal, n, a, lda, x, step_x, true));         \
  }
LEVEL_2(S, float)
LEVEL_2(D, double)

#define LEVEL_3(S, T)                                                                                        \
  cublasStatus_t cublas##S##gemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,   \
                                    int m, int n, int k, const T* alpha, const T* a, int lda, const T* b,    \
                                    int ldb, const T* beta, T* c, int ldc) {                                 \
    return gemm<T>(handle, __func__, {op_a, op_b, m, n, k, 0, 0, lda, ldb, ldc}, alpha, beta, a, 0, b, 0, c, \
                   0, 1);                                                                                    \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                              \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,            \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb, long long stride_b,      \
      const T* beta, T* c, int ldc, long long stride_c, int count) {                                         \
    return gemm<T>(handle, __func__, {op_a, op_b, m, n, k, 0, 0, lda, ldb, ldc}, alpha, beta, a, stride_a,   \
                   b, stride_b, c, stride_c, count);                                                         \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t op_a,                       \
                                        cublasOperation_t op_b, int m, int n, int k, const T* alpha,         \
                                        const T* const* a, int lda, const T* const* b, int ldb,              \
                                        const T* beta, T* const* c, int ldc, int count) {                    \
    return gemm_of_pointers<T>(handle, __func__, {op_a, op_b, m, n, k, 0, 0, lda, ldb, ldc}, alpha, beta, a, \
                               b, c, count);                                                                 \
  }                                                                                                          \
  cublasStatus_t cublas##S##symm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t half,     \
                                    int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb,  \
                                    const T* beta, T* c, int ldc) {                                          \
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;                                                       \
    return CALL(fits(size, size, lda) && fits(m, n, ldb) && fits(m, n, ldc),                                 \
                symm(call, side, half, m, n, alpha, a, lda, b, ldb, beta, c, ldc));                          \
  }                                                                                                          \
  cublasStatus_t cublas##S##syrk_v2(cublasHandle_t handle, cublasFillMode_t half, cublasOperation_t op,      \
                                    int n, int k, const T* alpha, const T* a, int lda, const T* beta, T* c,  \
                                    int ldc) {                                                               \
    const bool plain = op == CUBLAS_OP_N;                                                                    \
    return CALL(fits(plain ? n : k, plain ? k : n, lda) && fits(n, n, ldc),                                  \
                syrk(call, half, op, n, k, alpha, a, lda, beta, c, ldc));                                    \
  }                                                                                                          \
  cublasStatus_t cublas##S##trmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t half,     \
                                    cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,           \
                                    const T* alpha, const T* a, int lda, const T* b, int ldb, T* c,          \
                                    int ldc) {                                                               \
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;                                                       \
    return CALL(fits(size, size, lda) && fits(m, n, ldb) && fits(m, n, ldc),                                 \
                trmm(call, side, half, op, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc));                  \
  }                                                                                                          \
  cublasStatus_t cublas##S##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t half,     \
                                    cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,           \
                                    const T* alpha, const T* a, int lda, T* b, int ldb) {                    \
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;                                                       \
    return CALL(fits(size, size, lda) && fits(m, n, ldb),                                                    \
                trsm(call, side, half, op, diagonal, m, n, alpha, a, lda, b, ldb));                          \
  }                                                                                                          \
  cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,      \
                                 int m, int n, const T* alpha, const T* a, int lda, const T* beta,           \
                                 const T* b, int ldb, T* c, int ldc) {                                       \
    const bool plain_a = op_a == CUBLAS_OP_N, plain_b = op_b == CUBLAS_OP_N;                                 \
    return CALL(fits(plain_a ? m : n, plain_a ? n : m, lda) &&                                               \
                    fits(plain_b ? m : n, plain_b ? n : m, ldb) && fits(m, n, ldc),                          \
                geam(call, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc));                          \
  }                                                                                                          \
  cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a,     \
                                 int lda, const T* x, int step_x, T* c, int ldc) {                           \
    return CALL(fits(m, n, lda) && fits(m, n, ldc), dgmm(call, side, m, n, a, lda, x, step_x, c, ldc));      \
  }

namespace {
/// c = alpha * op(a) + beta * op(b)
template <class T>
void geam(HostLibraryCall& call, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, const T* alpha,
          const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {
  const T of_a = call.scalar(alpha), of_b = call.scalar(beta);
  Matrix<T> to(call, c, m, n, ldc, false);
  std::vector<T> sum(size_t(m) * size_t(n), T(0));
  const auto add = [&](T factor, const T* at, cublasOperation_t op, int ld) {
    if (factor == 0) return;
    const bool plain = op == CUBLAS_OP_N;
    const Dense<T> d = dense(Matrix<T>(call, at, plain ? m : n, plain ? n : m, ld), op);
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += factor * d.cells[k];
  };
  add(of_a, a, op_a, lda);
  add(of_b, b, op_b, ldb);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) to(row, column) = sum[size_t(column) * size_t(m) + size_t(row)];
  to.write();
}
/// Each row or column of a by a number of its own.
template <class T>
void dgmm(HostLibraryCall& call, cublasSideMode_t side, int m, int n, const T* a, int lda, const T* x,
          int step, T* c, int ldc) {
  const bool rows = side == CUBLAS_SIDE_LEFT;
  Matrix<T> from(call, a, m, n, lda), to(call, c, m, n, ldc, false);
  Vector<T> factors(call, x, rows ? m : n, step);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) to(row, column) = from(row, column) * factors[rows ? row : column];
  to.write();
}
}  // namespace
LEVEL_3(S, float)
LEVEL_3(D, double)
