// CUDA's name of each operation: sentences for users contain them, also where the source is in the kernels'
// dialect.
#pragma once

#include <string>

#include "engine/trace/trace.hpp"

namespace bscope {

/// How the operation is written in CUDA: "__syncthreads()"; of an ordinary read or write "an access".
std::string operation_name(Op);

}  // namespace bscope
