// Increments performed that are not there at the end.
#pragma once

#include <vector>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct DataflowGraph;
struct Trace;

/// One update that another thread's store overwrote: it read, the other wrote in between or after, it is
/// gone.
struct LostUpdate {
  CellRef place;
  int load = -1, store = -1;  ///< nodes of the update that was lost
  int overtaken_by = -1;      ///< the store that overwrote it without having seen it
  enum { in_warp, in_block, between_blocks } where = in_warp;
};
struct Lost {
  long performed = 0, present = 0, lost = 0;  ///< read-modify-write updates of the output's cells
  std::vector<LostUpdate> updates;
  struct LostCell {
    CellRef place;
    long performed, present;
  };
  std::vector<LostCell> cells;  ///< one a cell that was updated
};
/// Updates are stores whose value was computed from a load of the same cell by the same thread, and atomics.
Lost lost_updates(const Trace&, const DataflowGraph&);

}  // namespace bscope
