// All of it is in cuPrintf.cuh.
#pragma once
#include "cuPrintf.cuh"
