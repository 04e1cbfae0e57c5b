// A trace from one process of this program to another.
#pragma once

#include <cstddef>
#include <span>

#include "engine/trace/trace.hpp"

namespace bscope {

/// Reads what write_trace has made in another process of this very program. It is no foreign file, so nothing
/// is checked.
Trace read_own_trace(std::span<const std::byte>);

}  // namespace bscope
