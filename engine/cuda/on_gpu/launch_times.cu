// Times each kernel launch of a user's program where it stands. nvcc compiles this beside the program's own
// files, which stay as they are; the linker sends the calls of each NAME for which there is a __wrap_NAME
// here first (--wrap).
//
// A launch gets an event before it and one after it on its own stream. A kernel that only waits goes before
// both: while it runs the host has time to hand over all three, so that the device's clock sees nothing of
// the host's pace. What is found goes to the file that BARRIERSCOPE_LAUNCHES names, a line of JSON each
// (launch_record.hpp reads it); without that name nothing is timed. Nothing here changes what the program's
// calls return.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

__global__ void bscope_wait(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {}
}
__global__ void bscope_nothing() {}

constexpr double waits_seconds = 20e-6;
constexpr size_t most_pending = 1024;

thread_local bool inside = false;  // our own calls are not timed
class UntimedScope {
 public:
  UntimedScope() : before_(inside) { inside = true; }
  ~UntimedScope() { inside = before_; }
  UntimedScope(const UntimedScope&) = delete;
  UntimedScope& operator=(const UntimedScope&) = delete;

 private:
  bool before_;
};

/// What the host's functions are as kernels. Filled before main, so it is made when first asked for, and
/// stays.
struct Names {
  std::mutex mutex;
  std::map<const void*, std::string> of_function;
  std::map<const void*, const void*> function_of_handle;
  std::string name(const void* kernel) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto handle = function_of_handle.find(kernel);
    const auto known = of_function.find(handle == function_of_handle.end() ? kernel : handle->second);
    return known == of_function.end() ? "" : known->second;
  }
};
Names& names() {
  static Names* const all = new Names;
  return *all;
}

struct PendingLaunch {
  std::string kernel;
  dim3 grid, block;
  size_t shared = 0;
  cudaEvent_t begin = nullptr, end = nullptr;
};

std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      all += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) >= 0x20)
      all += c;
  return all + "\"";
}

class Times {
 public:
  static Times& all() {
    static Times* const one = new Times;  // launches may come while the program ends
    return *one;
  }

