// CUDA's runtime API as users' programs see it, without the templates that are for them: all that is
// visible of this library.
#pragma once

#define __BSCOPE_RUNTIME  // NOLINT(bugprone-reserved-identifier): users' programs have all other names
#pragma GCC visibility push(default)
#include "engine/cuda/include/barrierscope/host_api.h"
#include "engine/cuda/include/barrierscope/textures_api.h"
#pragma GCC visibility pop
