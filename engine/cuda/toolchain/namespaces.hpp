// The namespaces that a confined program lives in: a user without rights elsewhere, System V objects of its
// own, and where the kernel has no Landlock, mounts that it can only read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bscope::cuda {

class Namespaces {
 public:
  /// Prepares them, and tries them in a child: distributions refuse them in different ways.
  /// `writable`: the mounts become read-only but for this folder, and `hidden` is covered; empty: mounts stay
  /// as they are.
  explicit Namespaces(const std::filesystem::path& writable = {},
                      const std::vector<std::filesystem::path>& hidden = {});
  bool can_enter() const { return possible_; }
  bool enter() const noexcept;

 private:
  bool mount_read_only() const noexcept;

  std::string writable_, users_, groups_;  ///< as a namespace maps them: to themselves
  std::vector<std::string> hidden_folders_, hidden_files_;
  bool possible_ = false;
};

}  // namespace bscope::cuda
