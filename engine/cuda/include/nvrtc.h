// NVRTC: the types and numbers that helper headers name. What a program calls of it is refused where it is
// called.
#pragma once

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_COMPILATION = 6,
} nvrtcResult;
typedef struct _nvrtcProgram* nvrtcProgram;
