// The timing records that come with the program.
#pragma once

#include <vector>

#include "engine/timing/recording.hpp"

namespace bscope {

/// The newest day first, and of one day the recording that holds most; all but the first are `aside`.
std::vector<Recording> newest_first(std::vector<Recording>);

/// Recorded curves that come with the program, newest first. Read once, by whoever asks first: some
/// megabytes.
const std::vector<Recording>& recorded_curves();

}  // namespace bscope
