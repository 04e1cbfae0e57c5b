// Where no program can be compiled, as in a browser: build files are read elsewhere.
#include "engine/cuda/toolchain/project/project.hpp"

#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/project/nvcc_step.hpp"

namespace bscope::cuda {

bool is_build_file(const std::filesystem::path&) { return false; }
std::filesystem::path build_file_in(const std::filesystem::path&) { return {}; }

Program program_of_project(const std::string&, const std::string&, const Program&) {
  throw NoToolchain(message("a page cannot compile CUDA: `nvcc` is for a computer"));
}

NvccStep nvcc_step(const std::vector<std::string>&, const std::string&) {
  throw NoToolchain(message("a page cannot compile CUDA: `nvcc` is for a computer"));
}
std::optional<Program> linked_program(const std::filesystem::path&) { return {}; }

}  // namespace bscope::cuda
