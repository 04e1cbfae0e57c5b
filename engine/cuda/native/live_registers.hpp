// Which registers a step may leave values in that later steps read.
#pragma once

#include <functional>
#include <vector>

#include "engine/cuda/machine/bytecode.hpp"

namespace bscope::cuda {

/// Of each step for which `wanted` holds, in their order: the registers that are live behind it, ascending.
/// The usual backward data-flow analysis, with one set for each target of a jump.
std::vector<std::vector<ir::Operand>> live_behind(
    const BytecodeFunction&,
    const std::function<bool(const BytecodeFunction&, const BytecodeInstruction&)>& wanted);

}  // namespace bscope::cuda
