// Cells of a shared array that lie there for their place only: padding, which moves others to other banks.
#pragma once

#include <vector>

namespace bscope {

struct DataflowGraph;
struct Trace;

/// After each `row` cells that threads use come `pad` unused ones; row 0: there is no such order.
struct Padding {
  int row = 0, pad = 0;
  /// The number of a cell among those in use: the index that the source counts by.
  int index_in_use(int cell) const { return row ? cell - cell / (row + pad) * pad : cell; }
  bool operator==(const Padding&) const = default;
};

/// From which cells are in use. Rows are longer than what is left out between them: cells that are merely
/// not needed in a run of a few elements are no padding.
Padding padding_of(const std::vector<bool>& used);
/// Of a shared array (CellRef::array) of one block, from its accesses.
Padding padding(const Trace&, const DataflowGraph&, int launch, int block, int array);

}  // namespace bscope
