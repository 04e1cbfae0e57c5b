// The device query of a build without CUDA. The functions of gpu_device.cu take its place where there is
// nvcc.
#ifndef BARRIERSCOPE_CUDA
#include "engine/simt/device.hpp"

namespace bscope {
std::optional<GpuInfo> gpu(std::string* why) {
  if (why)
    *why =
        "no CUDA device: this program was built without the CUDA toolkit; install nvcc and build again for "
        "GPU "
        "runs";
  return {};
}
int gpu_count() { return 0; }
}  // namespace bscope
#endif
