// The GPU's clock in a program that was built without CUDA: says so.
#ifndef BARRIERSCOPE_CUDA
#include <stdexcept>

#include "engine/timing/gpu_clock.hpp"

namespace bscope {

struct GpuClock::Device {};
GpuClock::GpuClock() {
  throw std::runtime_error(
      "no GPU: this program was built without CUDA; install the CUDA Toolkit and build again");
}
GpuClock::~GpuClock() = default;
std::vector<double> GpuClock::samples(const std::function<void()>&, const std::function<void()>&,
                                      const Patience&) {
  return {};
}
GpuBandwidth GpuClock::bandwidth(const Patience&) { return {}; }
std::unique_ptr<GpuReference> cub_reference(const std::string&, const std::vector<double>&, bool, int) {
  return {};
}

}  // namespace bscope
#endif
