// A user's program on this machine's GPU: compiled by nvcc as it stands, run several times in a folder of
// its own, each of its launches timed in place. It is not confined there: it needs the device.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {
struct Run;
}
namespace bscope::cuda {

struct Program;
struct ProgramReport;
struct ProgramRun;

/// What there is to measure with; tests hand in their own.
struct GpuTools {
  std::string nvcc;                   ///< empty: there is none
  bool gpu = false;                   ///< whether there is a device
  std::function<Recording()> limits;  ///< what its memory reaches: copy and peak. Throws NoDevice
  static GpuTools of_this_machine();
};

struct InPlaceProgress {
  int run = 0, runs = 0;  ///< 0: it is being compiled
};
struct InPlaceOptions {
  int runs = 7;
  double most_seconds = 60;  ///< of all runs together; at least one is made
  std::function<void(const InPlaceProgress&)> tell = {};
};

/// What became of a measurement.
struct MeasuredInPlace {
  std::vector<Diagnostic> diagnostics;  ///< nvcc's
  bool compiled = false;
  InPlace result;
};

/// For a worker thread: it looks now and then whether it is still wanted. Throws NoDevice where nvcc or a GPU
/// is missing, or where no launch came to the GPU; BadFile, UsageError, SystemError,
/// Cancelled.
MeasuredInPlace measure_in_place(const Program&, const GpuTools&, const InPlaceOptions& = {});

/// Adds what the same program did on the CPU: the bytes of those launches that were traced in full, and
/// whether it printed the same.
void compare_with_cpu(InPlace&, const Run&, const ProgramRun&);
/// The bytes alone.
void add_traffic(InPlace&, const Run&, const ProgramReport&);

}  // namespace bscope::cuda
