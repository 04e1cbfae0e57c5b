// cuSOLVER: its types and numbers. What a program calls of it ends the program there.
#pragma once
#include "cublas_v2.h"
#include "cusolver_common.h"

typedef struct syevjInfo* syevjInfo_t;
typedef struct gesvdjInfo* gesvdjInfo_t;
typedef struct cusolverDnParams* cusolverDnParams_t;

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUSOLVER(M) \
  M(cusolverDnCreate) M(cusolverDnDestroy) M(cusolverDnSetStream) M(cusolverDnGetStream) \
  M(cusolverDnSpotrf_bufferSize) M(cusolverDnDpotrf_bufferSize) M(cusolverDnCpotrf_bufferSize) \
  M(cusolverDnZpotrf_bufferSize) M(cusolverDnSpotrf) M(cusolverDnDpotrf) M(cusolverDnCpotrf) \
  M(cusolverDnZpotrf) M(cusolverDnSpotrs) M(cusolverDnDpotrs) M(cusolverDnCpotrs) M(cusolverDnZpotrs) \
  M(cusolverDnSpotri) M(cusolverDnDpotri) M(cusolverDnCpotri) M(cusolverDnZpotri) \
  M(cusolverDnSpotri_bufferSize) M(cusolverDnDpotri_bufferSize) M(cusolverDnCpotri_bufferSize) \
  M(cusolverDnZpotri_bufferSize) M(cusolverDnSgetrf_bufferSize) M(cusolverDnDgetrf_bufferSize) \
  M(cusolverDnCgetrf_bufferSize) M(cusolverDnZgetrf_bufferSize) M(cusolverDnSgetrf) M(cusolverDnDgetrf) \
  M(cusolverDnCgetrf) M(cusolverDnZgetrf) M(cusolverDnSgetrs) M(cusolverDnDgetrs) M(cusolverDnCgetrs) \
  M(cusolverDnZgetrs) M(cusolverDnSgeqrf_bufferSize) M(cusolverDnDgeqrf_bufferSize) \
  M(cusolverDnCgeqrf_bufferSize) M(cusolverDnZgeqrf_bufferSize) M(cusolverDnSgeqrf) M(cusolverDnDgeqrf) \
  M(cusolverDnCgeqrf) M(cusolverDnZgeqrf) M(cusolverDnSgesvd_bufferSize) M(cusolverDnDgesvd_bufferSize) \
  M(cusolverDnCgesvd_bufferSize) M(cusolverDnZgesvd_bufferSize) M(cusolverDnSgesvd) M(cusolverDnDgesvd) \
  M(cusolverDnCgesvd) M(cusolverDnZgesvd) M(cusolverDnSgesvdj) M(cusolverDnDgesvdj) M(cusolverDnCgesvdj) \
  M(cusolverDnZgesvdj) M(cusolverDnSgesvdj_bufferSize) M(cusolverDnDgesvdj_bufferSize) \
  M(cusolverDnCgesvdj_bufferSize) M(cusolverDnZgesvdj_bufferSize) M(cusolverDnSgesvdjBatched) \
  M(cusolverDnDgesvdjBatched) M(cusolverDnCgesvdjBatched) M(cusolverDnZgesvdjBatched) \
  M(cusolverDnSpotrfBatched) M(cusolverDnDpotrfBatched) M(cusolverDnCpotrfBatched) M(cusolverDnZpotrfBatched) \
  M(cusolverDnSpotrsBatched) M(cusolverDnDpotrsBatched) M(cusolverDnCpotrsBatched) M(cusolverDnZpotrsBatched) \
  M(cusolverDnSormqr_bufferSize) M(cusolverDnDormqr_bufferSize) M(cusolverDnSormqr) M(cusolverDnDormqr) \
  M(cusolverDnSorgqr_bufferSize) M(cusolverDnDorgqr_bufferSize) M(cusolverDnSorgqr) M(cusolverDnDorgqr) \
  M(cusolverDnSsyevd_bufferSize) M(cusolverDnDsyevd_bufferSize) M(cusolverDnSsyevd) M(cusolverDnDsyevd) \
  M(cusolverDnSsyevj_bufferSize) M(cusolverDnDsyevj_bufferSize) M(cusolverDnSsyevj) M(cusolverDnDsyevj) \
  M(cusolverDnSsyevdx) M(cusolverDnDsyevdx) M(cusolverDnSsyevdx_bufferSize) M(cusolverDnDsyevdx_bufferSize) \
  M(cusolverDnSsygvd) M(cusolverDnDsygvd) M(cusolverDnSsygvd_bufferSize) M(cusolverDnDsygvd_bufferSize) \
  M(cusolverDnSsytrf) M(cusolverDnDsytrf) M(cusolverDnSsytrf_bufferSize) M(cusolverDnDsytrf_bufferSize) \
  M(cusolverDnCreateSyevjInfo) M(cusolverDnDestroySyevjInfo) M(cusolverDnXsyevjSetTolerance) \
  M(cusolverDnXsyevjSetMaxSweeps) M(cusolverDnCreateGesvdjInfo) M(cusolverDnDestroyGesvdjInfo) \
  M(cusolverDnXgesvdjSetTolerance) M(cusolverDnXgesvdjSetMaxSweeps) M(cusolverDnCreateParams) \
  M(cusolverDnDestroyParams) M(cusolverDnXgetrf) M(cusolverDnXgetrs) M(cusolverDnXgetrf_bufferSize) \
  M(cusolverDnXpotrf) M(cusolverDnXpotrs)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuSOLVER", cusolverStatus_t, name)
__BSCOPE_NOT_CUSOLVER(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUSOLVER
