// Fetches from textures, and what reads and writes surfaces. The interpreter's __bscope_texture knows what an
// object or a reference stands for, loads the texels that a fetch needs, and filters them.
#pragma once

#include "textures_api.h"

/// Which function fetches, in the lowest bits of __bscope_texture's `form`.
enum __bscope_fetch_function {
  __bscope_fetch_linear,
  __bscope_fetch_1D,
  __bscope_fetch_2D,
  __bscope_fetch_3D,
  __bscope_fetch_1D_layered,
  __bscope_fetch_2D_layered,
  __bscope_fetch_cubemap,
  __bscope_fetch_cubemap_layered,
  __bscope_fetch_gather,
};
/// Which of an object or a reference is given: of the latter, the variable's address.
enum { __bscope_by_object = 0, __bscope_by_reference = 1 << 24 };

/// Writes a texel's channels, or what filtering makes of several, to `out`. `layer` is also the index of
/// tex1Dfetch.
__BSCOPE_BUILTIN void __bscope_texture(void* out, unsigned long long texture, unsigned form, float x, float y,
                                       float z, int layer, float level);
/// The level of detail that these differences of the coordinates from one thread to the next stand for.
__BSCOPE_BUILTIN float __bscope_texture_level(unsigned long long texture, float x0, float y0, float z0,
                                              float x1, float y1, float z1);
/// x counts bytes. `form`: the bytes that are moved, in its lowest bits, and which function does it.
__BSCOPE_BUILTIN void __bscope_surface_read(void* out, unsigned long long surface, unsigned form, int x, int y,
                                            int z, int mode);
__BSCOPE_BUILTIN void __bscope_surface_write(const void* data, unsigned long long surface, unsigned form, int x,
                                             int y, int z, int mode);

/// What a fetch of T asks for: kind, bytes and number of its channels.
template <class T, int kind = __bscope_channels<T>::f,
          int channels = 1 + !!__bscope_channels<T>::y + 2 * !!__bscope_channels<T>::w>
constexpr unsigned __bscope_texel =
    unsigned(kind) << 8 | unsigned(__bscope_channels<T>::x / 8) << 12 | unsigned(channels) << 16;

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
#define __BSCOPE_FOUR(bits, kind, vector)                            \
  template <class T>                                                 \
  struct __bscope_four<T, bits, cudaChannelFormatKind##kind> {       \
    using type = vector;                                             \
  };
__BSCOPE_FOUR(8, Signed, char4)
__BSCOPE_FOUR(8, Unsigned, uchar4)
__BSCOPE_FOUR(16, Signed, short4)
__BSCOPE_FOUR(16, Unsigned, ushort4)
__BSCOPE_FOUR(32, Signed, int4)
__BSCOPE_FOUR(32, Unsigned, uint4)
__BSCOPE_FOUR(32, Float, float4)
#undef __BSCOPE_FOUR

template <class T>
__BSCOPE_DEVICE T __bscope_fetch(unsigned long long texture, unsigned form, float x, float y, float z,
                                 int layer, float level) {
  T out;
  __bscope_texture(&out, texture, form | __bscope_texel<T>, x, y, z, layer, level);
  return out;
}

// A function by an object (two forms) and by a reference: PARAMETERS as they are declared, and what of x, y, z,
// layer and level they are.
#define __BSCOPE_LIST(...) __VA_ARGS__
#define __BSCOPE_FETCH(name, which, texture_type, parameters, given, values)                              \
  template <class T>                                                                                      \
  __BSCOPE_DEVICE T name(cudaTextureObject_t object, parameters) {                                        \
    return __bscope_fetch<T>(object, which, values);                                                      \
  }                                                                                                       \
  template <class T>                                                                                      \
  __BSCOPE_DEVICE void name(T* out, cudaTextureObject_t object, parameters) {                             \
    *out = name<T>(object, given);                                                                        \
  }                                                                                                       \
  template <class T, enum cudaTextureReadMode mode>                                                       \
  __BSCOPE_DEVICE typename __bscope_fetched<T, mode>::type name(                                          \
      const texture<T, texture_type, mode>& reference, parameters) {                                      \
    const unsigned long long object = (unsigned long long)&reference;                                     \
    return __bscope_fetch<typename __bscope_fetched<T, mode>::type>(object, which | __bscope_by_reference, \
                                                                    values);                              \
  }

