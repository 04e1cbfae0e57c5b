// The verb `time`: full-size runs, measured. The Time tab measures through the same functions.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/measure/sweep.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/timing/meter.hpp"
#include "engine/timing/several.hpp"

namespace bscope {

class Options;

struct TimeOptions {
  std::vector<std::string> kernels;
  RunSpec request;              ///< its `kernel` is empty; the same input and parameters for all kernels
  Device device = Device::gpu;  ///< without a GPU: CPU baselines, and a clear word about the GPU
  bool device_given = false;    ///< --device was typed: gpu without a GPU is then an error (exit 1)
  std::string out;              ///< .json or .csv; empty: a table only
  std::vector<SweepAxis> sweep = {};
  SweepPart part = {};
  double noise = 0.005;                ///< samples are taken until there is less of it,
  int least = 11, most = 200;          ///< but so many,
  std::optional<double> seconds = {};  ///< and no longer than this; default: 0.25 of several points, else 1
  double most_seconds = 2;  ///< a kernel that takes longer for one run is left out, of longer inputs too
  bool in_turn = false;     ///< each kernel by turns with CUB and the limit
  int gpus = 1;             ///< of this host, working together; 0: all of them
  bool merge = false;       ///< `kernels` are recordings, which are put together into `out`
};

/// Those of `time` that say how to measure.
void measuring_options(Options&, TimeOptions&);

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
/// SystemError.
int time_command(const TimeOptions&, std::ostream& to, const Meters& = Meters::of_this_machine());

}  // namespace bscope
