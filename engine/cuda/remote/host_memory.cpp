#include "engine/cuda/remote/host_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <limits>

#include "engine/cuda/machine/machine.hpp"

namespace bscope::cuda {
namespace {

/// With both gaps, in whole pages.
uint64_t taken_bytes(uint64_t bytes) {
  return (bytes + gap_of_host - 1) / gap_of_host * gap_of_host + 2 * gap_of_host;
}

}  // namespace

std::byte* take_host_memory(uint64_t bytes) {
  if (bytes > std::numeric_limits<size_t>::max() / 2) return nullptr;
  void* const all = std::aligned_alloc(gap_of_host, size_t(taken_bytes(bytes)));
  if (!all) return nullptr;
  std::memset(all, 0, size_t(taken_bytes(bytes)));
  return static_cast<std::byte*>(all) + gap_of_host;
}

void give_back_host_memory(std::byte* memory, uint64_t) { std::free(memory - gap_of_host); }

}  // namespace bscope::cuda
