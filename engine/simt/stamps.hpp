// What the stamped form of a kernel writes down on a GPU: when each warp began, came to each place and ended,
// and where it ran. engine/timing/timeline.hpp makes a timeline of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/simt/element.hpp"

namespace bscope {

/// One word of a warp's log: what happened, in which line, and the low bits of its multiprocessor's
/// clock64().
struct Stamp {
  enum Kind : uint8_t {
    phase,    ///< came to t.phase()
    arrival,  ///< all its threads have come to t.sync()
    release   ///< was let go on
  };
  static constexpr int clock_bits = 48, line_bits = 14;
  static constexpr uint64_t clock_mask = (uint64_t(1) << clock_bits) - 1;
  static constexpr ANYWHERE uint64_t word(Kind kind, uint32_t line) {
    return uint64_t(kind) << (clock_bits + line_bits) | uint64_t(line & ((1u << line_bits) - 1))
                                                            << clock_bits;
  }
  static constexpr Kind kind_of(uint64_t word) { return Kind(word >> (clock_bits + line_bits)); }
  static constexpr int line_of(uint64_t word) { return int(word >> clock_bits & ((1u << line_bits) - 1)); }
};

/// One warp. Clocks are its multiprocessor's, in cycles; times are the GPU's own, in nanoseconds.
struct WarpStamps {
  uint64_t begin_clock, begin_time, end_clock, end_time;
  uint32_t multiprocessor, count;  ///< stamps that it made: no more than there is room for were kept
};

/// A launch in its stamped form, as it comes from a GPU.
struct StampedLaunch {
  std::string name;
  int grid = 1, block = 1;
  uint32_t shared_bytes = 0;
  int registers = 0, untraced_registers = 0;  ///< of a thread, in the stamped form and in the untraced one
  int resident = 0, untraced_resident = 0;    ///< blocks that fit on a multiprocessor, likewise
  uint32_t room = 0;                          ///< words of each warp
  std::vector<WarpStamps> warps = {};         ///< block by block
  std::vector<uint64_t> words = {};           ///< `room` of each warp

  int warps_of_block() const { return (block + 31) / 32; }
};

}  // namespace bscope
