// What cudaGetLastError and its like say, as on the hardware: a mistake in a call is said once; a fault in a
// kernel is found at the next call that waits for it, and from then on nothing works.
#pragma once

#include "engine/cuda/runtime/api.hpp"

namespace bscope::cuda {

class ErrorState {
 public:
  /// What a call returns that found this.
  cudaError_t give(cudaError_t);
  /// A kernel went wrong; not reported yet.
  void fault(cudaError_t);
  /// A call that waits for the device: what it returns instead of doing something; cudaSuccess: it may go on.
  cudaError_t wait();
  /// The error that makes everything fail, if there is one.
  cudaError_t broken() const { return broken_; }
  cudaError_t last() const { return broken_ ? broken_ : last_; }
  cudaError_t take_last();
  void reset() { *this = {}; }
  /// The program asks for the text or the number of an error.
  void note_question() { asked_ = asked_ || broken_; }
  /// Whether it has asked since everything fails.
  bool asked() const { return asked_; }

 private:
  cudaError_t last_ = cudaSuccess, pending_ = cudaSuccess, broken_ = cudaSuccess;
  bool asked_ = false;
};

}  // namespace bscope::cuda
