// What has a name in CUDA and cannot be done here: each is refused by one sentence at the line that uses it,
// and no line that does not use it is troubled.
#pragma once

#include "host_types.h"

#define __BSCOPE_NO_TEXTURES \
  "Barrierscope has no textures and surfaces: read the array from global memory through a pointer"
#define __BSCOPE_NO_DRIVER                                                                             \
  "Barrierscope has CUDA's runtime API only: use cudaMalloc, cudaMemcpy and <<<...>>> instead of the " \
  "driver API"
#define __BSCOPE_NO_IPC \
  "Barrierscope runs one process on one GPU: memory and events cannot be shared with others"
#define __BSCOPE_NO_ROUNDING "Barrierscope rounds to the nearest only: use the function that ends in _rn"

#define __BSCOPE_NOT(sentence, name) \
  template <class... Any>            \
  __host__ __device__ int name(Any&&...) __BSCOPE_REFUSED(sentence);

// ---- textures and surfaces
// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_TEXTURES(M) \
  M(tex1Dfetch) M(tex1D) M(tex2D) M(tex3D) M(tex1DLod) M(tex2DLod) M(tex3DLod) M(tex1DLayered) \
  M(tex2DLayered) M(tex2Dgather) M(texCubemap) M(surf1Dread) M(surf1Dwrite) M(surf2Dread) \
  M(surf2Dwrite) M(surf3Dread) M(surf3Dwrite) M(surf2DLayeredread) M(surf2DLayeredwrite) \
  M(cudaCreateTextureObject) M(cudaDestroyTextureObject) M(cudaCreateSurfaceObject) \
  M(cudaDestroySurfaceObject) M(cudaBindTexture) M(cudaBindTexture2D) M(cudaBindTextureToArray) \
  M(cudaUnbindTexture) M(cudaBindSurfaceToArray) M(cudaGetTextureAlignmentOffset) M(cudaMallocArray) \
  M(cudaMalloc3DArray) M(cudaFreeArray) M(cudaMemcpyToArray) M(cudaMemcpyFromArray) \
  M(cudaMemcpy2DToArray) M(cudaMemcpy2DFromArray) M(cudaMemcpy2DToArrayAsync) \
  M(cudaMallocMipmappedArray) M(cudaFreeMipmappedArray) M(cudaGetMipmappedArrayLevel) \
  M(cudaGetChannelDesc)
// clang-format on
#define __BSCOPE_NO(name) __BSCOPE_NOT(__BSCOPE_NO_TEXTURES, name)
__BSCOPE_NOT_TEXTURES(__BSCOPE_NO)
#undef __BSCOPE_NO
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone,
};
enum { cudaTextureType1D = 1, cudaTextureType2D, cudaTextureType3D, cudaSurfaceType2D = 2 };
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES);
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind)
    __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES);
typedef unsigned long long __bscope_texture;
template <class T, int kind = 1, int mode = 0>
struct texture {
  texture() __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES);
};
template <class T, int kind = 1>
struct surface {
  surface() __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES);
};
typedef __bscope_texture cudaTextureObject_t __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES);
typedef __bscope_texture cudaSurfaceObject_t __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES);
typedef struct cudaArray* cudaArray_t __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES);
typedef struct cudaMipmappedArray* cudaMipmappedArray_t __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES);
struct __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES) cudaResourceDesc {};
struct __BSCOPE_REFUSED(__BSCOPE_NO_TEXTURES) cudaTextureDesc {};

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
  M(cuInit) M(cuDeviceGet) M(cuDeviceGetCount) M(cuDeviceGetName) M(cuDeviceGetAttribute) \
  M(cuCtxCreate) M(cuCtxDestroy) M(cuCtxSynchronize) M(cuModuleLoad) M(cuModuleLoadData) \
  M(cuModuleLoadDataEx) M(cuModuleGetFunction) M(cuModuleGetGlobal) M(cuModuleUnload) \
  M(cuLaunchKernel) M(cuMemAlloc) M(cuMemFree) M(cuMemcpyHtoD) M(cuMemcpyDtoH) M(cuMemcpyDtoD) \
  M(cuMemGetInfo) M(cuDriverGetVersion)
// clang-format on
#define __BSCOPE_NO(name) __BSCOPE_NOT(__BSCOPE_NO_DRIVER, name)
__BSCOPE_NOT_DRIVER(__BSCOPE_NO)
#undef __BSCOPE_NO

#ifdef __CUDA__
// ---- roundings that the interpreter does not have
#define __BSCOPE_NO(name) __BSCOPE_NOT(__BSCOPE_NO_ROUNDING, name)
#define __BSCOPE_DIRECTED(M, name) M(name##_rz) M(name##_ru) M(name##_rd)
// clang-format off
#define __BSCOPE_DIRECTED_ALL(M) \
  __BSCOPE_DIRECTED(M, __fadd) __BSCOPE_DIRECTED(M, __fsub) __BSCOPE_DIRECTED(M, __fmul) \
  __BSCOPE_DIRECTED(M, __fdiv) __BSCOPE_DIRECTED(M, __frcp) __BSCOPE_DIRECTED(M, __fsqrt) \
  __BSCOPE_DIRECTED(M, __fmaf) __BSCOPE_DIRECTED(M, __dadd) __BSCOPE_DIRECTED(M, __dsub) \
  __BSCOPE_DIRECTED(M, __dmul) __BSCOPE_DIRECTED(M, __ddiv) __BSCOPE_DIRECTED(M, __drcp) \
  __BSCOPE_DIRECTED(M, __dsqrt) __BSCOPE_DIRECTED(M, __fma) __BSCOPE_DIRECTED(M, __ll2float) \
  __BSCOPE_DIRECTED(M, __ull2float) __BSCOPE_DIRECTED(M, __ll2double) \
  __BSCOPE_DIRECTED(M, __ull2double)
// clang-format on
__BSCOPE_DIRECTED_ALL(__BSCOPE_NO)
#undef __BSCOPE_NO
#undef __BSCOPE_DIRECTED
#undef __BSCOPE_DIRECTED_ALL
#endif
#undef __BSCOPE_NOT
