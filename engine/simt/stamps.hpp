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
    release,  ///< was let go on
    seen,     ///< what it waited for is there
    wait,     ///< came to where it waits for what a tile's block publishes, or for the copy engine
    tile,     ///< began to work on this tile
    publish,  ///< has published what others wait for, of this tile
    number    ///< no place of its own: the tiles that the word before is about
  };
  static constexpr int clock_bits = 48, line_bits = 13;
  static constexpr uint64_t clock_mask = (uint64_t(1) << clock_bits) - 1;
  static constexpr ANYWHERE uint64_t word(Kind kind, uint32_t line) {
    return uint64_t(kind) << (clock_bits + line_bits) | uint64_t(line & ((1u << line_bits) - 1))
                                                            << clock_bits;
  }
  static constexpr Kind kind_of(uint64_t word) { return Kind(word >> (clock_bits + line_bits)); }
  static constexpr int line_of(uint64_t word) { return int(word >> clock_bits & ((1u << line_bits) - 1)); }
  /// Whether it is about tiles. Then a word with their numbers follows.
  static constexpr ANYWHERE bool is_numbered(Kind kind) { return kind >= wait && kind < number; }
  static constexpr int tile_bits = clock_bits / 2;
  static constexpr ANYWHERE uint64_t tiles_word(long long first, long long last) {
    return word(number, 0) | uint64_t(first + 1) << tile_bits | uint64_t(last + 1);
  }
};

/// The tiles that a place of a warp's way is about. None: the copy engine.
struct StampedTiles {
  long long first = -1, last = -1;
  static constexpr StampedTiles of(uint64_t word) {
    constexpr uint64_t mask = (uint64_t(1) << Stamp::tile_bits) - 1;
    return {(long long)(word >> Stamp::tile_bits & mask) - 1, (long long)(word & mask) - 1};
  }
  bool operator==(const StampedTiles&) const = default;
};

/// What a kernel says of itself for its stamped form alone: nothing of it is in a trace, nor in what is
/// timed.
struct Unstamped {
  ANYWHERE void works_on(long long) const {}           ///< its block has taken this tile
  ANYWHERE void awaits(long long, long long) const {}  ///< what the tiles from the first to the last publish
  ANYWHERE void awaits_copy() const {}                 ///< what the copy engine brings
  ANYWHERE void goes_on() const {}                     ///< it is there; said by all lanes of a warp
  ANYWHERE void has_published(long long) const {}      ///< of this tile, what others wait for; likewise
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
  uint32_t padding = 0;                       ///< of these, what no array uses: it keeps other blocks away
  int registers = 0, untraced_registers = 0;  ///< of a thread, in the stamped form and in the untraced one
  int resident = 0, untraced_resident = 0;    ///< blocks that fit on a multiprocessor, likewise
  uint32_t room = 0;                          ///< words of each warp
  std::vector<WarpStamps> warps = {};         ///< block by block
  std::vector<uint64_t> words = {};           ///< `room` of each warp

  int warps_of_block() const { return (block + 31) / 32; }
};

}  // namespace bscope
