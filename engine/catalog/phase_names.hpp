// The names of a timeline's phases: a GPU tells their lines alone.
#pragma once

namespace bscope {

struct Algorithm;
struct Problem;
struct Timeline;

/// Traces a short run of the same kernel on the CPU, launch by launch of the same name, and takes what its
/// phases are called. Lines that it does not come to keep no name.
void name_phases(Timeline&, const Algorithm&, const Problem&);

}  // namespace bscope
