// The tree of a value, unfolded as far as the user wants: back to the inputs, across launches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Run;

/// A value of the tree: a cell as it was read, a computation, a constant.
struct WhyRow {
  int depth = 0;
  int writer = -1;   ///< the store or atomic (a node) that left the value in the cell; -1: none
  CellRef place;     ///< array -1: no cell
  std::string cell;  ///< "sum[11]"; empty: no cell
  std::string value, op, word;
  int thread = -1, line = 0, interval = -1, launch = 0, block = 0;  ///< of the writer, or of the computation
  bool opens = false;                                               ///< has parts
  bool open = false;                                                ///< they follow
  bool above = false;  ///< the same write stands above, with its parts: said once
};
/// At most so many rows are made.
inline constexpr int most_why_rows = 1500;
/// The parts of what a node wrote, and theirs: `levels` deep, but those of the `turned` writes (nodes) are
/// there where that would hide them, and hidden where it would show them. The node itself is no row: it is
/// the sentence above the tree.
std::vector<WhyRow> why_rows(const Run&, int node, int levels, std::span<const int> turned = {});

}  // namespace bscope
