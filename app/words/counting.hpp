// One numbering of steps, launches and barriers on screen: the first is 1. Whatever is read says
// them through these; threads, blocks, lanes, banks and cells count from 0, as CUDA does, and so do JSON and
// `--step`.
#pragma once

#include <string>

namespace bscope {

/// Of an interval of a block, or of any list of steps.
constexpr int step_number(int interval) { return interval + 1; }
/// Of a launch of the run.
constexpr int launch_number(int launch) { return launch + 1; }

/// Of the barrier that ends an interval.
constexpr int barrier_number(int interval) { return interval + 1; }

/// 12345 as 12,345.
std::string grouped(long long);

}  // namespace bscope
