// The types of numbers that calls of libraries name.
#pragma once
#include "barrierscope/data_types.h"
#include "cuda_runtime.h"
