// Arithmetic of CUDA's vector types, as in the helper_math.h of NVIDIA's samples.
#pragma once
#include <math.h>

#include "cuda_runtime.h"

typedef unsigned int uint;
typedef unsigned short ushort;

#define __BSCOPE_OPERATOR(V, T, op, TWO, ONE, ONE_LEFT)        \
  __BSCOPE_BOTH V operator op(V a, V b) { return TWO; }        \
  __BSCOPE_BOTH V operator op(V a, T b) { return ONE; }        \
  __BSCOPE_BOTH V operator op(T a, V b) { return ONE_LEFT; }   \
  __BSCOPE_BOTH void operator op##=(V& a, V b) { a = a op b; } \
  __BSCOPE_BOTH void operator op##=(V& a, T b) { a = a op b; }
#define __BSCOPE_OPERATOR_2(V, T, op)                                                                   \
  __BSCOPE_OPERATOR(V, T, op, (V{(T)(a.x op b.x), (T)(a.y op b.y)}), (V{(T)(a.x op b), (T)(a.y op b)}), \
                    (V{(T)(a op b.x), (T)(a op b.y)}))
#define __BSCOPE_OPERATOR_3(V, T, op)                                                 \
  __BSCOPE_OPERATOR(V, T, op, (V{(T)(a.x op b.x), (T)(a.y op b.y), (T)(a.z op b.z)}), \
                    (V{(T)(a.x op b), (T)(a.y op b), (T)(a.z op b)}),                 \
                    (V{(T)(a op b.x), (T)(a op b.y), (T)(a op b.z)}))
#define __BSCOPE_OPERATOR_4(V, T, op)                                                                  \
  __BSCOPE_OPERATOR(V, T, op, (V{(T)(a.x op b.x), (T)(a.y op b.y), (T)(a.z op b.z), (T)(a.w op b.w)}), \
                    (V{(T)(a.x op b), (T)(a.y op b), (T)(a.z op b), (T)(a.w op b)}),                   \
                    (V{(T)(a op b.x), (T)(a op b.y), (T)(a op b.z), (T)(a op b.w)}))
#define __BSCOPE_OPERATORS(n, V, T)                                                            \
  __BSCOPE_OPERATOR_##n(V, T, +) __BSCOPE_OPERATOR_##n(V, T, -) __BSCOPE_OPERATOR_##n(V, T, *) \
      __BSCOPE_OPERATOR_##n(V, T, /)
__BSCOPE_OPERATORS(2, float2, float)
__BSCOPE_OPERATORS(3, float3, float)
__BSCOPE_OPERATORS(4, float4, float)
__BSCOPE_OPERATORS(2, int2, int)
__BSCOPE_OPERATORS(3, int3, int)
__BSCOPE_OPERATORS(4, int4, int)
__BSCOPE_OPERATORS(2, uint2, uint)
__BSCOPE_OPERATORS(3, uint3, uint)
__BSCOPE_OPERATORS(4, uint4, uint)
#undef __BSCOPE_OPERATOR
#undef __BSCOPE_OPERATOR_2
#undef __BSCOPE_OPERATOR_3
#undef __BSCOPE_OPERATOR_4
#undef __BSCOPE_OPERATORS

#define __BSCOPE_GEOMETRY(V)                                               \
  __BSCOPE_BOTH float length(V v) { return sqrtf(dot(v, v)); }             \
  __BSCOPE_BOTH V normalize(V v) { return v * (1.0f / sqrtf(dot(v, v))); } \
  __BSCOPE_BOTH V lerp(V a, V b, float t) { return a + t * (b - a); }      \
  __BSCOPE_BOTH V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); }
__BSCOPE_BOTH float2 make_float2(float s) { return {s, s}; }
__BSCOPE_BOTH float2 operator-(float2 a) { return {-a.x, -a.y}; }
__BSCOPE_BOTH float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__BSCOPE_BOTH float2 fminf(float2 a, float2 b) { return {fminf(a.x, b.x), fminf(a.y, b.y)}; }
__BSCOPE_BOTH float2 fmaxf(float2 a, float2 b) { return {fmaxf(a.x, b.x), fmaxf(a.y, b.y)}; }
__BSCOPE_GEOMETRY(float2)
__BSCOPE_BOTH float3 make_float3(float s) { return {s, s, s}; }
__BSCOPE_BOTH float3 operator-(float3 a) { return {-a.x, -a.y, -a.z}; }
__BSCOPE_BOTH float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__BSCOPE_BOTH float3 fminf(float3 a, float3 b) { return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)}; }
__BSCOPE_BOTH float3 fmaxf(float3 a, float3 b) { return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)}; }
__BSCOPE_GEOMETRY(float3)
__BSCOPE_BOTH float4 make_float4(float s) { return {s, s, s, s}; }
__BSCOPE_BOTH float4 operator-(float4 a) { return {-a.x, -a.y, -a.z, -a.w}; }
__BSCOPE_BOTH float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__BSCOPE_BOTH float4 fminf(float4 a, float4 b) {
  return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w)};
}
__BSCOPE_BOTH float4 fmaxf(float4 a, float4 b) {
  return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}
__BSCOPE_GEOMETRY(float4)
__BSCOPE_BOTH float3 make_float3(float2 v, float z) { return {v.x, v.y, z}; }
__BSCOPE_BOTH float3 make_float3(float4 v) { return {v.x, v.y, v.z}; }
__BSCOPE_BOTH float4 make_float4(float3 v) { return {v.x, v.y, v.z, 0}; }
__BSCOPE_BOTH float4 make_float4(float3 v, float w) { return {v.x, v.y, v.z, w}; }
__BSCOPE_BOTH float3 cross(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
#if __cplusplus < 202002L  // which has its own
__BSCOPE_BOTH float lerp(float a, float b, float t) { return a + t * (b - a); }
#endif
__BSCOPE_BOTH float clamp(float v, float least, float most) { return fmaxf(least, fminf(v, most)); }
__BSCOPE_BOTH int clamp(int v, int least, int most) { return v < least ? least : v > most ? most : v; }
#undef __BSCOPE_GEOMETRY
