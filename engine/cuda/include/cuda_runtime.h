// All that nvcc gives a .cu file without an #include, for clang without a toolkit. Included before every file
// of the student's; plain C++ files that include it see the host's half.
#pragma once
#pragma clang system_header

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
// By these of the toolkit's headers third-party headers see that it is there: NVIDIA's helper_cuda.h has
// nothing to offer without.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "barrierscope/cccl.h"
#include "barrierscope/qualifiers.h"
#ifdef __CUDA__
#include "barrierscope/address_spaces.h"
#include "barrierscope/arithmetic.h"
#include "barrierscope/atomics.h"
#include "barrierscope/barriers.h"
#include "barrierscope/mathematics.h"
#include "barrierscope/memory.h"
#include "barrierscope/output.h"
#include "barrierscope/positions.h"
#include "barrierscope/simd.h"
#include "barrierscope/warp.h"
#endif
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "barrierscope/children.h"
#include "barrierscope/clusters.h"
#include "barrierscope/constants.h"
#include "barrierscope/host_api.h"
#include "barrierscope/managed.h"
#include "barrierscope/old_api.h"
#include "barrierscope/refused.h"
#include "barrierscope/textures_api.h"
#ifdef __CUDA__
#include "barrierscope/textures.h"
#endif
