#include "engine/cuda/machine/footprint.hpp"

#include <algorithm>
#include <bit>

#include "engine/cuda/machine/memory.hpp"

namespace bscope::cuda {
namespace {

constexpr uint64_t most_bytes = uint64_t(256) << 20;  // of a memory that is watched
constexpr size_t most_ranges = 1u << 12;              // of a kind

/// Adds the ranges of the bits that are set. False: there are too many.
bool add_ranges(const std::vector<uint64_t>& bits, uint64_t address, std::vector<AddressRange>& ranges) {
  const size_t before = ranges.size();
  bool open = false;
  for (size_t k = 0; k <= bits.size(); ++k) {
    const uint64_t word = k < bits.size() ? bits[k] : 0;
    if (word == (open ? ~uint64_t(0) : 0)) continue;
    for (int bit = 0; bit < 64;) {
      const uint64_t rest = word >> bit;
      const int same = std::min(64 - bit, open ? std::countr_one(rest) : std::countr_zero(rest));
      bit += same;
      if (bit >= 64) break;
      const uint64_t at = address + k * 64 + uint64_t(bit);
      if (open)
        ranges.back().end = at;
      else
        ranges.push_back({at, at});
      open = !open;
      if (ranges.size() - before > most_ranges) {
        ranges.resize(before);
        return false;
      }
    }
  }
  return true;
}

}  // namespace

void Footprint::note(const Memory& m, uint64_t offset, uint64_t bytes, Kind kind) {
  if (m.bytes > most_bytes) return;
  auto it = std::ranges::find(touched_, &m, &Touched::memory);
  if (it == touched_.end()) it = touched_.insert(it, {&m, {}});
  std::vector<uint64_t>& bits = it->bits[kind];
  if (bits.empty()) bits.resize((m.bytes + 63) / 64);
  const uint64_t end = std::min(m.bytes, offset + bytes);
  for (uint64_t at = offset; at < end;) {
    const uint64_t in_word = at % 64, n = std::min(64 - in_word, end - at);
    const uint64_t mask = n == 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1;
    bits[at / 64] |= mask << in_word;
    at += n;
  }
}

void Footprint::note_changed(const Memory& m, uint64_t offset, uint64_t bytes) {
  const auto it = std::ranges::find(touched_, &m, &Touched::memory);
  const bool by_atomics = it != touched_.end() && it->bits[written].empty() && !it->bits[updated].empty();
  note(m, offset, bytes, by_atomics ? updated : written);
}

MemoryUse Footprint::use() const {
  std::vector<const Touched*> sorted;
  for (const Touched& t : touched_)
    if (!t.memory->freed) sorted.push_back(&t);
  std::ranges::sort(sorted, {}, [](const Touched* t) { return t->memory->address; });
  MemoryUse use;
  use.tells_host = tells_host_;
  for (const Touched* t : sorted) {
    const uint64_t address = t->memory->address;
    add_ranges(t->bits[read], address, use.read);
    add_ranges(t->bits[written], address, use.written);
    add_ranges(t->bits[updated], address, use.updated);
  }
  return use;
}

}  // namespace bscope::cuda
