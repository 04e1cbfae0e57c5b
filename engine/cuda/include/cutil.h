// The utilities of NVIDIA's SDK until CUDA 4: checks, stop watches, the command line, comparisons.
#pragma once
#warning old CUDA 'cutil.h' before 5.0: checkCudaErrors of helper_cuda.h and sdkCreateTimer of helper_timer.h
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#include "cuda_runtime.h"
#include "helper_string.h"
#include "helper_timer.h"

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

// ---- checks: each ends the program where the call failed
static inline void __bscope_cut_check(cudaError_t error, const char* what, const char* file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "Cuda error in file '%s' in line %i : %s%s.\n", file, line, what,
          cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
#define CUDA_SAFE_CALL_NO_SYNC(call) __bscope_cut_check((call), "", __FILE__, __LINE__)
#define CUDA_SAFE_CALL(call)                         \
  do {                                               \
    CUDA_SAFE_CALL_NO_SYNC(call);                    \
    CUDA_SAFE_CALL_NO_SYNC(cudaDeviceSynchronize()); \
  } while (0)
#define CUT_SAFE_CALL(call)                                                        \
  do {                                                                             \
    if (CUTTrue != (call)) {                                                       \
      fprintf(stderr, "Cut error in file '%s' in line %i.\n", __FILE__, __LINE__); \
      exit(EXIT_FAILURE);                                                          \
    }                                                                              \
  } while (0)
#define CUT_CHECK_ERROR(message)                                                    \
  do {                                                                              \
    __bscope_cut_check(cudaGetLastError(), message " : ", __FILE__, __LINE__);      \
    __bscope_cut_check(cudaDeviceSynchronize(), message " : ", __FILE__, __LINE__); \
  } while (0)
#define CUT_DEVICE_INIT(...) CUDA_SAFE_CALL_NO_SYNC(cudaSetDevice(0))
#define CUT_EXIT(...) exit(EXIT_SUCCESS)
#define CUT_CONDITION(value)                                                              \
  do {                                                                                    \
    if (CUTTrue != (value)) {                                                             \
      fprintf(stderr, "Condition failed in file '%s' in line %i.\n", __FILE__, __LINE__); \
      exit(EXIT_FAILURE);                                                                 \
    }                                                                                     \
  } while (0)
#define CUT_BANK_CHECKER(array, index) array[index]
#define cutilBankChecker(array, index) array[index]
#define cutilCondition(value) CUT_CONDITION(value)
static inline int cutGetMaxGflopsDeviceId(void) { return 0; }

// ---- stop watches by number
static inline StopWatchInterface*& __bscope_cut_timer(unsigned number) {
  static std::vector<StopWatchInterface*> all;
  if (number >= all.size()) all.resize(number + 1);
  return all[number];
}
static inline CUTBoolean cutCreateTimer(unsigned* name) {
  static unsigned count = 0;
  *name = ++count;
  sdkCreateTimer(&__bscope_cut_timer(*name));
  return CUTTrue;
}
static inline CUTBoolean cutDeleteTimer(unsigned name) {
  sdkDeleteTimer(&__bscope_cut_timer(name));
  return CUTTrue;
}
static inline CUTBoolean cutStartTimer(unsigned name) {
  sdkStartTimer(&__bscope_cut_timer(name));
  return CUTTrue;
}
static inline CUTBoolean cutStopTimer(unsigned name) {
  sdkStopTimer(&__bscope_cut_timer(name));
  return CUTTrue;
}
static inline CUTBoolean cutResetTimer(unsigned name) {
  sdkResetTimer(&__bscope_cut_timer(name));
  return CUTTrue;
}
static inline float cutGetTimerValue(unsigned name) { return sdkGetTimerValue(&__bscope_cut_timer(name)); }
static inline float cutGetAverageTimerValue(unsigned name) {
  return sdkGetAverageTimerValue(&__bscope_cut_timer(name));
}

// ---- the command line
static inline CUTBoolean cutCheckCmdLineFlag(int count, const char** arguments, const char* name) {
  return checkCmdLineFlag(count, arguments, name) ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutGetCmdLineArgumenti(int count, const char** arguments, const char* name,
                                                int* value) {
  if (!checkCmdLineFlag(count, arguments, name)) return CUTFalse;
  *value = getCmdLineArgumentInt(count, arguments, name);
  return CUTTrue;
}
static inline CUTBoolean cutGetCmdLineArgumentf(int count, const char** arguments, const char* name,
                                                float* value) {
  if (!checkCmdLineFlag(count, arguments, name)) return CUTFalse;
  *value = getCmdLineArgumentFloat(count, arguments, name);
  return CUTTrue;
}
static inline CUTBoolean cutGetCmdLineArgumentstr(int count, const char** arguments, const char* name,
                                                  char** text) {
  return getCmdLineArgumentString(count, arguments, name, text) ? CUTTrue : CUTFalse;
}
static inline char* cutFindFilePath(const char* name, const char* program) {
  return sdkFindFilePath(name, program);
}
static inline void cutFree(void* memory) { free(memory); }

// ---- comparisons
template <class T>
static inline CUTBoolean __bscope_cut_compare(const T* reference, const T* data, unsigned length,
                                              double epsilon, double most_wrong) {
  unsigned wrong = 0;
  for (unsigned k = 0; k < length; ++k)
    if (!(fabs((double)reference[k] - (double)data[k]) <= epsilon)) ++wrong;
  return wrong <= most_wrong * length ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutComparef(const float* reference, const float* data, unsigned length) {
  return __bscope_cut_compare(reference, data, length, 0, 0);
}
static inline CUTBoolean cutComparefe(const float* reference, const float* data, unsigned length,
                                      float epsilon) {
  return __bscope_cut_compare(reference, data, length, epsilon, 0);
}
static inline CUTBoolean cutComparefet(const float* reference, const float* data, unsigned length,
                                       float epsilon, float threshold) {
  return __bscope_cut_compare(reference, data, length, epsilon, threshold);
}
static inline CUTBoolean cutComparei(const int* reference, const int* data, unsigned length) {
  return __bscope_cut_compare(reference, data, length, 0, 0);
}
static inline CUTBoolean cutCompareub(const unsigned char* reference, const unsigned char* data,
                                      unsigned length) {
  return __bscope_cut_compare(reference, data, length, 0, 0);
}
static inline CUTBoolean cutCompareL2fe(const float* reference, const float* data, unsigned length,
                                        float epsilon) {
  double error = 0, size = 0;
  for (unsigned k = 0; k < length; ++k) {
    error += ((double)reference[k] - data[k]) * ((double)reference[k] - data[k]);
    size += (double)reference[k] * reference[k];
  }
  return size > 0 && sqrt(error / size) < epsilon ? CUTTrue : CUTFalse;
}
