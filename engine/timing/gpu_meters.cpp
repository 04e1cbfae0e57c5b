#include "engine/timing/gpu_meters.hpp"

#include "engine/simt/device.hpp"
#include "engine/timing/several.hpp"

namespace bscope {
namespace {

// Functions' own: what is linked in registers before main.
RegisterGpuMeter::Make& one() {
  static RegisterGpuMeter::Make make = nullptr;
  return make;
}
RegisterSeveralGpus::Make& several() {
  static RegisterSeveralGpus::Make make = nullptr;
  return make;
}

/// Throws NoDevice unless there is a GPU; what measures on it has registered then.
void need_gpu() {
  Message why;
  if (!gpu(&why)) throw NoDevice(why);
}

}  // namespace

RegisterGpuMeter::RegisterGpuMeter(Make make) { one() = make; }
RegisterSeveralGpus::RegisterSeveralGpus(Make make) { several() = make; }

std::unique_ptr<Meter> gpu_meter(const Patience& patience, std::function<bool()> stop, int gpu) {
  need_gpu();
  return one()(patience, std::move(stop), gpu);
}

std::unique_ptr<Meter> gpus_together(const std::vector<int>& gpus, const Patience& patience,
                                     std::function<bool()> stop) {
  need_gpu();
  if (!several())
    throw NoDevice(
        message("several GPUs are compared with NCCL, and this program was built without its header nccl.h: "
                "install NCCL (package libnccl-dev) and build again, or leave out --gpus"));
  return several()(gpus, patience, std::move(stop));
}

}  // namespace bscope
