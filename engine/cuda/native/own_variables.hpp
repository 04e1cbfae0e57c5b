// Local variables of a function whose address cannot escape.
#pragma once

#include <vector>

#include "engine/cuda/machine/bytecode.hpp"

namespace bscope::cuda {

/// For each register the step of the variable that it points into, if that variable is the function's own:
/// its address goes into addresses and accesses of this function and nowhere else. -1: into none.
std::vector<int32_t> own_variables(const BytecodeFunction&);

}  // namespace bscope::cuda
