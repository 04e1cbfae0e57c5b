// Expressions of the source, as far as they can be read off the device code that clang makes with -O0.
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/ir/module.hpp"

namespace bscope::cuda::ir {

/// What the source calls a value: "row * 100000000", "a[i]", "threadIdx.x". Empty where that cannot be said.
std::string expression_text(const Function&, Operand);
/// The variables (keys of Function::variables) that a value is computed from.
std::vector<Operand> variables_in(const Function&, Operand);
/// The instruction that makes a register's value; nullptr: none, or it is a variable, which many may set.
const Instruction* instruction_making(const Function&, Operand);
/// An operand without the copies and casts that change nothing of an integer but its width.
Operand without_casts(const Function&, Operand);

}  // namespace bscope::cuda::ir
