// Whether a result on the device is right: found there, in the plainest way that takes no longer than it
// must.
#pragma once

#include "engine/simt/device.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// Compares the result with one found another way: threads fold runs of the input one element after the
/// other, the host adds up the runs' totals in 64 bits or in double, and for a scan each thread goes through
/// its run once more and compares every element. Integers (which wrap) and other exact elements must be
/// equal; float and double may differ by what an order of adding changes. Histograms are counted once more,
/// in 64 bits, and compared modulo 2^32. For the property none: false.
bool right_on_device(Property, const Problem&, DeviceSpan input, DeviceSpan result);

}  // namespace bscope
