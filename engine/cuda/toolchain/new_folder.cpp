#include "engine/cuda/toolchain/new_folder.hpp"

#include <cstdlib>

namespace bscope::cuda {

std::filesystem::path new_folder(const std::filesystem::path& place, const std::string& beginning) {
  std::string name = (place / (beginning + "XXXXXX")).string();
  return ::mkdtemp(name.data()) ? std::filesystem::path(name) : std::filesystem::path();
}

}  // namespace bscope::cuda
