// Half precision and bfloat16 as C++ types, for what is written for any type of number.
#pragma once

#include "engine/trace/small_floats.h"
#include "engine/trace/trace.hpp"

namespace bscope {

/// A number of 16 bits, `fraction` of which are behind the point.
template <int fraction>
struct SmallFloat {
  uint16_t bits = 0;

  SmallFloat() = default;
  explicit SmallFloat(double v) : bits(uint16_t(bscope_small_of(v, fraction, bscope_to_nearest))) {}
  explicit operator double() const { return bscope_small_value(bits, fraction); }
  static SmallFloat of_bits(uint64_t bits) {
    SmallFloat v;
    v.bits = uint16_t(bits);
    return v;
  }

  friend SmallFloat operator+(SmallFloat a, SmallFloat b) {
    return of_bits(bscope_small_add(a.bits, b.bits, 0, fraction));
  }
  friend SmallFloat operator-(SmallFloat a, SmallFloat b) {
    return of_bits(bscope_small_sub(a.bits, b.bits, 0, fraction));
  }
  friend bool operator==(SmallFloat a, SmallFloat b) { return double(a) == double(b); }
  friend auto operator<=>(SmallFloat a, SmallFloat b) { return double(a) <=> double(b); }
};
using Half = SmallFloat<10>;
using Bfloat16 = SmallFloat<7>;
static_assert(sizeof(Half) == 2 && sizeof(Bfloat16) == 2);

/// Bits behind the point of a kind of 16 bits.
constexpr int fraction_bits(ElementType kind) { return kind == ElementType::bf16 ? 7 : 10; }

}  // namespace bscope
