// Why a thread accessed memory outside of an array.
#pragma once
#include "engine/trace/trace.hpp"
namespace bscope {

/// Where the index of the out-of-bounds access that ended this thread came from, as a sentence: "The index
/// -56 is what keys[12] holds: ...". Empty if the finding is of another kind, or if the data did not choose
/// the index.
Message why_out_of_bounds(const Trace&, const Finding&);

}  // namespace bscope
