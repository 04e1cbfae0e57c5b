// The tree of one value, back to the inputs.
#pragma once

#include <string>
#include <vector>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct DataflowGraph;
struct Interval;
struct Trace;
class WordTable;

/// One value of the tree. Children are what it was computed from.
struct Why {
  int node = -1;          ///< -1: an input or initial value, or a constant
  CellRef place;          ///< the cell it was stored in or loaded from; array -1: no cell
  std::string cell;       ///< "sum[15]"; empty: no cell
  std::string value, op;  ///< "25", "add"; "between": written between launches, by no thread
  int thread = -1, line = 0, interval = -1, launch = 0;
  int decided_in =
      0;  ///< of a constant that is stored: the line of its thread's latest branch on data; 0: none
  std::string word;  ///< "x8..x15" or empty
  std::vector<Why> from;
};
/// Why the cell holds what it holds at the end of the interval, `depth` stores back.
Why why(const Trace&, const DataflowGraph&, const WordTable&, const Interval&, CellRef, int depth = 1);
/// One level of the tree: what a store or atomic (a node) left in its cell, and the values that it was made
/// from. Cells are as they were read, `node` the load (of an atomic's old value the atomic itself), whose `a`
/// is the write to go on with; computations have their own parts, constants no node.
Why made_of(const Trace&, const DataflowGraph&, const WordTable&, int node);
/// What the value that a store or atomic (a node) left was read from, through registers alone: nodes of loads
/// and atomics, each once, as they were read. Of an atomic, its own cell comes first.
std::vector<int> reads_of(const DataflowGraph&, int node);
/// The same as one sentence: "Thread 1: sum[15] = 11 + 14 = 25, read from sum[11] and sum[15]."
std::string sentence(const Why&);
/// Every cell that went into a node: nodes of loads and stores on the way back to the inputs, for the whole
/// run, ascending. With `least`, only the nodes from that one on (and the node itself): a look at some steps
/// need not go back to the inputs.
std::vector<int> ancestry(const DataflowGraph&, int node, int least = 0);

}  // namespace bscope
