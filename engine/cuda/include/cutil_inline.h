// The utilities of NVIDIA's SDK of CUDA 2 to 4, under their later names.
#pragma once
#include "cutil.h"

#define cutilSafeCall(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeThreadSync() CUDA_SAFE_CALL_NO_SYNC(cudaDeviceSynchronize())
#define cutilCheckMsg(message) __bscope_cut_check(cudaGetLastError(), message " : ", __FILE__, __LINE__)
#define cutilCheckMsgAndSync(message) CUT_CHECK_ERROR(message)
#define cutilGetLastError(message) cutilCheckMsg(message)
#define cutilCheckError(value) CUT_SAFE_CALL(value)
#define cutilSafeMalloc(pointer)                                                       \
  do {                                                                                 \
    if (!(pointer)) {                                                                  \
      fprintf(stderr, "malloc failed in file '%s' in line %i.\n", __FILE__, __LINE__); \
      exit(EXIT_FAILURE);                                                              \
    }                                                                                  \
  } while (0)
#define cutilExit(...) CUT_EXIT(__VA_ARGS__)
static inline cudaError_t cutilDeviceSynchronize() { return cudaDeviceSynchronize(); }
static inline cudaError_t cutilDeviceReset() { return cudaDeviceReset(); }
static inline int cutilDeviceInit(int, char**) { return cudaSetDevice(0), 0; }
static inline int cutilChooseCudaDevice(int, char**) { return cudaSetDevice(0), 0; }
static inline bool cutilCudaCapabilities(int major, int minor, int = 0, char** = 0) {
  return major < 7 || (major == 7 && minor == 0);
}
