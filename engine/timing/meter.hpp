// Measures full-size runs of kernels, whatever they run on.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "engine/simt/algorithm.hpp"
#include "engine/simt/device.hpp"
#include "engine/simt/problem.hpp"
#include "engine/timing/recording.hpp"
#include "engine/timing/timeline.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

/// This point does not fit into the memory; a smaller one may. Nothing was taken. Exit code 2.
struct TooLarge : UsageError {
  using UsageError::UsageError;
};

/// A record's beginning: name, elements, their type (a histogram's keys are uint8) and the bytes to move.
Record record_of(const std::string& name, const Algorithm&, const Problem&);

/// One device, from the first measurement to the last. Every member throws TooLarge where memory does not
/// suffice, and std::runtime_error with the device's reason when it fails: then it measures nothing more.
class Meter {
 public:
  virtual ~Meter() = default;
  /// Device, driver, date, clocks, and what its memory reaches now: copy, pure read, peak. No records.
  virtual Recording begin() = 0;
  /// Times the kernel on the problem, cold and warm, and checks its result against one that was found another
  /// way. A wrong result is a record with `correct` false. Ends early when asked to stop: fewer samples, or
  /// none (no record should be kept then). Of parameters it says what the problem does not.
  virtual Record kernel(const Algorithm&, const Problem&) = 0;
  /// What the same job costs others: cub/FAMILY, thrust/FAMILY where they offer it, copy/FAMILY (as many
  /// bytes moved, nothing computed; scans) or read/FAMILY (as many bytes read; reductions and histograms).
  virtual std::vector<Record> references(const Algorithm&, const Problem&) = 0;
  /// The kernel, CUB and the limit (copy/FAMILY or read/FAMILY) by turns, so that their ratios are of
  /// neighbours in time. Throws UsageError where nothing can take turns.
  virtual std::vector<Record> in_turn(const Algorithm&, const Problem&);
  /// Every launch of the kernel's program in its stamped form, and what the stamps cost. Phases have no names
  /// yet (see name_phases). With `resident`, no more than so many blocks of a launch are on a multiprocessor
  /// at a time. Throws UsageError where there is no such form.
  virtual Timeline timeline(const Algorithm&, const Problem&, int resident = 0);
  /// The end of the run: measures the limits again and notes what changed (a device that grew hot).
  virtual void end(Recording&) = 0;
};

/// The GPU of this number. `stop` is asked between samples. Throws NoDevice.
std::unique_ptr<Meter> gpu_meter(const Patience&, std::function<bool()> stop = {}, int gpu = 0);

}  // namespace bscope
