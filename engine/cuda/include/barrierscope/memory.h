// How kernels name their accesses to memory: cached loads and stores, copies, the device's heap.
#pragma once

#include <stddef.h>
#include <string.h>

#include "qualifiers.h"

// Cache hints mean nothing to a trace.
#define __BSCOPE_LOAD(name)               \
  template <class T>                      \
  __BSCOPE_DEVICE T name(const T* from) { \
    return *from;                         \
  }
__BSCOPE_LOAD(__ldg)
__BSCOPE_LOAD(__ldca)
__BSCOPE_LOAD(__ldcg)
__BSCOPE_LOAD(__ldcs)
__BSCOPE_LOAD(__ldlu)
__BSCOPE_LOAD(__ldcv)
#undef __BSCOPE_LOAD
#define __BSCOPE_STORE(name)                  \
  template <class T, class V>                 \
  __BSCOPE_DEVICE void name(T* to, V value) { \
    *to = value;                              \
  }
__BSCOPE_STORE(__stwb)
__BSCOPE_STORE(__stcg)
__BSCOPE_STORE(__stcs)
__BSCOPE_STORE(__stwt)
#undef __BSCOPE_STORE

__BSCOPE_BUILTIN void* malloc(size_t);
__BSCOPE_BUILTIN void free(void*);
__BSCOPE_BUILTIN void* memcpy(void*, const void*, size_t);
__BSCOPE_BUILTIN void* memmove(void*, const void*, size_t);
__BSCOPE_BUILTIN void* memset(void*, int, size_t);

// PTX's cp.async: a thread's copies arrive when it waits for their group, which is the latest moment that
// they may. The last `zeros` of the bytes are set to 0.
__BSCOPE_BUILTIN void __bscope_copy_async(void* to, const void* from, size_t bytes, size_t zeros,
                                          size_t alignment);
/// It arrives at the latest when its thread arrives at that barrier, whose phase waits for it.
__BSCOPE_BUILTIN void __bscope_copy_until_arrival(void* to, const void* from, size_t bytes, size_t alignment,
                                                  const void* barrier);
/// Before the thread arrives at that barrier.
__BSCOPE_BUILTIN void __bscope_arrive_copies(const void* barrier);
__BSCOPE_BUILTIN void __bscope_commit_copies(void);
/// Until at most so many of the thread's groups are pending, the latest.
__BSCOPE_BUILTIN void __bscope_await_copies(size_t pending);
