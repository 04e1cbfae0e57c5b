// What has a name in CUDA and cannot be done here: each is refused by one sentence at the line that uses it,
// and no line that does not use it is troubled.
#pragma once

#include "host_types.h"

#define __BSCOPE_NO_GRAPHS \
  "Barrierscope has no CUDA graphs: launch the kernels on a stream, one after the other"
#define __BSCOPE_NO_DRIVER                                                                             \
  "Barrierscope has CUDA's runtime API only: use cudaMalloc, cudaMemcpy and <<<...>>> instead of the " \
  "driver API"
#define __BSCOPE_NO_IPC \
  "Barrierscope runs one process on one GPU: memory and events cannot be shared with others"
#define __BSCOPE_NO_POOLS "Barrierscope has no memory pools of your own: use cudaMalloc or cudaMallocAsync"

#define __BSCOPE_NOT(sentence, name) \
  template <class... Any>            \
  __host__ __device__ int name(Any&&...) __BSCOPE_REFUSED(sentence);

// ---- graphs
// clang-format off
#define __BSCOPE_NOT_GRAPHS(M) \
  M(cudaGraphCreate) M(cudaGraphDestroy) M(cudaGraphInstantiate) M(cudaGraphLaunch) \
  M(cudaGraphExecDestroy) M(cudaGraphAddKernelNode) M(cudaGraphAddMemcpyNode) \
  M(cudaGraphAddMemsetNode) M(cudaGraphAddHostNode) M(cudaGraphAddEmptyNode) \
  M(cudaGraphAddDependencies) M(cudaGraphGetNodes) M(cudaGraphClone) M(cudaGraphExecUpdate) \
  M(cudaGraphUpload) M(cudaStreamBeginCapture) M(cudaStreamEndCapture) M(cudaStreamIsCapturing) \
  M(cudaStreamGetCaptureInfo)
// clang-format on
#define __BSCOPE_NO(name) __BSCOPE_NOT(__BSCOPE_NO_GRAPHS, name)
__BSCOPE_NOT_GRAPHS(__BSCOPE_NO)
#undef __BSCOPE_NO
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed,
};
typedef struct CUgraphNode_st* cudaGraphNode_t;
struct __BSCOPE_REFUSED(__BSCOPE_NO_GRAPHS) cudaKernelNodeParams {};
struct __BSCOPE_REFUSED(__BSCOPE_NO_GRAPHS) cudaMemsetParams {};
struct __BSCOPE_REFUSED(__BSCOPE_NO_GRAPHS) cudaHostNodeParams {};

// ---- other processes, several devices, pools, the driver
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
#define __BSCOPE_NOT_POOLS(M) \
  M(cudaMemPoolCreate) M(cudaMemPoolDestroy) M(cudaMemPoolSetAttribute) M(cudaMemPoolGetAttribute) \
  M(cudaMemPoolTrimTo) M(cudaMallocFromPoolAsync) M(cudaDeviceGetDefaultMemPool) \
  M(cudaDeviceSetMemPool) M(cudaDeviceGetMemPool)
// clang-format on
#define __BSCOPE_NO(name) __BSCOPE_NOT(__BSCOPE_NO_POOLS, name)
__BSCOPE_NOT_POOLS(__BSCOPE_NO)
#undef __BSCOPE_NO
// clang-format off
#define __BSCOPE_NOT_DRIVER(M) \
  M(cuInit) M(cuDeviceGet) M(cuDeviceGetCount) M(cuDeviceGetName) M(cuDeviceGetAttribute) \
  M(cuCtxCreate) M(cuCtxDestroy) M(cuCtxSynchronize) M(cuModuleLoad) M(cuModuleLoadData) \
  M(cuModuleLoadDataEx) M(cuModuleGetFunction) M(cuModuleGetGlobal) M(cuModuleUnload) \
  M(cuLaunchKernel) M(cuMemAlloc) M(cuMemFree) M(cuMemcpyHtoD) M(cuMemcpyDtoH) M(cuMemcpyDtoD) \
  M(cuMemGetInfo) M(cuDriverGetVersion)
// clang-format on
#define __BSCOPE_NO(name) __BSCOPE_NOT(__BSCOPE_NO_DRIVER, name)
__BSCOPE_NOT_DRIVER(__BSCOPE_NO)
#undef __BSCOPE_NO

#undef __BSCOPE_NOT