__BSCOPE_FETCH(tex1Dfetch, __bscope_fetch_linear, cudaTextureType1D, int x, x, __BSCOPE_LIST(0, 0, 0, x, 0))
__BSCOPE_FETCH(tex1D, __bscope_fetch_1D, cudaTextureType1D, float x, x, __BSCOPE_LIST(x, 0, 0, 0, 0))
__BSCOPE_FETCH(tex2D, __bscope_fetch_2D, cudaTextureType2D, __BSCOPE_LIST(float x, float y),
               __BSCOPE_LIST(x, y), __BSCOPE_LIST(x, y, 0, 0, 0))
__BSCOPE_FETCH(tex3D, __bscope_fetch_3D, cudaTextureType3D, __BSCOPE_LIST(float x, float y, float z),
               __BSCOPE_LIST(x, y, z), __BSCOPE_LIST(x, y, z, 0, 0))
__BSCOPE_FETCH(tex1DLayered, __bscope_fetch_1D_layered, cudaTextureType1DLayered,
               __BSCOPE_LIST(float x, int layer), __BSCOPE_LIST(x, layer), __BSCOPE_LIST(x, 0, 0, layer, 0))
__BSCOPE_FETCH(tex2DLayered, __bscope_fetch_2D_layered, cudaTextureType2DLayered,
               __BSCOPE_LIST(float x, float y, int layer), __BSCOPE_LIST(x, y, layer),
               __BSCOPE_LIST(x, y, 0, layer, 0))
__BSCOPE_FETCH(texCubemap, __bscope_fetch_cubemap, cudaTextureTypeCubemap,
               __BSCOPE_LIST(float x, float y, float z), __BSCOPE_LIST(x, y, z),
               __BSCOPE_LIST(x, y, z, 0, 0))
__BSCOPE_FETCH(texCubemapLayered, __bscope_fetch_cubemap_layered, cudaTextureTypeCubemapLayered,
               __BSCOPE_LIST(float x, float y, float z, int layer), __BSCOPE_LIST(x, y, z, layer),
               __BSCOPE_LIST(x, y, z, layer, 0))

__BSCOPE_FETCH(tex1DLod, __bscope_fetch_1D, cudaTextureType1D, __BSCOPE_LIST(float x, float level),
               __BSCOPE_LIST(x, level), __BSCOPE_LIST(x, 0, 0, 0, level))
__BSCOPE_FETCH(tex2DLod, __bscope_fetch_2D, cudaTextureType2D, __BSCOPE_LIST(float x, float y, float level),
               __BSCOPE_LIST(x, y, level), __BSCOPE_LIST(x, y, 0, 0, level))
__BSCOPE_FETCH(tex3DLod, __bscope_fetch_3D, cudaTextureType3D,
               __BSCOPE_LIST(float x, float y, float z, float level), __BSCOPE_LIST(x, y, z, level),
               __BSCOPE_LIST(x, y, z, 0, level))
__BSCOPE_FETCH(tex1DLayeredLod, __bscope_fetch_1D_layered, cudaTextureType1DLayered,
               __BSCOPE_LIST(float x, int layer, float level), __BSCOPE_LIST(x, layer, level),
               __BSCOPE_LIST(x, 0, 0, layer, level))
__BSCOPE_FETCH(tex2DLayeredLod, __bscope_fetch_2D_layered, cudaTextureType2DLayered,
               __BSCOPE_LIST(float x, float y, int layer, float level), __BSCOPE_LIST(x, y, layer, level),
               __BSCOPE_LIST(x, y, 0, layer, level))
