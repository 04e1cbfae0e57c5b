// What another run of the same program, in another order of its threads, has shown: a race may stand in one
// of the two alone.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

struct OtherOrder {
  std::vector<Hazard> hazards;  ///< one for each pair of lines on an array
  std::vector<Finding> faults;
  std::vector<std::string> arrays;  ///< of each fault: the array that it names, as the other run calls it
  template <class Self, class Visit>
  static void fields(Self& o, Visit&& visit) {
    visit("hazards", o.hazards);
    visit("faults", o.faults);
    visit("arrays", o.arrays);
  }
};
OtherOrder shown_by(const Trace&, const DataflowGraph&);
/// Adds to the flow what it does not have itself, but for faults that a race of it explains.
void unite(const Trace&, DataflowGraph&, const OtherOrder&);

}  // namespace bscope
