// The driver API's host functions, by those of the runtime: both work on the same memory, streams and events,
// and their errors have the same numbers. cuda.h includes it.
#pragma once

typedef enum CUdevice_attribute_enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
  CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
  CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
  CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
  CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
  CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
  CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
  CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
} CUdevice_attribute;

enum {
  CU_CTX_SCHED_AUTO = 0,
  CU_CTX_SCHED_SPIN = 1,
  CU_CTX_SCHED_YIELD = 2,
  CU_CTX_SCHED_BLOCKING_SYNC = 4,
  CU_CTX_MAP_HOST = 8
};
enum { CU_MEM_ATTACH_GLOBAL = 1, CU_MEM_ATTACH_HOST = 2 };
enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2 };
typedef struct CUctxCreateParams_st CUctxCreateParams;

#define __BSCOPE_DRIVER static inline CUresult
#define __BSCOPE_POINTER(address) ((void*)(uintptr_t)(address))

// ---- devices and contexts: there is one of each
__BSCOPE_DRIVER cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
__BSCOPE_DRIVER cuDriverGetVersion(int* version) { return (CUresult)cudaDriverGetVersion(version); }
__BSCOPE_DRIVER cuDeviceGetCount(int* count) { return (CUresult)cudaGetDeviceCount(count); }
__BSCOPE_DRIVER cuDeviceGet(CUdevice* device, int number) {
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error) return (CUresult)error;
  if (number < 0 || number >= count) return CUDA_ERROR_INVALID_DEVICE;
  *device = number;
  return CUDA_SUCCESS;
}
__BSCOPE_DRIVER cuDeviceGetName(char* name, int length, CUdevice device) {
  struct cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error || length < 1) return error ? (CUresult)error : CUDA_ERROR_INVALID_VALUE;
  int k = 0;
  for (; k + 1 < length && properties.name[k]; ++k) name[k] = properties.name[k];
  name[k] = 0;
  return CUDA_SUCCESS;
}
__BSCOPE_DRIVER cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  struct cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (!error) *bytes = properties.totalGlobalMem;
  return (CUresult)error;
}
__BSCOPE_DRIVER cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return (CUresult)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
}
__BSCOPE_DRIVER cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  CUresult error = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return error ? error : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
static inline CUcontext __bscope_context(void) {
  static char context;
  return (CUcontext)(void*)&context;
}
__BSCOPE_DRIVER __bscope_make_context(CUcontext* context, CUdevice device) {
  *context = __bscope_context();
  return (CUresult)cudaSetDevice(device);
}
#ifdef __cplusplus
static inline CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
  return __bscope_make_context(context, device);
}
static inline CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned, CUdevice device) {
  return __bscope_make_context(context, device);
}
#endif
__BSCOPE_DRIVER cuCtxDestroy(CUcontext context) {
  return context == __bscope_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
__BSCOPE_DRIVER cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return __bscope_make_context(context, device);
}
__BSCOPE_DRIVER cuDevicePrimaryCtxRelease(CUdevice device) { return (CUresult)cudaSetDevice(device); }
__BSCOPE_DRIVER cuCtxSetCurrent(CUcontext context) { return context ? cuCtxDestroy(context) : CUDA_SUCCESS; }
__BSCOPE_DRIVER cuCtxGetCurrent(CUcontext* context) {
  *context = __bscope_context();
  return CUDA_SUCCESS;
}
__BSCOPE_DRIVER cuCtxPushCurrent(CUcontext context) { return cuCtxDestroy(context); }
__BSCOPE_DRIVER cuCtxPopCurrent(CUcontext* context) {
  if (context) *context = __bscope_context();
  return CUDA_SUCCESS;
}
__BSCOPE_DRIVER cuCtxGetDevice(CUdevice* device) { return (CUresult)cudaGetDevice(device); }
__BSCOPE_DRIVER cuCtxSynchronize(void) { return (CUresult)cudaDeviceSynchronize(); }

// ---- memory
__BSCOPE_DRIVER cuMemAlloc(CUdeviceptr* to, size_t bytes) {
  void* made = 0;
  cudaError_t error = bytes ? cudaMalloc(&made, bytes) : cudaErrorInvalidValue;
  if (!error) *to = (CUdeviceptr)(uintptr_t)made;
  return (CUresult)error;
}
__BSCOPE_DRIVER cuMemAllocManaged(CUdeviceptr* to, size_t bytes, unsigned flags) {
  void* made = 0;
  cudaError_t error = cudaMallocManaged(&made, bytes, flags);
  if (!error) *to = (CUdeviceptr)(uintptr_t)made;
  return (CUresult)error;
}
__BSCOPE_DRIVER cuMemFree(CUdeviceptr memory) { return (CUresult)cudaFree(__BSCOPE_POINTER(memory)); }
__BSCOPE_DRIVER cuMemAllocHost(void** to, size_t bytes) { return (CUresult)cudaMallocHost(to, bytes); }
__BSCOPE_DRIVER cuMemHostAlloc(void** to, size_t bytes, unsigned flags) {
  return (CUresult)cudaHostAlloc(to, bytes, flags);
}
__BSCOPE_DRIVER cuMemFreeHost(void* memory) { return (CUresult)cudaFreeHost(memory); }
__BSCOPE_DRIVER cuMemGetInfo(size_t* left, size_t* all) { return (CUresult)cudaMemGetInfo(left, all); }

