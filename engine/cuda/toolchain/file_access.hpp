// Which files a confined program may read and write, by Landlock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/trace/descriptor.hpp"

namespace bscope::cuda {

/// What of the machine's files is read, beside the folder that is written.
struct MayRead {
  bool listed_only = false;  ///< only `files` and what all programs need of the system, not the whole disk
  std::vector<std::filesystem::path> files = {};  ///< files, and folders with all below them
};

/// The user's home folder: $HOME, or that of the password file; empty: none.
std::filesystem::path home_folder();

/// Devices without content of their own, which programs may use: no disk, no terminal, no shared memory.
inline constexpr const char* devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                          "/dev/urandom"};

/// All that may be read, as files and folders: what is listed, what of the system belongs to every program,
/// and without listed_only all files but devices, other programs' shared memory, and what in the home folder
/// begins with a dot (keys, tokens, histories).
std::vector<std::filesystem::path> all_readable(const MayRead&, const std::filesystem::path& home);

/// A ruleset of Landlock. It also refuses TCP (Linux 6.7), and signals and abstract sockets to processes
/// outside (Linux 6.12), where the kernel can.
class FileAccess {
 public:
  FileAccess() = default;  ///< none
  /// Nothing where the kernel has no Landlock. Throws SystemError where it has, and takes no rules.
  FileAccess(const std::filesystem::path& writable, const std::vector<std::filesystem::path>& readable);
  /// Whether this kernel has Landlock.
  bool can_enforce() const { return rules_.get() >= 0; }
  /// Whether it also covers truncating files by name (Linux 6.2).
  static bool covers_truncation();
  /// The version of Landlock's interface; 0: there is none.
  static int version();
  /// From now on. Needs no memory.
  bool enforce() const noexcept;

 private:
  Descriptor rules_{-1};
};

}  // namespace bscope::cuda
