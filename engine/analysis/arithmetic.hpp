// The few operations on raw bits that a replay has to do itself.
#pragma once
#include <optional>

#include "engine/trace/trace.hpp"
namespace bscope {

/// The bits that an element of this kind keeps.
constexpr uint64_t mask_of(ElementType k) {
  const int width = bytes_of(k);
  return width == 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * width) - 1;
}
/// One element from memory / to memory, as bits.
inline uint64_t read_bits(const std::byte* from, int width) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, size_t(width));
  return bits;
}
inline void write_bits(std::byte* to, uint64_t bits, int width) { std::memcpy(to, &bits, size_t(width)); }
/// What a cell holds after an atomic that found `old` there. Integers wrap.
uint64_t after_atomic(Op, ElementType, uint64_t old, uint64_t operand);
/// The computation by which an atomic makes the new value of the old one; none where the old one is not in
/// it.
std::optional<Op> joined_by(Op atomic);

}  // namespace bscope
