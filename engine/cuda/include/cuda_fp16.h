// Half precision: numbers of 16 bits, 10 of them behind the point.
#pragma once
#pragma clang system_header

#include "barrierscope/qualifiers.h"
#include "barrierscope/small_floats.h"
#include "barrierscope/vectors.h"

struct __nv_bfloat16;
#define __BSCOPE_T __half
#define __BSCOPE_T2 __half2
#define __BSCOPE_RAW_T __half_raw
#define __BSCOPE_RAW_T2 __half2_raw
#define __BSCOPE_OTHER __nv_bfloat16
#define __BSCOPE_N half
#define __BSCOPE_K f16
#define __BSCOPE_BITS _Float16
#define __BSCOPE_FRACTION 10
#define __BSCOPE_ONE_BITS 0x3c00
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define __BSCOPE_CONVERTS
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
#define __BSCOPE_OPERATES
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
#define __BSCOPE_OPERATES_2
#endif
#include "barrierscope/small_float_types.h"

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif
