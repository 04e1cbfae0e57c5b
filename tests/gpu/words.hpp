// Kernels that say every word of the dialect that the catalog's kernels leave out, and one that goes wrong:
// on both executors, outside the catalog.
#pragma once

#include <string>

#include "engine/trace/trace.hpp"

namespace bscope::tests {

/// n input values, blocks of whole warps.
Trace words_on_cpu(int n, int block);
Trace words_on_gpu(int n, int block);
/// The name of such a run in recorded files: "test/words n=31 block=64".
std::string words_key(int n, int block);

/// The same of every atomic on every type that has it: "test/atomics n=31 block=64".
Trace atomics_on_cpu(int n, int block);
Trace atomics_on_gpu(int n, int block);
std::string atomics_key(int n, int block);

/// Thread 5 of one block of 32 reads data[n] before the only barrier.
Trace out_of_bounds_on_cpu();
Trace out_of_bounds_on_gpu();

}  // namespace bscope::tests
