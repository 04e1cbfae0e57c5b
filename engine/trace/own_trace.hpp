// A trace from one process of this program to another.
#pragma once

#include <cstddef>
#include <span>

#include "engine/trace/trace.hpp"

namespace bscope {

/// Of what write_trace has made in another process of this very program: no file of anybody's, so nothing is
/// checked.
Trace read_own_trace(std::span<const std::byte>);

}  // namespace bscope
