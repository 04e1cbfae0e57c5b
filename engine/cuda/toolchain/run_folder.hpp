// A folder for one run of a user's program: its copies, what is compiled, what it writes. It is removed with
// its last user.
#pragma once

#include <filesystem>
#include <vector>

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

/// Makes `folder` look like `original` to a program that reads: a link for each of its entries, and
/// above it for those of the folders that it lies in, three at most. Returns where to stand: a folder that
/// the program may write to.
std::filesystem::path mirrored(const std::filesystem::path& original, const std::filesystem::path& folder);
/// Links in `folder` for those entries of `original` whose names are not taken there.
void add_links(const std::filesystem::path& original, const std::filesystem::path& folder);
/// The same folders, with links for these files alone.
std::filesystem::path mirrored(const std::filesystem::path& original, const std::filesystem::path& folder,
                               const std::vector<std::filesystem::path>& files);

}  // namespace bscope::cuda
