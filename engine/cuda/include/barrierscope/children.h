// Kernels that launch kernels (dynamic parallelism), and the part of the runtime API that device code has. A
// program that has such launches is compiled with __BSCOPE_CHILD_LAUNCHES: its launches become the macros
// below, because clang takes no <<<...>>> in device code.
#pragma once

#include "host_api.h"

#ifdef __CUDA__
// "CUDA C++ Programming Guide, Dynamic Parallelism": named streams of device code.
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

#ifdef __BSCOPE_CHILD_LAUNCHES
/// The next call of a kernel by this thread is a launch of that many blocks and threads.
extern "C" __host__ __device__ int __bscope_configure_child(dim3 grid, dim3 block, size_t shared = 0,
                                                            cudaStream_t = 0);
#define __BSCOPE_BARE(...) __VA_ARGS__
#ifdef __CUDA_ARCH__
#define __BSCOPE_LAUNCH(configuration, arguments, ...) \
  (__bscope_configure_child configuration, __VA_ARGS__ arguments)
#define __BSCOPE_CHILD_LAUNCH __BSCOPE_LAUNCH
#else
#define __BSCOPE_LAUNCH(configuration, arguments, ...) __VA_ARGS__<<<__BSCOPE_BARE configuration>>> arguments
#define __BSCOPE_CHILD_LAUNCH(configuration, arguments, ...) ((void)0)
#endif
#endif

__BSCOPE_BUILTIN int __bscope_child_error(int forget);
__BSCOPE_BUILTIN unsigned long long __bscope_new_handle(void);
__BSCOPE_BUILTIN void __bscope_await_children(void);
__BSCOPE_BUILTIN int __bscope_device_attribute(int attribute, int* value);

/// Programmatic dependent launch: waits until the grids before this one have ended and their writes are seen.
__BSCOPE_BUILTIN void __bscope_await_grids(void);
__BSCOPE_DEVICE void cudaGridDependencySynchronize() { __bscope_await_grids(); }
/// The next grid may begin; it sees what this one wrote only after its cudaGridDependencySynchronize().
__BSCOPE_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {}

__BSCOPE_DEVICE cudaError_t cudaGetLastError() { return (cudaError_t)__bscope_child_error(1); }
__BSCOPE_DEVICE cudaError_t cudaPeekAtLastError() { return (cudaError_t)__bscope_child_error(0); }
__BSCOPE_DEVICE const char* cudaGetErrorString(cudaError_t e) {
  return e == cudaSuccess ? "no error" : "error of the device runtime";
}
__BSCOPE_DEVICE const char* cudaGetErrorName(cudaError_t e) {
  return e == cudaSuccess ? "cudaSuccess" : "cudaErrorUnknown";
}
/// Removed from device code by CUDA 12; before, it waited for the grids that the block had launched.
__BSCOPE_DEVICE cudaError_t cudaDeviceSynchronize() {
  __bscope_await_children();
  return cudaSuccess;
}
__BSCOPE_DEVICE cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
__BSCOPE_DEVICE cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
__BSCOPE_DEVICE cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  return (cudaError_t)__bscope_device_attribute(attribute, value);
}
__BSCOPE_DEVICE cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

template <class T>
__BSCOPE_DEVICE cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  *pointer = (T*)malloc(bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}
/// Thrust's allocators have it as an argument of a template: its name has to be the one of the host.
extern "C" inline __device__ __attribute__((always_inline)) cudaError_t cudaFree(void* pointer) {
  free(pointer);
  return cudaSuccess;
}
// They are done where they are called: no program can tell that they did not wait.
__BSCOPE_DEVICE cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                                            cudaStream_t = 0) {
  memcpy(to, from, bytes);
  return cudaSuccess;
}
__BSCOPE_DEVICE cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = 0) {
  memset(to, value, bytes);
  return cudaSuccess;
}

__BSCOPE_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = (cudaStream_t)__bscope_new_handle();
  return cudaSuccess;
}
__BSCOPE_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
__BSCOPE_DEVICE cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) {
  return cudaSuccess;
}
__BSCOPE_DEVICE cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = (cudaEvent_t)__bscope_new_handle();
  return cudaSuccess;
}
__BSCOPE_DEVICE cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0) { return cudaSuccess; }
__BSCOPE_DEVICE cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
#endif
