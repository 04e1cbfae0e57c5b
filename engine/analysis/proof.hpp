// The proof that a run is right for every input of its size. It follows from the dataflow alone.
#pragma once

#include <string>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

struct DataflowGraph;
struct Trace;
class WordTable;

struct Proof {
  bool applies = false;  ///< the trace promises a scan or a reduction
  bool holds = false;
  std::string operators;  ///< "associative" | "commutative"; empty if it does not hold
  Message message;
};
Proof prove(const Trace&, const DataflowGraph&, const WordTable&);

/// A barrier (by launch name and line) whose removal would leave every access ordered and the proof standing:
/// the two intervals it separates never touch a cell from different threads with a write.
struct Barrier {
  int launch = 0, line = 0;
  bool needed = true;
  Message message;
};
std::vector<Barrier> barriers(const Trace&, const DataflowGraph&);

}  // namespace bscope
