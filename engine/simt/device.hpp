// The GPU as the rest of the house sees it: is there one, and a program made ready to be timed on it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bscope {

/// A full-size run on a GPU, ready to be timed: created once (memory taken, input copied), then run often.
class TimedRun {
 public:
  virtual ~TimedRun() = default;
  /// Puts the input back and clears the outputs, outside any clock (asynchronous).
  virtual void restore() = 0;
  /// Every launch of the program, asynchronous on the default stream.
  virtual void launch() = 0;
  /// Waits, copies the output back.
  virtual std::vector<double> output() = 0;
};

/// There is no GPU, or the program was built without CUDA: a clear sentence. Exit code 1.
struct NoDevice : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct GpuInfo {
  std::string name, driver;
  int multiprocessors = 0;
  double memory_bytes = 0, peak_gb_per_s = 0;
};
/// The first GPU, or nothing; `why` then says whether the build or the machine lacks it.
std::optional<GpuInfo> gpu(std::string* why = nullptr);
/// How many GPUs there are; 0 where gpu() gives nothing.
int gpu_count();

}  // namespace bscope
