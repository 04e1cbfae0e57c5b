// Times the kernels of the lessons' programs at full size, in turn with the library that does the same.
//
//   benchmarks/course_libraries.sh FILE.json
//
// builds and runs it: the script writes copies of the programs with large constants, which are included here.
// Every result is compared with the library's first.
#include <cublas_v2.h>
#include <cusparse.h>
#include <thrust/execution_policy.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/sequence.h>
#include <thrust/tabulate.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// The programs' own main functions are compiled, and not called.
#define main main_of_the_program
namespace matmul_program {
#include "tiled_matmul.cu"
}
namespace transpose_program {
#include "transpose.cu"
}
namespace unpadded_program {
#include "transpose_unpadded.cu"
}
namespace compaction_program {
#include "compaction.cu"
}
namespace bitonic_program {
#include "bitonic_sort.cu"
}
namespace radix_program {
#include "radix_sort.cu"
}
namespace merge_program {
#include "merge.cu"
}
namespace csr_program {
#include "spmv.cu"
}
namespace ell_program {
#include "spmv_ell.cu"
}
#undef main

namespace {

void must(bool good, const char* what) {
  if (good) return;
  fprintf(stderr, "course_libraries: %s failed: %s\n", what, cudaGetErrorString(cudaGetLastError()));
  std::exit(1);
}
void must(cudaError_t error, const char* what) { must(error == cudaSuccess, what); }
void must(cublasStatus_t status, const char* what) { must(status == CUBLAS_STATUS_SUCCESS, what); }
void must(cusparseStatus_t status, const char* what) { must(status == CUSPARSE_STATUS_SUCCESS, what); }

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t size) : size_(size) {
    must(cudaMalloc(&data_, size * sizeof(T) + 1), "cudaMalloc");
  }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    must(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* get() const { return data_; }
  size_t size() const { return size_; }
  void become(const DeviceArray& other) {
    must(cudaMemcpy(data_, other.data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice), "cudaMemcpy");
  }
  void clear() { must(cudaMemset(data_, 0xff, size_ * sizeof(T)), "cudaMemset"); }

 private:
  T* data_ = nullptr;
  size_t size_;
};

/// One way to do a task.
struct Way {
  std::string name;
  std::function<void()> work;     ///< is timed
  std::function<void()> prepare;  ///< is not
  std::vector<float> ms = {};
  bool right = true;
};

struct Task {
  std::string name, size;
  std::vector<Way> ways;           ///< the library is the last one
  std::function<bool()> is_right;  ///< after a way's work: compares with what the library made
  std::function<void()> keep;      ///< what the library made
};

constexpr int runs = 20, warm_ups = 2;

float time_of(const Way& way, cudaEvent_t begin, cudaEvent_t end) {
  if (way.prepare) way.prepare();
  must(cudaDeviceSynchronize(), "preparing");
  must(cudaEventRecord(begin), "cudaEventRecord");
  way.work();
  must(cudaEventRecord(end), "cudaEventRecord");
  must(cudaEventSynchronize(end), way.name.c_str());
  must(cudaGetLastError(), way.name.c_str());
  float ms = 0;
  must(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
  return ms;
}

double quantile(std::vector<float> values, double q) {
  std::sort(values.begin(), values.end());
  double at = q * double(values.size() - 1);
  size_t below = size_t(at), above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - double(below)) * (values[above] - values[below]);
}

bool first_task = true;

