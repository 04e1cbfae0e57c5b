// Where memory lies: questions about pointers, and addresses of one kind of memory as PTX has them.
#pragma once

#include <stddef.h>

#include "qualifiers.h"

// The machine's addresses (engine/cuda/ir/module.hpp): the bits from 44 on say which memory, a shared array
// has 2^28 bytes around its begin.
#define __BSCOPE_SPACE(p) ((unsigned)((size_t)(p) >> 44))
enum { __bscope_local_space = 1, __bscope_shared_space = 2 };

__BSCOPE_DEVICE unsigned __isShared(const void* p) { return __BSCOPE_SPACE(p) == __bscope_shared_space; }
__BSCOPE_DEVICE unsigned __isClusterShared(const void* p) { return __isShared(p); }
__BSCOPE_DEVICE unsigned __isLocal(const void* p) { return __BSCOPE_SPACE(p) == __bscope_local_space; }
__BSCOPE_DEVICE unsigned __isGlobal(const void* p) { return __BSCOPE_SPACE(p) > __bscope_shared_space; }
__BSCOPE_DEVICE unsigned __isConstant(const void*) { return 0; }
__BSCOPE_DEVICE unsigned __isGridConstant(const void*) { return 0; }

// Programs keep addresses in shared memory in 32 bits: 12 say which array, 20 where in it.
__BSCOPE_DEVICE size_t __cvta_generic_to_shared(const void* p) {
  size_t in = (size_t)p - ((size_t)__bscope_shared_space << 44);
  return __isShared(p) ? (in >> 28 << 20 | ((in - (1u << 27) + (1u << 19)) & 0xfffff)) : (size_t)p;
}
__BSCOPE_DEVICE void* __cvta_shared_to_generic(size_t p) {
  size_t at =
      ((size_t)__bscope_shared_space << 44) + (p >> 20 << 28) + (p & 0xfffff) + (1u << 27) - (1u << 19);
  return (void*)(p >> 32 ? p : at);
}
__BSCOPE_DEVICE size_t __cvta_generic_to_global(const void* p) { return (size_t)p; }
__BSCOPE_DEVICE size_t __cvta_generic_to_local(const void* p) { return (size_t)p; }
__BSCOPE_DEVICE size_t __cvta_generic_to_constant(const void* p) { return (size_t)p; }
__BSCOPE_DEVICE void* __cvta_global_to_generic(size_t p) { return (void*)p; }
__BSCOPE_DEVICE void* __cvta_local_to_generic(size_t p) { return (void*)p; }
__BSCOPE_DEVICE void* __cvta_constant_to_generic(size_t p) { return (void*)p; }
#undef __BSCOPE_SPACE
