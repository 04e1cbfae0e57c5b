// CUDA's runtime API as people's programs see it, without the templates that are for them: all that is
// visible of this library.
#pragma once

#define __BSCOPE_RUNTIME  // NOLINT(bugprone-reserved-identifier): people's programs have all other names
#pragma GCC visibility push(default)
#include "engine/cuda/include/barrierscope/host_api.h"
#pragma GCC visibility pop
