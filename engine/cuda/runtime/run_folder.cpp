#include <cstdlib>
#include <stdexcept>

#include "engine/cuda/runtime/settings.hpp"

namespace bscope::cuda {

std::filesystem::path run_folder() {
  const char* const folder = std::getenv("BARRIERSCOPE_RUN");
  if (!folder)
    throw std::runtime_error("this program was built to be run by barrierscope: barrierscope FILE.cu");
  return folder;
}

}  // namespace bscope::cuda
