// Atomic operations on bits.
#pragma once

#include "engine/cuda/machine/value.hpp"

namespace bscope::cuda {

enum class Atomic : uint8_t {
  add,
  sub,
  exchange,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  inc,  ///< up to the operand, then from 0 again
  dec,
  compare,  ///< leaves `wanted` if the operand is there
};

/// What an atomic leaves where `now` is.
uint64_t after_atomic(Atomic, ElementType, uint64_t now, uint64_t operand, uint64_t wanted);

}  // namespace bscope::cuda
