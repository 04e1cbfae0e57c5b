// How the values of registers differ between neighbouring threads that take the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/cuda/machine/bytecode.hpp"

namespace bscope::cuda {

/// Of a register, between two barriers, in threads of one row of a block that all take the same way.
enum class RowShape : uint8_t {
  same,  ///< in all of them
  even,  ///< modulo its width it grows by the same from each thread to the next
  unknown,
};

/// `unknown`: registers of which nothing is known at the beginning.
std::vector<RowShape> row_shapes(const BytecodeFunction&, const std::vector<bool>& unknown);

/// The steps between `first` and the barriers or ends behind it, in their order; nullopt: there is a loop.
std::optional<std::vector<size_t>> steps_to_barriers(const BytecodeFunction&, size_t first);

}  // namespace bscope::cuda
