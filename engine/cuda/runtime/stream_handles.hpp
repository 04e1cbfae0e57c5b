// What a stream and an event of the program are, and the graph that a stream's work is captured into.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {

/// A capture that has begun and not ended, over all streams that take part in it.
struct Capture {
  cudaStream_t origin = nullptr;
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  unsigned long long id = 0;
  bool is_broken = false;               ///< an error has ended it: it gives no graph
  std::set<cudaStream_t> streams = {};  ///< those that take part
};

/// Where a stream's work or an event stands in a capture: the nodes that what comes next depends on.
struct CapturePoint {
  std::shared_ptr<Capture> capture = nullptr;  ///< nullptr: nothing is captured
  std::vector<cudaGraphNode_t> after = {};
};

/// All handles of a type that the program may use.
template <class T>
std::set<const T*>& living() {
  static auto* const all = new std::set<const T*>;
  return *all;
}

bool lives(cudaStream_t);
bool lives(cudaEvent_t);
/// cudaEventRecord and cudaStreamWaitEvent where they belong to a capture; nullopt: they do not.
std::optional<cudaError_t> capture_event(cudaEvent_t, cudaStream_t);
std::optional<cudaError_t> capture_wait(cudaStream_t, cudaEvent_t);
/// The answer of a call that waits for a stream or an event: an error, and the capture's end, where it is
/// captured.
cudaError_t refuse_to_wait(const CapturePoint&, cudaError_t);
/// A call of the API may be made while a stream is captured. Else the captures that forbid it are broken, and
/// the error says so.
cudaError_t may_call_while_capturing(Runtime&, const char* call);

}  // namespace bscope::cuda

struct CUstream_st {
  unsigned int flags = 0;
  int priority = 0;
  int number = 0;  ///< in Runtime::order
  bscope::cuda::CapturePoint captured = {};
};
struct CUevent_st {
  unsigned int flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point at = {};
  bscope::cuda::StreamClock clock = {};      ///< what has ended when it is reached
  bool told_early = false;                   ///< its time was asked before
  bscope::cuda::CapturePoint captured = {};  ///< it was recorded in a capture
};
