// NPP: its types and numbers. What a program calls of it ends the program there.
#pragma once
#define NV_NPPIDEFS_H
#include "barrierscope/library.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  NPP_ERROR = -2,
  NPP_NO_ERROR = 0,
} NppStatus;
#define NPP_SUCCESS NPP_NO_ERROR
typedef unsigned char Npp8u;
typedef signed char Npp8s;
typedef unsigned short Npp16u;
typedef short Npp16s;
typedef unsigned int Npp32u;
typedef int Npp32s;
typedef unsigned long long Npp64u;
typedef long long Npp64s;
typedef float Npp32f;
typedef double Npp64f;
typedef struct {
  int width, height;
} NppiSize;
typedef struct {
  int x, y;
} NppiPoint;
typedef struct {
  int x, y, width, height;
} NppiRect;
typedef enum {
  NPP_MASK_SIZE_1_X_3,
  NPP_MASK_SIZE_1_X_5,
  NPP_MASK_SIZE_3_X_1 = 100,
  NPP_MASK_SIZE_5_X_1,
  NPP_MASK_SIZE_3_X_3 = 200,
  NPP_MASK_SIZE_5_X_5
} NppiMaskSize;
typedef enum {
  NPPI_INTER_NN = 1,
  NPPI_INTER_LINEAR = 2,
  NPPI_INTER_CUBIC = 4,
  NPPI_INTER_SUPER = 8,
  NPPI_INTER_LANCZOS = 16
} NppiInterpolationMode;
typedef enum {
  NPP_BORDER_UNDEFINED = 0,
  NPP_BORDER_NONE = 0,
  NPP_BORDER_CONSTANT = 1,
  NPP_BORDER_REPLICATE = 2,
  NPP_BORDER_WRAP = 3
} NppiBorderType;
typedef enum { NPPI_HORIZONTAL_AXIS, NPPI_VERTICAL_AXIS, NPPI_BOTH_AXIS } NppiAxis;
typedef enum { NPP_CMP_LESS, NPP_CMP_LESS_EQ, NPP_CMP_EQ, NPP_CMP_GREATER_EQ, NPP_CMP_GREATER } NppCmpOp;
typedef struct {
  cudaStream_t hStream;
  int nCudaDeviceId, nMultiProcessorCount, nMaxThreadsPerMultiProcessor, nMaxThreadsPerBlock;
  size_t nSharedMemPerBlock;
  int nCudaDevAttrComputeCapabilityMajor, nCudaDevAttrComputeCapabilityMinor;
  unsigned int nStreamFlags;
} NppStreamContext;
typedef struct {
  int major, minor, build;
} NppLibraryVersion;

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_NPP(M) \
  M(nppSetStream) M(nppGetStreamContext) M(nppiFilter_8u_C1R) M(nppiFilterBox_8u_C1R) \
  M(nppiFilterBoxBorder_8u_C1R) M(nppiFilterGauss_8u_C1R) M(nppiFilterGaussBorder_8u_C1R) \
  M(nppiFilterSobelHoriz_8u_C1R) M(nppiFilterSobelVert_8u_C1R) M(nppiFilterMedian_8u_C1R) M(nppiResize_8u_C1R) \
  M(nppiRotate_8u_C1R) M(nppiMirror_8u_C1R) M(nppiAdd_8u_C1R) M(nppiSub_8u_C1R) M(nppiMul_8u_C1R) \
  M(nppiDiv_8u_C1R) M(nppiAbsDiff_8u_C1R) M(nppiSet_8u_C1R) M(nppiCopy_8u_C1R) M(nppiThreshold_8u_C1R) \
  M(nppiCompareC_8u_C1R) M(nppiLUT_Linear_8u_C1R) M(nppiFilter_8u_C3R) M(nppiFilterBox_8u_C3R) \
  M(nppiFilterBoxBorder_8u_C3R) M(nppiFilterGauss_8u_C3R) M(nppiFilterGaussBorder_8u_C3R) \
  M(nppiFilterSobelHoriz_8u_C3R) M(nppiFilterSobelVert_8u_C3R) M(nppiFilterMedian_8u_C3R) M(nppiResize_8u_C3R) \
  M(nppiRotate_8u_C3R) M(nppiMirror_8u_C3R) M(nppiAdd_8u_C3R) M(nppiSub_8u_C3R) M(nppiMul_8u_C3R) \
  M(nppiDiv_8u_C3R) M(nppiAbsDiff_8u_C3R) M(nppiSet_8u_C3R) M(nppiCopy_8u_C3R) M(nppiThreshold_8u_C3R) \
  M(nppiCompareC_8u_C3R) M(nppiLUT_Linear_8u_C3R) M(nppiFilter_8u_C4R) M(nppiFilterBox_8u_C4R) \
  M(nppiFilterBoxBorder_8u_C4R) M(nppiFilterGauss_8u_C4R) M(nppiFilterGaussBorder_8u_C4R) \
  M(nppiFilterSobelHoriz_8u_C4R) M(nppiFilterSobelVert_8u_C4R) M(nppiFilterMedian_8u_C4R) M(nppiResize_8u_C4R) \
  M(nppiRotate_8u_C4R) M(nppiMirror_8u_C4R) M(nppiAdd_8u_C4R) M(nppiSub_8u_C4R) M(nppiMul_8u_C4R) \
  M(nppiDiv_8u_C4R) M(nppiAbsDiff_8u_C4R) M(nppiSet_8u_C4R) M(nppiCopy_8u_C4R) M(nppiThreshold_8u_C4R) \
  M(nppiCompareC_8u_C4R) M(nppiLUT_Linear_8u_C4R) M(nppiFilter_16u_C1R) M(nppiFilterBox_16u_C1R) \
  M(nppiFilterBoxBorder_16u_C1R) M(nppiFilterGauss_16u_C1R) M(nppiFilterGaussBorder_16u_C1R) \
  M(nppiFilterSobelHoriz_16u_C1R) M(nppiFilterSobelVert_16u_C1R) M(nppiFilterMedian_16u_C1R) \
  M(nppiResize_16u_C1R) M(nppiRotate_16u_C1R) M(nppiMirror_16u_C1R) M(nppiAdd_16u_C1R) M(nppiSub_16u_C1R) \
  M(nppiMul_16u_C1R) M(nppiDiv_16u_C1R) M(nppiAbsDiff_16u_C1R) M(nppiSet_16u_C1R) M(nppiCopy_16u_C1R) \
  M(nppiThreshold_16u_C1R) M(nppiCompareC_16u_C1R) M(nppiLUT_Linear_16u_C1R) M(nppiFilter_16s_C1R) \
  M(nppiFilterBox_16s_C1R) M(nppiFilterBoxBorder_16s_C1R) M(nppiFilterGauss_16s_C1R) \
  M(nppiFilterGaussBorder_16s_C1R) M(nppiFilterSobelHoriz_16s_C1R) M(nppiFilterSobelVert_16s_C1R) \
  M(nppiFilterMedian_16s_C1R) M(nppiResize_16s_C1R) M(nppiRotate_16s_C1R) M(nppiMirror_16s_C1R) \
  M(nppiAdd_16s_C1R) M(nppiSub_16s_C1R) M(nppiMul_16s_C1R) M(nppiDiv_16s_C1R) M(nppiAbsDiff_16s_C1R) \
  M(nppiSet_16s_C1R) M(nppiCopy_16s_C1R) M(nppiThreshold_16s_C1R) M(nppiCompareC_16s_C1R) \
  M(nppiLUT_Linear_16s_C1R) M(nppiFilter_32s_C1R) M(nppiFilterBox_32s_C1R) M(nppiFilterBoxBorder_32s_C1R) \
  M(nppiFilterGauss_32s_C1R) M(nppiFilterGaussBorder_32s_C1R) M(nppiFilterSobelHoriz_32s_C1R) \
  M(nppiFilterSobelVert_32s_C1R) M(nppiFilterMedian_32s_C1R) M(nppiResize_32s_C1R) M(nppiRotate_32s_C1R) \
  M(nppiMirror_32s_C1R) M(nppiAdd_32s_C1R) M(nppiSub_32s_C1R) M(nppiMul_32s_C1R) M(nppiDiv_32s_C1R) \
  M(nppiAbsDiff_32s_C1R) M(nppiSet_32s_C1R) M(nppiCopy_32s_C1R) M(nppiThreshold_32s_C1R) \
  M(nppiCompareC_32s_C1R) M(nppiLUT_Linear_32s_C1R) M(nppiFilter_32f_C1R) M(nppiFilterBox_32f_C1R) \
  M(nppiFilterBoxBorder_32f_C1R) M(nppiFilterGauss_32f_C1R) M(nppiFilterGaussBorder_32f_C1R) \
  M(nppiFilterSobelHoriz_32f_C1R) M(nppiFilterSobelVert_32f_C1R) M(nppiFilterMedian_32f_C1R) \
  M(nppiResize_32f_C1R) M(nppiRotate_32f_C1R) M(nppiMirror_32f_C1R) M(nppiAdd_32f_C1R) M(nppiSub_32f_C1R) \
  M(nppiMul_32f_C1R) M(nppiDiv_32f_C1R) M(nppiAbsDiff_32f_C1R) M(nppiSet_32f_C1R) M(nppiCopy_32f_C1R) \
  M(nppiThreshold_32f_C1R) M(nppiCompareC_32f_C1R) M(nppiLUT_Linear_32f_C1R) M(nppiFilter_32f_C3R) \
  M(nppiFilterBox_32f_C3R) M(nppiFilterBoxBorder_32f_C3R) M(nppiFilterGauss_32f_C3R) \
  M(nppiFilterGaussBorder_32f_C3R) M(nppiFilterSobelHoriz_32f_C3R) M(nppiFilterSobelVert_32f_C3R) \
  M(nppiFilterMedian_32f_C3R) M(nppiResize_32f_C3R) M(nppiRotate_32f_C3R) M(nppiMirror_32f_C3R) \
  M(nppiAdd_32f_C3R) M(nppiSub_32f_C3R) M(nppiMul_32f_C3R) M(nppiDiv_32f_C3R) M(nppiAbsDiff_32f_C3R) \
  M(nppiSet_32f_C3R) M(nppiCopy_32f_C3R) M(nppiThreshold_32f_C3R) M(nppiCompareC_32f_C3R) \
  M(nppiLUT_Linear_32f_C3R) M(nppiFilterBox_8u_C1R_Ctx) M(nppiFilterBoxBorder_8u_C1R_Ctx) \
  M(nppiResize_8u_C1R_Ctx) M(nppiRotate_8u_C1R_Ctx) M(nppiAbsDiff_8u_C1R_Ctx) M(nppiCompareC_8u_C1R_Ctx) \
  M(nppiMirror_8u_C1R_Ctx) M(nppiFilterBox_8u_C3R_Ctx) M(nppiFilterBoxBorder_8u_C3R_Ctx) \
  M(nppiResize_8u_C3R_Ctx) M(nppiRotate_8u_C3R_Ctx) M(nppiAbsDiff_8u_C3R_Ctx) M(nppiCompareC_8u_C3R_Ctx) \
  M(nppiMirror_8u_C3R_Ctx) M(nppiFilterBox_32f_C1R_Ctx) M(nppiFilterBoxBorder_32f_C1R_Ctx) \
  M(nppiResize_32f_C1R_Ctx) M(nppiRotate_32f_C1R_Ctx) M(nppiAbsDiff_32f_C1R_Ctx) M(nppiCompareC_32f_C1R_Ctx) \
  M(nppiMirror_32f_C1R_Ctx) M(nppiRGBToGray_8u_C3C1R) M(nppiRGBToGray_8u_AC4C1R) M(nppiHistogramEven_8u_C1R) \
  M(nppiFilterCannyBorder_8u_C1R) M(nppsSum_32f) M(nppsSumGetBufferSize_32f) M(nppsMax_32f) M(nppsMin_32f) \
  M(nppsAdd_32f) M(nppsMulC_32f_I)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("NPP", NppStatus, name)
__BSCOPE_NOT_NPP(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_NPP
