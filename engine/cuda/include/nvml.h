// NVML: the types and numbers that helper headers name. What a program calls of it is refused where it is
// called.
#pragma once

typedef enum {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_UNKNOWN = 999,
} nvmlReturn_t;
typedef struct nvmlDevice_st* nvmlDevice_t;
