// A finding of one run in another run of the same program.
#pragma once

#include "engine/trace/trace.hpp"

namespace bscope {

/// A finding of the same program in another order, as this run can hold it: its place, if this run has that,
/// and no cells, because arrays may be numbered otherwise.
inline Finding placed_in(const Trace& run, Finding f) {
  const bool fits = size_t(f.launch) < run.launches.size() && f.block < run.launches[size_t(f.launch)].grid &&
                    f.thread < run.launches[size_t(f.launch)].block;
  if (!fits) f.launch = f.block = f.thread = 0;
  f.cells.clear();
  return f;
}

}  // namespace bscope
