// What a GPU's hardware counters must show of a run: the same numbers, counted in the CPU's trace.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/gpu/cases.hpp"

namespace bscope::tests {

/// What is counted, for one launch. Wavefronts of shared memory; sectors of 32 bytes of global memory; lanes:
/// threads that took part in such requests, added up; requests: by warps; barriers: once a warp.
inline constexpr std::array<const char*, 19> counter_names{"shared_load_wavefronts",
                                                           "shared_store_wavefronts",
                                                           "shared_atomic_wavefronts",
                                                           "global_load_sectors",
                                                           "global_store_sectors",
                                                           "global_atomic_sectors",
                                                           "shared_load_lanes",
                                                           "shared_store_lanes",
                                                           "shared_atomic_lanes",
                                                           "global_load_lanes",
                                                           "global_store_lanes",
                                                           "global_atomic_lanes",
                                                           "shared_load_requests",
                                                           "shared_store_requests",
                                                           "shared_atomic_requests",
                                                           "global_load_requests",
                                                           "global_store_requests",
                                                           "global_atomic_requests",
                                                           "barriers"};

/// One launch of a run.
struct LaunchCounts {
  std::string launch;
  int grid = 1, block = 1;
  std::array<long, counter_names.size()> counts{};
};

/// The runs whose counters are read: tiles of 64 to 1024 threads, whole and with a tail, and each value of
/// each parameter.
std::vector<Case> counter_cases(const Algorithm&);
/// Counts of each launch of a run, from its trace.
std::vector<LaunchCounts> predicted_counts(const Trace&);

}  // namespace bscope::tests
