#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/simt/gpu_memory.hpp"
#include "engine/simt/half.hpp"
#include "engine/timing/gpu_check.hpp"

namespace bscope {
namespace {

constexpr int run_length = 512;  // elements that a thread folds
constexpr int threads = 128;

/// What a fold is made in: exact, or exacter than what it checks.
template <class T>
struct Fold {
  using Type = T;
};
template <>
struct Fold<int> {
  using Type = uint32_t;
};
template <>
struct Fold<float> {
  using Type = double;
};
template <class T>
using FoldOf = typename Fold<T>::Type;

template <class F>
__host__ __device__ F power_of(F x, int power) {
  F y = x;
  if constexpr (std::is_arithmetic_v<F>)
    for (int k = 1; k < power; ++k) y *= x;
  return y;
}

/// Totals of the runs of `run_length` numbers, each to the power, which one thread folds one by one.
template <class T>
__global__ void fold_runs(const T* in, long long n, int power, FoldOf<T>* totals) {
  using F = FoldOf<T>;
  const long long run = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = run * run_length;
  if (first >= n) return;
  F sum = identity<F>();
  for (long long i = first; i < min(first + run_length, n); ++i) sum += power_of(F(in[i]), power);
  totals[run] = sum;
}

template <class T>
__device__ bool differs(T is, FoldOf<T> should, double room) {
  if constexpr (std::is_floating_point_v<T>)
    return !(fabs(double(is) - double(should)) <= room);
  else if constexpr (std::is_same_v<T, int>)
    return uint32_t(is) != should;
  else
    return bits_of(is) != bits_of(should);
}
template <class T>
__global__ void compare_runs(const T* in, const T* out, long long n, const FoldOf<T>* before, bool inclusive,
                             double room, unsigned* wrong) {
  using F = FoldOf<T>;
  const long long run = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = run * run_length;
  if (first >= n) return;
  F sum = before[run];
  bool bad = false;
  for (long long i = first; i < min(first + run_length, n); ++i) {
    const F upto = sum + F(in[i]);
    bad = bad || differs<T>(out[i], inclusive ? upto : sum, room);
    sum = upto;
  }
  if (bad) atomicAdd(wrong, 1u);
}

template <class F>
double size_of(const F& v) {
  if constexpr (std::is_floating_point_v<F>)
    return std::fabs(double(v));
  else
    return 0;
}

template <class T>
bool right_fold(Property property, int power, DeviceSpan input, DeviceSpan result) {
  using F = FoldOf<T>;
  const T* in = static_cast<const T*>(input.data);
  const long long n = input.n, runs = ceil_div(n, run_length);
  const auto grid = unsigned(ceil_div(runs, threads));
  if (result.n != (property == Property::reduction ? 1 : n)) return false;
  DeviceArray<F> device_totals{size_t(runs)};
  fold_runs<<<grid, threads>>>(in, n, power, device_totals.get());
  must(cudaGetLastError(), "checking the result");
  std::vector<F> totals = device_totals.host();
  F sum = identity<F>();
  double largest = 0;
  for (F& total : totals) {
    const F before = sum;
    sum = sum + total;
    total = before;
    largest = std::max(largest, size_of(sum));
  }
  // an error of the last place, at most, for each level of adding, as if they all went one way
  const double last_place = std::is_same_v<T, float> ? 6e-8 : 1.2e-16;
  const double room = (largest + 1024) * last_place * (64 + std::sqrt(double(n)));
  if (property == Property::reduction) {
    T is;
    must(cudaMemcpy(&is, result.data, sizeof is, cudaMemcpyDeviceToHost), "copying the result");
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(double(is) - double(sum)) <= room;
    else if constexpr (std::is_same_v<T, int>)
      return uint32_t(is) == sum;
    else
      return std::memcmp(&is, &sum, sizeof is) == 0;
  }
  const DeviceArray<F> before(totals);
  const DeviceArray<unsigned> wrong(1);
  compare_runs<<<grid, threads>>>(in, static_cast<const T*>(result.data), n, before.get(),
                                  property == Property::inclusive_scan, room, wrong.get());
  must(cudaGetLastError(), "checking the result");
  return wrong.host()[0] == 0;
}

using Count64 = unsigned long long;
/// A thread counts keys that follow one another and are the same before it adds them: one key alone would
/// else make one long queue.
__global__ void count_again(const uint8_t* keys, long long n, Count64* bins) {
  __shared__ unsigned local[256];
  for (int b = int(threadIdx.x); b < 256; b += int(blockDim.x)) local[b] = 0;
  __syncthreads();
  const long long all = (long long)gridDim.x * blockDim.x;
  int key = -1;
  unsigned count = 0;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all) {
    if (keys[i] != key) {
      if (count) atomicAdd(&local[key], count);
      key = keys[i];
      count = 0;
    }
    ++count;
  }
  if (count) atomicAdd(&local[key], count);
  __syncthreads();
  for (int b = int(threadIdx.x); b < 256; b += int(blockDim.x))
    if (local[b]) atomicAdd(&bins[b], Count64(local[b]));
}

bool right_count(DeviceSpan input, DeviceSpan result) {
  if (result.n > 256) return false;
  const DeviceArray<Count64> bins(256);
  count_again<<<2048, 256>>>(static_cast<const uint8_t*>(input.data), input.n, bins.get());
  must(cudaGetLastError(), "checking the result");
  const std::vector<Count64> should = bins.host();
  std::vector<uint32_t> is(size_t(result.n));
  must(cudaMemcpy(is.data(), result.data, is.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost),
       "copying the result");
  for (size_t b = 0; b < 256; ++b)
    if ((b < is.size() ? is[b] : 0u) != uint32_t(should[b])) return false;
  return true;
}

}  // namespace

bool right_on_device(Property property, const Problem& p, DeviceSpan input, DeviceSpan result) {
  must(cudaDeviceSynchronize(), "running what is checked");
  if (property == Property::none) return false;
  if (property == Property::histogram) return right_count(input, result);
  const std::string of = p.text("of", "sum");
  const int power = of == "sum" ? 1 : of == "squares" ? 2 : 3;
  return with_element(
      p, [&](auto first) { return right_fold<decltype(first)>(property, power, input, result); });
}

}  // namespace bscope
