// The verb `time`: full-size runs, measured. The Time tab measures through the same functions.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <vector>

#include "app/cli/options.hpp"
#include "app/measure/measuring.hpp"
#include "engine/timing/meter.hpp"
#include "engine/timing/recording.hpp"
#include "engine/timing/several.hpp"

namespace bscope {

/// What there is to measure with; tests hand in their own.
struct Meters {
  using Make = std::function<std::unique_ptr<Meter>(const Patience&, std::function<bool()> stop)>;
  Make gpu;  ///< throws NoDevice where there is none
  /// Jobs that would take longer for one run are refused.
  std::function<std::unique_ptr<Meter>(const Patience&, std::function<bool()> stop, double longest_run)> cpu;
  /// Of so many GPUs together: throws NoDevice where there are fewer. And how many there are.
  std::function<std::unique_ptr<Meter>(int gpus, const Patience&, std::function<bool()> stop)> several =
      several_gpus;
  std::function<int()> gpus = gpu_count;
  static Meters of_this_machine();
};

/// Prints a table and the ratios to `to`, progress to stderr, and writes `out` if given: whole, after every
/// point. Returns the exit code: 0; 1 where a result is wrong or the device gave up on the way, what was
/// measured before is shown and written; 130 after Ctrl-C, likewise. Throws UsageError, BadFile, NoDevice,
/// std::system_error.
int time_command(const TimeOptions&, std::ostream& to, const Meters& = Meters::of_this_machine());

}  // namespace bscope
