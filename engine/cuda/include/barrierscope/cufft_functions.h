// cuFFT, what libbarrierscope_cuda.so does of it: transforms of one to three dimensions, of float and double.
#pragma once

#include "data_types.h"
#include "host_types.h"

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20,
} cufftResult;
typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69,
} cufftType;
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1
#define CUFFT_VERSION 12000
#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;

extern "C" {
cufftResult cufftPlan1d(cufftHandle*, int n, cufftType, int batch);
cufftResult cufftPlan2d(cufftHandle*, int rows, int columns, cufftType);
cufftResult cufftPlan3d(cufftHandle*, int slices, int rows, int columns, cufftType);
cufftResult cufftPlanMany(cufftHandle*, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, cufftType, int batch);
cufftResult cufftCreate(cufftHandle*);
cufftResult cufftDestroy(cufftHandle);
cufftResult cufftMakePlan1d(cufftHandle, int n, cufftType, int batch, size_t* bytes);
cufftResult cufftMakePlan2d(cufftHandle, int rows, int columns, cufftType, size_t* bytes);
cufftResult cufftMakePlan3d(cufftHandle, int slices, int rows, int columns, cufftType, size_t* bytes);
cufftResult cufftMakePlanMany(cufftHandle, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType, int batch, size_t* bytes);
cufftResult cufftMakePlanMany64(cufftHandle, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, long long* onembed, long long ostride, long long odist,
                                cufftType, long long batch, size_t* bytes);
cufftResult cufftXtMakePlanMany(cufftHandle, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, cudaDataType from, long long* onembed, long long ostride,
                                long long odist, cudaDataType to, long long batch, size_t* bytes,
                                cudaDataType in_between);
cufftResult cufftEstimate1d(int n, cufftType, int batch, size_t* bytes);
cufftResult cufftEstimate2d(int rows, int columns, cufftType, size_t* bytes);
cufftResult cufftEstimate3d(int slices, int rows, int columns, cufftType, size_t* bytes);
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType, int batch, size_t* bytes);
cufftResult cufftGetSize(cufftHandle, size_t* bytes);
cufftResult cufftGetSize1d(cufftHandle, int n, cufftType, int batch, size_t* bytes);
cufftResult cufftGetSize2d(cufftHandle, int rows, int columns, cufftType, size_t* bytes);
cufftResult cufftGetSize3d(cufftHandle, int slices, int rows, int columns, cufftType, size_t* bytes);
cufftResult cufftGetSizeMany(cufftHandle, int rank, int* n, int* inembed, int istride, int idist,
                             int* onembed, int ostride, int odist, cufftType, int batch, size_t* bytes);
cufftResult cufftSetWorkArea(cufftHandle, void*);
cufftResult cufftSetAutoAllocation(cufftHandle, int);
cufftResult cufftSetStream(cufftHandle, cudaStream_t);
cufftResult cufftGetVersion(int*);
cufftResult cufftGetProperty(libraryPropertyType, int*);
cufftResult cufftExecC2C(cufftHandle, cufftComplex* from, cufftComplex* to, int direction);
cufftResult cufftExecR2C(cufftHandle, cufftReal* from, cufftComplex* to);
cufftResult cufftExecC2R(cufftHandle, cufftComplex* from, cufftReal* to);
cufftResult cufftExecZ2Z(cufftHandle, cufftDoubleComplex* from, cufftDoubleComplex* to, int direction);
cufftResult cufftExecD2Z(cufftHandle, cufftDoubleReal* from, cufftDoubleComplex* to);
cufftResult cufftXtExec(cufftHandle, void* from, void* to, int direction);
cufftResult cufftExecZ2D(cufftHandle, cufftDoubleComplex* from, cufftDoubleReal* to);
}
