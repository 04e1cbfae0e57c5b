// What has a name in CUDA and cannot be done here: each is refused by one sentence at the line that uses it,
// and no line that does not use it is troubled.
#pragma once

#include "host_types.h"

#define __BSCOPE_NO_DRIVER                                                                               \
  "Barrierscope loads no machine code: compile the kernel with this program and launch it by <<<...>>> " \
  "instead of the driver API's modules"
#define __BSCOPE_NO_IPC \
  "Barrierscope runs one process on one GPU: memory and events cannot be shared with others"

#define __BSCOPE_NOT(sentence, name) \
  template <class... Any>            \
  __host__ __device__ int name(Any&&...) __BSCOPE_REFUSED(sentence);

// clang-format would move these lists at each run.
// ---- other processes, several devices, the driver
// clang-format off
#define __BSCOPE_NOT_IPC(M) \
  M(cudaIpcGetMemHandle) M(cudaIpcOpenMemHandle) M(cudaIpcCloseMemHandle) M(cudaIpcGetEventHandle) \
  M(cudaIpcOpenEventHandle) M(cudaImportExternalMemory) M(cudaImportExternalSemaphore) \
  M(cudaLaunchCooperativeKernelMultiDevice)
// clang-format on
#define __BSCOPE_NO(name) __BSCOPE_NOT(__BSCOPE_NO_IPC, name)
__BSCOPE_NOT_IPC(__BSCOPE_NO)
#undef __BSCOPE_NO
// clang-format off
#define __BSCOPE_NOT_DRIVER(M) \
  M(cuModuleLoad) M(cuModuleLoadData) M(cuModuleLoadDataEx) M(cuModuleLoadFatBinary) M(cuModuleGetFunction) \
  M(cuModuleGetGlobal) M(cuModuleUnload) M(cuLibraryLoadData) M(cuLibraryGetKernel) M(cuLinkCreate) \
  M(cuLaunchKernel) M(cuLaunchKernelEx) M(cuLaunchCooperativeKernel) M(cuFuncGetAttribute) \
  M(cuFuncSetAttribute)
// clang-format on
#define __BSCOPE_NO(name) __BSCOPE_NOT(__BSCOPE_NO_DRIVER, name)
__BSCOPE_NOT_DRIVER(__BSCOPE_NO)
#undef __BSCOPE_NO

#undef __BSCOPE_NOT
