// NVML: its types and numbers. What a program calls of it ends the program there.
#pragma once
#include "barrierscope/library.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_INVALID_ARGUMENT = 2,
  NVML_ERROR_NOT_SUPPORTED = 3,
  NVML_ERROR_NO_PERMISSION = 4,
  NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_INSUFFICIENT_SIZE = 7,
  NVML_ERROR_DRIVER_NOT_LOADED = 9,
  NVML_ERROR_UNKNOWN = 999,
} nvmlReturn_t;
typedef struct nvmlDevice_st* nvmlDevice_t;
typedef struct {
  unsigned int gpu, memory;
} nvmlUtilization_t;
typedef struct {
  unsigned long long total, free, used;
} nvmlMemory_t;
typedef enum { NVML_TEMPERATURE_GPU = 0 } nvmlTemperatureSensors_t;
typedef enum {
  NVML_CLOCK_GRAPHICS = 0,
  NVML_CLOCK_SM = 1,
  NVML_CLOCK_MEM = 2,
  NVML_CLOCK_VIDEO = 3
} nvmlClockType_t;
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
static inline const char* nvmlErrorString(nvmlReturn_t result) {
  return result == NVML_SUCCESS ? "Success" : "an error of NVML";
}

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_NVML(M) \
  M(nvmlInit) M(nvmlInit_v2) M(nvmlShutdown) M(nvmlDeviceGetCount) M(nvmlDeviceGetCount_v2) \
  M(nvmlDeviceGetHandleByIndex) M(nvmlDeviceGetHandleByIndex_v2) M(nvmlDeviceGetHandleByUUID) \
  M(nvmlDeviceGetHandleByPciBusId) M(nvmlDeviceGetName) M(nvmlDeviceGetUUID) M(nvmlDeviceGetIndex) \
  M(nvmlDeviceGetMemoryInfo) M(nvmlDeviceGetUtilizationRates) M(nvmlDeviceGetTemperature) \
  M(nvmlDeviceGetPowerUsage) M(nvmlDeviceGetEnforcedPowerLimit) M(nvmlDeviceGetTotalEnergyConsumption) \
  M(nvmlDeviceGetClockInfo) M(nvmlDeviceGetMaxClockInfo) M(nvmlDeviceGetFanSpeed) M(nvmlDeviceGetPciInfo) \
  M(nvmlDeviceSetGpuLockedClocks) M(nvmlDeviceResetGpuLockedClocks) M(nvmlDeviceSetApplicationsClocks) \
  M(nvmlSystemGetDriverVersion) M(nvmlSystemGetNVMLVersion) M(nvmlSystemGetCudaDriverVersion)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("NVML", nvmlReturn_t, name)
__BSCOPE_NOT_NVML(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_NVML
