#include "engine/cuda/remote/host_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>

#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/web/system.h"

namespace bscope::cuda {
namespace {

/// With both gaps, in whole pages.
uint64_t taken_bytes(uint64_t bytes) {
  return (bytes + gap_of_host - 1) / gap_of_host * gap_of_host + 2 * gap_of_host;
}

/// Bytes of all memory by its address. Never unmade: programs use it until their very end.
std::map<uint64_t, uint64_t>& all_memory() {
  static auto* const all = new std::map<uint64_t, uint64_t>;
  return *all;
}

/// What was found last: the host goes through an array cell by cell.
AddressRange latest;

}  // namespace

std::byte* take_host_memory(uint64_t bytes) {
  if (bytes > std::numeric_limits<size_t>::max() / 2) return nullptr;
  void* const all = std::aligned_alloc(gap_of_host, size_t(taken_bytes(bytes)));
  if (!all) return nullptr;
  std::memset(all, 0, size_t(taken_bytes(bytes)));
  std::byte* const memory = static_cast<std::byte*>(all) + gap_of_host;
  all_memory()[address_of_host_memory(memory)] = taken_bytes(bytes) - 2 * gap_of_host;
  return memory;
}

void give_back_host_memory(std::byte* memory, uint64_t) {
  all_memory().erase(address_of_host_memory(memory));
  latest = {};
  std::free(memory - gap_of_host);
}

uint64_t address_of_host_memory(const std::byte* memory) {
  return reinterpret_cast<uint64_t>(memory) | SYSTEM_MARK;
}

bool is_host_memory(uint64_t address) {
  if (address >= latest.begin && address < latest.end) return true;
  const auto after = all_memory().upper_bound(address);
  if (after == all_memory().begin()) return false;
  const auto& [begin, bytes] = *std::prev(after);
  if (address - begin >= bytes) return false;
  latest = {begin, begin + bytes};
  return true;
}

}  // namespace bscope::cuda
