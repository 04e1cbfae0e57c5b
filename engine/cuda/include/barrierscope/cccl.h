// What the headers of libcu++, CUB and Thrust ask before they are included.
#pragma once

// Types that they cannot be had with here.
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_FP8_SUPPORT
// Ranges for NVIDIA's profilers.
#define CCCL_DISABLE_NVTX
// clang refuses their [[deprecated]] where it stands.
#define CCCL_IGNORE_DEPRECATED_API