#define __BSCOPE_DRIVER_COPY(name, To, to_pointer, From, from_pointer, kind)         \
  __BSCOPE_DRIVER name(To to, From from, size_t bytes) {                             \
    return (CUresult)cudaMemcpy(to_pointer, from_pointer, bytes, kind);              \
  }                                                                                  \
  __BSCOPE_DRIVER name##Async(To to, From from, size_t bytes, CUstream stream) {     \
    return (CUresult)cudaMemcpyAsync(to_pointer, from_pointer, bytes, kind, stream); \
  }
__BSCOPE_DRIVER_COPY(cuMemcpyHtoD, CUdeviceptr, __BSCOPE_POINTER(to), const void*, from,
                     cudaMemcpyHostToDevice)
__BSCOPE_DRIVER_COPY(cuMemcpyDtoH, void*, to, CUdeviceptr, __BSCOPE_POINTER(from), cudaMemcpyDeviceToHost)
__BSCOPE_DRIVER_COPY(cuMemcpyDtoD, CUdeviceptr, __BSCOPE_POINTER(to), CUdeviceptr, __BSCOPE_POINTER(from),
                     cudaMemcpyDeviceToDevice)
__BSCOPE_DRIVER_COPY(cuMemcpy, CUdeviceptr, __BSCOPE_POINTER(to), CUdeviceptr, __BSCOPE_POINTER(from),
                     cudaMemcpyDefault)
#undef __BSCOPE_DRIVER_COPY
__BSCOPE_DRIVER cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return (CUresult)cudaMemset(__BSCOPE_POINTER(to), value, count);
}
__BSCOPE_DRIVER cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return (CUresult)cudaMemsetAsync(__BSCOPE_POINTER(to), value, count, stream);
}
/// Of 32 bits: the first is copied behind itself, twice as many each time.
__BSCOPE_DRIVER cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  size_t bytes = count * sizeof value;
  if (!count) return CUDA_SUCCESS;
  CUresult error = cuMemcpyHtoD(to, &value, sizeof value);
  for (size_t done = sizeof value; !error && done < bytes; done *= 2)
    error = cuMemcpyDtoD(to + done, to, done < bytes - done ? done : bytes - done);
  return error;
}

// ---- streams and events
__BSCOPE_DRIVER cuStreamCreate(CUstream* stream, unsigned flags) {
  return (CUresult)cudaStreamCreateWithFlags(stream, flags);
}
__BSCOPE_DRIVER cuStreamDestroy(CUstream stream) { return (CUresult)cudaStreamDestroy(stream); }
__BSCOPE_DRIVER cuStreamSynchronize(CUstream stream) { return (CUresult)cudaStreamSynchronize(stream); }
__BSCOPE_DRIVER cuStreamQuery(CUstream stream) { return (CUresult)cudaStreamQuery(stream); }
__BSCOPE_DRIVER cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return (CUresult)cudaStreamWaitEvent(stream, event, flags);
}
__BSCOPE_DRIVER cuEventCreate(CUevent* event, unsigned flags) {
  return (CUresult)cudaEventCreateWithFlags(event, flags);
}
__BSCOPE_DRIVER cuEventDestroy(CUevent event) { return (CUresult)cudaEventDestroy(event); }
__BSCOPE_DRIVER cuEventRecord(CUevent event, CUstream stream) {
  return (CUresult)cudaEventRecord(event, stream);
}
__BSCOPE_DRIVER cuEventSynchronize(CUevent event) { return (CUresult)cudaEventSynchronize(event); }
__BSCOPE_DRIVER cuEventQuery(CUevent event) { return (CUresult)cudaEventQuery(event); }
__BSCOPE_DRIVER cuEventElapsedTime(float* milliseconds, CUevent from, CUevent to) {
  return (CUresult)cudaEventElapsedTime(milliseconds, from, to);
}

// ---- errors
__BSCOPE_DRIVER cuGetErrorName(CUresult error, const char** name) {
  switch (error) {
#define __BSCOPE_NAME_OF(error, number) \
  case error: *name = #error; return CUDA_SUCCESS;
    __BSCOPE_DRIVER_ERRORS(__BSCOPE_NAME_OF)
#undef __BSCOPE_NAME_OF
  }
  *name = 0;
  return CUDA_ERROR_INVALID_VALUE;
}
__BSCOPE_DRIVER cuGetErrorString(CUresult error, const char** text) {
  const char* name;
  CUresult unknown = cuGetErrorName(error, &name);
  *text = unknown ? 0 : cudaGetErrorString((cudaError_t)error);
  return unknown;
}

#undef __BSCOPE_DRIVER
#undef __BSCOPE_POINTER
