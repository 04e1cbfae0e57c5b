// Asynchronous copies into shared memory, which arrive when their thread waits for them.
#pragma once
#include "cuda_runtime.h"

#ifdef __CUDA__
__BSCOPE_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  __bscope_copy_async(to, from, bytes, zeros, bytes);
}
__BSCOPE_DEVICE void __pipeline_commit(void) { __bscope_commit_copies(); }
__BSCOPE_DEVICE void __pipeline_wait_prior(size_t pending) { __bscope_await_copies(pending); }
#endif
