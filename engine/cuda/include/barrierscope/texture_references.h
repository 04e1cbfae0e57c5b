// Texture and surface references: `texture<float, 2> name;` and `surface<void, 2> name;` at file scope, which
// CUDA had until version 11. Only files that use them get this header (toolchain/compile.cpp): to others the
// two names are free.
#pragma once
#pragma clang system_header  // which uses what it notes as old

#include "old.h"
#include "textures.h"

/// A texture reference. clang makes a variable of the device of it, whose address names it there, and tells
/// the runtime of it (__cudaRegisterTexture).
template <class T, int type = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __BSCOPE_OLD("12.0", "cudaCreateTextureObject and tex2D<T>(object, x, y)")
    __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int normalized_ = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(normalized_, filter, address, cudaCreateChannelDesc<T>()) {}
  texture(int normalized_, cudaTextureFilterMode filter, cudaTextureAddressMode address,
          cudaChannelFormatDesc desc)
      : textureReference{normalized_, filter, {address, address, address}, desc, 0, 0, filter, 0, 0, 0, 0} {}
};
template <class T, int type = cudaSurfaceType1D>
struct __BSCOPE_OLD("12.0", "cudaCreateSurfaceObject and surf2Dread<T>(object, x, y)")
    __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  surface() : surfaceReference{cudaCreateChannelDesc<T>()} {}
};

template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                          const void* pointer, const cudaChannelFormatDesc& desc,
                                          size_t bytes = 0xffffffff) {
  return ::cudaBindTexture(offset, &reference, pointer, &desc, bytes);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                          const void* pointer, size_t bytes = 0xffffffff) {
  return ::cudaBindTexture(offset, &reference, pointer, &reference.channelDesc, bytes);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                            const void* pointer, const cudaChannelFormatDesc& desc,
                                            size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &reference, pointer, &desc, width, height, pitch);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                            const void* pointer, size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &reference, pointer, &reference.channelDesc, width, height, pitch);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                                 cudaArray_const_t array, const cudaChannelFormatDesc& desc) {
  return ::cudaBindTextureToArray(&reference, array, &desc);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                                 cudaArray_const_t array) {
  return ::cudaBindTextureToArray(&reference, array, nullptr);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode>& reference,
                                                          cudaMipmappedArray_const_t array) {
  return ::cudaBindTextureToMipmappedArray(&reference, array, nullptr);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode>& reference,
                                                          cudaMipmappedArray_const_t array,
                                                          const cudaChannelFormatDesc& desc) {
  return ::cudaBindTextureToMipmappedArray(&reference, array, &desc);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>& reference) {
  return ::cudaUnbindTexture(&reference);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset,
                                                        const texture<T, type, mode>& reference) {
  return ::cudaGetTextureAlignmentOffset(offset, &reference);
}
template <class T, int type>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference, cudaArray_const_t array) {
  return ::cudaBindSurfaceToArray(&reference, array, nullptr);
}
template <class T, int type>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& desc) {
  return ::cudaBindSurfaceToArray(&reference, array, &desc);
}

/// The vector of four channels of T's type.
template <class T, int bits = __bscope_channels<T>::x, int kind = __bscope_channels<T>::f>
struct __bscope_four;
/// What a reference with that read mode gives.
template <class T, int mode, int channels = (__bscope_texel<T> >> 16)>
struct __bscope_fetched {
  using type = T;
};
template <class T>
struct __bscope_fetched<T, cudaReadModeNormalizedFloat, 1> {
  using type = float;
};
template <class T>
struct __bscope_fetched<T, cudaReadModeNormalizedFloat, 2> {
  using type = float2;
};
template <class T>
struct __bscope_fetched<T, cudaReadModeNormalizedFloat, 4> {
  using type = float4;
};
#define __BSCOPE_FOUR(bits, kind, vector)                      \
  template <class T>                                           \
  struct __bscope_four<T, bits, cudaChannelFormatKind##kind> { \
    using type = vector;                                       \
  };
__BSCOPE_FOUR(8, Signed, char4)
__BSCOPE_FOUR(8, Unsigned, uchar4)
__BSCOPE_FOUR(16, Signed, short4)
__BSCOPE_FOUR(16, Unsigned, ushort4)
__BSCOPE_FOUR(32, Signed, int4)
__BSCOPE_FOUR(32, Unsigned, uint4)
__BSCOPE_FOUR(32, Float, float4)
#undef __BSCOPE_FOUR

#define __BSCOPE_FETCH(name, which, dimensions, parameters, given, values)                                  \
  template <class T, enum cudaTextureReadMode mode>                                                         \
  __BSCOPE_DEVICE typename __bscope_fetched<T, mode>::type name(                                            \
      const ::texture<T, dimensions, mode>& reference, parameters) {                                        \
    const unsigned long long texture = (unsigned long long)&reference;                                      \
    return __bscope_fetch<typename __bscope_fetched<T, mode>::type>(texture, which | __bscope_by_reference, \
                                                                    values);                                \
  }
__BSCOPE_FETCHES(__BSCOPE_FETCH)
#undef __BSCOPE_FETCH

/// What tex2Dgather gives.
template <class T, int mode>
using __bscope_gathered = typename __bscope_four<typename __bscope_fetched<T, mode>::type>::type;
template <class T, enum cudaTextureReadMode mode>
__BSCOPE_DEVICE __bscope_gathered<T, mode> tex2Dgather(const texture<T, cudaTextureType2D, mode>& reference,
                                                       float x, float y, int channel = 0) {
  return __bscope_fetch<__bscope_gathered<T, mode>>(
      (unsigned long long)&reference,
      __bscope_fetch_gather | unsigned(channel & 3) << 20 | __bscope_by_reference, x, y, 0, 0, 0);
}

#define __BSCOPE_SURFACE(name, which, dimensions, parameters, given, values)                        \
  template <class T, class Any>                                                                     \
  __BSCOPE_DEVICE T name##read(const surface<Any, dimensions>& reference, parameters,               \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    T out;                                                                                          \
    __bscope_surface_read(&out, (unsigned long long)&reference,                                     \
                          unsigned(sizeof(T)) | which << 8 | __bscope_by_reference, values, mode);  \
    return out;                                                                                     \
  }                                                                                                 \
  template <class T, class Any>                                                                     \
  __BSCOPE_DEVICE void name##read(T* out, const surface<Any, dimensions>& reference, parameters,    \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    *out = name##read<T>(reference, given, mode);                                                   \
  }                                                                                                 \
  template <class T, class Any>                                                                     \
  __BSCOPE_DEVICE void name##write(T data, const surface<Any, dimensions>& reference, parameters,   \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
    __bscope_surface_write(&data, (unsigned long long)&reference,                                   \
                           unsigned(sizeof(T)) | which << 8 | __bscope_by_reference, values, mode); \
  }
__BSCOPE_SURFACES(__BSCOPE_SURFACE)
#undef __BSCOPE_SURFACE
