// The machine code that comes with the program, and what is said where there is none.
#pragma once

#include <filesystem>
#include <string>

#include "engine/machine_code/launched_code.hpp"
#include "engine/machine_code/machine_code.hpp"
#include "engine/machine_code/occupancy.hpp"

namespace bscope {

/// Where it lies; empty: the program came without its assets.
std::filesystem::path machine_code_folder();
/// Why there is none: one sentence. Empty where there is.
std::string why_no_code(LaunchedCode::Availability);
/// "registers", "shared memory", "warps", "blocks".
std::string words_of(Occupancy::Resource);
/// "memory", "exchange between lanes", "arithmetic", "barrier", "control".
std::string words_of(MachineInstruction::Category);

}  // namespace bscope
