#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstddef>
#include <cstdint>
#include <cub/cub.cuh>
#include <type_traits>

#include "engine/simt/gpu_memory.hpp"
#include "engine/simt/half.hpp"
#include "tests/gpu/libraries.hpp"

namespace bscope::tests {
namespace {
using on_gpu::DeviceArray;
using on_gpu::must;

struct Plus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

/// Every CUB call is made twice: once to ask how much scratch it wants, then for real.
template <class Call>
void with_scratch(Call call) {
  size_t bytes = 0;
  must(call(nullptr, bytes), "asking CUB");
  DeviceArray<char> scratch(bytes);
  must(call(scratch.get(), bytes), "running CUB");
}

template <class T>
std::vector<double> numbers(const DeviceArray<T>& a) {
  std::vector<double> v;
  v.reserve(a.size());
  for (const T& x : a.host()) {
    uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    v.push_back(number(kind_of<T>, bits));
  }
  return v;
}

template <class T>
std::map<std::string, std::vector<double>> add_up(Property property, const std::vector<T>& values) {
  std::map<std::string, std::vector<double>> results;
  const DeviceArray<T> in(values);
  const int n = int(values.size());
  // A reduction may not change the order of an operator that does not commute; the libraries' do, their scans
  // do not.
  const bool last_of_scan = property == Property::reduction && std::is_same_v<T, Affine>;
  if (last_of_scan) property = Property::inclusive_scan;
  const DeviceArray<T> out(property == Property::reduction ? 1 : values.size());
  const T zero = identity<T>();
  with_scratch([&](void* scratch, size_t& bytes) {
    if (property == Property::reduction)
      return cub::DeviceReduce::Reduce(scratch, bytes, in.get(), out.get(), n, Plus{}, zero);
    if (property == Property::inclusive_scan)
      return cub::DeviceScan::InclusiveScan(scratch, bytes, in.get(), out.get(), Plus{}, n);
    return cub::DeviceScan::ExclusiveScan(scratch, bytes, in.get(), out.get(), Plus{}, zero, n);
  });
  results["CUB"] = numbers(out);
  if (last_of_scan) results["CUB"] = {results["CUB"].back()};
  if constexpr (std::is_arithmetic_v<T>) {
    const thrust::device_ptr<T> from(in.get()), to(out.get());
    if (property == Property::reduction) {
      const T sum = thrust::reduce(thrust::device, from, from + n, zero, Plus{});
      results["Thrust"] = {double(sum)};
    } else {
      if (property == Property::inclusive_scan)
        thrust::inclusive_scan(thrust::device, from, from + n, to, Plus{});
      else
        thrust::exclusive_scan(thrust::device, from, from + n, to, zero, Plus{});
      results["Thrust"] = numbers(out);
    }
  }
  return results;
}

std::map<std::string, std::vector<double>> count(const Problem& p) {
  const DeviceArray<uint8_t> keys(p.values<uint8_t>());
  const int n = p.n(), bins = p["bins"];
  const DeviceArray<int> counts{size_t(bins)};
  with_scratch([&](void* scratch, size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(scratch, bytes, keys.get(), counts.get(), bins + 1, 0, bins,
                                               n);
  });
  return {{"CUB", numbers(counts)}};
}
}  // namespace

std::map<std::string, std::vector<double>> by_libraries(Property property, const Problem& p) {
  on_gpu::need_device();
  if (property == Property::none) return {};
  if (property == Property::histogram) return count(p);
  const auto op = p.set.find("operator"), type = p.set.find("type");
  const bool adds = op == p.set.end() || op->second == "add",
             ints = type == p.set.end() || type->second == "int32";
  if (!adds && ints) {
    if (op->second == "min") return add_up(property, p.values<Min<int>>().held);
    if (op->second == "max") return add_up(property, p.values<Max<int>>().held);
    return add_up(property, p.values<Affine>().held);
  }
  if (!adds) return {};
  return with_type(p, [&](auto zero) { return add_up(property, p.values<decltype(zero)>().held); });
}

}  // namespace bscope::tests
