// Local variables of a function whose address cannot escape.
#pragma once

#include <vector>

#include "engine/cuda/machine/bytecode.hpp"

namespace bscope::cuda {

/// How often each register is set; parameters are, by the caller.
std::vector<int> times_set(const BytecodeFunction&);

/// For each register the step of the variable that it points into, if that variable is the function's own:
/// its address goes into addresses and accesses of this function and nowhere else. -1: into none.
std::vector<int32_t> own_variables(const BytecodeFunction&);

/// The function with those of its own variables in registers that are always accessed as a whole. Its
/// analyses see them: what is live, what is the same in all threads.
BytecodeFunction with_variables_in_registers(BytecodeFunction);

}  // namespace bscope::cuda
