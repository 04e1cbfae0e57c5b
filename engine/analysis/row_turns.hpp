// Buffers that take turns: rows of one shared array, one read while another is written.
#pragma once

#include <vector>

namespace bscope {

struct DataflowGraph;
struct Trace;

/// How a block uses a shared array that was declared with rows (ArrayInfo::rows), where its rows take turns:
/// no step writes cells of two of them, nor reads of two what was there when it began.
struct RowTurns {
  int row = 0;  ///< cells of a row; 0: the array has no rows, or a step works on several at once
  /// The rows that a step reads and writes. One that does the one alone has that row for both; one that
  /// does neither the row that was written last.
  struct StepRows {
    int read = 0, written = 0;
    bool operator==(const StepRows&) const = default;
  };
  std::vector<StepRows> steps;  ///< one an interval of the block
  bool operator==(const RowTurns&) const = default;
};

/// Of an array (CellRef::array) of one block, from its accesses.
RowTurns row_turns(const Trace&, const DataflowGraph&, int launch, int block, int array);

}  // namespace bscope
