// The outcome of a user's own program, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/cuda/toolchain/own_program.hpp"

namespace bscope {

/// The member "program" of what show and check write.
nlohmann::ordered_json program_json(const cuda::ProgramRun&);

}  // namespace bscope
