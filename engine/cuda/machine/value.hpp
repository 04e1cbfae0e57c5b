// A scalar on its way through device code: its bits, and the event that it came from.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "engine/cuda/ir/module.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::cuda {

inline constexpr uint8_t no_kind = 255;

/// What a register holds. A value with a source is data: it was loaded from memory, or made of what was.
struct Value {
  uint64_t bits = 0;
  uint32_t source = 0;     ///< number of an event of the thread's log; 0: a constant, an index, an address
  uint8_t kind = no_kind;  ///< ElementType, where the source tells
  uint16_t origin = 0;     ///< of LaunchState::origins, from 1: what is wrong with it; 0: nothing
};

template <class T>
T as(uint64_t bits) {
  T v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
template <class T>
uint64_t bits_from(T v) {
  uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  return bits;
}

constexpr bool is_unsigned(ElementType k) {
  return k == ElementType::u8 || k == ElementType::u16 || k == ElementType::u32 || k == ElementType::u64;
}

/// An integer's kind by its width in bits.
constexpr ElementType integer_kind(int bits, bool without_sign = false) {
  const int base = bits <= 8 ? 0 : bits <= 16 ? 2 : bits <= 32 ? 4 : 6;
  return ElementType(base + (without_sign || bits == 1));
}
/// Of what is known only as so many bits of that format.
constexpr ElementType plain_kind(int bits, ir::NumberFormat format) {
  switch (format) {
    case ir::NumberFormat::integer: break;
    case ir::NumberFormat::floating:
      return bits == 64 ? ElementType::f64 : bits == 32 ? ElementType::f32 : ElementType::f16;
    case ir::NumberFormat::brain: return ElementType::bf16;
  }
  return integer_kind(bits);
}
constexpr ir::NumberFormat format_of(ElementType k) {
  return k == ElementType::bf16 ? ir::NumberFormat::brain
         : is_float(k)          ? ir::NumberFormat::floating
                                : ir::NumberFormat::integer;
}
/// "unsigned int", as a compiler's notes spell a type.
std::optional<ElementType> kind_named(std::string_view type);

}  // namespace bscope::cuda
