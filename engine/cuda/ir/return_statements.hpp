// Which jumps to a function's end are `return` statements of the source.
#pragma once

#include <vector>

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/ir/natural_loops.hpp"

namespace bscope::cuda::ir {

/// Of each block whether it ends with a `return` before the source's last line. A function that clang does
/// not optimise has one `ret`, which the ends of a last `if` or loop lead to as well; where the two look
/// alike, the answer is no.
std::vector<bool> return_statements(const Function&, const NaturalLoops&);

}  // namespace bscope::cuda::ir
