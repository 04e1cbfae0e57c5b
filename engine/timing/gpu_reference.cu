#include <cstdint>
#include <cub/cub.cuh>
#include <stdexcept>

#include "engine/timing/gpu_clock.hpp"

namespace bscope {
namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("the GPU failed to ") + what + ": " + cudaGetErrorString(error));
}

template <class T>
class Cells {
 public:
  explicit Cells(size_t n) : size_(n) { check(cudaMalloc(&data_, (n ? n : 1) * sizeof(T)), "take memory"); }
  explicit Cells(const std::vector<double>& values) : Cells(values.size()) {
    const std::vector<T> typed(values.begin(), values.end());
    check(cudaMemcpy(data_, typed.data(), typed.size() * sizeof(T), cudaMemcpyHostToDevice),
          "copy the input");
  }
  ~Cells() { cudaFree(data_); }
  Cells(const Cells&) = delete;
  T* data() const { return data_; }
  std::vector<double> values() const {
    std::vector<T> typed(size_);
    check(cudaMemcpy(typed.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "copy the output");
    return std::vector<double>(typed.begin(), typed.end());
  }

 private:
  T* data_ = nullptr;
  size_t size_;
};

/// Every CUB call is made twice: once to ask how much scratch it wants, then for real.
template <class In, class Out, class Call>
class Cub : public GpuReference {
 public:
  Cub(const std::vector<double>& data, size_t outputs, Call call)
      : in_(data), out_(outputs), n_(int(data.size())), call_(call), scratch_(scratch_bytes()) {}
  void launch() override { check(call_(scratch_.data(), bytes_, in_.data(), out_.data(), n_), "run CUB"); }
  std::vector<double> output() override { return out_.values(); }

 private:
  size_t scratch_bytes() {
    check(call_(nullptr, bytes_, in_.data(), out_.data(), n_), "ask CUB");
    return bytes_;
  }
  Cells<In> in_;
  Cells<Out> out_;
  int n_;
  Call call_;
  size_t bytes_ = 0;
  Cells<char> scratch_;
};

template <class In, class Out, class Call>
std::unique_ptr<GpuReference> cub(const std::vector<double>& data, size_t outputs, Call call) {
  return std::make_unique<Cub<In, Out, Call>>(data, outputs, call);
}

}  // namespace

std::unique_ptr<GpuReference> cub_reference(const std::string& family, const std::vector<double>& data,
                                            bool inclusive, int bins) {
  if (family == "reduce")
    return cub<int, int>(data, 1, [](void* scratch, size_t& bytes, const int* in, int* out, int n) {
      return cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
    });
  if (family == "scan" && inclusive)
    return cub<int, int>(data, data.size(), [](void* scratch, size_t& bytes, const int* in, int* out, int n) {
      return cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n);
    });
  if (family == "scan")
    return cub<int, int>(data, data.size(), [](void* scratch, size_t& bytes, const int* in, int* out, int n) {
      return cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, n);
    });
  if (family == "histogram")
    return cub<uint8_t, int>(
        data, size_t(bins), [bins](void* scratch, size_t& bytes, const uint8_t* in, int* out, int n) {
          return cub::DeviceHistogram::HistogramEven(scratch, bytes, in, out, bins + 1, 0, bins, n);
        });
  return {};
}

}  // namespace bscope
