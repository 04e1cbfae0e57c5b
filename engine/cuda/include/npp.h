// NPP: the types and numbers that helper headers name. What a program calls of it is refused where it is
// called.
#pragma once
#define NV_NPPIDEFS_H
#include "cuda_runtime.h"

typedef enum {
  NPP_ERROR = -2,
  NPP_NO_ERROR = 0,
} NppStatus;
#define NPP_SUCCESS NPP_NO_ERROR
