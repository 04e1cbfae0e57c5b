// What cuBLAS's functions share: a call that reports, and matrices in the device's memory, column by column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/cuda/runtime/host_library_call.hpp"

#pragma GCC visibility push(default)
#include "engine/cuda/include/barrierscope/cublas_functions.h"
#pragma GCC visibility pop

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace bscope::cuda::blas {

/// The program's name for a function of ours: without _v2. It lives on.
const char* name_without_version(std::string_view name);

/// One call of the function of that name.
template <class Work>
cublasStatus_t call(cublasHandle_t handle, const char* name, bool sizes_are_right, Work work) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  bool good = true;
  const cudaError_t error = api([&](Runtime& runtime) {
    if (!sizes_are_right) {
      good = false;
      return runtime.warn(cudaErrorInvalidValue,
                          message("{} is given a negative size, or a leading dimension that is less "
                                  "than the matrix has rows.",
                                  name_without_version(name)),
                          message("Matrices lie column by column: the leading dimension is the "
                                  "number of rows that the array has."));
    }
    HostLibraryCall made(runtime, name_without_version(name), handle->stream);
    work(made);
    good = made.good();
    return cudaSuccess;
  });
  if (!sizes_are_right) return CUBLAS_STATUS_INVALID_VALUE;
  return error == cudaSuccess && good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

inline bool fits(int rows, int columns, int ld) {
  return rows >= 0 && columns >= 0 && ld >= std::max(1, rows);
}

/// A matrix in the device's memory.
template <class T>
class Matrix {
 public:
  Matrix(HostLibraryCall& call, const T* at, int rows, int columns, int ld, bool reads = true)
      : call_(call), at_(at), rows_(rows), columns_(columns), ld_(size_t(ld)) {
    const size_t span = rows && columns ? ld_ * size_t(columns - 1) + size_t(rows) : 0;
    cells_ = reads ? call.read(at, span) : call.look(at, span);
    cells_.resize(span);
  }
  T& operator()(int row, int column) { return cells_[size_t(column) * ld_ + size_t(row)]; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  void write() { call_.write(const_cast<T*>(at_), std::span<const T>(cells_)); }

 private:
  HostLibraryCall& call_;
  const T* at_;
  int rows_, columns_;
  size_t ld_;
  std::vector<T> cells_;
};

/// A matrix without gaps, as it enters a product.
template <class T>
struct Dense {
  int rows, columns;
  std::vector<T> cells = std::vector<T>(size_t(rows) * size_t(columns));
  T& operator()(int row, int column) { return cells[size_t(column) * size_t(rows) + size_t(row)]; }
};

template <class To, class T>
Dense<To> dense_as(Matrix<T> m, cublasOperation_t op) {
  const bool turned = op != CUBLAS_OP_N;
  Dense<To> made{turned ? m.columns() : m.rows(), turned ? m.rows() : m.columns()};
  for (int column = 0; column < made.columns; ++column)
    for (int row = 0; row < made.rows; ++row)
      made(row, column) = To(turned ? m(column, row) : m(row, column));
  return made;
}
template <class T>
Dense<T> dense(Matrix<T> m, cublasOperation_t op) {
  return dense_as<T>(std::move(m), op);
}
/// c = alpha * a * b + beta * c. Where beta is 0 what c holds does not count.
template <class T, class To>
void multiply(T alpha, Dense<T>& a, Dense<T>& b, T beta, Matrix<To>& c) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
  std::vector<Wide> sums(size_t(a.rows));
  for (int column = 0; column < b.columns; ++column) {
    std::ranges::fill(sums, Wide(0));
    for (int k = 0; k < a.columns; ++k) {
      const Wide factor = b(k, column);
      const T* const of_a = a.cells.data() + size_t(k) * size_t(a.rows);
      for (size_t row = 0; row < sums.size(); ++row) sums[row] += Wide(of_a[row]) * factor;
    }
    for (int row = 0; row < a.rows; ++row) {
      To& cell = c(row, column);
      const Wide product = Wide(alpha) * sums[size_t(row)];
      cell = To(beta == 0 ? product : product + Wide(beta) * Wide(cell));
    }
  }
}

}  // namespace bscope::cuda::blas
