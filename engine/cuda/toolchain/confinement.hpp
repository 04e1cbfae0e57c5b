// What a user's program, or a compiler, may do, as the kernel enforces it: it reads what it may, writes into
// one folder, and starts, connects to and ends nothing else.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>

#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/file_access.hpp"

namespace bscope::cuda {

struct Confinement {
  std::filesystem::path writable;           ///< the folder that it may write below
  MayRead readable = {};                    ///< beside that folder
  uint64_t memory = uint64_t(5) << 30;      ///< bytes of data, in all its processes together
  uint64_t file_bytes = uint64_t(1) << 30;  ///< of one file that it writes
  uint64_t all_bytes = uint64_t(3) << 30;   ///< of all files together
  uint64_t files = 2000;                    ///< that it makes
  unsigned threads = 1024;                  ///< at a time, in all its processes together
  unsigned seconds = 30;                    ///< of processor time, of each process
  bool processes = false;                   ///< it may start others, as compilers do
  enum Way : uint8_t {
    best,    ///< Landlock, or where the kernel has none a mount namespace
    mounts,  ///< a mount namespace in which all else is read-only
  } way = best;
};

/// What a compiler may do with the folder that it compiles in: a line of a program can ask it for everything
/// that the machine has.
Confinement for_a_compiler(const std::filesystem::path& folder, MayRead, unsigned seconds);

/// Made ready before a process forks, so that the child needs neither memory nor locks to enter it.
class Cage {
 public:
  explicit Cage(const Confinement&);
  ~Cage();
  /// In the child, before exec. What cannot be left behind any more holds from then on. Returns false where
  /// something that the kernel offers was refused.
  bool enter() const noexcept;
  /// The limit that this process has exceeded, with all that it has started: of its files together (also
  /// those that have no name any more), of threads, or of memory of every kind. The process that waits for
  /// its end polls this.
  Exceeded exceeded_by(pid_t) const;
  /// Whether writing outside the folder is prevented on this machine.
  bool keeps_files() const;
  /// Whether reading is limited to what MayRead lists. Only Landlock does that.
  bool keeps_reading() const;
  /// Whether it has a user and an IPC namespace of its own.
  bool has_namespaces() const;

 private:
  struct Restrictions;
  std::unique_ptr<const Restrictions> restrictions_;
};

}  // namespace bscope::cuda
