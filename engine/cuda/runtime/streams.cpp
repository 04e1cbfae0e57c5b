// Streams and events. All work is done when it is asked for, in the order of the calls; times are real ones,
// of the host. What CUDA itself orders is kept apart, in Runtime::order.
#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "engine/cuda/runtime/async_order.hpp"
#include "engine/cuda/runtime/graphs.hpp"

namespace bscope::cuda {
namespace {

cudaError_t make_event(cudaEvent_t* made, unsigned int flags) {
  return api([&](Runtime&) {
    if (!made) return cudaErrorInvalidValue;
    *made = new CUevent_st{.flags = flags};
    living<CUevent_st>().insert(*made);
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
/// A call about a stream or an event that must be there, `work` if it is.
template <class Handle, class Work>
cudaError_t with_handle(Handle handle, Work work) {
  return api([&](Runtime&) { return lives(handle) ? work() : cudaErrorInvalidResourceHandle; });
}
/// One that waits for it.
cudaError_t wait_for(cudaEvent_t event) {
  return waiting([&](Runtime& runtime) {
    if (!lives(event)) return cudaErrorInvalidResourceHandle;
    if (const auto error = refuse_to_wait(event->captured, cudaErrorCapturedEvent)) return error;
    runtime.order.host_waits(event->clock);
    return cudaSuccess;
  });
}
cudaError_t wait_for(cudaStream_t stream) {
  return waiting([&](Runtime& runtime) {
    if (!lives(stream)) return cudaErrorInvalidResourceHandle;
    if (living<CUstream_st>().contains(stream))
      if (const auto error = refuse_to_wait(stream->captured, cudaErrorStreamCaptureUnsupported))
        return error;
    runtime.order.host_waits_for_stream(number_of(stream));
    return cudaSuccess;
  });
}
cudaError_t make_stream(cudaStream_t* stream, unsigned int flags, int priority) {
  return api([&](Runtime& runtime) {
    if (!stream) return cudaErrorInvalidValue;
    *stream = new CUstream_st{.flags = flags,
                              .priority = priority,
                              .number = runtime.order.add_stream(!(flags & cudaStreamNonBlocking))};
    living<CUstream_st>().insert(*stream);
    return cudaSuccess;
  });
}
constexpr auto nothing = [] { return cudaSuccess; };

}  // namespace

bool lives(cudaEvent_t event) { return living<CUevent_st>().contains(event); }
bool lives(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
         living<CUstream_st>().contains(stream);
}

int number_of(cudaStream_t stream) {
  if (living<CUstream_st>().contains(stream)) return stream->number;
  if (stream != cudaStreamPerThread) return HappensBefore::legacy_stream;
  // "The per-thread default stream is not a non-blocking stream and will synchronize with the legacy default
  // stream if both are used in a program." (CUDA Runtime API, Stream synchronization behavior)
  thread_local const int own = Runtime::get().order.add_stream(true);
  return own;
}

}  // namespace bscope::cuda

using namespace bscope::cuda;

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return make_stream(stream, 0, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return make_stream(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return make_stream(stream, flags, std::clamp(priority, greatest_priority, least_priority));
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return wait_for(stream); }
// A query finds the work done: it is, and the host knows it from now on.
cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait_for(stream); }
// "If cudaEventRecord() has not been called on event, this call acts as if the record has already completed,
// and so is a functional no-op." (CUDA Runtime API)
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  return with_handle(stream, [&] {
    if (!lives(event)) return cudaErrorInvalidResourceHandle;
    if (const auto error = capture_wait(stream, event)) return *error;
    Runtime::get().order.wait(number_of(stream), event->clock);
    return cudaSuccess;
  });
}
// What a function of the host's tells other host threads is not seen: from here on the host is taken to know
// what the function knows.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  const cudaError_t error = wait_for(stream);
  if (!error && callback) callback(stream, cudaSuccess, data);
  return error;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned int) {
  return with_handle(stream, nothing);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return with_handle(stream, [&] {
    *priority = living<CUstream_st>().contains(stream) ? stream->priority : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return with_handle(stream, [&] {
    *flags = living<CUstream_st>().contains(stream) ? stream->flags : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue*) {
  return with_handle(stream, nothing);
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID, cudaStreamAttrValue* value) {
  return with_handle(stream, [&] {
    *value = {};
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return make_event(event, 0); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return make_event(event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return with_handle(event, [&] {
    if (!lives(stream)) return cudaErrorInvalidResourceHandle;
    if (const auto error = capture_event(event, stream)) return *error;
    event->recorded = true;
    event->told_early = false;
    event->clock = Runtime::get().order.record(number_of(stream));
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
  return with_handle(start, [&] {
    if (!milliseconds) return cudaErrorInvalidValue;
    if (!lives(end) || !start->recorded || !end->recorded ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
      return cudaErrorInvalidResourceHandle;
    // "If either event has been recorded, but one or both of them have not yet been completed, then
    // cudaErrorNotReady is returned." (CUDA Runtime API) One that is asked again may be waited for so.
    for (const auto& [event, argument] : {std::pair{end, 2}, std::pair{start, 1}}) {
      Runtime& runtime = Runtime::get();
      if (event->told_early || runtime.order.host_knows(event->clock)) continue;
      event->told_early = true;
      tell_of_early_event(runtime, argument);
      return cudaErrorNotReady;
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
    return cudaSuccess;
  });
}
