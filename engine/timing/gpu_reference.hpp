// NVIDIA's own libraries on the same job, beside ours.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/simt/device.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// One library's run: its own output and scratch memory, the caller's input.
class GpuReference {
 public:
  virtual ~GpuReference() = default;
  virtual void launch(void* stream) = 0;  ///< asynchronous on the stream, but for Thrust's reduction
  virtual DeviceSpan result() const = 0;
  virtual bool capturable() const { return true; }
};

/// cub/FAMILY and thrust/FAMILY by name, as far as they are offered for this property, element type and
/// operator: sums (both), least and largest values (CUB) of int32, float and double; histograms of bytes
/// (CUB). Of these libraries alone. Throws UsageError where memory does not suffice.
std::vector<std::pair<std::string, std::unique_ptr<GpuReference>>> gpu_references(
    Property, const Problem&, DeviceSpan input,
    const std::vector<std::string>& libraries = {"cub", "thrust"});

}  // namespace bscope