/// Runs all ways of the task in turn, and prints the times as JSON.
void measure(Task task) {
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "cudaEventCreate");
  must(cudaEventCreate(&end), "cudaEventCreate");
  Way& library = task.ways.back();
  for (int i = 0; i < warm_ups; i++) time_of(library, begin, end);
  task.keep();
  for (Way& way : task.ways) {
    for (int i = 0; i < warm_ups; i++) time_of(way, begin, end);
    way.right = task.is_right();
  }
  for (int run = 0; run < runs; run++)
    for (Way& way : task.ways) way.ms.push_back(time_of(way, begin, end));
  cudaEventDestroy(begin);
  cudaEventDestroy(end);

  double of_library = quantile(library.ms, 0.5);
  printf("%s\n    {\"task\": \"%s\", \"size\": \"%s\", \"ways\": [", first_task ? "" : ",", task.name.c_str(),
         task.size.c_str());
  first_task = false;
  for (const Way& way : task.ways) {
    double median = quantile(way.ms, 0.5);
    printf(
        "%s\n      {\"name\": \"%s\", \"median_ms\": %.4f, \"quartiles_ms\": [%.4f, %.4f], \"least_ms\": "
        "%.4f, "
        "\"most_ms\": %.4f, \"times_library\": %.3f, \"right\": %s}",
        &way == &task.ways.front() ? "" : ",", way.name.c_str(), median, quantile(way.ms, 0.25),
        quantile(way.ms, 0.75), quantile(way.ms, 0), quantile(way.ms, 1), median / of_library,
        way.right ? "true" : "false");
    fprintf(stderr, "%-28s %-34s %10.3f ms  x %6.2f  %s\n", task.name.c_str(), way.name.c_str(), median,
            median / of_library, way.right ? "" : "WRONG");
  }
  printf("]}");
  fflush(stdout);
}

template <class T>
struct SameAt {
  const T *a, *b;
  __device__ bool operator()(size_t i) const { return a[i] == b[i]; }
};
template <class T>
bool equal(const DeviceArray<T>& a, const DeviceArray<T>& b, size_t count) {
  return thrust::all_of(thrust::device, thrust::counting_iterator<size_t>(0),
                        thrust::counting_iterator<size_t>(count), SameAt<T>{a.get(), b.get()});
}

