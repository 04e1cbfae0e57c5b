// Numbers of 8 bits: E4M3 and E5M2, alone, and two or four in a word. They are stored and converted; sums and
// products are those of float or half precision.
#pragma once
#pragma clang system_header

#include "barrierscope/fp8_numbers.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus
#ifdef __CUDA__
__BSCOPE_BUILTIN unsigned char __bscope_fp8_from_f32(float, int fraction, int saturates);
__BSCOPE_BUILTIN unsigned char __bscope_fp8_from_f64(double, int fraction, int saturates);
__BSCOPE_BUILTIN float __bscope_fp8_to_f32(unsigned char, int fraction);
#endif

#define __BSCOPE_FP8 static inline __host__ __device__
__BSCOPE_FP8 int __bscope_fp8_fraction(__nv_fp8_interpretation_t kind) { return kind == __NV_E4M3 ? 3 : 2; }
__BSCOPE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double v, const __nv_saturation_t saturation,
                                                       const __nv_fp8_interpretation_t kind) {
#ifdef __CUDA_ARCH__
  return __bscope_fp8_from_f64(v, __bscope_fp8_fraction(kind), saturation == __NV_SATFINITE);
#else
  return __bscope_fp8_of(__builtin_bit_cast(unsigned long long, v), __bscope_fp8_fraction(kind),
                         saturation == __NV_SATFINITE);
#endif
}
__BSCOPE_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float v, const __nv_saturation_t saturation,
                                                      const __nv_fp8_interpretation_t kind) {
#ifdef __CUDA_ARCH__
  return __bscope_fp8_from_f32(v, __bscope_fp8_fraction(kind), saturation == __NV_SATFINITE);
#else
  if (v != v) return 0x7f;  // without a sign, as the GPU does
  return __nv_cvt_double_to_fp8(v, saturation, kind);
#endif
}
__BSCOPE_FP8 float __bscope_fp8_value(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind) {
#ifdef __CUDA_ARCH__
  return __bscope_fp8_to_f32(v, __bscope_fp8_fraction(kind));
#else
  return __builtin_bit_cast(float, __bscope_fp8_as_float(v, __bscope_fp8_fraction(kind)));
#endif
}
__BSCOPE_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw v,
                                                        const __nv_saturation_t saturation,
                                                        const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half2float(__half(v)), saturation, kind);
}
__BSCOPE_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw v,
                                                            const __nv_saturation_t saturation,
                                                            const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(v)), saturation, kind);
}
__BSCOPE_FP8 __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t v,
                                                const __nv_fp8_interpretation_t kind) {
  return __half_raw(__float2half_rn(__bscope_fp8_value(v, kind)));
}

// ---- two in a word, the first in its lower half
__BSCOPE_FP8 __nv_fp8x2_storage_t __bscope_fp8_pair(__nv_fp8_storage_t x, __nv_fp8_storage_t y) {
  return (__nv_fp8x2_storage_t)(x | y << 8);
}
#define __BSCOPE_FP8_PAIR(name, of_one, T)                                                  \
  __BSCOPE_FP8 __nv_fp8x2_storage_t name(const T v, const __nv_saturation_t saturation,     \
                                         const __nv_fp8_interpretation_t kind) {            \
    return __bscope_fp8_pair(of_one(v.x, saturation, kind), of_one(v.y, saturation, kind)); \
  }
__BSCOPE_FP8_PAIR(__nv_cvt_float2_to_fp8x2, __nv_cvt_float_to_fp8, float2)
__BSCOPE_FP8_PAIR(__nv_cvt_double2_to_fp8x2, __nv_cvt_double_to_fp8, double2)
#undef __BSCOPE_FP8_PAIR
__BSCOPE_FP8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw v,
                                                             const __nv_saturation_t saturation,
                                                             const __nv_fp8_interpretation_t kind) {
  return __bscope_fp8_pair(__nv_cvt_halfraw_to_fp8(__half_raw{v.x}, saturation, kind),
                           __nv_cvt_halfraw_to_fp8(__half_raw{v.y}, saturation, kind));
}
__BSCOPE_FP8 __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw v,
                                                                 const __nv_saturation_t saturation,
                                                                 const __nv_fp8_interpretation_t kind) {
  return __bscope_fp8_pair(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{v.x}, saturation, kind),
                           __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{v.y}, saturation, kind));
}
__BSCOPE_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t v,
                                                    const __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, kind).x,
                     __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), kind).x};
}

// ---- the types
#define __BSCOPE_FP8_FROM(T) \
  explicit __host__ __device__ __BSCOPE_FP8_T(const T v) : __BSCOPE_FP8_T((float)v) {}
#define __BSCOPE_FP8_TO(T) \
  explicit __host__ __device__ operator T() const { return (T)__half(*this); }
// clang-format off
#define __BSCOPE_FP8_WHOLE(M) \
  M(short) M(unsigned short) M(int) M(unsigned) M(long) M(unsigned long) M(long long) M(unsigned long long)
#define __BSCOPE_FP8_SMALL(M) M(char) M(signed char) M(unsigned char)
// clang-format on

