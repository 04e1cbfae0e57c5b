// The timing records that come with the program.
#pragma once

#include <vector>

#include "engine/timing/recording.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

/// The newest day first, and of one day the recording that holds most; all but the first are `aside`.
std::vector<Recording> newest_first(std::vector<Recording>);

/// The built-in recorded curves, newest first. Read once, on first use: some megabytes.
const std::vector<Recording>& recorded_curves();

/// What a page says while it fetches and reads them; empty: `recorded_curves` has them, or reads them at
/// once. A page reads a piece between two frames: it asks for the next one in each frame until this is empty.
Message recorded_curves_awaited();

}  // namespace bscope
