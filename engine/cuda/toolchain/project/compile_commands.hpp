// The programs of a compile_commands.json.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/cuda/toolchain/project/project.hpp"
#include "engine/cuda/toolchain/project/project_files.hpp"

namespace bscope::cuda {

/// The file says how each source is compiled, and not what is linked. CMake names the target in the object's
/// path; where nothing is named, each file with a main makes a program with all files that have none.
std::vector<ProjectProgram> programs_of_compile_commands(const std::filesystem::path&, ProjectFiles&);

}  // namespace bscope::cuda
