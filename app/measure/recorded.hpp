// The timing records that come with the program.
#pragma once

#include <vector>

#include "engine/timing/recording.hpp"

namespace bscope {

/// The newest day first, and of one day the recording that holds most; all but the first are `aside`.
std::vector<Recording> newest_first(std::vector<Recording>);

/// The built-in recorded curves, newest first. Read once, on first use: some megabytes.
const std::vector<Recording>& recorded_curves();

}  // namespace bscope