__host__ __device__ uint32_t mixed(uint64_t i) {
  uint64_t x = (i + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  return uint32_t((x ^ (x >> 27)) >> 16);
}
/// Numbers from 0 to below `limit` (0: any 32 bits), equal in every run.
template <class T>
struct NumberAt {
  uint32_t limit;
  __device__ T operator()(size_t i) const { return T(limit ? mixed(i) % limit : mixed(i)); }
};
template <class T>
void fill(DeviceArray<T>& a, uint32_t limit) {
  thrust::tabulate(thrust::device, a.get(), a.get() + a.size(), NumberAt<T>{limit});
}

/// A call of CUB, which wants scratch memory.
class CubCall {
 public:
  template <class Call>
  explicit CubCall(Call call) {
    size_t bytes = 0;
    must(call(nullptr, bytes), "asking CUB");
    scratch_ = std::make_shared<DeviceArray<char>>(bytes);
    run_ = [call, bytes, scratch = scratch_] {
      size_t of_scratch = bytes;
      must(call(scratch->get(), of_scratch), "CUB");
    };
  }
  void operator()() const { run_(); }

 private:
  std::shared_ptr<DeviceArray<char>> scratch_;
  std::function<void()> run_;
};

void multiply(cublasHandle_t cublas) {
  using namespace matmul_program;
  const int n = N, k = K, m = M;
  DeviceArray<float> a(size_t(n) * k), b(size_t(k) * m), c(size_t(n) * m), kept(size_t(n) * m);
  fill(a, 5), fill(b, 7);  // small and whole: every sum is exact
  const dim3 block(TILE, TILE), grid((m + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  const auto clear = [&] { c.clear(); };
  measure({.name = "matrix product",
           .size = std::to_string(n) + " x " + std::to_string(k) + " times " + std::to_string(k) + " x " +
                   std::to_string(m) + ", float",
           .ways = {{"direct", [&] { direct<<<grid, block>>>(a.get(), b.get(), c.get(), n, k, m); }, clear},
                    {"tiled", [&] { tiled<<<grid, block>>>(a.get(), b.get(), c.get(), n, k, m); }, clear},
                    {"cuBLAS Sgemm",
                     [&] {  // its matrices go down columns: the product of the transposed ones
                       const float one = 1, zero = 0;
                       must(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, b.get(), m, a.get(),
                                        k, &zero, c.get(), m),
                            "cublasSgemm");
                     },
                     clear}},
           .is_right = [&] { return equal(c, kept, c.size()); },
           .keep = [&] { kept.become(c); }});
}

void transpose(cublasHandle_t cublas) {
  namespace p = transpose_program;
  const int rows = p::ROWS, columns = p::COLUMNS;
  DeviceArray<float> in(size_t(rows) * columns), out(in.size()), kept(in.size());
  fill(in, 0);
  const dim3 block(p::TILE, p::HEIGHT),
      grid((columns + p::TILE - 1) / p::TILE, (rows + p::TILE - 1) / p::TILE);
  const auto clear = [&] { out.clear(); };
  measure(
      {.name = "transpose",
       .size = std::to_string(rows) + " x " + std::to_string(columns) + " floats",
       .ways =
           {{"straight", [&] { p::straight<<<grid, block>>>(in.get(), out.get(), rows, columns); }, clear},
            {"tiled, no padding",
             [&] { unpadded_program::tiled<<<grid, block>>>(in.get(), out.get(), rows, columns); }, clear},
            {"tiled, padded", [&] { p::tiled<<<grid, block>>>(in.get(), out.get(), rows, columns); }, clear},
            {"cuBLAS Sgeam",
             [&] {
               const float one = 1, zero = 0;
               must(cublasSgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, in.get(), columns,
                                &zero, nullptr, rows, out.get(), rows),
                    "cublasSgeam");
             },
             clear}},
       .is_right = [&] { return equal(out, kept, out.size()); },
       .keep = [&] { kept.become(out); }});
}

struct Greater {
  int limit;
  __device__ bool operator()(int x) const { return x > limit; }
};

void compact() {
  using namespace compaction_program;
  DeviceArray<int> in(N), place(N), totals(BLOCKS), count(1), out(N), kept(N);
  fill(in, 2 * LIMIT + 2);
  int stay = 0;
  const CubCall select([&](void* scratch, size_t& bytes) {
    return cub::DeviceSelect::If(scratch, bytes, in.get(), out.get(), count.get(), N, Greater{LIMIT});
  });
  const auto clear = [&] { out.clear(), count.clear(); };
  measure({.name = "compaction",
           .size = std::to_string(N) + " ints, half of which stay",
           .ways = {{"three launches",
                     [&] {
                       find_places<<<BLOCKS, BLOCK>>>(in.get(), place.get(), totals.get(), N);
                       scan_totals<<<1, BLOCK>>>(totals.get(), count.get(), BLOCKS);
                       compaction_program::move<<<BLOCKS, BLOCK>>>(in.get(), place.get(), totals.get(),
                                                                   out.get(), N);
                     },
                     clear},
                    {"CUB DeviceSelect::If", [&] { select(); }, clear}},
           .is_right =
               [&] {
                 int now = 0;
                 must(cudaMemcpy(&now, count.get(), sizeof now, cudaMemcpyDeviceToHost), "cudaMemcpy");
                 return now == stay && equal(out, kept, size_t(stay));
               },
           .keep =
               [&] {
                 must(cudaMemcpy(&stay, count.get(), sizeof stay, cudaMemcpyDeviceToHost), "cudaMemcpy");
                 kept.become(out);
               }});
}

void sort_bitonic(int* data) {
  using namespace bitonic_program;
  sort_tiles<<<TILES, BLOCK>>>(data, N);
  for (int run = TILE; run < N; run *= 2) {
    for (int stride = run; stride >= TILE; stride /= 2) {
      int pairs = (N + 2 * stride - 1) / (2 * stride) * stride;
      exchange_far<<<pairs / BLOCK, BLOCK>>>(data, N, stride, stride == run);
    }
    merge_tiles<<<TILES, BLOCK>>>(data, N);
  }
}
/// Sorts the keys; they lie in the returned array then.
unsigned* sort_radix(unsigned* keys, unsigned* other, int* counts) {
  using namespace radix_program;
  for (int shift = 0; shift < KEY_BITS; shift += BITS) {
    count<<<BLOCKS, BLOCK>>>(keys, counts, N, shift);
    scan<<<1, BLOCK>>>(counts, COUNTS);
    scatter<<<BLOCKS, BLOCK>>>(keys, counts, other, N, shift);
    std::swap(keys, other);
  }
  return keys;
}

void sort() {
  static_assert(bitonic_program::N == radix_program::N, "the same numbers for both");
  constexpr int n = radix_program::N;
  DeviceArray<unsigned> in(n), first(n), second(n), kept(n);
  DeviceArray<int> counts(radix_program::COUNTS);
  thrust::tabulate(thrust::device, in.get(), in.get() + n,
                   NumberAt<unsigned>{1u << 31});  // ints without a sign
  const unsigned* result = nullptr;
  const CubCall library([&](void* scratch, size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, first.get(), second.get(), n);
  });
  const auto prepare = [&] { first.become(in); };
  measure({.name = "sort",
           .size = std::to_string(n) + " keys of 32 bits",
           .ways = {{"bitonic",
                     [&] {
                       sort_bitonic(reinterpret_cast<int*>(first.get()));
                       result = first.get();
                     },
                     prepare},
                    {"radix, " + std::to_string(radix_program::BITS) + " bits a pass",
                     [&] { result = sort_radix(first.get(), second.get(), counts.get()); }, prepare},
                    {"CUB DeviceRadixSort",
                     [&] {
                       library();
                       result = second.get();
                     },
                     prepare}},
           .is_right =
               [&] {
                 return thrust::all_of(thrust::device, thrust::counting_iterator<size_t>(0),
                                       thrust::counting_iterator<size_t>(n),
                                       SameAt<unsigned>{result, kept.get()});
               },
           .keep = [&] { kept.become(second); }});
}

