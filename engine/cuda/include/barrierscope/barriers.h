// Where the threads of a block or a warp wait for each other, and fences. __syncthreads() is clang's own.
#pragma once

#include "qualifiers.h"

__BSCOPE_BUILTIN void __bscope_sync(void);
__BSCOPE_BUILTIN int __bscope_sync_count(int);
__BSCOPE_BUILTIN int __bscope_sync_and(int);
__BSCOPE_BUILTIN int __bscope_sync_or(int);
__BSCOPE_BUILTIN void __bscope_sync_warp(unsigned mask);
__BSCOPE_BUILTIN void __bscope_sync_grid(void);
__BSCOPE_BUILTIN int __bscope_is_cooperative(void);
__BSCOPE_BUILTIN void __bscope_fence_block(void);
__BSCOPE_BUILTIN void __bscope_fence_device(void);
__BSCOPE_BUILTIN void __bscope_fence_system(void);
// Around an atomic of libcu++ with a thread's scope.
__BSCOPE_BUILTIN void __bscope_thread_scope_begins(void);
__BSCOPE_BUILTIN void __bscope_thread_scope_ends(void);

__BSCOPE_DEVICE int __syncthreads_count(int p) { return __bscope_sync_count(p); }
__BSCOPE_DEVICE int __syncthreads_and(int p) { return __bscope_sync_and(p); }
__BSCOPE_DEVICE int __syncthreads_or(int p) { return __bscope_sync_or(p); }
__BSCOPE_DEVICE void __barrier_sync(unsigned) { __bscope_sync(); }
__BSCOPE_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __bscope_sync_warp(mask); }
__BSCOPE_DEVICE void __threadfence_block(void) { __bscope_fence_block(); }
__BSCOPE_DEVICE void __threadfence(void) { __bscope_fence_device(); }
__BSCOPE_DEVICE void __threadfence_system(void) { __bscope_fence_system(); }