#define __BSCOPE_FP8_TYPE(T, kind)                                                                           \
  struct T {                                                                                                 \
    __nv_fp8_storage_t __x;                                                                                  \
    T() = default;                                                                                           \
    explicit __host__ __device__ T(const float v) : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, kind)) {}   \
    explicit __host__ __device__ T(const double v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, kind)) {} \
    explicit __host__ __device__ T(const __half v)                                                           \
        : __x(__nv_cvt_halfraw_to_fp8(__half_raw(v), __NV_SATFINITE, kind)) {}                               \
    explicit __host__ __device__ T(const __nv_bfloat16 v)                                                    \
        : __x(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw(v), __NV_SATFINITE, kind)) {}                    \
    __BSCOPE_FP8_WHOLE(__BSCOPE_FP8_FROM)                                                                    \
    explicit __host__ __device__ operator float() const { return __bscope_fp8_value(__x, kind); }            \
    explicit __host__ __device__ operator double() const { return (double)float(*this); }                    \
    explicit __host__ __device__ operator __half() const {                                                   \
      return __half(__nv_cvt_fp8_to_halfraw(__x, kind));                                                     \
    }                                                                                                        \
    explicit __host__ __device__ operator __nv_bfloat16() const {                                            \
      return __float2bfloat16_rn(float(*this));                                                              \
    }                                                                                                        \
    explicit __host__ __device__ operator bool() const { return (__x & 0x7f) != 0; }                         \
    __BSCOPE_FP8_WHOLE(__BSCOPE_FP8_TO)                                                                      \
    __BSCOPE_FP8_SMALL(__BSCOPE_FP8_TO)                                                                      \
  };
#define __BSCOPE_FP8_T __nv_fp8_e4m3
__BSCOPE_FP8_TYPE(__nv_fp8_e4m3, __NV_E4M3)
#undef __BSCOPE_FP8_T
#define __BSCOPE_FP8_T __nv_fp8_e5m2
__BSCOPE_FP8_TYPE(__nv_fp8_e5m2, __NV_E5M2)
#undef __BSCOPE_FP8_T
#undef __BSCOPE_FP8_TYPE
#undef __BSCOPE_FP8_FROM
#undef __BSCOPE_FP8_TO
#undef __BSCOPE_FP8_WHOLE
#undef __BSCOPE_FP8_SMALL

#define __BSCOPE_FP8_TYPES(T2, T4, kind)                                                                     \
  struct __align__(2) T2 {                                                                                   \
    __nv_fp8x2_storage_t __x;                                                                                \
    T2() = default;                                                                                          \
    explicit __host__ __device__ T2(const float2 v)                                                          \
        : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {}                                          \
    explicit __host__ __device__ T2(const double2 v)                                                         \
        : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, kind)) {}                                         \
    explicit __host__ __device__ T2(const __half2 v)                                                         \
        : __x(__nv_cvt_halfraw2_to_fp8x2(__half2_raw(v), __NV_SATFINITE, kind)) {}                           \
    explicit __host__ __device__ T2(const __nv_bfloat162 v)                                                  \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw(v), __NV_SATFINITE, kind)) {}                \
    explicit __host__ __device__ operator __half2() const {                                                  \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));                                                 \
    }                                                                                                        \
    explicit __host__ __device__ operator float2() const {                                                   \
      return make_float2(__bscope_fp8_value((__nv_fp8_storage_t)__x, kind),                                  \
                         __bscope_fp8_value((__nv_fp8_storage_t)(__x >> 8), kind));                          \
    }                                                                                                        \
  };                                                                                                         \
  struct __align__(4) T4 {                                                                                   \
    __nv_fp8x4_storage_t __x;                                                                                \
    T4() = default;                                                                                          \
    explicit __host__ __device__ T4(const float4 v)                                                          \
        : __x(T2(make_float2(v.x, v.y)).__x | (__nv_fp8x4_storage_t)T2(make_float2(v.z, v.w)).__x << 16) {}  \
    explicit __host__ __device__ T4(const double4 v)                                                         \
        : __x(T2(make_double2(v.x, v.y)).__x | (__nv_fp8x4_storage_t)T2(make_double2(v.z, v.w)).__x << 16) { \
    }                                                                                                        \
    explicit __host__ __device__ T4(const __half2 low, const __half2 high)                                   \
        : __x(T2(low).__x | (__nv_fp8x4_storage_t)T2(high).__x << 16) {}                                     \
    explicit __host__ __device__ T4(const __nv_bfloat162 low, const __nv_bfloat162 high)                     \
        : __x(T2(low).__x | (__nv_fp8x4_storage_t)T2(high).__x << 16) {}                                     \
    explicit __host__ __device__ operator float4() const {                                                   \
      return make_float4(__bscope_fp8_value((__nv_fp8_storage_t)__x, kind),                                  \
                         __bscope_fp8_value((__nv_fp8_storage_t)(__x >> 8), kind),                           \
                         __bscope_fp8_value((__nv_fp8_storage_t)(__x >> 16), kind),                          \
                         __bscope_fp8_value((__nv_fp8_storage_t)(__x >> 24), kind));                         \
    }                                                                                                        \
  };
__BSCOPE_FP8_TYPES(__nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
__BSCOPE_FP8_TYPES(__nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef __BSCOPE_FP8_TYPES
#undef __BSCOPE_FP8
#endif
