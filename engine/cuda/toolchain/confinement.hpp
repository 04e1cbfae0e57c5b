// What a user's program may do, as the kernel enforces it: it reads what it likes, writes into one folder,
// and starts, connects to and ends nothing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/refused_calls.hpp"
#include "engine/trace/descriptor.hpp"

namespace bscope::cuda {

struct Confinement {
  std::filesystem::path writable;           ///< the folder that it may write below
  uint64_t memory = uint64_t(5) << 30;      ///< bytes of data
  uint64_t file_bytes = uint64_t(1) << 30;  ///< of one file that it writes
  uint64_t all_bytes = uint64_t(3) << 30;   ///< of all files together
  uint64_t files = 2000;                    ///< that it makes
  unsigned threads = 1024;                  ///< at a time
  unsigned seconds = 30;                    ///< of processor time
  bool processes = false;                   ///< it may start others, as compilers do
  enum Way : uint8_t {
    best,    ///< Landlock, or where the kernel has none a mount namespace
    mounts,  ///< a mount namespace in which all else is read-only
  } way = best;
};

/// What a compiler may do with the folder that it compiles in: a line of a program can ask it for everything
/// that the machine has.
Confinement for_a_compiler(const std::filesystem::path& folder, unsigned seconds);

/// Made ready before a process forks, so that the child needs neither memory nor locks to enter it.
class Cage {
 public:
  explicit Cage(const Confinement&);
  /// In the child, before exec. What cannot be left behind any more holds from then on. Returns false where
  /// something that the kernel offers was refused.
  bool enter() const noexcept;
  /// The limit that this process has exceeded: of its files together (also those that have no name any more),
  /// of its threads, or of memory that it shares. The process that waits for its end polls this.
  Exceeded exceeded_by(pid_t) const;
  /// Whether writing outside the folder is prevented on this machine.
  bool keeps_files() const { return landlock_.get() >= 0 || can_mount_; }

 private:
  bool limit() const noexcept;
  bool drop_privileges() const noexcept;
  bool remount() const noexcept;

  Confinement what_;
  Descriptor landlock_{-1};
  RefusedCalls calls_;
  bool can_mount_ = false;
  uint64_t files_before_ = 0;
  std::string users_, groups_;  ///< as a namespace maps them: to themselves
};

}  // namespace bscope::cuda
