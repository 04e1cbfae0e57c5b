#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>

#include <algorithm>
#include <cstdint>
#include <cub/cub.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <limits>
#include <type_traits>

#include "engine/simt/gpu_memory.hpp"
#include "engine/simt/half.hpp"
#include "engine/timing/gpu_reference.hpp"

namespace bscope {
namespace {

/// Every CUB call is made twice: once to ask how much scratch it wants, then for real.
template <class Out, class Call>
class Cub final : public GpuReference {
 public:
  Cub(long long outputs, Call call) : out_(enough(outputs)), call_(call) {
    must(call_(nullptr, bytes_, out_.get(), nullptr), "asking CUB");
    need_memory(double(bytes_), "CUB's scratch memory");
    scratch_ = DeviceArray<char>(bytes_);
  }
  void launch(void* stream) override {
    must(call_(scratch_.get(), bytes_, out_.get(), static_cast<cudaStream_t>(stream)), "running CUB");
  }
  DeviceSpan result() const override { return {out_.get(), (long long)out_.size(), kind_of<Out>}; }

 private:
  static size_t enough(long long outputs) {
    need_memory(double(outputs) * sizeof(Out), "CUB's output");
    return size_t(outputs);
  }
  DeviceArray<Out> out_;
  Call call_;
  size_t bytes_ = 0;
  DeviceArray<char> scratch_;
};
template <class Out, class Call>
std::unique_ptr<GpuReference> cub_call(long long outputs, Call call) {
  return std::make_unique<Cub<Out, Call>>(outputs, call);
}
/// CUB counts elements in the type that it is given: int where it fits, as a program of that size would.
template <class Out, class Call>
std::unique_ptr<GpuReference> cub_counting(long long n, long long outputs, Call call) {
  if (n <= std::numeric_limits<int>::max())
    return cub_call<Out>(outputs, [=](void* scratch, size_t& bytes, Out* out, cudaStream_t stream) {
      return call(scratch, bytes, out, int(n), stream);
    });
  return cub_call<Out>(outputs, [=](void* scratch, size_t& bytes, Out* out, cudaStream_t stream) {
    return call(scratch, bytes, out, n, stream);
  });
}

/// Thrust takes its scratch memory in each call, and its reduction waits for the sum: that is its price.
template <class T>
class Thrust final : public GpuReference {
 public:
  Thrust(Property property, const T* in, long long n)
      : property_(property), in_(in), n_(n), out_(property == Property::reduction ? 1 : size_t(n)) {}
  void launch(void* stream) override {
    const thrust::device_ptr<const T> in(in_);
    const thrust::device_ptr<T> out(out_.get());
    const auto on = static_cast<cudaStream_t>(stream);
    if (property_ == Property::reduction) {
      const T sum = thrust::reduce(thrust::cuda::par.on(on), in, in + n_, T(0));
      must(cudaMemcpyAsync(out_.get(), &sum, sizeof sum, cudaMemcpyHostToDevice, on), "keeping Thrust's sum");
    } else if (property_ == Property::inclusive_scan) {
      thrust::inclusive_scan(thrust::cuda::par_nosync.on(on), in, in + n_, out);
    } else {
      thrust::exclusive_scan(thrust::cuda::par_nosync.on(on), in, in + n_, out, T(0));
    }
  }
  DeviceSpan result() const override { return {out_.get(), (long long)out_.size(), kind_of<T>}; }
  bool capturable() const override { return false; }

 private:
  Property property_;
  const T* in_;
  long long n_;
  DeviceArray<T> out_;
};

/// As CUB's own Sum, InclusiveSum and ExclusiveSum, Min and Max call it.
template <class T, class Op>
std::unique_ptr<GpuReference> cub_fold(Property property, const T* in, long long n, Op op, T nothing) {
  if (property == Property::reduction)
    return cub_counting<T>(n, 1, [=](void* scratch, size_t& bytes, T* out, auto n, cudaStream_t s) {
      return cub::DeviceReduce::Reduce(scratch, bytes, in, out, n, op, nothing, s);
    });
  if (property == Property::inclusive_scan)
    return cub_counting<T>(n, n, [=](void* scratch, size_t& bytes, T* out, auto n, cudaStream_t s) {
      return cub::DeviceScan::InclusiveScan(scratch, bytes, in, out, op, n, s);
    });
  return cub_counting<T>(n, n, [=](void* scratch, size_t& bytes, T* out, auto n, cudaStream_t s) {
    return cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, op, nothing, n, s);
  });
}

}  // namespace

std::vector<std::pair<std::string, std::unique_ptr<GpuReference>>> gpu_references(
    Property property, const Problem& p, DeviceSpan input, const std::vector<std::string>& libraries) {
  std::vector<std::pair<std::string, std::unique_ptr<GpuReference>>> all;
  const std::string op = p.text("operator", "add");
  if (op == "affine" || p.text("of", "sum") != "sum" || property == Property::none) return all;
  const auto asked = [&](const char* library) {
    return std::ranges::find(libraries, library) != libraries.end();
  };
  const long long n = input.n;
  if (property == Property::histogram) {
    const int bins = p["bins"];
    const auto* keys = static_cast<const uint8_t*>(input.data);
    if (asked("cub"))
      all.emplace_back(
          "cub/histogram",
          cub_counting<int>(n, bins, [=](void* scratch, size_t& bytes, int* out, auto n, cudaStream_t s) {
            return cub::DeviceHistogram::HistogramEven(scratch, bytes, keys, out, bins + 1, 0, bins, n, s);
          }));
    return all;
  }
  with_type(p, [&](auto zero) {
    using T = decltype(zero);
    const T* in = static_cast<const T*>(input.data);
    if (asked("cub")) {
      const char* name = property == Property::reduction ? "cub/reduce" : "cub/scan";
      if (op == "add")
        all.emplace_back(name, cub_fold(property, in, n, cuda::std::plus<T>{}, T(0)));
#ifndef BARRIERSCOPE_INT32_ONLY
      else if (op == "min")
        all.emplace_back(name, cub_fold(property, in, n, cuda::minimum<T>{}, greatest<T>));
      else if (op == "max")
        all.emplace_back(name, cub_fold(property, in, n, cuda::maximum<T>{}, least<T>));
#endif
    }
    if (!asked("thrust") || op != "add") return;
    need_memory(property == Property::reduction ? 0 : double(n) * sizeof(T), "Thrust's output");
    all.emplace_back(property == Property::reduction ? "thrust/reduce" : "thrust/scan",
                     std::make_unique<Thrust<T>>(property, in, n));
  });
  return all;
}

}  // namespace bscope
