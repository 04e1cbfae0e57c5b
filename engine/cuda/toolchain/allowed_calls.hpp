// The system calls that a confined program may make. Every other call fails.
#pragma once

#include <linux/filter.h>

#include <cstddef>
#include <vector>

namespace bscope::cuda {

/// What a filter allows beside what all confined programs may do.
struct MayCall {
  bool processes = false;  ///< start processes, and set the rights of files, as compilers do
  bool truncation = true;  ///< truncate files by name: Landlock decides which
};

/// A seccomp filter, made by libseccomp before the child starts. Calls that were reviewed and are not in the
/// list fail with EPERM. Calls that are newer than the list fail with ENOSYS, as on an older kernel, so that
/// libraries fall back. Calls of another architecture end the process.
class AllowedCalls {
 public:
  /// Throws SystemError where libseccomp has no memory or no file.
  explicit AllowedCalls(const MayCall&);
  /// From now on, for this process and all that it becomes. Needs no memory. Returns false where the kernel
  /// has no seccomp.
  bool enforce() const noexcept;

 private:
  std::vector<sock_filter> filter_;
  std::vector<size_t> own_;  ///< where the process's own number belongs, which only the child knows
};

}  // namespace bscope::cuda
