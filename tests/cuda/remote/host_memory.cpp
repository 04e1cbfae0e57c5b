// Natively, tests place such memory at small addresses, as WebAssembly has them: larger ones are the
// machine's.
#include "engine/cuda/remote/host_memory.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "engine/cuda/machine/machine.hpp"

namespace bscope::cuda {
namespace {

constexpr uint64_t first = uint64_t(1) << 36, step = uint64_t(1) << 22;

uint64_t rounded_up(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

std::byte* take_host_memory(uint64_t bytes) {
  static uint64_t next = first;
  if (bytes == 0 || bytes > first) return nullptr;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the program's own
  void* const memory = mmap(reinterpret_cast<void*>(next), bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  next += rounded_up(bytes, step) + std::max(step, gap_of_host);
  return static_cast<std::byte*>(memory);
}

void give_back_host_memory(std::byte* memory, uint64_t bytes) { munmap(memory, bytes); }

uint64_t address_of_host_memory(const std::byte* memory) { return reinterpret_cast<uint64_t>(memory); }

}  // namespace bscope::cuda
