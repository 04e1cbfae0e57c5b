// The GPU's meter in a program that was built without CUDA: says so.
#ifndef BARRIERSCOPE_CUDA
#include "engine/simt/device.hpp"
#include "engine/timing/meter.hpp"

namespace bscope {

std::unique_ptr<Meter> gpu_meter(const Patience&, std::function<bool()>, int) {
  std::string why;
  gpu(&why);
  throw NoDevice(why);
}

}  // namespace bscope
#endif