void merge() {
  using namespace merge_program;
  constexpr int n = A + B, blocks = (n + TILE - 1) / TILE;
  DeviceArray<int> left(A), right(B), out(n), kept(n);
  for (DeviceArray<int>* one : {&left, &right}) {
    DeviceArray<int> numbers(one->size());
    thrust::tabulate(thrust::device, numbers.get(), numbers.get() + numbers.size(),
                     NumberAt<int>{one == &left ? 1u << 30 : 1u << 29});
    const CubCall sorted([&](void* scratch, size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(scratch, bytes, numbers.get(), one->get(), int(numbers.size()));
    });
    sorted();
    must(cudaDeviceSynchronize(), "sorting");
  }
  const auto clear = [&] { out.clear(); };
  const CubCall library([&](void* scratch, size_t& bytes) {
    return cub::DeviceMerge::MergeKeys(scratch, bytes, left.get(), A, right.get(), B, out.get());
  });
  measure(
      {.name = "merge",
       .size = std::to_string(A) + " and " + std::to_string(B) + " sorted ints",
       .ways = {{"a thread alone",
                 [&] { merge_program::merge<<<blocks, BLOCK>>>(left.get(), right.get(), out.get(), A, B); },
                 clear},
                {"tiled", [&] { merge_tiles<<<blocks, BLOCK>>>(left.get(), right.get(), out.get(), A, B); },
                 clear},
                {"CUB DeviceMerge", [&] { library(); }, clear}},
       .is_right = [&] { return equal(out, kept, out.size()); },
       .keep = [&] { kept.become(out); }});
}

