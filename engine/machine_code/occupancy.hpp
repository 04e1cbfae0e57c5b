// How many blocks a multiprocessor holds at a time, and what keeps it from holding more: the rules that the
// CUDA C++ Programming Guide publishes for each compute capability ("Technical Specifications", and what the
// occupancy calculator says of the units in which registers and shared memory are given out).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bscope {

/// What a multiprocessor has.
struct Multiprocessor {
  int warps = 64, blocks = 32;
  int registers = 65536;
  int partitions = 4;               ///< a warp's registers are those of one of them
  int register_unit = 256;          ///< registers are given to a warp in such pieces
  uint32_t shared = 228 << 10;      ///< bytes
  uint32_t shared_reserved = 1024;  ///< of them, for the system, with each block
  uint32_t shared_unit = 128;       ///< bytes are given to a block in such pieces
  uint32_t shared_of_block = 227 << 10;
};
/// Compute capability 9.0: H100, H200.
inline constexpr Multiprocessor sm_90{};
/// Of "sm_86" or "sm_90a"; nothing of those whose figures are not known here.
std::optional<Multiprocessor> multiprocessor_of(std::string_view architecture);

struct Occupancy {
  enum Resource : uint8_t { by_registers, by_shared, by_warps, by_blocks };
  /// How many blocks there would be if this alone counted.
  struct Limit {
    Resource what;
    int blocks;
  };
  int blocks = 0;             ///< on a multiprocessor at a time; 0: such a block cannot run
  int warps = 0;              ///< of these blocks
  int of_warps = 0;           ///< that a multiprocessor has room for
  std::vector<Limit> limits;  ///< one of each, the tightest first; of alike ones in the order of `Resource`
  Resource limit() const { return limits.front().what; }
  double share() const { return double(warps) / of_warps; }
};
/// Of blocks of so many threads, with so many registers a thread and bytes of shared memory a block.
Occupancy occupancy(int threads, int registers, uint32_t shared_bytes, const Multiprocessor& = sm_90);

}  // namespace bscope
