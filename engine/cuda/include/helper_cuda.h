// The CUDA helpers of NVIDIA's samples, for programs whose Common folder is not there.
#pragma once
#include <stdio.h>
#include <stdlib.h>

#include "cuda_runtime.h"
#include "helper_string.h"

static inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
template <class T>
void check(T result, const char* const call, const char* const file, int const line) {
  if (!result) return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (unsigned)result,
          _cudaGetErrorEnum(result), call);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
static inline void __getLastCudaError(const char* message, const char* file, int line) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message, (int)error,
          cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
static inline int ftoi(float value) { return value >= 0 ? (int)(value + 0.5f) : (int)(value - 0.5f); }
static inline int _ConvertSMVer2Cores(int, int) { return 64; }
static inline const char* _ConvertSMVer2ArchName(int, int) { return "Volta"; }
static inline int gpuDeviceInit(int) { return 0; }
static inline int gpuGetMaxGflopsDeviceId() { return 0; }
static inline int findCudaDevice(int, const char**) {
  cudaDeviceProp properties;
  checkCudaErrors(cudaSetDevice(0));
  checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
  printf("GPU Device 0: \"%s\" with compute capability %d.%d\n\n", properties.name, properties.major,
         properties.minor);
  return 0;
}
static inline int findIntegratedGPU() { return 0; }
static inline bool checkCudaCapabilities(int major, int minor) {
  return major < 7 || (major == 7 && minor == 0);
}
