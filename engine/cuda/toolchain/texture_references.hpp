// Whether a program has texture or surface references, which CUDA had until version 11. Their names,
// `texture` and `surface`, are free in later versions, where programs give them to things of their own.
#pragma once

#include <vector>

#include "engine/cuda/toolchain/constants.hpp"

namespace bscope::cuda {

/// Whether one of the texts says `texture<...>` or `surface<...>`, and none defines a type of that name.
bool has_texture_references(const std::vector<NamedText>&);

}  // namespace bscope::cuda
