// Launches in device code (dynamic parallelism). clang refuses to name a kernel there, so that in programs
// which have such launches each launch becomes a macro of include/barrierscope/children.h.
#pragma once

#include <string>
#include <string_view>

namespace bscope::cuda {

/// Whether a function of the text that is __device__ or __global__, and not __host__, launches a kernel.
bool has_child_launches(std::string_view text);
/// The text with each launch as a macro; lines stay lines.
std::string with_child_launches(std::string_view text);

}  // namespace bscope::cuda
