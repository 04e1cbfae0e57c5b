// NCCL: its types and numbers. What a program calls of it ends the program there.
#pragma once
#include "barrierscope/library.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
} ncclResult_t;
typedef struct ncclComm* ncclComm_t;
typedef struct {
  char internal[128];
} ncclUniqueId;
typedef enum { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4 } ncclRedOp_t;
typedef enum {
  ncclInt8 = 0,
  ncclChar = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclInt = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclHalf = 6,
  ncclFloat32 = 7,
  ncclFloat = 7,
  ncclFloat64 = 8,
  ncclDouble = 8,
  ncclBfloat16 = 9
} ncclDataType_t;
static inline const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclSuccess ? "no error" : "an error of NCCL";
}

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_NCCL(M) \
  M(ncclGetVersion) M(ncclGetUniqueId) M(ncclCommInitRank) M(ncclCommInitAll) M(ncclCommInitRankConfig) \
  M(ncclCommDestroy) M(ncclCommAbort) M(ncclCommFinalize) M(ncclCommCount) M(ncclCommUserRank) \
  M(ncclCommCuDevice) M(ncclCommSplit) M(ncclCommGetAsyncError) M(ncclAllReduce) M(ncclBroadcast) M(ncclBcast) \
  M(ncclReduce) M(ncclAllGather) M(ncclReduceScatter) M(ncclSend) M(ncclRecv) M(ncclGroupStart) \
  M(ncclGroupEnd) M(ncclMemAlloc) M(ncclMemFree)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("NCCL", ncclResult_t, name)
__BSCOPE_NOT_NCCL(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_NCCL