__BSCOPE_FETCH(texCubemapLod, __bscope_fetch_cubemap, cudaTextureTypeCubemap,
               __BSCOPE_LIST(float x, float y, float z, float level), __BSCOPE_LIST(x, y, z, level),
               __BSCOPE_LIST(x, y, z, 0, level))
__BSCOPE_FETCH(texCubemapLayeredLod, __bscope_fetch_cubemap_layered, cudaTextureTypeCubemapLayered,
               __BSCOPE_LIST(float x, float y, float z, int layer, float level),
               __BSCOPE_LIST(x, y, z, layer, level), __BSCOPE_LIST(x, y, z, layer, level))

__BSCOPE_FETCH(tex1DGrad, __bscope_fetch_1D, cudaTextureType1D, __BSCOPE_LIST(float x, float dx, float dy),
               __BSCOPE_LIST(x, dx, dy),
               __BSCOPE_LIST(x, 0, 0, 0, __bscope_texture_level(object, dx, 0, 0, dy, 0, 0)))
__BSCOPE_FETCH(tex2DGrad, __bscope_fetch_2D, cudaTextureType2D,
               __BSCOPE_LIST(float x, float y, float2 dx, float2 dy), __BSCOPE_LIST(x, y, dx, dy),
               __BSCOPE_LIST(x, y, 0, 0, __bscope_texture_level(object, dx.x, dx.y, 0, dy.x, dy.y, 0)))
__BSCOPE_FETCH(tex3DGrad, __bscope_fetch_3D, cudaTextureType3D,
               __BSCOPE_LIST(float x, float y, float z, float4 dx, float4 dy),
               __BSCOPE_LIST(x, y, z, dx, dy),
               __BSCOPE_LIST(x, y, z, 0,
                             __bscope_texture_level(object, dx.x, dx.y, dx.z, dy.x, dy.y, dy.z)))
__BSCOPE_FETCH(tex1DLayeredGrad, __bscope_fetch_1D_layered, cudaTextureType1DLayered,
               __BSCOPE_LIST(float x, int layer, float dx, float dy), __BSCOPE_LIST(x, layer, dx, dy),
               __BSCOPE_LIST(x, 0, 0, layer, __bscope_texture_level(object, dx, 0, 0, dy, 0, 0)))
__BSCOPE_FETCH(tex2DLayeredGrad, __bscope_fetch_2D_layered, cudaTextureType2DLayered,
               __BSCOPE_LIST(float x, float y, int layer, float2 dx, float2 dy),
               __BSCOPE_LIST(x, y, layer, dx, dy),
               __BSCOPE_LIST(x, y, 0, layer, __bscope_texture_level(object, dx.x, dx.y, 0, dy.x, dy.y, 0)))
#undef __BSCOPE_FETCH

/// The four texels that filtering would take, one channel of each.
template <class T>
__BSCOPE_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0) {
  return __bscope_fetch<T>(object, __bscope_fetch_gather | unsigned(channel & 3) << 20, x, y, 0, 0, 0);
}
template <class T>
__BSCOPE_DEVICE void tex2Dgather(T* out, cudaTextureObject_t object, float x, float y, int channel = 0) {
  *out = tex2Dgather<T>(object, x, y, channel);
}
template <class T, enum cudaTextureReadMode mode>
__BSCOPE_DEVICE typename __bscope_four<typename __bscope_fetched<T, mode>::type>::type tex2Dgather(
    const texture<T, cudaTextureType2D, mode>& reference, float x, float y, int channel = 0) {
  return __bscope_fetch<typename __bscope_four<typename __bscope_fetched<T, mode>::type>::type>(
      (unsigned long long)&reference,
      __bscope_fetch_gather | unsigned(channel & 3) << 20 | __bscope_by_reference, x, y, 0, 0, 0);
}

