// Folders in the memory of a page's worker, which has them for itself.
#include "engine/cuda/toolchain/run_folder.hpp"

#include <string>
#include <system_error>

namespace bscope::cuda {

RunFolder::RunFolder() {
  static int count = 0;
  path_ = "/barrierscope/work/run-" + std::to_string(count++);
  std::filesystem::create_directories(path_);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace bscope::cuda
