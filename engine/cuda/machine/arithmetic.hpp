// Arithmetic on the bits of scalars, as the GPU does it: nothing is undefined.
#pragma once

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/machine/value.hpp"

namespace bscope::cuda {

/// a (op) b of so many bits. What is divided by zero is all ones, as on the GPU.
uint64_t integer_result(ir::Binary, uint64_t a, uint64_t b, int bits);
uint64_t floating_result(ir::Binary, uint64_t a, uint64_t b, int bits);
bool compares(ir::Compare, uint64_t a, uint64_t b, int bits);
/// The cast of a value of `from` bits to one of `to`.
uint64_t cast_result(ir::Cast, uint64_t a, int from, int to);
/// What a float or a double says.
inline double number_of(uint64_t bits, int width) {
  return width == 64 ? as<double>(bits) : double(as<float>(bits));
}
inline uint64_t float_bits(double v, int width) { return width == 64 ? bits_from(v) : bits_from(float(v)); }

/// How the trace calls it.
Op op_of(ir::Binary);
Op op_of(ir::Compare);

}  // namespace bscope::cuda
