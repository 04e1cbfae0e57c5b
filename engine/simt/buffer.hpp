// Named global arrays as a program holds them, on either machine.
#pragma once

#include "engine/simt/half.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

/// Blocks, and threads a block. `together`: the blocks wait for each other, so all must run at once (CUDA's
/// cooperative launch).
struct LaunchShape {
  int grid, block;
  bool together;
  /// Throws UsageError for more blocks than a grid has.
  LaunchShape(long long blocks, int threads, bool at_once = false)
      : grid(int(blocks)), block(threads), together(at_once) {
    if (grid != blocks)
      throw UsageError(message(
          "a launch of {} blocks is more than a grid can have (2147483647): use a larger --block.", blocks));
  }
};
/// A traced machine has so many multiprocessors, on the CPU and on any GPU: few enough to watch, and the same
/// everywhere.
inline constexpr int traced_multiprocessors = 2;

inline namespace HALF {

/// A named global array of a program. A kernel gets it as Array<T>.
template <class T>
struct Buffer {
  T* data;
  Index count;
  uint8_t id;
  Index size() const { return count; }
};
/// The same array, promised not to be written by the launch that gets it.
template <class T>
Buffer<const T> read_only(Buffer<T> b) {
  return {b.data, b.count, b.id};
}

/// What a program returns: the array that holds the answer.
struct Output {
  int id;
  template <class T>
  Output(const Buffer<T>& b) : id(b.id) {}
};

/// The source file of a kernel that is not in its algorithm's file (it names it itself); empty for all
/// others.
template <class Kernel>
constexpr const char* file_of() {
  if constexpr (requires { Kernel::file; })
    return Kernel::file;
  else
    return "";
}

}  // namespace HALF
}  // namespace bscope
