// All of it is in curand_kernel.h.
#pragma once
#include "curand_kernel.h"