  bool wanted() {
    if (inside || captures > 0) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!begun_) begin();
    return file_ != nullptr;
  }

  /// What stands before the launch; false: it cannot be timed.
  bool before(PendingLaunch& l, cudaStream_t stream) const {
    const UntimedScope ours;
    if (cudaEventCreate(&l.begin) != cudaSuccess) return false;
    if (cudaEventCreate(&l.end) != cudaSuccess) return false;
    bscope_wait<<<1, 1, 0, stream>>>(wait_cycles_);
    return cudaEventRecord(l.begin, stream) == cudaSuccess;
  }
  void after(const PendingLaunch& l, cudaStream_t stream, bool launched) {
    const UntimedScope ours;
    const bool recorded = launched && cudaEventRecord(l.end, stream) == cudaSuccess;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!recorded) {
      ++failed_;
      forget(l);
      return;
    }
    pending_.push_back(l);
    if (pending_.size() >= most_pending) take(most_pending / 2);
  }
  void untimed() { ++failed_; }

  /// Waits for those that are on their way, and writes all down.
  void take_all() {
    const UntimedScope ours;
    const std::lock_guard<std::mutex> lock(mutex_);
    take(pending_.size());
  }

  std::atomic<int> captures{0};
  std::atomic<long> graphs{0};

 private:
  void begin() {
    begun_ = true;
    const char* const path = std::getenv("BARRIERSCOPE_LAUNCHES");
    if (!path || !*path) return;
    const UntimedScope ours;
    int device = 0, khz = 0, memory_khz = 0, bits = 0, driver = 0;
    cudaDeviceProp properties;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaGetDeviceProperties(&properties, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device) != cudaSuccess ||
        cudaDriverGetVersion(&driver) != cudaSuccess)
      return;
    wait_cycles_ = static_cast<long long>(waits_seconds * khz * 1e3);
    file_ = std::fopen(path, "we");
    if (!file_) return;
    std::fprintf(file_, "{\"device\":%s,\"driver\":\"%d.%d\",\"peak_gb_per_s\":%.6g,\"empty_s\":%.6g}\n",
                 quoted(properties.name).c_str(), driver / 1000, driver % 1000 / 10,
                 2.0 * memory_khz * 1e3 * bits / 8 / 1e9, seconds_of_nothing());
    std::fflush(file_);
    std::atexit([] { Times::all().end(); });
  }

  /// What a kernel that does nothing takes when it is timed like this: median of 21.
  double seconds_of_nothing() const {
    std::vector<double> all;
    for (int k = 0; k < 22; ++k) {
      PendingLaunch l;
      if (!before(l, nullptr)) return 0;
      bscope_nothing<<<1, 32>>>();
      float ms = 0;
      const bool timed = cudaEventRecord(l.end, nullptr) == cudaSuccess &&
                         cudaEventSynchronize(l.end) == cudaSuccess &&
                         cudaEventElapsedTime(&ms, l.begin, l.end) == cudaSuccess;
      forget(l);
      if (!timed) return 0;
      if (k > 0) all.push_back(ms * 1e-3);  // the first is slower
    }
    std::nth_element(all.begin(), all.begin() + 10, all.end());
    return all[10];
  }

  static void forget(const PendingLaunch& l) {
    if (l.begin) cudaEventDestroy(l.begin);
    if (l.end) cudaEventDestroy(l.end);
  }

  void take(size_t count) {
    for (; count > 0; --count, pending_.pop_front()) {
      const PendingLaunch& l = pending_.front();
      float ms = 0;
      const bool timed = cudaEventSynchronize(l.end) == cudaSuccess &&
                         cudaEventElapsedTime(&ms, l.begin, l.end) == cudaSuccess;
      if (timed)
        std::fprintf(
            file_,
            "{\"kernel\":%s,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%zu,\"seconds\":%.6g}\n",
            quoted(l.kernel).c_str(), l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z, l.shared,
            ms * 1e-3);
      else
        ++failed_;
      forget(l);
    }
    std::fflush(file_);
  }

  void end() {
    take_all();
    const std::lock_guard<std::mutex> lock(mutex_);
    std::fprintf(file_, "{\"ended\":true,\"graphs\":%ld,\"failed\":%ld}\n", graphs.load(), failed_.load());
    std::fflush(file_);
  }

  std::mutex mutex_;
  bool begun_ = false;
  std::FILE* file_ = nullptr;
  long long wait_cycles_ = 0;
  std::deque<PendingLaunch> pending_;
  std::atomic<long> failed_{0};
};

/// Does the launch, with its time taken where that can be.
template <class DoIt>
cudaError_t timed(const void* kernel, dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                  DoIt launch) {
  Times& times = Times::all();
  if (!times.wanted()) return launch();
  PendingLaunch l{names().name(kernel), grid, block, shared};
  if (!times.before(l, stream)) {
    times.untimed();
    return launch();
  }
  const cudaError_t result = launch();
  times.after(l, stream, result == cudaSuccess);
  return result;
}

/// The stream that "none" means in a file that was compiled for one default stream a thread.
cudaStream_t of_thread(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

}  // namespace

// What the wrapped functions are. Which of them the runtime has depends on its version.
#define BSCOPE_REAL(result, name, ...) extern "C" __attribute__((weak)) result __real_##name(__VA_ARGS__)
BSCOPE_REAL(void, __cudaRegisterFunction, void**, const char*, char*, const char*, int, void*, void*, void*,
            void*, int*);
BSCOPE_REAL(cudaError_t, __cudaGetKernel, void**, const void*);
BSCOPE_REAL(cudaError_t, __cudaLaunchKernel, void*, dim3, dim3, void**, size_t, cudaStream_t);
BSCOPE_REAL(cudaError_t, __cudaLaunchKernel_ptsz, void*, dim3, dim3, void**, size_t, cudaStream_t);
BSCOPE_REAL(cudaError_t, cudaLaunchKernel, const void*, dim3, dim3, void**, size_t, cudaStream_t);
BSCOPE_REAL(cudaError_t, cudaLaunchKernel_ptsz, const void*, dim3, dim3, void**, size_t, cudaStream_t);
BSCOPE_REAL(cudaError_t, cudaLaunchCooperativeKernel, const void*, dim3, dim3, void**, size_t, cudaStream_t);
BSCOPE_REAL(cudaError_t, cudaLaunchCooperativeKernel_ptsz, const void*, dim3, dim3, void**, size_t,
            cudaStream_t);
