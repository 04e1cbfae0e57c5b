// The timing records that come with the program.
#pragma once

#include <vector>

#include "engine/timing/recording.hpp"

namespace bscope {

/// Recorded curves that come with the program, the device with the fastest memory first; the others are
/// `aside`. Read once, by whoever asks first: some megabytes.
const std::vector<Recording>& recorded_curves();

}  // namespace bscope
