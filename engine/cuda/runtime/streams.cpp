// Streams and events. All work is done when it is asked for, in the order of the calls; times are real ones,
// of the host.
#include <algorithm>
#include <chrono>
#include <set>

#include "engine/cuda/runtime/runtime.hpp"

struct CUstream_st {
  unsigned int flags = 0;
  int priority = 0;
};
struct CUevent_st {
  unsigned int flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point at = {};
};

namespace bscope::cuda {
namespace {

template <class T>
std::set<const T*>& living() {
  static auto* const all = new std::set<const T*>;
  return *all;
}
template <class T, class... Members>
cudaError_t make(T** made, Members... members) {
  return api([&](Runtime&) {
    if (!made) return cudaErrorInvalidValue;
    *made = new T{members...};
    living<T>().insert(*made);
    return cudaSuccess;
  });
}
template <class T>
cudaError_t destroy(T* gone) {
  return api([&](Runtime&) {
    if (!living<T>().erase(gone)) return cudaErrorInvalidResourceHandle;
    delete gone;
    return cudaSuccess;
  });
}
bool lives(const CUevent_st* event) { return living<CUevent_st>().contains(event); }
bool lives(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
         living<CUstream_st>().contains(stream);
}
/// A call about a stream or an event that must be there, `work` if it is.
template <class Handle, class Work>
cudaError_t about(Handle handle, Work work) {
  return api([&](Runtime&) { return lives(handle) ? work() : cudaErrorInvalidResourceHandle; });
}
/// One that waits for it.
template <class Handle>
cudaError_t wait_for(Handle handle) {
  return waiting([&](Runtime&) { return lives(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
constexpr auto nothing = [] { return cudaSuccess; };

}  // namespace
}  // namespace bscope::cuda

using namespace bscope::cuda;

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return make(stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return make(stream, flags);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return make(stream, flags, std::clamp(priority, greatest_priority, least_priority));
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return wait_for(stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait_for(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  return about(stream, [&] { return lives(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  const cudaError_t error = wait_for(stream);
  if (!error && callback) callback(stream, cudaSuccess, data);
  return error;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned int) {
  return about(stream, nothing);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return about(stream, [&] {
    *priority = living<CUstream_st>().contains(stream) ? stream->priority : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return about(stream, [&] {
    *flags = living<CUstream_st>().contains(stream) ? stream->flags : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue*) {
  return about(stream, nothing);
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID, cudaStreamAttrValue* value) {
  return about(stream, [&] {
    *value = {};
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return make(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) { return make(event, flags); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return about(event, [&] {
    if (!lives(stream)) return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    event->at = std::chrono::steady_clock::now();
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return wait_for(event); }
cudaError_t cudaEventQuery(cudaEvent_t event) { return wait_for(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return about(start, [&] {
    if (!milliseconds) return cudaErrorInvalidValue;
    if (!lives(end) || !start->recorded || !end->recorded ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
      return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
    return cudaSuccess;
  });
}
