// How a kernel of two dimensions uses an array that was declared flat, as cudaMalloc gives it: the rows of a
// matrix.
#pragma once

#include <vector>

#include "engine/trace/trace.hpp"

namespace bscope::cuda {

/// Rows of each global array as the trace's launches of two dimensions index it: threads side by side reach
/// cells side by side, threads one below the other cells a row apart (or the other way round, or a loop goes
/// down a column). 1 where the launches have one dimension, do not agree, or the rows would not fill the
/// array.
std::vector<int> used_rows(const Trace&);

}  // namespace bscope::cuda
