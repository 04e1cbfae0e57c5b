// cuFFT: each transform takes its array out of the device's memory, computes in double, and puts the result
// back. A GPU's floats differ in their last digits.
#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <map>
#include <span>
#include <vector>

#include "engine/cuda/runtime/fourier.hpp"
#include "engine/cuda/runtime/host_library_call.hpp"

#pragma GCC visibility push(default)
#include "engine/cuda/include/barrierscope/cufft_functions.h"
#pragma GCC visibility pop

using namespace bscope;
using namespace bscope::cuda;

namespace {

/// The lengths of up to three dimensions, the slowest first; those that are missing in front are 1.
using Lengths = std::array<long long, 3>;

/// Where the numbers of one side lie: number (i, j, k) of transform b at b * distance + ((i * embed[1] + j) *
/// embed[2] + k) * stride.
struct Layout {
  Lengths embed = {1, 1, 1};
  long long stride = 1, distance = 0;
  bool basic = true;  ///< without gaps, as far as the numbers of a transform in place allow

  long long at(long long b, long long row, long long k) const {
    return b * distance + (row * embed[2] + k) * stride;
  }
};

struct Plan {
  bool made = false;
  Lengths n = {1, 1, 1};
  long long batch = 1;
  cufftType type = CUFFT_C2C;
  Layout in, out;
  cudaStream_t stream = nullptr;

