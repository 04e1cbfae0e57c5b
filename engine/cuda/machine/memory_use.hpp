// What two operations touch, compared: for the happens-before relation
// (engine/cuda/runtime/happens_before.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cuda/machine/machine.hpp"

namespace bscope::cuda {

/// The first address that both lists hold; 0: none. Both are sorted.
uint64_t first_common(const std::vector<AddressRange>&, const std::vector<AddressRange>&);
/// What one touches and what the other does.
MemoryUse united(const MemoryUse&, const MemoryUse&);

}  // namespace bscope::cuda
