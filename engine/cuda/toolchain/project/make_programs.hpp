// The programs that a Makefile builds.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/cuda/toolchain/project/project.hpp"
#include "engine/cuda/toolchain/project/project_files.hpp"

namespace bscope::cuda {

/// Their files and options: those of the lines that compile and link, and of the lines that make the objects.
std::vector<ProjectProgram> programs_of_makefile(const std::filesystem::path&, ProjectFiles&);

}  // namespace bscope::cuda
