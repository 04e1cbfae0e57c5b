// How the meters of what nvcc compiles come into the program (see engine/simt/device_module.hpp).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/timing/meter.hpp"

namespace bscope {

/// static const RegisterGpuMeter one(make): gpu_meter() is this.
struct RegisterGpuMeter {
  using Make = std::unique_ptr<Meter> (*)(const Patience&, std::function<bool()> stop, int gpu);
  explicit RegisterGpuMeter(Make);
};

/// The same for gpus_together(). Registered only where NCCL's header was there.
struct RegisterSeveralGpus {
  using Make = std::unique_ptr<Meter> (*)(const std::vector<int>& gpus, const Patience&,
                                          std::function<bool()> stop);
  explicit RegisterSeveralGpus(Make);
};

}  // namespace bscope
