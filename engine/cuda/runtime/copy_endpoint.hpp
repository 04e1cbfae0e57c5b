// Where a pointer of the host's code leads: memory of the device, or the host's own.
#pragma once

#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {

/// One end of a copy.
struct CopyEndpoint {
  Memory* memory = nullptr;  ///< nullptr: the host's own
  uint64_t offset = 0;
  bool visible = false;

  bool on_device() const { return memory && !visible; }
  bool on_host() const { return !memory || visible; }
};

/// Finds where the pointer leads, and that `bytes` are there; warns where they are not.
cudaError_t find_end(Runtime&, const void* pointer, size_t bytes, const char* by, CopyEndpoint&);

}  // namespace bscope::cuda
