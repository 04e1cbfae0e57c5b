// Results rounded toward zero, up or down, computed from those to the nearest: WebAssembly has no other mode,
// and the processor's own is state of a whole thread.
#pragma once

#include <cstdint>

namespace bscope::cuda {

enum class RoundingDirection : uint8_t { toward_zero, upward, downward };

/// Of two doubles, and of a product and a double, IEEE 754's results. The sign of what an operation to the
/// nearest has left out is found exactly, by sums of doubles that lose nothing (Shewchuk, "Adaptive Precision
/// Floating-Point Arithmetic", 1997). T: float or double.
template <class T>
T rounded_sum(T a, T b, RoundingDirection);
template <class T>
T rounded_product(T a, T b, RoundingDirection);
template <class T>
T rounded_quotient(T a, T b, RoundingDirection);
template <class T>
T rounded_root(T a, RoundingDirection);
/// a * b + c.
template <class T>
T rounded_fma(T a, T b, T c, RoundingDirection);

/// Conversions. T: float or double; From: double, or an integer of 32 or 64 bits.
template <class T, class From>
T rounded_number(From, RoundingDirection);

}  // namespace bscope::cuda
