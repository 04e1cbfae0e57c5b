// Numbers of bytes as text.
#pragma once

#include <cstdint>
#include <string>

namespace bscope::cuda {

/// "1.5 GB", for sentences.
std::string in_bytes(uint64_t);

}  // namespace bscope::cuda
