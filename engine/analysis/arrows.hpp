// Store cell <- the cells it was computed from, wherever they were loaded.
#pragma once

#include <string>
#include <vector>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct DataflowGraph;
struct Interval;
struct Sources;

struct Arrow {
  CellRef to;
  int thread = 0, line = 0;   ///< thread of the grid
  int node = -1;              ///< the store
  std::vector<CellRef> from;  ///< cells last loaded (or atomically read) on the way, sorted, distinct
  std::vector<int> loads;     ///< the loads (nodes) of those cells, same order
  std::vector<int> lanes;     ///< threads that values were shuffled from, if any
  std::string op;  ///< add|subtract|multiply|divide|min|max|and|or|xor|shift|copy|constant|compose|other
};
/// One for each store or atomic of the interval, in the order of the replay.
std::vector<Arrow> arrows(const DataflowGraph&, const Interval&);
/// The sources of one store or atomic as its Arrow has them: `out.loads` are its Arrow::loads. `open` is room
/// for the walk. A caller that needs no more than that pays for no more.
void find_arrow_sources(const DataflowGraph&, int store, Sources& out, std::vector<int>& open);

}  // namespace bscope
