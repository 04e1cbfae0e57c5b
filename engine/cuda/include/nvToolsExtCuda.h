// Where it stood before NVTX was headers alone.
#pragma once
#include <nvtx3/nvToolsExtCuda.h>
