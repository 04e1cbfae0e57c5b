// What Memory shows of a state.
#pragma once

#include <chrono>

#include "app/parts/partners.hpp"

namespace bscope {

struct LoadedState;
class RunQueries;
class RunStore;

/// What Memory keeps from frame to frame.
struct MemoryTabData : RequestTabData {};

/// What the tab shows of a state; the model is of its run, and says who is followed. `time`: how long strides
/// may be run now; the others come next time.
RequestScene memory_scene(const LoadedState&, const RunQueries&, RunStore&, PatternSweeps&,
                          std::chrono::milliseconds time = enough);

}  // namespace bscope
