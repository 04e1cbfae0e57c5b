// What the device that is played answers.
#pragma once

#include <optional>

#include "engine/cuda/run_files/device_model.hpp"

namespace bscope::cuda {

/// What cudaDeviceGetAttribute answers; nullopt: no attribute has that number.
std::optional<int> attribute_of(const DeviceModel&, int attribute);

}  // namespace bscope::cuda
