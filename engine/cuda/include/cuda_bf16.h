// bfloat16: the upper 16 bits of a float, 7 of them behind the point.
#pragma once
#pragma clang system_header

#include "cuda_fp16.h"

#define __BSCOPE_T __nv_bfloat16
#define __BSCOPE_T2 __nv_bfloat162
#define __BSCOPE_RAW_T __nv_bfloat16_raw
#define __BSCOPE_RAW_T2 __nv_bfloat162_raw
#define __BSCOPE_OTHER __half
#define __BSCOPE_N bfloat16
#define __BSCOPE_K bf16
#ifdef __CUDA_ARCH__
#define __BSCOPE_BITS __bf16
#else  // WebAssembly has no such type, GCC 12's library none of its conversions: here are the bits
#define __BSCOPE_BITS unsigned short
#endif
#define __BSCOPE_FRACTION 7
#define __BSCOPE_ONE_BITS 0x3f80
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define __BSCOPE_CONVERTS
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define __BSCOPE_OPERATES
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#define __BSCOPE_OPERATES_2
#endif
#include "barrierscope/small_float_types.h"

#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
inline __host__ __device__ __nv_bfloat16::__nv_bfloat16(const __half v)
    : __nv_bfloat16(__float2bfloat16(__half2float(v))) {}
#endif
#ifndef __CUDA_NO_HALF_CONVERSIONS__
inline __host__ __device__ __half::__half(const __nv_bfloat16 v)
    : __half(__float2half(__bfloat162float(v))) {}
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
