#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "engine/timing/gpu_clock.hpp"

namespace bscope {
namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // an error that is not sticky must not surface in what comes next
  throw std::runtime_error(std::string("the GPU failed to ") + what + ": " + cudaGetErrorString(error));
}

/// Reads all words, and keeps the compiler from knowing that nobody wants them.
__global__ void read_all(const uint4* data, size_t n, unsigned* never) {
  unsigned sum = 0;
  const size_t step = size_t(gridDim.x) * blockDim.x;
#pragma unroll 8
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const uint4 v = data[i];
    sum += v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == 0x9E3779B9u) *never = sum;
}

class Memory {
 public:
  explicit Memory(size_t bytes) : bytes_(bytes) {
    check(cudaMalloc(&data_, bytes), "take memory");
    check(cudaMemset(data_, 0, bytes), "clear memory");
  }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  void* data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  void* data_ = nullptr;
  size_t bytes_;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "make an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  void record() { check(cudaEventRecord(event_), "record an event"); }
  double since(const Event& start) const {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start.event_, event_), "read its clock");
    return ms * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

cudaDeviceProp properties() {
  cudaDeviceProp p{};
  check(cudaGetDeviceProperties(&p, 0), "describe itself");
  return p;
}

constexpr int batch = 10;

}  // namespace

struct GpuClock::Device {
  cudaDeviceProp is = properties();
  Memory flush_area{std::max<size_t>(2 * size_t(is.l2CacheSize), size_t(16) << 20)};
  Memory never{sizeof(unsigned)};
  Event starts[batch], ends[batch];

  void read(const Memory& m) {
    read_all<<<is.multiProcessorCount * 4, 512>>>(
        static_cast<const uint4*>(m.data()), m.size() / sizeof(uint4), static_cast<unsigned*>(never.data()));
  }
  /// Reads, not writes: written lines would be written back inside the next sample's time.
  void flush() { read(flush_area); }
};

GpuClock::GpuClock() : device_(std::make_unique<Device>()) {}
GpuClock::~GpuClock() = default;

std::vector<double> GpuClock::samples(const std::function<void()>& restore,
                                      const std::function<void()>& launch, const Patience& patience) {
  const auto run = [&](int count, std::vector<double>& all) {
    for (int k = 0; k < count; ++k) {
      restore();
      device_->flush();
      device_->starts[k].record();
      launch();
      device_->ends[k].record();
    }
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "run");
    for (int k = 0; k < count; ++k) all.push_back(device_->ends[k].since(device_->starts[k]));
  };
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::vector<double> warm_up, all;
  run(1, warm_up);
  run(1, warm_up);
  // a slow kernel is not asked for a whole batch at once
  const double one = std::max(warm_up.back(), 1e-9);
  const int count = int(std::clamp(patience.seconds / 10 / one, 1.0, double(batch)));
  do run(count, all);
  while (int(all.size()) < patience.most && elapsed() < patience.seconds &&
         (int(all.size()) < patience.least || summarise(all).noise >= patience.noise));
  return all;
}

GpuBandwidth GpuClock::bandwidth(const Patience& patience) {
  size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "say how much memory is free");
  const size_t bytes = std::min<size_t>(size_t(1) << 30, free / 4) / sizeof(uint4) * sizeof(uint4);
  const Memory from(bytes), to(bytes);
  const auto nothing = [] {};
  const auto median = [&](const auto& launch) {
    return summarise(samples(nothing, launch, patience)).median;
  };
  const double copied = median(
      [&] { check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice), "copy"); });
  const double read = median([&] { device_->read(from); });
  return {2 * double(bytes) / copied / 1e9, double(bytes) / read / 1e9};
}

}  // namespace bscope
