// Inputs that no thread reads, or two blocks read, and outputs that no thread writes.
#pragma once

#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

struct DataflowGraph;
struct Trace;

/// What is missing, and where to look.
struct CoverageGap {
  Message message;            ///< "x16, x17 and x18 of 19 inputs are never read."
  Message help;               ///< what to look at
  int launch = -1, line = 0;  ///< where the loads are, or the second of two; -1: nowhere
  Message sentences() const { return followed_by(message, help); }
};

/// Cells are numbered in the whole input or output, ascending. A read counts while the cell still holds the
/// input, not what the run has put there.
struct Coverage {
  std::vector<int> unread;        ///< inputs that the property needs and no thread reads
  std::vector<int> twice;         ///< inputs that two blocks of one launch read
  std::vector<int> unwritten;     ///< outputs without a write, where output and input are two arrays
  std::vector<CoverageGap> gaps;  ///< one for each of the three that is not empty, in their order
  bool whole() const { return unread.empty(); }
};
/// Of runs that promise a scan, a reduction or a histogram; empty for others, and for runs with findings:
/// threads that were ended have read no more.
Coverage coverage(const Trace&, const DataflowGraph&);

}  // namespace bscope
