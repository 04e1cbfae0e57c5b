// In a page no other process makes folders, and equal programs are to be compiled by equal commands: what was
// compiled ahead is found by them (engine/cuda/web/ahead_tools.js).
#include "engine/cuda/toolchain/new_folder.hpp"

#include <string>
#include <system_error>

namespace bscope::cuda {

std::filesystem::path new_folder(const std::filesystem::path& place, const std::string& beginning) {
  for (int n = 1;; ++n) {
    std::error_code error;
    const std::filesystem::path folder = place / (beginning + std::to_string(n));
    if (std::filesystem::create_directory(folder, error)) return folder;
    if (error) return {};
  }
}

}  // namespace bscope::cuda
