// What a trace counts in the phases of a timeline.
#pragma once

namespace bscope {

struct Timeline;

/// Traces a shorter run of the timeline's kernel on the CPU, with its block and parameters, and counts what
/// each phase asks of memory. Counts nothing where there is no such kernel.
void count_phases(Timeline&);

}  // namespace bscope
