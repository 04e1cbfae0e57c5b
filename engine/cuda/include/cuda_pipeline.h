// Asynchronous copies into shared memory, done when they are asked for: what waits for them finds them done.
#pragma once
#include "cuda_runtime.h"

#ifdef __CUDA__
__BSCOPE_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  size_t copied = bytes - zeros;
  if (bytes % 4 == 0 && zeros % 4 == 0) {
    for (size_t k = 0; k < bytes / 4; ++k) ((int*)to)[k] = k < copied / 4 ? ((const int*)from)[k] : 0;
  } else {
    for (size_t k = 0; k < bytes; ++k) ((char*)to)[k] = k < copied ? ((const char*)from)[k] : 0;
  }
}
__BSCOPE_DEVICE void __pipeline_commit(void) {}
__BSCOPE_DEVICE void __pipeline_wait_prior(size_t) {}
#endif
