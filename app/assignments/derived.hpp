// Whether kernels computed the output from the input. And a launch by itself.
#pragma once

#include <memory>
#include <string>

#include "engine/trace/message.hpp"

namespace bscope {

struct Run;
struct Trace;

/// Why the run's output is not its kernels' work: a cell that no kernel wrote, or one that holds nothing of
/// the input. Empty if it is. (Of histograms: a bin without any key may be left alone, and counts hold
/// no input.)
Message not_derived(const Run&, bool moved = false);

/// The launch as a run of its own, which begins with what the arrays held when it began.
std::shared_ptr<const Run> one_launch(const Trace&, size_t launch);

}  // namespace bscope
