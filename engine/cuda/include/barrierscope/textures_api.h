// Textures, surfaces and CUDA arrays as the host calls them.
#pragma once

#include "texture_types.h"

extern "C" {
// ---- CUDA arrays
cudaError_t cudaMallocArray(cudaArray_t*, const cudaChannelFormatDesc*, size_t width, size_t height = 0,
                            unsigned int flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t*, const cudaChannelFormatDesc*, cudaExtent, unsigned int flags = 0);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc*, cudaExtent*, unsigned int* flags, cudaArray_t);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, const cudaChannelFormatDesc*, cudaExtent,
                                     unsigned int levels, unsigned int flags = 0);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t*, cudaMipmappedArray_const_t, unsigned int level);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc*, cudaArray_const_t);
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind);

// ---- copies; of arrays, x in bytes
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t,
                                   cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t,
                                     cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t,
                                   cudaMemcpyKind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind = cudaMemcpyDeviceToDevice);

// ---- texture and surface objects
cudaError_t cudaCreateTextureObject(cudaTextureObject_t*, const cudaResourceDesc*, const cudaTextureDesc*,
                                    const cudaResourceViewDesc*);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc*, cudaTextureObject_t);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc*, cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc*, cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t*, const cudaResourceDesc*);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc*, cudaSurfaceObject_t);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t*, const cudaChannelFormatDesc*, int device);

// ---- texture and surface references, as they were until CUDA 11
cudaError_t cudaBindTexture(size_t* offset, const textureReference*, const void*,
                            const cudaChannelFormatDesc*, size_t = 0xffffffff);
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference*, const void*,
                              const cudaChannelFormatDesc*, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const textureReference*, cudaArray_const_t, const cudaChannelFormatDesc*);
cudaError_t cudaBindTextureToMipmappedArray(const textureReference*, cudaMipmappedArray_const_t,
                                            const cudaChannelFormatDesc*);
cudaError_t cudaUnbindTexture(const textureReference*);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference*);
cudaError_t cudaGetTextureReference(const textureReference**, const void* symbol);
cudaError_t cudaBindSurfaceToArray(const surfaceReference*, cudaArray_const_t, const cudaChannelFormatDesc*);
cudaError_t cudaGetSurfaceReference(const surfaceReference**, const void* symbol);

// ---- what host objects say when they are loaded
void __cudaRegisterTexture(void** handle, const void* host, const void** device, const char* name, int type,
                           int normalized, int external);
void __cudaRegisterSurface(void** handle, const void* host, const void** device, const char* name, int type,
                           int external);
}

#ifndef __BSCOPE_RUNTIME  // whose own files define these functions and use no templates
/// The format of texels of type T.
template <class T>
struct __bscope_channels;
#define __BSCOPE_CHANNELS(T, bits, kind)                                    \
  template <>                                                               \
  struct __bscope_channels<T> {                                             \
    static constexpr int x = bits, y = 0, z = 0, w = 0;                     \
    static constexpr cudaChannelFormatKind f = cudaChannelFormatKind##kind; \
  };
#define __BSCOPE_CHANNELS_OF(name, bits, kind)                              \
  __BSCOPE_CHANNELS(name##1, bits, kind)                                    \
  template <>                                                               \
  struct __bscope_channels<name##2> {                                       \
    static constexpr int x = bits, y = bits, z = 0, w = 0;                  \
    static constexpr cudaChannelFormatKind f = cudaChannelFormatKind##kind; \
  };                                                                        \
  template <>                                                               \
  struct __bscope_channels<name##4> {                                       \
    static constexpr int x = bits, y = bits, z = bits, w = bits;            \
    static constexpr cudaChannelFormatKind f = cudaChannelFormatKind##kind; \
  };
__BSCOPE_CHANNELS(char, 8, Signed)
__BSCOPE_CHANNELS(signed char, 8, Signed)
__BSCOPE_CHANNELS(unsigned char, 8, Unsigned)
__BSCOPE_CHANNELS(short, 16, Signed)
__BSCOPE_CHANNELS(unsigned short, 16, Unsigned)
__BSCOPE_CHANNELS(int, 32, Signed)
__BSCOPE_CHANNELS(unsigned int, 32, Unsigned)
__BSCOPE_CHANNELS(float, 32, Float)
__BSCOPE_CHANNELS_OF(char, 8, Signed)
__BSCOPE_CHANNELS_OF(uchar, 8, Unsigned)
__BSCOPE_CHANNELS_OF(short, 16, Signed)
__BSCOPE_CHANNELS_OF(ushort, 16, Unsigned)
__BSCOPE_CHANNELS_OF(int, 32, Signed)
__BSCOPE_CHANNELS_OF(uint, 32, Unsigned)
__BSCOPE_CHANNELS_OF(float, 32, Float)
#undef __BSCOPE_CHANNELS
#undef __BSCOPE_CHANNELS_OF

template <class T>
static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using C = __bscope_channels<T>;
  return {C::x, C::y, C::z, C::w, C::f};
}
template <>
inline cudaChannelFormatDesc cudaCreateChannelDesc<void>() {
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}
#endif