  bool real_in() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
  bool real_out() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
  long long half() const { return n[2] / 2 + 1; }  ///< complex numbers of a row whose other half mirrors them
  size_t bytes() const { return size_t(batch * n[0] * n[1] * n[2]) * (type < CUFFT_Z2Z ? 8 : 16); }
};

/// A program has few plans; their numbers begin at 1.
std::map<cufftHandle, Plan>& plans() {
  static auto* const all = new std::map<cufftHandle, Plan>;
  return *all;
}
Plan* plan_of(cufftHandle handle) {
  const auto it = plans().find(handle);
  return it == plans().end() ? nullptr : &it->second;
}

/// `row`: numbers that a row has in memory.
Layout basic_layout(const Lengths& n, long long row) {
  return {.embed = {n[0], n[1], row}, .stride = 1, .distance = n[0] * n[1] * row, .basic = true};
}
template <class N>
Layout layout(int rank, const N* embed, long long stride, long long distance, const Layout& basic) {
  if (!embed) return basic;
  Layout l{.embed = {1, 1, 1}, .stride = stride, .distance = distance, .basic = false};
  std::copy(embed, embed + rank, l.embed.end() - rank);
  return l;
}

template <class N>
cufftResult make_plan(Plan& p, int rank, const N* n, const N* inembed, long long istride, long long idist,
                      const N* onembed, long long ostride, long long odist, cufftType type, long long batch) {
  if (rank < 1 || rank > 3 || !n) return CUFFT_INVALID_VALUE;
  switch (type) {
    case CUFFT_C2C:
    case CUFFT_R2C:
    case CUFFT_C2R:
    case CUFFT_Z2Z:
    case CUFFT_D2Z:
    case CUFFT_Z2D: break;
    default: return CUFFT_INVALID_TYPE;
  }
  if (batch < 1 || std::any_of(n, n + rank, [](N length) { return length < 1; })) return CUFFT_INVALID_SIZE;
  p.type = type;
  p.batch = batch;
  p.n = {1, 1, 1};
  std::copy(n, n + rank, p.n.end() - rank);
  const Layout in = basic_layout(p.n, p.real_out() ? p.half() : p.n[2]);
  const Layout out = basic_layout(p.n, p.real_in() ? p.half() : p.n[2]);
  // one that is given without the other counts for nothing
  const bool given = inembed && onembed;
  p.in = layout(rank, given ? inembed : nullptr, istride, idist, in);
  p.out = layout(rank, given ? onembed : nullptr, ostride, odist, out);
  p.made = true;
  return CUFFT_SUCCESS;
}
template <class N>
cufftResult make_plan(cufftHandle handle, int rank, const N* n, const N* inembed, long long istride,
                      long long idist, const N* onembed, long long ostride, long long odist, cufftType type,
                      long long batch, size_t* bytes) {
  Plan* const p = plan_of(handle);
  if (!p || p->made) return CUFFT_INVALID_PLAN;
  const cufftResult result =
      make_plan(*p, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  if (result == CUFFT_SUCCESS && bytes) *bytes = p->bytes();
  return result;
}
cufftResult make_plain_plan(cufftHandle handle, std::initializer_list<int> n, cufftType type, int batch,
                            size_t* bytes) {
  const int* const none = nullptr;
  return make_plan(handle, int(n.size()), std::data(n), none, 1, 0, none, 1, 0, type, batch, bytes);
}
/// `make`: makes the plan of a handle.
template <class Make>
cufftResult new_plan(cufftHandle* handle, Make make) {
  const cufftResult created = cufftCreate(handle);
  if (created != CUFFT_SUCCESS) return created;
  const cufftResult made = make(*handle);
  if (made != CUFFT_SUCCESS) plans().erase(*handle);
  return made;
}

/// The numbers of one transform, and the lines along which it is transformed.
class Grid {
 public:
  /// `row`: numbers of a row.
  Grid(const Lengths& n, long long row) : n_{n[0], n[1], row}, cells_(size_t(n[0] * n[1] * row)) {}
  long long rows() const { return n_[0] * n_[1]; }
  Complex& operator()(long long row, long long k) { return cells_[size_t(row * n_[2] + k)]; }
  std::span<Complex> row(long long number) {
    return std::span(cells_).subspan(size_t(number * n_[2]), size_t(n_[2]));
  }
  /// Along the first and the second dimension.
  void transform_columns(int direction) {
    const long long steps[] = {n_[1] * n_[2], n_[2]};
    for (size_t d = 0; d < 2; ++d) {
      if (n_[d] == 1) continue;
      const Fourier f(size_t(n_[d]), direction);
      const auto length = size_t(n_[d]);
      std::vector<Complex> line(length);
      for (size_t begin = 0; begin < cells_.size(); ++begin) {
        if (begin / size_t(steps[d]) % size_t(n_[d])) continue;
        for (size_t k = 0; k < line.size(); ++k) line[k] = cells_[begin + k * size_t(steps[d])];
        f.transform(line);
        for (size_t k = 0; k < line.size(); ++k) cells_[begin + k * size_t(steps[d])] = line[k];
      }
    }
  }

 private:
  Lengths n_;
  std::vector<Complex> cells_;
};

/// One side of a transform as it lies in the device's memory: a real or a complex number of T is `parts`
/// cells.
template <class T>
class Side {
 public:
  Side(HostLibraryCall& call, const Plan& p, const Layout& layout, long long row, int parts, const void* at,
       bool reads)
      : call_(call), layout_(layout), parts_(parts), at_(static_cast<const T*>(at)) {
    const long long last = layout.at(p.batch - 1, (p.n[0] - 1) * layout.embed[1] + p.n[1] - 1, row - 1);
    const size_t span = size_t((last + 1) * parts);
    cells_ = reads ? call.read(at_, span) : call.look(at_, span);
    cells_.resize(span);
  }
  Complex get(long long b, long long row, long long k) const {
    const T* const c = &cells_[place(b, row, k)];
    return {double(c[0]), parts_ == 2 ? double(c[1]) : 0.0};
  }
  void put(long long b, long long row, long long k, Complex v) {
    T* const c = &cells_[place(b, row, k)];
    c[0] = T(v.real());
    if (parts_ == 2) c[1] = T(v.imag());
  }
  void write() { call_.write(const_cast<T*>(at_), std::span<const T>(cells_)); }

 private:
  size_t place(long long b, long long row, long long k) const {
    return size_t(layout_.at(b, row, k) * parts_);
  }

  HostLibraryCall& call_;
  Layout layout_;
  int parts_;
  const T* at_;
  std::vector<T> cells_;
};

/// The number of a row in memory, where planes may be embedded in larger ones.
long long embedded(const Plan& p, const Layout& l, long long row) {
  return row / p.n[1] * l.embed[1] + row % p.n[1];
}

template <class T>
void transform(HostLibraryCall& call, const Plan& p, const void* from, void* to, int direction) {
  Layout in = p.in, out = p.out;
  if (from == to && in.basic && p.real_in()) in = basic_layout(p.n, 2 * p.half());
  if (from == to && out.basic && p.real_out()) out = basic_layout(p.n, 2 * p.half());
  const long long row_in = p.real_out() ? p.half() : p.n[2], row_out = p.real_in() ? p.half() : p.n[2];
  const Side<T> given(call, p, in, row_in, p.real_in() ? 1 : 2, from, true);
  Side<T> made(call, p, out, row_out, p.real_out() ? 1 : 2, to, false);
  if (!call.good()) return;
  const Fourier along_rows(size_t(p.n[2]), direction);
  std::vector<Complex> line(size_t(p.n[2]));
  for (long long b = 0; b < p.batch; ++b) {
    Grid grid(p.n, std::min(row_in, row_out));
    for (long long row = 0; row < grid.rows(); ++row) {
      if (p.real_out()) {
        for (long long k = 0; k < row_in; ++k) grid(row, k) = given.get(b, embedded(p, in, row), k);
        continue;
      }
      for (long long k = 0; k < row_in; ++k) line[size_t(k)] = given.get(b, embedded(p, in, row), k);
      along_rows.transform(line);
      std::copy_n(line.begin(), row_out, grid.row(row).begin());
    }
    grid.transform_columns(direction);
    for (long long row = 0; row < grid.rows(); ++row) {
      if (!p.real_out()) {
        for (long long k = 0; k < row_out; ++k) made.put(b, embedded(p, out, row), k, grid(row, k));
        continue;
      }
      for (long long k = 0; k < p.n[2]; ++k)
        line[size_t(k)] = k < row_in ? grid(row, k) : std::conj(grid(row, p.n[2] - k));
      line[0] = line[0].real();
      if (p.n[2] % 2 == 0) line[size_t(p.n[2] / 2)] = line[size_t(p.n[2] / 2)].real();
      along_rows.transform(line);
      for (long long k = 0; k < row_out; ++k) made.put(b, embedded(p, out, row), k, line[size_t(k)]);
    }
  }
  made.write();
}

template <class T>
cufftResult execute(cufftHandle handle, const char* name, cufftType type, const void* from, void* to,
                    int direction) {
  const Plan* const p = plan_of(handle);
  if (!p || !p->made) return CUFFT_INVALID_PLAN;
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  bool good = true;
  const cudaError_t error = api([&](Runtime& runtime) {
    if (p->type != type) {
      good = false;
      return runtime.warn(cudaErrorInvalidValue,
                          message("{} is given a plan of another kind of transform.", name),
                          message("The type that the plan is made with says which function executes it."));
    }
    HostLibraryCall call(runtime, name, p->stream);
    transform<T>(call, *p, from, to, direction);
    good = call.good();
    return cudaSuccess;
  });
  if (p->type != type) return CUFFT_INVALID_TYPE;
  return error == cudaSuccess && good ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

/// What a plan that is not kept would take.
template <class N>
cufftResult estimate(int rank, const N* n, cufftType type, long long batch, size_t* bytes) {
  if (!bytes) return CUFFT_INVALID_VALUE;
  Plan p;
  const N* const none = nullptr;
  const cufftResult result = make_plan(p, rank, n, none, 1, 0, none, 1, 0, type, batch);
  if (result == CUFFT_SUCCESS) *bytes = p.bytes();
  return result;
}

}  // namespace

cufftResult cufftCreate(cufftHandle* handle) {
  static cufftHandle last = 0;
  if (!handle) return CUFFT_INVALID_VALUE;
  *handle = ++last;
  plans()[last] = {};
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
  return plans().erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftMakePlan1d(cufftHandle handle, int n, cufftType type, int batch, size_t* bytes) {
  return make_plain_plan(handle, {n}, type, batch, bytes);
}
cufftResult cufftMakePlan2d(cufftHandle handle, int rows, int columns, cufftType type, size_t* bytes) {
  return make_plain_plan(handle, {rows, columns}, type, 1, bytes);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int slices, int rows, int columns, cufftType type,
                            size_t* bytes) {
  return make_plain_plan(handle, {slices, rows, columns}, type, 1, bytes);
}
cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch,
                              size_t* bytes) {
  return make_plan(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, bytes);
}
cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed, long long ostride,
                                long long odist, cufftType type, long long batch, size_t* bytes) {
  return make_plan(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, bytes);
}
cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType from, long long* onembed,
                                long long ostride, long long odist, cudaDataType to, long long batch,
                                size_t* bytes, cudaDataType) {
  struct Types {
    cudaDataType from, to;
    cufftType type;
  };
  static constexpr Types all[] = {{CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
                                  {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                                  {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  const auto* const types =
      std::ranges::find_if(all, [&](const Types& t) { return t.from == from && t.to == to; });
  if (types == std::end(all)) {
    if (from == CUDA_C_16F || from == CUDA_R_16F) __bscope_missing("cuFFT", "half precision");
    return CUFFT_INVALID_TYPE;
  }
  return make_plan(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, types->type, batch,
                   bytes);
}
cufftResult cufftPlan1d(cufftHandle* handle, int n, cufftType type, int batch) {
  return new_plan(handle, [&](cufftHandle made) { return cufftMakePlan1d(made, n, type, batch, nullptr); });
}
cufftResult cufftPlan2d(cufftHandle* handle, int rows, int columns, cufftType type) {
  return new_plan(handle,
                  [&](cufftHandle made) { return cufftMakePlan2d(made, rows, columns, type, nullptr); });
}
cufftResult cufftPlan3d(cufftHandle* handle, int slices, int rows, int columns, cufftType type) {
  return new_plan(
      handle, [&](cufftHandle made) { return cufftMakePlan3d(made, slices, rows, columns, type, nullptr); });
}
cufftResult cufftPlanMany(cufftHandle* handle, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  return new_plan(handle, [&](cufftHandle made) {
    return cufftMakePlanMany(made, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                             nullptr);
  });
}

cufftResult cufftEstimate1d(int n, cufftType type, int batch, size_t* bytes) {
  return estimate(1, &n, type, batch, bytes);
}
cufftResult cufftEstimate2d(int rows, int columns, cufftType type, size_t* bytes) {
  const int n[] = {rows, columns};
  return estimate(2, n, type, 1, bytes);
}
cufftResult cufftEstimate3d(int slices, int rows, int columns, cufftType type, size_t* bytes) {
  const int n[] = {slices, rows, columns};
  return estimate(3, n, type, 1, bytes);
}
cufftResult cufftEstimateMany(int rank, int* n, int*, int, int, int*, int, int, cufftType type, int batch,
                              size_t* bytes) {
  return estimate(rank, n, type, batch, bytes);
}
cufftResult cufftGetSize(cufftHandle handle, size_t* bytes) {
  const Plan* const p = plan_of(handle);
  if (!p || !p->made) return CUFFT_INVALID_PLAN;
  if (!bytes) return CUFFT_INVALID_VALUE;
  *bytes = p->bytes();
  return CUFFT_SUCCESS;
}
cufftResult cufftGetSize1d(cufftHandle handle, int n, cufftType type, int batch, size_t* bytes) {
  return plan_of(handle) ? cufftEstimate1d(n, type, batch, bytes) : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetSize2d(cufftHandle handle, int rows, int columns, cufftType type, size_t* bytes) {
  return plan_of(handle) ? cufftEstimate2d(rows, columns, type, bytes) : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetSize3d(cufftHandle handle, int slices, int rows, int columns, cufftType type,
                           size_t* bytes) {
  return plan_of(handle) ? cufftEstimate3d(slices, rows, columns, type, bytes) : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int* n, int*, int, int, int*, int, int,
                             cufftType type, int batch, size_t* bytes) {
  return plan_of(handle) ? estimate(rank, n, type, batch, bytes) : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void*) {
  return plan_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
  return plan_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  Plan* const p = plan_of(handle);
  if (!p) return CUFFT_INVALID_PLAN;
  p->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int* version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType what, int* value) {
  if (!value) return CUFFT_INVALID_VALUE;
  *value = what == MAJOR_VERSION   ? CUFFT_VER_MAJOR
           : what == MINOR_VERSION ? CUFFT_VER_MINOR
                                   : CUFFT_VER_PATCH;
  return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle handle, cufftComplex* from, cufftComplex* to, int direction) {
  return execute<float>(handle, __func__, CUFFT_C2C, from, to, direction);
}
cufftResult cufftExecR2C(cufftHandle handle, cufftReal* from, cufftComplex* to) {
  return execute<float>(handle, __func__, CUFFT_R2C, from, to, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle handle, cufftComplex* from, cufftReal* to) {
  return execute<float>(handle, __func__, CUFFT_C2R, from, to, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex* from, cufftDoubleComplex* to,
                         int direction) {
  return execute<double>(handle, __func__, CUFFT_Z2Z, from, to, direction);
}
cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal* from, cufftDoubleComplex* to) {
  return execute<double>(handle, __func__, CUFFT_D2Z, from, to, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex* from, cufftDoubleReal* to) {
  return execute<double>(handle, __func__, CUFFT_Z2D, from, to, CUFFT_INVERSE);
}
cufftResult cufftXtExec(cufftHandle handle, void* from, void* to, int direction) {
  const Plan* const p = plan_of(handle);
  if (!p || !p->made) return CUFFT_INVALID_PLAN;
  if (p->real_in()) direction = CUFFT_FORWARD;
  if (p->real_out()) direction = CUFFT_INVERSE;
  return p->type < CUFFT_Z2Z ? execute<float>(handle, __func__, p->type, from, to, direction)
                             : execute<double>(handle, __func__, p->type, from, to, direction);
}
