// The programs that a CMakeLists.txt builds.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/cuda/toolchain/project/project.hpp"
#include "engine/cuda/toolchain/project/project_files.hpp"

namespace bscope::cuda {

/// Their files and options, with those of the project's own libraries that they are linked with.
std::vector<ProjectProgram> programs_of_cmake(const std::filesystem::path&, ProjectFiles&);

}  // namespace bscope::cuda
