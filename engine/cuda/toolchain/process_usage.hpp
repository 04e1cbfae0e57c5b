// What running processes take of the machine, as /proc tells.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace bscope::cuda {

struct ProcessUsage {
  uint64_t memory = 0;         ///< bytes: its own and shared pages, in memory or swapped out, and page tables
  uint64_t unnamed_bytes = 0;  ///< on the disk, of open files that no folder lists any more
  unsigned threads = 0;
};
/// Of one process; with `session`, of all processes whose session it leads. Zeros where it has ended.
ProcessUsage usage_of(pid_t, bool session);

}  // namespace bscope::cuda
