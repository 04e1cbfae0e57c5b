// A number handed from one thread to another under a flag: stored, released, acquired, read.
#pragma once

#include <optional>
#include <vector>

namespace bscope {

struct CellRef;
struct DataflowGraph;
struct Moment;
struct Run;

/// Nodes of the flow, in the order in which they happened.
struct HandOver {
  int store = -1;    ///< the giver writes the number
  int release = -1;  ///< the giver releases the flag
  int acquire = -1;  ///< the taker acquires (or waits for) the flag, and sees that release
  int load = -1;     ///< the taker reads the number
};
/// Every acquire of the flag that saw a release of another thread, with the first number that the taker read
/// afterwards and the giver had written before. Where there is no such number, store and load are -1.
std::vector<HandOver> hand_overs(const DataflowGraph&, CellRef flag);
/// The one to look at: to the block of the moment, else from it, else the first. None where the cell is no
/// such flag.
std::optional<HandOver> hand_over_at(const Run&, const Moment&, CellRef flag);

}  // namespace bscope
