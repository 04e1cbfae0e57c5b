// What copies between host and device have in common, for pointers and for CUDA arrays.
#pragma once

#include <cstddef>

#include "engine/cuda/runtime/happens_before.hpp"
#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {

/// Rows of bytes, `pitch` from one to the next.
struct PitchedRows {
  const void* begin;
  size_t pitch;
};
struct CopyBlock {
  size_t width, height;
  /// From the first byte to behind the last, where rows are that far from each other.
  size_t span(size_t pitch) const { return height ? pitch * (height - 1) + width : 0; }
};

/// A copy or a memset: what CUDA calls it, in which stream, and whether its name says that it is
/// asynchronous.
struct CopyCall {
  const char* by;
  int stream = HappensBefore::legacy_stream;
  bool asynchronous = false;
};

inline CopyCall asynchronous(const char* by, cudaStream_t stream) { return {by, number_of(stream), true}; }

/// Checks the copy of a block of rows, and makes it.
cudaError_t copy(Runtime&, PitchedRows to, PitchedRows from, CopyBlock, cudaMemcpyKind, const CopyCall&);

/// A copy that may bring something to the host. Where a fault has stopped a kernel before, it is checked, and
/// does nothing else.
template <class Work>
cudaError_t copying(cudaMemcpyKind kind, Work work) {
  return checked_api([&](Runtime& runtime) {
    const cudaError_t broken = runtime.errors.wait();
    const cudaError_t error = work(runtime);
    const bool to_host = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDefault;
    if (broken && to_host && !runtime.lost_copy.depth) {
      runtime.lost_copy = Stack::now();
      runtime.error_of_lost_copy = broken;
    }
    return broken ? broken : error;
  });
}

}  // namespace bscope::cuda
