// What the copy engine moves: bulk copies, by the intervals that ask for them.
#pragma once

#include <vector>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct DataflowGraph;
struct Interval;
struct Run;
struct Trace;

/// A bulk copy: one thread asks, the copy engine moves the cells. No lane of a warp takes part, so it is no
/// warp's request.
struct EngineCopy {
  int launch = 0, block = 0, thread = 0, line = 0;  ///< thread: its rank in the block
  CellRef from, to;                                 ///< first cells
  int cells = 0, bytes = 0;
  int sectors = 0,
      ideal_sectors = 0;  ///< of global memory that it touches, and the fewest that hold its bytes
  int node = 0;           ///< of its first cell read
};
/// Those that the interval asks for, in order.
std::vector<EngineCopy> engine_copies(const Trace&, const DataflowGraph&, const Interval&);
/// Those of all intervals, in order.
std::vector<EngineCopy> engine_copies(const Trace&, const DataflowGraph&);
std::vector<EngineCopy> engine_copies(const Run&, const Interval&);
/// Sectors of global memory that the copies of an interval touch.
long engine_sectors(const Run&, const Interval&);

}  // namespace bscope
