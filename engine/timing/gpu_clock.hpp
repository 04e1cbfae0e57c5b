// The GPU's clock. Knows nothing of algorithms: it times whatever puts work on a stream.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/timing/statistics.hpp"

namespace bscope {

/// What is timed. Both are asynchronous on the stream (a cudaStream_t).
struct GpuWork {
  std::function<void(void* stream)> restore;  ///< before each cold sample, outside the clock; may be empty
  std::function<void(void* stream)> launch;
  bool capturable = true;  ///< launches only, so that a CUDA graph can replay it
};

struct GpuSamples {
  std::vector<double> cold;  ///< seconds of one launch; the L2 cache holds nothing of its input
  std::vector<double> warm;  ///< seconds of one launch among many in a row, replayed as a graph
  double clock_mhz = 0;      ///< of a multiprocessor, right after the cold samples: median
  bool throttled = false;    ///< the clock stayed below three quarters of the device's
};

struct GpuBandwidth {
  double copy_gb_per_s = 0;  ///< device to device, bytes read plus bytes written
  double read_gb_per_s = 0;  ///< read once, nothing written
};

/// Times work with CUDA events. Every member throws std::runtime_error with CUDA's reason when the device
/// fails, UsageError when its memory does not suffice.
class GpuClock {
 public:
  /// On the current device. Takes the memory to flush the cache with.
  GpuClock();
  ~GpuClock();

  /// Samples are queued in batches, so that the device never waits for the host within one. A batch after
  /// which the multiprocessors are found below three quarters of their clock is thrown away and measured
  /// again after a pause, up to five times (as NVBench does). `stop` is asked between batches: then what
  /// there is is returned.
  GpuSamples measure(const GpuWork&, const Patience&, const std::function<bool()>& stop = {});
  /// The same of several, batch by batch in turn: what changes on the way (a clock, a temperature, another
  /// process) changes for all, so that their ratios hold.
  std::vector<GpuSamples> measure_in_turn(const std::vector<GpuWork>&, const Patience&,
                                          const std::function<bool()>& stop = {});
  /// Seconds that one launch takes, roughly: the second of two.
  double glance(const GpuWork&);

  /// Reads all bytes (a multiple of 16) and keeps none, in the way that is fastest on this device for so
  /// many: bulk copies into shared memory that no thread reads, in large tiles or small, or plain loads.
  enum class Read { bulk_large, bulk_small, loads };
  static const char* name_of(Read);
  void read(const void* data, long long bytes, Read, void* stream);
  /// What the memory can do, measured now on arrays far larger than the cache.
  GpuBandwidth bandwidth(const Patience& = {});

 private:
  struct ClockState;
  std::unique_ptr<ClockState> device_;
};

}  // namespace bscope
