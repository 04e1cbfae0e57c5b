// NCCL: the types and numbers that helper headers name. What a program calls of it is refused where it is
// called.
#pragma once
#include "cuda_runtime.h"

typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
} ncclResult_t;
typedef struct ncclComm* ncclComm_t;
