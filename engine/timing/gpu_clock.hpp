// The GPU's clock. Knows nothing of algorithms: it times whatever puts work on the default stream.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/timing/statistics.hpp"

namespace bscope {

struct GpuBandwidth {
  double copy_gb_per_s = 0;  ///< device to device, bytes read plus bytes written
  double read_gb_per_s = 0;  ///< read once, nothing written
};

/// Times work on the default stream with CUDA events, with a cold L2 cache before each sample. Every member
/// throws std::runtime_error with CUDA's reason when the device fails.
class GpuClock {
 public:
  /// Takes the memory to flush the cache with. Throws std::runtime_error without CUDA or without a device.
  GpuClock();
  ~GpuClock();

  /// Samples, in seconds, of `launch`; `restore` runs before each, outside the clock. Both are asynchronous.
  /// Samples are queued in batches, so that the device never waits for the host within one.
  std::vector<double> samples(const std::function<void()>& restore, const std::function<void()>& launch,
                              const Patience&);
  /// What the memory can do, measured now on arrays far larger than the cache.
  GpuBandwidth bandwidth(const Patience& = {});

 private:
  struct Device;
  std::unique_ptr<Device> device_;
};

/// NVIDIA's own library on the same job, beside ours: cub/reduce, cub/scan, cub/histogram.
class GpuReference {
 public:
  virtual ~GpuReference() = default;
  virtual void launch() = 0;                 ///< asynchronous on the default stream
  virtual std::vector<double> output() = 0;  ///< waits, copies the output back
};
/// `family` is reduce, scan or histogram; values are int32, keys bytes. Empty without CUDA, or for another
/// family.
std::unique_ptr<GpuReference> cub_reference(const std::string& family, const std::vector<double>& data,
                                            bool inclusive, int bins);

}  // namespace bscope
