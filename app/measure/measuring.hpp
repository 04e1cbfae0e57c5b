// The one measuring loop: the points of a sweep, one after the other, on whatever a meter measures.
#pragma once

#include <functional>
#include <string>

#include "engine/timing/recording.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Algorithm;
class Meter;
struct SweepPlan;

/// Where a sweep stands.
struct MeasureProgress {
  const Recording& so_far;
  std::string doing;         ///< "scan/blelloch, N = 2^20, block 256"; empty at the end
  int done = 0, all = 0;     ///< steps: a kernel at a point, or the references of several
  double share = 0;          ///< of the time, as far as lengths tell
  double seconds_left = -1;  ///< judged by the steps so far; -1: not known yet
};
/// Called before each step, and at the end.
using TellProgress = std::function<void(const MeasureProgress&)>;

/// What to measure of the points.
struct MeasureOptions {
  bool kernels = true;              ///< false: the references alone (a CPU's meter)
  bool in_turn = false;             ///< each kernel by turns with CUB and the limit (Meter::in_turn)
  double most_seconds = 2;          ///< a kernel that would need longer for one run is left out from there on
  std::function<bool()> stop = {};  ///< asked between steps; the meter asks it between samples
};

/// What came of it. Whatever went wrong, `run` holds everything that was measured before.
struct Measured {
  Recording run;    ///< its notes say what was left out, and why
  Message failure;  ///< why the device gave up; empty: it did not
  Message refused;  ///< why the first point was left out that did not fit into the memory, or was refused
  bool stopped = false;
};

/// Measures every point, and once for each family, length, input, type, operator and kind of scan the
/// references. A point that does not fit is left out, with a note; an error of the device ends the sweep.
/// Throws only what `Meter::begin` throws.
Measured measure(Meter&, const SweepPlan&, const MeasureOptions& = {}, const TellProgress& = {});

/// Whether the kernel gives wrong results by design, because it races or is one of the mistakes.
bool wrong_by_design(const Algorithm&);

}  // namespace bscope
