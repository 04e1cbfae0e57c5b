// Users' own programs on the terms of an assignment.
#pragma once

#include <memory>
#include <utility>

#include "app/run/own_program.hpp"
#include "engine/cuda/toolchain/terms.hpp"

namespace bscope {

/// As trace_program(Target) does.
std::pair<Trace, std::shared_ptr<const cuda::ProgramRun>> trace_program(const Target&, const cuda::Terms&);

}  // namespace bscope
