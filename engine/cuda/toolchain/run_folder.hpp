// A folder for one run of a user's program: its copies, what is compiled, what it writes. It is removed with
// its last user.
#pragma once

#include <filesystem>

#include "engine/trace/descriptor.hpp"

namespace bscope::cuda {

class RunFolder {
 public:
  /// A new one in the user's cache, or among temporary files where that cannot be written. Folders that a
  /// killed program has left there are taken away. Throws SystemError.
  RunFolder();
  ~RunFolder();
  RunFolder(RunFolder&&) noexcept = default;
  RunFolder& operator=(RunFolder&&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Descriptor lock_{-1};  ///< held as long as the folder is in use
};

}  // namespace bscope::cuda
