// CUDA's vector types and dim3, laid out as on the device.
#pragma once

#include "qualifiers.h"

#define __BSCOPE_VECTOR(T, name, align2, align4)                            \
  struct name##1 { T x; };                                                  \
  struct __align__(align2) name##2 { T x, y; };                             \
  struct name##3 { T x, y, z; };                                            \
  struct __align__(align4) name##4 { T x, y, z, w; };                       \
  __BSCOPE_BOTH name##1 make_##name##1(T x) { return {x}; }                 \
  __BSCOPE_BOTH name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  __BSCOPE_BOTH name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  __BSCOPE_BOTH name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

__BSCOPE_VECTOR(signed char, char, 2, 4)
__BSCOPE_VECTOR(unsigned char, uchar, 2, 4)
__BSCOPE_VECTOR(short, short, 4, 8)
__BSCOPE_VECTOR(unsigned short, ushort, 4, 8)
__BSCOPE_VECTOR(int, int, 8, 16)
__BSCOPE_VECTOR(unsigned int, uint, 8, 16)
__BSCOPE_VECTOR(long, long, 16, 16)
__BSCOPE_VECTOR(unsigned long, ulong, 16, 16)
__BSCOPE_VECTOR(long long, longlong, 16, 16)
__BSCOPE_VECTOR(unsigned long long, ulonglong, 16, 16)
__BSCOPE_VECTOR(float, float, 8, 16)
__BSCOPE_VECTOR(double, double, 16, 16)
#undef __BSCOPE_VECTOR

/// The extent of a grid or a block; what is left out is 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr __host__ __device__ dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr __host__ __device__ operator uint3() const { return {x, y, z}; }
};