/// Rows with as many values as `count_of` says, in columns that are spread at random.
template <class Count>
void multiply_sparse(cusparseHandle_t cusparse, const std::string& name, int rows, Count count_of) {
  std::vector<int> begins(1, 0), columns;
  int width = 0;
  for (int row = 0; row < rows; row++) {
    const int count = count_of(row);
    width = std::max(width, count);
    for (int k = 0; k < count; k++)  // sorted, one in each piece of the row
      columns.push_back(int((uint64_t(k) * rows + mixed(columns.size()) % uint32_t(rows)) / count));
    begins.push_back(int(columns.size()));
  }
  std::vector<float> values(columns.size());
  for (size_t i = 0; i < values.size(); i++) values[i] = 1 + i % 3;  // small and whole: every sum is exact
  std::vector<int> ell_columns(size_t(width) * rows, -1);
  std::vector<float> ell_values(size_t(width) * rows);
  for (int row = 0; row < rows; row++)
    for (int k = begins[row]; k < begins[row + 1]; k++) {
      const size_t at = size_t(k - begins[row]) * rows + row;
      ell_columns[at] = columns[k];
      ell_values[at] = values[k];
    }
  DeviceArray<int> begin(begins), column(columns), ell_column(ell_columns);
  DeviceArray<float> value(values), ell_value(ell_values), x(rows), y(rows), kept(rows);
  fill(x, 5);

  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t of_x, of_y;
  must(cusparseCreateCsr(&matrix, rows, rows, int64_t(columns.size()), begin.get(), column.get(), value.get(),
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
       "cusparseCreateCsr");
  must(cusparseCreateDnVec(&of_x, rows, x.get(), CUDA_R_32F), "cusparseCreateDnVec");
  must(cusparseCreateDnVec(&of_y, rows, y.get(), CUDA_R_32F), "cusparseCreateDnVec");
  const float one = 1, zero = 0;
  size_t bytes = 0;
  must(cusparseSpMV_bufferSize(cusparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, of_x, &zero, of_y,
                               CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
       "cusparseSpMV_bufferSize");
  DeviceArray<char> buffer(bytes);
  must(cusparseSpMV_preprocess(cusparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, of_x, &zero, of_y,
                               CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.get()),
       "cusparseSpMV_preprocess");

  constexpr int block = csr_program::BLOCK, warps = block / csr_program::WARP;
  const auto clear = [&] { y.clear(); };
  measure({.name = name,
           .size = std::to_string(rows) + " rows, " + std::to_string(columns.size()) +
                   " values, longest row " + std::to_string(width),
           .ways = {{"CSR, a row for each thread",
                     [&] {
                       csr_program::row_per_thread<<<(rows + block - 1) / block, block>>>(
                           begin.get(), column.get(), value.get(), x.get(), y.get(), rows);
                     },
                     clear},
                    {"CSR, a row for each warp",
                     [&] {
                       csr_program::row_per_warp<<<(rows + warps - 1) / warps, block>>>(
                           begin.get(), column.get(), value.get(), x.get(), y.get(), rows);
                     },
                     clear},
                    {"ELL, a row for each thread",
                     [&] {
                       ell_program::row_per_thread<<<(rows + block - 1) / block, block>>>(
                           ell_column.get(), ell_value.get(), x.get(), y.get(), rows, width);
                     },
                     clear},
                    {"cuSPARSE SpMV",
                     [&] {
                       must(cusparseSpMV(cusparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, of_x,
                                         &zero, of_y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.get()),
                            "cusparseSpMV");
                     },
                     clear}},
           .is_right = [&] { return equal(y, kept, y.size()); },
           .keep = [&] { kept.become(y); }});
  cusparseDestroySpMat(matrix);
  cusparseDestroyDnVec(of_x);
  cusparseDestroyDnVec(of_y);
}

}  // namespace

int main() {
  cudaDeviceProp gpu;
  must(cudaGetDeviceProperties(&gpu, 0), "asking for a GPU");
  int driver = 0, runtime = 0;
  must(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  must(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  cublasHandle_t cublas;
  cusparseHandle_t cusparse;
  must(cublasCreate(&cublas), "cublasCreate");
  must(cusparseCreate(&cusparse), "cusparseCreate");
  int of_cublas = 0, of_cusparse = 0;
  must(cublasGetVersion(cublas, &of_cublas), "cublasGetVersion");
  must(cusparseGetVersion(cusparse, &of_cusparse), "cusparseGetVersion");
  printf(
      "{\"device\": \"%s\", \"driver\": %d, \"cuda\": %d, \"cublas\": %d, \"cusparse\": %d, \"cub\": %d, "
      "\"runs\": %d,\n  \"tasks\": [",
      gpu.name, driver, runtime, of_cublas, of_cusparse, int(CUB_VERSION), runs);
  multiply(cublas);
  transpose(cublas);
  compact();
  sort();
  merge();
  multiply_sparse(cusparse, "sparse, rows alike", 1 << 20, [](int) { return 32; });
  multiply_sparse(cusparse, "sparse, one long row in 16", 1 << 20,
                  [](int row) { return row % 16 == 5 ? csr_program::LONG_ROW : row % 4; });
  printf("\n  ]}\n");
  cublasDestroy(cublas);
  cusparseDestroy(cusparse);
  return 0;
}
