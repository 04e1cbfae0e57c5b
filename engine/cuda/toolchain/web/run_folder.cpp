// Folders in the memory of a page's worker, which has them for itself. They have the same names in each run:
// what was compiled ahead is found by its command (engine/cuda/web/ahead_tools.js).
#include "engine/cuda/toolchain/run_folder.hpp"

#include <string>
#include <system_error>

namespace bscope::cuda {

RunFolder::RunFolder() {
  for (int n = 0; path_.empty() || std::filesystem::exists(path_); ++n)
    path_ = "/barrierscope/work/run-" + std::to_string(n);
  std::filesystem::create_directories(path_);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace bscope::cuda
