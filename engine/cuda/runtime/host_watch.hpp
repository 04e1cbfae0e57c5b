// Sees the host's accesses to memory that an operation of the device may still be using. The accesses of
// compiled host code are no calls, so that the processor must tell of them: the pages that pending copies and
// kernels use cannot be read or written (mprotect) while the program is outside of CUDA's calls. The first
// access raises SIGSEGV, whose handler notes address and stack and makes the page accessible. The value is
// then as if the device had been quick; what the program does is not changed.
//
// Only pages are watched whose every byte such an operation uses (the rest of an array's last page belongs to
// no variable). So an access that the handler sees is always one of these bytes, right programs never
// come here, and no system call of theirs (read, write) fails with EFAULT. What falls through: accesses to a
// page that is used in part only.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/runtime/call_site.hpp"

namespace bscope::cuda {

/// An access of the host's to a watched page.
struct HostAccess {
  uintptr_t address = 0;
  bool writes = false;
  Stack stack;
};

class HostWatch {
 public:
  /// The one of this process.
  static HostWatch& get();

  /// Makes all pages accessible, before a call of CUDA's works on memory.
  void lift();
  /// Watches the pages that lie wholly in these ranges, sorted by address: `untouched` for every access,
  /// `unchanged` for writes. Replaces what was watched before.
  void place(const std::vector<AddressRange>& untouched, const std::vector<AddressRange>& unchanged);
  /// Watches what was watched before `lift`.
  void place_again();
  /// In the handler of SIGSEGV: whether the access was one to a watched page, so that it can be tried again.
  bool caught(uintptr_t address, bool writes) noexcept;
  /// What the handler has noted since the last time.
  std::vector<HostAccess> take_accesses();

 private:
  HostWatch() = default;
};

}  // namespace bscope::cuda
