// The words kernels are written in. Untraced, T is int and a[i] is int&. Traced, T is a value that knows the
// event that made it, and a[i] is a place that has not been touched yet.
#pragma once

#include "engine/simt/array.hpp"
#include "engine/simt/atomic.hpp"
#include "engine/simt/bulk.hpp"
#include "engine/simt/counted.hpp"
