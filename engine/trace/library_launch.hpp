// What a call of a library's function on the host did, as one launch of a trace.
#pragma once

#include "engine/trace/trace.hpp"

namespace bscope {

/// Whether a launch tells what a call of a library's function changed: thrust::sort(...). It has one log,
/// which begins with a phase of the function's name and stands in the line of the call. It counts as being
/// between launches (is_between_launches).
bool is_library_launch(const Launch&);

}  // namespace bscope
