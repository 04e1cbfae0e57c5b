// Inputs of full-size runs, made where they are used: on the device.
#pragma once

#include "engine/simt/made_input.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
inline namespace on_gpu {

/// Fills input.n cells on the device, of elements of this kind, by the pattern; on the default stream. Min
/// and Max are laid out as what they hold. Throws UsageError for a kind that no input is made of.
void make_on_device(void* cells, ElementType, const MadeInput& input);

}  // namespace on_gpu
}  // namespace bscope
