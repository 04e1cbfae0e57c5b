// The GPU as everybody else sees it: is there one, and a program made ready to be timed on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/simt/stamps.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// Elements in device memory.
struct DeviceSpan {
  const void* data = nullptr;
  long long n = 0;
  ElementType kind{};
};

/// A full-size run on a GPU, ready to be timed: created once (memory taken, input made), then run often.
class TimedRun {
 public:
  virtual ~TimedRun() = default;
  /// Puts the input back where launches change it, outside any clock (asynchronous on the stream).
  virtual void restore(void* stream = nullptr) = 0;
  /// Clears what every run must begin with as zeros, then every launch of the program; asynchronous on the
  /// stream (a cudaStream_t; null: the default one).
  virtual void launch(void* stream = nullptr) = 0;
  /// Waits, copies the output back.
  virtual std::vector<double> output() = 0;

  /// The input as it was at first, and where the output comes.
  virtual DeviceSpan input() const { return {}; }
  virtual DeviceSpan result() const { return {}; }
  /// Where launches read the input: what is changed there, the next run sees (where launches change it, too,
  /// only until restore()).
  virtual void* working() { return nullptr; }
  /// Fills the result with bytes that no run leaves there, unless it is the input, too: what is not written
  /// is found.
  virtual void spoil() {}
  /// clock64() of each block of the first launch, from its first instruction to its last; empty for a kernel
  /// that does not ask for it. Waits.
  virtual std::vector<double> cycles() { return {}; }

  /// Lets no more than so many blocks of a launch onto a multiprocessor at a time, in all forms that are
  /// timed: each block is given shared memory that it does not use. Throws UsageError where that cannot be.
  virtual void limit_residency([[maybe_unused]] int blocks) {}
  /// Every launch in its stamped form once, to learn how many stamps its warps make, and room for them.
  /// Waits; changes what launches change. Throws UsageError where there is no such form.
  virtual void make_room_for_stamps() {}
  /// As launch(), each in its stamped form; after make_room_for_stamps().
  virtual void launch_stamped([[maybe_unused]] void* stream = nullptr) {}
  /// What the last of these wrote down. Waits.
  virtual std::vector<StampedLaunch> stamps() { return {}; }
};

/// There is no GPU, or the program was built without CUDA: a clear sentence. Exit code 1.
struct NoDevice : Error {
  using Error::Error;
};

struct GpuInfo {
  std::string name, driver;
  int multiprocessors = 0;
  double memory_bytes = 0, peak_gb_per_s = 0;
};
/// The first GPU, or nothing; `why` then says whether the build or the machine lacks it.
std::optional<GpuInfo> gpu(Message* why = nullptr);
/// How many GPUs there are; 0 where gpu() gives nothing.
int gpu_count();

}  // namespace bscope
