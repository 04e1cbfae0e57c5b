// The host side of an algorithm: the machine that its program is given, this half's.
#pragma once

#include "engine/simt/buffer.hpp"
#include "engine/simt/dialect.hpp"
#ifdef __CUDACC__
#include "engine/simt/gpu_program.hpp"
#else
#include "engine/simt/cpu_program.hpp"
#endif
