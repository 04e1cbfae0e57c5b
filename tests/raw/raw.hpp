// The catalog's kernels as one would write them by hand in CUDA, without the dialect: what the untraced form
// is measured against.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/simt/device.hpp"
#include "engine/simt/problem.hpp"

namespace bscope::tests {

bool has_raw_twin(const std::string& kernel);
/// The hand-written program of that kernel (int32, +), with the same launches. Throws UsageError for a kernel
/// without a twin, NoDevice, std::runtime_error.
std::unique_ptr<TimedRun> raw_twin(const std::string& kernel, const Problem&);

/// Time of one program over that of another, taken in turns so that clocks and heat hit both alike. One
/// program at a time holds memory, so that both get the same addresses: the time of atomics on a few cache
/// lines depends on which slices of the L2 these lie in (seen: a factor of 2 between two copies of the same
/// kernel).
struct Ratio {
  double median = 0;           ///< of the medians of all samples
  double least = 0, most = 0;  ///< of the medians within each turn: how far to trust it
  int samples = 0;             ///< of each
  double ours_ms = 0, raw_ms = 0;
};
using MakeRun = std::function<std::unique_ptr<TimedRun>()>;
/// Milliseconds of one run of the program.
double time_of(TimedRun&);
Ratio time_ratio(const MakeRun& ours, const MakeRun& raw, int turns = 5);

}  // namespace bscope::tests
