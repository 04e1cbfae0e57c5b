// Streams, events and an empty cache: what clocks of one GPU and of several are made of.
#pragma once

#include <cuda_runtime.h>

#include "engine/simt/gpu_memory.hpp"

namespace bscope {

/// A stream of the device that is current when it is made.
class GpuStream {
 public:
  GpuStream() { must(cudaStreamCreate(&stream_), "making a stream"); }
  ~GpuStream() { cudaStreamDestroy(stream_); }
  GpuStream(const GpuStream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A moment on a stream.
class GpuEvent {
 public:
  explicit GpuEvent(unsigned flags = cudaEventDefault) {
    must(cudaEventCreateWithFlags(&event_, flags), "making an event");
  }
  ~GpuEvent() { cudaEventDestroy(event_); }
  GpuEvent(const GpuEvent&) = delete;
  cudaEvent_t get() const { return event_; }
  void record(cudaStream_t stream) { must(cudaEventRecord(event_, stream), "recording an event"); }
  void wait() const { must(cudaEventSynchronize(event_), "waiting for the GPU"); }
  /// Seconds between two moments that are over.
  double since(const GpuEvent& start) const {
    float ms = 0;
    must(cudaEventElapsedTime(&ms, start.event_, event_), "reading the device's clock");
    return ms * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Empties the L2 cache of the device that is current when it is made: reads an area of twice its size.
/// Reads, not writes: written lines would be written back inside the next sample's time. Plain reads, which
/// take the place of whatever is there.
class CacheFlush {
 public:
  CacheFlush();
  void operator()(cudaStream_t);

 private:
  DeviceArray<char> area_;
  DeviceArray<unsigned> never_{1};
  int blocks_;
};

}  // namespace bscope
