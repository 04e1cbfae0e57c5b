// The messages of a race: what happened, where, and the cure, in the words of the source.
#pragma once

#include "engine/analysis/race_causes.hpp"

namespace bscope {

/// "Thread 1 writes s[1] in line 12, thread 0 reads it in line 14, and nothing orders the two."
Message race_message(const Trace&, int launch, const Race&, const Cure&);
/// What to change: "Put __syncthreads() between line 12 and line 14."; empty where no cure is known.
Message race_help(const Trace&, int launch, const Race&, const Cure&);
/// The same of CureKind::await_copy and await_barrier_of_copy, for a copy that `line` asks for and `reader`
/// reads.
Message await_copy_help(int line, int reader, bool at_barrier);
/// The same of CureKind::warp_steps.
Message warp_steps_help(const Cure&);

}  // namespace bscope
