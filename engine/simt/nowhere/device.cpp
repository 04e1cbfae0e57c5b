// Where there is no GPU and no module could be loaded, as in a browser.
#include "engine/simt/device.hpp"

#include "engine/simt/device_module.hpp"

const char BARRIERSCOPE_ENGINE = 0;

namespace bscope {

RegisterDevice::RegisterDevice(const DeviceQuery&, const char*) {}

std::optional<GpuInfo> gpu(Message* why) {
  if (why) *why = message("no CUDA device: a browser can run nothing on a GPU");
  return {};
}

int gpu_count() { return 0; }

}  // namespace bscope
