#include "engine/cuda/toolchain/paths.hpp"

namespace bscope::cuda {

namespace fs = std::filesystem;

fs::path absolute_path(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path from_there = path.lexically_relative(folder);
  return !from_there.empty() && *from_there.begin() != "..";
}

}  // namespace bscope::cuda
