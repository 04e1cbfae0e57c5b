// Tells the runtime where this program's __managed__ variables lie: the linker names the ends of their
// section.
#pragma once

#include "host_api.h"

#ifndef __CUDA_ARCH__
extern "C" {
extern char __start_bscope_managed[] __attribute__((weak));
extern char __stop_bscope_managed[] __attribute__((weak));
}
__attribute__((constructor)) static inline void __bscope_tell_managed_variables() {
  if (__start_bscope_managed) __bscope_managed_variables(__start_bscope_managed, __stop_bscope_managed);
}
#endif