// ---- surfaces, by an object and by a reference; z is a layer, too
#define __BSCOPE_SURFACE(name, which, texture_type, parameters, given, values)                            \
  template <class T>                                                                                      \
  __BSCOPE_DEVICE T name##read(cudaSurfaceObject_t object, parameters,                                    \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                     \
    T out;                                                                                                \
    __bscope_surface_read(&out, object, unsigned(sizeof(T)) | which << 8, values, mode);                  \
    return out;                                                                                           \
  }                                                                                                       \
  template <class T>                                                                                      \
  __BSCOPE_DEVICE void name##read(T* out, cudaSurfaceObject_t object, parameters,                         \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                  \
    *out = name##read<T>(object, given, mode);                                                            \
  }                                                                                                       \
  template <class T>                                                                                      \
  __BSCOPE_DEVICE void name##write(T data, cudaSurfaceObject_t object, parameters,                        \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                 \
    __bscope_surface_write(&data, object, unsigned(sizeof(T)) | which << 8, values, mode);                \
  }                                                                                                       \
  template <class T, class Any>                                                                           \
  __BSCOPE_DEVICE T name##read(const surface<Any, texture_type>& reference, parameters,                   \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                     \
    T out;                                                                                                \
    __bscope_surface_read(&out, (unsigned long long)&reference,                                           \
                          unsigned(sizeof(T)) | which << 8 | __bscope_by_reference, values, mode);        \
    return out;                                                                                           \
  }                                                                                                       \
  template <class T, class Any>                                                                           \
  __BSCOPE_DEVICE void name##read(T* out, const surface<Any, texture_type>& reference, parameters,        \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                  \
    *out = name##read<T>(reference, given, mode);                                                         \
  }                                                                                                       \
  template <class T, class Any>                                                                           \
  __BSCOPE_DEVICE void name##write(T data, const surface<Any, texture_type>& reference, parameters,       \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                 \
    __bscope_surface_write(&data, (unsigned long long)&reference,                                         \
                           unsigned(sizeof(T)) | which << 8 | __bscope_by_reference, values, mode);       \
  }
__BSCOPE_SURFACE(surf1D, __bscope_fetch_1D, cudaSurfaceType1D, int x, x, __BSCOPE_LIST(x, 0, 0))
__BSCOPE_SURFACE(surf2D, __bscope_fetch_2D, cudaSurfaceType2D, __BSCOPE_LIST(int x, int y),
                 __BSCOPE_LIST(x, y), __BSCOPE_LIST(x, y, 0))
__BSCOPE_SURFACE(surf3D, __bscope_fetch_3D, cudaSurfaceType3D, __BSCOPE_LIST(int x, int y, int z),
                 __BSCOPE_LIST(x, y, z), __BSCOPE_LIST(x, y, z))
__BSCOPE_SURFACE(surf1DLayered, __bscope_fetch_1D_layered, cudaSurfaceType1DLayered,
                 __BSCOPE_LIST(int x, int layer), __BSCOPE_LIST(x, layer), __BSCOPE_LIST(x, 0, layer))
__BSCOPE_SURFACE(surf2DLayered, __bscope_fetch_2D_layered, cudaSurfaceType2DLayered,
                 __BSCOPE_LIST(int x, int y, int layer), __BSCOPE_LIST(x, y, layer),
                 __BSCOPE_LIST(x, y, layer))
__BSCOPE_SURFACE(surfCubemap, __bscope_fetch_cubemap, cudaSurfaceTypeCubemap,
                 __BSCOPE_LIST(int x, int y, int face), __BSCOPE_LIST(x, y, face), __BSCOPE_LIST(x, y, face))
__BSCOPE_SURFACE(surfCubemapLayered, __bscope_fetch_cubemap_layered, cudaSurfaceTypeCubemapLayered,
                 __BSCOPE_LIST(int x, int y, int face), __BSCOPE_LIST(x, y, face), __BSCOPE_LIST(x, y, face))
#undef __BSCOPE_SURFACE
#undef __BSCOPE_LIST
