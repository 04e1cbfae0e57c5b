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
__BSCOPE_BUILTIN void __bscope_surface_read(void* out, unsigned long long surface, unsigned form, int x,
                                            int y, int z, int mode);
__BSCOPE_BUILTIN void __bscope_surface_write(const void* data, unsigned long long surface, unsigned form,
                                             int x, int y, int z, int mode);

/// What a fetch of T asks for: kind, bytes and number of its channels.
template <class T, int kind = __bscope_channels<T>::f,
          int channels = 1 + !!__bscope_channels<T>::y + 2 * !!__bscope_channels<T>::w>
constexpr unsigned __bscope_texel =
    unsigned(kind) << 8 | unsigned(__bscope_channels<T>::x / 8) << 12 | unsigned(channels) << 16;

template <class T>
__BSCOPE_DEVICE T __bscope_fetch(unsigned long long texture, unsigned form, float x, float y, float z,
                                 int layer, float level) {
  T out;
  __bscope_texture(&out, texture, form | __bscope_texel<T>, x, y, z, layer, level);
  return out;
}

// The functions, as rows of M(name, which, the type of a reference, parameters, what is given on, what of x,
// y, z, layer and level it is). `texture` is the object, or the reference's address. clang-format would
// spread these lists over hundreds of lines.
// clang-format off
#define __BSCOPE_LIST(...) __VA_ARGS__
#define __BSCOPE_FETCHES(M) \
  M(tex1Dfetch, __bscope_fetch_linear, cudaTextureType1D, int x, x, __BSCOPE_LIST(0, 0, 0, x, 0)) \
  M(tex1D, __bscope_fetch_1D, cudaTextureType1D, float x, x, __BSCOPE_LIST(x, 0, 0, 0, 0)) \
  M(tex2D, __bscope_fetch_2D, cudaTextureType2D, __BSCOPE_LIST(float x, float y), __BSCOPE_LIST(x, y), \
    __BSCOPE_LIST(x, y, 0, 0, 0)) \
  M(tex3D, __bscope_fetch_3D, cudaTextureType3D, __BSCOPE_LIST(float x, float y, float z), \
    __BSCOPE_LIST(x, y, z), __BSCOPE_LIST(x, y, z, 0, 0)) \
  M(tex1DLayered, __bscope_fetch_1D_layered, cudaTextureType1DLayered, __BSCOPE_LIST(float x, int \
    layer), __BSCOPE_LIST(x, layer), __BSCOPE_LIST(x, 0, 0, layer, 0)) \
  M(tex2DLayered, __bscope_fetch_2D_layered, cudaTextureType2DLayered, __BSCOPE_LIST(float x, float y, \
    int layer), __BSCOPE_LIST(x, y, layer), __BSCOPE_LIST(x, y, 0, layer, 0)) \
  M(texCubemap, __bscope_fetch_cubemap, cudaTextureTypeCubemap, __BSCOPE_LIST(float x, float y, float \
    z), __BSCOPE_LIST(x, y, z), __BSCOPE_LIST(x, y, z, 0, 0)) \
  M(texCubemapLayered, __bscope_fetch_cubemap_layered, cudaTextureTypeCubemapLayered, \
    __BSCOPE_LIST(float x, float y, float z, int layer), __BSCOPE_LIST(x, y, z, layer), __BSCOPE_LIST(x, \
    y, z, layer, 0)) \
  M(tex1DLod, __bscope_fetch_1D, cudaTextureType1D, __BSCOPE_LIST(float x, float level), \
    __BSCOPE_LIST(x, level), __BSCOPE_LIST(x, 0, 0, 0, level)) \
  M(tex2DLod, __bscope_fetch_2D, cudaTextureType2D, __BSCOPE_LIST(float x, float y, float level), \
    __BSCOPE_LIST(x, y, level), __BSCOPE_LIST(x, y, 0, 0, level)) \
  M(tex3DLod, __bscope_fetch_3D, cudaTextureType3D, __BSCOPE_LIST(float x, float y, float z, float \
    level), __BSCOPE_LIST(x, y, z, level), __BSCOPE_LIST(x, y, z, 0, level)) \
  M(tex1DLayeredLod, __bscope_fetch_1D_layered, cudaTextureType1DLayered, __BSCOPE_LIST(float x, int \
    layer, float level), __BSCOPE_LIST(x, layer, level), __BSCOPE_LIST(x, 0, 0, layer, level)) \
  M(tex2DLayeredLod, __bscope_fetch_2D_layered, cudaTextureType2DLayered, __BSCOPE_LIST(float x, float \
    y, int layer, float level), __BSCOPE_LIST(x, y, layer, level), __BSCOPE_LIST(x, y, 0, layer, level)) \
  M(texCubemapLod, __bscope_fetch_cubemap, cudaTextureTypeCubemap, __BSCOPE_LIST(float x, float y, \
    float z, float level), __BSCOPE_LIST(x, y, z, level), __BSCOPE_LIST(x, y, z, 0, level)) \
  M(texCubemapLayeredLod, __bscope_fetch_cubemap_layered, cudaTextureTypeCubemapLayered, \
    __BSCOPE_LIST(float x, float y, float z, int layer, float level), __BSCOPE_LIST(x, y, z, layer, \
    level), __BSCOPE_LIST(x, y, z, layer, level)) \
  M(tex1DGrad, __bscope_fetch_1D, cudaTextureType1D, __BSCOPE_LIST(float x, float dx, float dy), \
    __BSCOPE_LIST(x, dx, dy), __BSCOPE_LIST(x, 0, 0, 0, __bscope_texture_level(texture, dx, 0, 0, dy, 0, \
    0))) \
  M(tex2DGrad, __bscope_fetch_2D, cudaTextureType2D, __BSCOPE_LIST(float x, float y, float2 dx, float2 \
    dy), __BSCOPE_LIST(x, y, dx, dy), __BSCOPE_LIST(x, y, 0, 0, __bscope_texture_level(texture, dx.x, \
    dx.y, 0, dy.x, dy.y, 0))) \
  M(tex3DGrad, __bscope_fetch_3D, cudaTextureType3D, __BSCOPE_LIST(float x, float y, float z, float4 \
    dx, float4 dy), __BSCOPE_LIST(x, y, z, dx, dy), __BSCOPE_LIST(x, y, z, 0, \
    __bscope_texture_level(texture, dx.x, dx.y, dx.z, dy.x, dy.y, dy.z))) \
  M(tex1DLayeredGrad, __bscope_fetch_1D_layered, cudaTextureType1DLayered, __BSCOPE_LIST(float x, int \
    layer, float dx, float dy), __BSCOPE_LIST(x, layer, dx, dy), __BSCOPE_LIST(x, 0, 0, layer, \
    __bscope_texture_level(texture, dx, 0, 0, dy, 0, 0))) \
  M(tex2DLayeredGrad, __bscope_fetch_2D_layered, cudaTextureType2DLayered, __BSCOPE_LIST(float x, \
    float y, int layer, float2 dx, float2 dy), __BSCOPE_LIST(x, y, layer, dx, dy), __BSCOPE_LIST(x, y, \
    0, layer, __bscope_texture_level(texture, dx.x, dx.y, 0, dy.x, dy.y, 0)))
