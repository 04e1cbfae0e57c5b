// What a launch touches of the memory that outlives it, byte by byte: for the happens-before relation between
// streams and the host (engine/cuda/runtime/happens_before.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cuda/machine/machine.hpp"

namespace bscope::cuda {

/// Collects the accesses of a launch. One bit for each byte and kind of access.
class Footprint {
 public:
  enum Kind : uint8_t { read, written, updated };

  /// Notes an access of `bytes` bytes from `offset` on.
  void note(const Memory&, uint64_t offset, uint64_t bytes, Kind);
  /// Notes bytes that changed: by atomics where the memory has seen nothing but those, else by stores.
  void note_changed(const Memory&, uint64_t offset, uint64_t bytes);
  /// The launch tells the host of its progress while it runs: by a fence of the system's scope, or a
  /// volatile store to memory that the host reads.
  void note_message_to_host() { tells_host_ = true; }
  /// All of it as sorted ranges of addresses, adjacent ones joined. Memory whose accesses are scattered over
  /// more ranges than can be compared, or that is very large, is left out: nothing is claimed of it.
  MemoryUse use() const;
  void clear() { *this = {}; }

 private:
  struct Touched {
    const Memory* memory = nullptr;
    std::array<std::vector<uint64_t>, 3> bits;
  };
  std::vector<Touched> touched_;  ///< few: a kernel has few arrays
  bool tells_host_ = false;
};

}  // namespace bscope::cuda
