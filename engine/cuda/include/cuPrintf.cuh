// printf in kernels as the SDK had it before GPUs could print: the kernel's own printf does it.
#pragma once
#warning old CUDA 'cuPrintf.cuh' before 4.0: printf
#include <stdio.h>

#include "cuda_runtime.h"

#define cuPrintf(...) printf(__VA_ARGS__)
#define CUPRINTF_UNRESTRICTED (-1)
#ifdef __CUDA__
__BSCOPE_DEVICE void cuPrintfRestrict(int, int) {}
#endif
static inline cudaError_t cudaPrintfInit(size_t = 0) { return cudaSuccess; }
static inline cudaError_t cudaPrintfDisplay(void* = 0, bool = false) { return cudaDeviceSynchronize(); }
static inline void cudaPrintfEnd() {}
