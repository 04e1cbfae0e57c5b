// Sums of floating-point numbers that have become too large for what is added.
#pragma once

#include <vector>

#include "engine/trace/finding.hpp"

namespace bscope {

struct DataflowGraph;
struct Trace;

/// A finding for each line of a launch where many additions of whole numbers to a whole number change
/// nothing, because the sum's type has no number so close to it: 16777216 + 1 is 16777216 in float. Sums of
/// fractions round all the time, and are no findings; neither are compensated sums, which add up apart what
/// the additions lose.
std::vector<Finding> stalled_sums(const Trace&, const DataflowGraph&);

}  // namespace bscope