BSCOPE_REAL(cudaError_t, cudaStreamBeginCapture, cudaStream_t, cudaStreamCaptureMode);
BSCOPE_REAL(cudaError_t, cudaStreamEndCapture, cudaStream_t, cudaGraph_t*);
BSCOPE_REAL(cudaError_t, cudaGraphLaunch, cudaGraphExec_t, cudaStream_t);
BSCOPE_REAL(cudaError_t, cudaDeviceReset, void);

extern "C" {

void __wrap___cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit,
                                   void* a, void* b, void* c, void* d, int* e) {
  {
    const std::lock_guard<std::mutex> lock(names().mutex);
    names().of_function[host] = name;
  }
  __real___cudaRegisterFunction(handle, host, device, name, limit, a, b, c, d, e);
}
/// CUDA 13 asks once for a handle, and launches that.
cudaError_t __wrap___cudaGetKernel(void** kernel, const void* host) {
  const cudaError_t result = __real___cudaGetKernel(kernel, host);
  const std::lock_guard<std::mutex> lock(names().mutex);
  if (result == cudaSuccess) names().function_of_handle[*kernel] = host;
  return result;
}

cudaError_t __wrap___cudaLaunchKernel(void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                      cudaStream_t stream) {
  return timed(kernel, grid, block, shared, stream,
               [=] { return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream); });
}
cudaError_t __wrap___cudaLaunchKernel_ptsz(void* kernel, dim3 grid, dim3 block, void** arguments,
                                           size_t shared, cudaStream_t stream) {
  return timed(kernel, grid, block, shared, of_thread(stream), [=] {
    return __real___cudaLaunchKernel_ptsz(kernel, grid, block, arguments, shared, stream);
  });
}
cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared, cudaStream_t stream) {
  return timed(kernel, grid, block, shared, stream,
               [=] { return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream); });
}
cudaError_t __wrap_cudaLaunchKernel_ptsz(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                         size_t shared, cudaStream_t stream) {
  return timed(kernel, grid, block, shared, of_thread(stream),
               [=] { return __real_cudaLaunchKernel_ptsz(kernel, grid, block, arguments, shared, stream); });
}
cudaError_t __wrap_cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               size_t shared, cudaStream_t stream) {
  return timed(kernel, grid, block, shared, stream, [=] {
    return __real_cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream);
  });
}
cudaError_t __wrap_cudaLaunchCooperativeKernel_ptsz(const void* kernel, dim3 grid, dim3 block,
                                                    void** arguments, size_t shared, cudaStream_t stream) {
  return timed(kernel, grid, block, shared, of_thread(stream), [=] {
    return __real_cudaLaunchCooperativeKernel_ptsz(kernel, grid, block, arguments, shared, stream);
  });
}

/// Events that are captured with the launches are no clock: what goes into a graph is not timed each for
/// itself.
cudaError_t __wrap_cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const cudaError_t result = __real_cudaStreamBeginCapture(stream, mode);
  if (result == cudaSuccess) ++Times::all().captures;
  return result;
}
cudaError_t __wrap_cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const cudaError_t result = __real_cudaStreamEndCapture(stream, graph);
  if (Times::all().captures > 0) --Times::all().captures;
  return result;
}
cudaError_t __wrap_cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  ++Times::all().graphs;
  return __real_cudaGraphLaunch(graph, stream);
}
/// Events end with it.
cudaError_t __wrap_cudaDeviceReset() {
  Times::all().take_all();
  return __real_cudaDeviceReset();
}

}  // extern "C"

#if CUDART_VERSION >= 11080
BSCOPE_REAL(cudaError_t, cudaLaunchKernelExC, const cudaLaunchConfig_t*, const void*, void**);
BSCOPE_REAL(cudaError_t, cudaLaunchKernelExC_ptsz, const cudaLaunchConfig_t*, const void*, void**);
extern "C" cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* kernel,
                                                  void** arguments) {
  return timed(kernel, how->gridDim, how->blockDim, how->dynamicSmemBytes, how->stream,
               [=] { return __real_cudaLaunchKernelExC(how, kernel, arguments); });
}
extern "C" cudaError_t __wrap_cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* how, const void* kernel,
                                                       void** arguments) {
  return timed(kernel, how->gridDim, how->blockDim, how->dynamicSmemBytes, of_thread(how->stream),
               [=] { return __real_cudaLaunchKernelExC_ptsz(how, kernel, arguments); });
}
#endif