// The same of surfaces, named without read and write: x, y and z, which is a layer, too.
#define __BSCOPE_SURFACES(M) \
  M(surf1D, __bscope_fetch_1D, cudaSurfaceType1D, int x, x, __BSCOPE_LIST(x, 0, 0)) \
  M(surf2D, __bscope_fetch_2D, cudaSurfaceType2D, __BSCOPE_LIST(int x, int y), __BSCOPE_LIST(x, y), \
    __BSCOPE_LIST(x, y, 0)) \
  M(surf3D, __bscope_fetch_3D, cudaSurfaceType3D, __BSCOPE_LIST(int x, int y, int z), __BSCOPE_LIST(x, \
    y, z), __BSCOPE_LIST(x, y, z)) \
  M(surf1DLayered, __bscope_fetch_1D_layered, cudaSurfaceType1DLayered, __BSCOPE_LIST(int x, int \
    layer), __BSCOPE_LIST(x, layer), __BSCOPE_LIST(x, 0, layer)) \
  M(surf2DLayered, __bscope_fetch_2D_layered, cudaSurfaceType2DLayered, __BSCOPE_LIST(int x, int y, \
    int layer), __BSCOPE_LIST(x, y, layer), __BSCOPE_LIST(x, y, layer)) \
  M(surfCubemap, __bscope_fetch_cubemap, cudaSurfaceTypeCubemap, __BSCOPE_LIST(int x, int y, int \
    face), __BSCOPE_LIST(x, y, face), __BSCOPE_LIST(x, y, face)) \
  M(surfCubemapLayered, __bscope_fetch_cubemap_layered, cudaSurfaceTypeCubemapLayered, \
    __BSCOPE_LIST(int x, int y, int face), __BSCOPE_LIST(x, y, face), __BSCOPE_LIST(x, y, face))
// clang-format on

#define __BSCOPE_FETCH(name, which, dimensions, parameters, given, values)     \
  template <class T>                                                           \
  __BSCOPE_DEVICE T name(cudaTextureObject_t texture, parameters) {            \
    return __bscope_fetch<T>(texture, which, values);                          \
  }                                                                            \
  template <class T>                                                           \
  __BSCOPE_DEVICE void name(T* out, cudaTextureObject_t texture, parameters) { \
    *out = name<T>(texture, given);                                            \
  }
__BSCOPE_FETCHES(__BSCOPE_FETCH)
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

#define __BSCOPE_SURFACE(name, which, dimensions, parameters, given, values)               \
  template <class T>                                                                       \
  __BSCOPE_DEVICE T name##read(cudaSurfaceObject_t object, parameters,                     \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {      \
    T out;                                                                                 \
    __bscope_surface_read(&out, object, unsigned(sizeof(T)) | which << 8, values, mode);   \
    return out;                                                                            \
  }                                                                                        \
  template <class T>                                                                       \
  __BSCOPE_DEVICE void name##read(T* out, cudaSurfaceObject_t object, parameters,          \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {   \
    *out = name##read<T>(object, given, mode);                                             \
  }                                                                                        \
  template <class T>                                                                       \
  __BSCOPE_DEVICE void name##write(T data, cudaSurfaceObject_t object, parameters,         \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    __bscope_surface_write(&data, object, unsigned(sizeof(T)) | which << 8, values, mode); \
  }
__BSCOPE_SURFACES(__BSCOPE_SURFACE)
#undef __BSCOPE_SURFACE
