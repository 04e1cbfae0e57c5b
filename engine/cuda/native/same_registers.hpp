// Which registers hold the same in all threads of a block.
#pragma once

#include <vector>

#include "engine/cuda/machine/bytecode.hpp"

namespace bscope::cuda {

/// For each register of a kernel whether all threads that come to a step have the same in it. The usual
/// divergence analysis: what differs are indices of threads and what is loaded, what is computed from them,
/// and what is set between a branch on them and the step where its ways meet again.
std::vector<bool> same_in_all_threads(const BytecodeFunction& kernel);

/// Steps that control may come to from a step; those behind the last one are not among them.
std::vector<int32_t> steps_behind(const BytecodeFunction&, size_t step);

}  // namespace bscope::cuda
