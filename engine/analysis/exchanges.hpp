// What the lanes of a warp hand each other without memory: shuffles, votes, sums of lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/trace/trace.hpp"

namespace bscope {

struct DataflowGraph;

/// One meeting of a warp's lanes: a shuffle, a vote (ballot, match) or a sum of lanes (reduce).
struct Exchange {
  int launch = 0, block = 0, warp = 0, interval = 0, line = 0;
  Op op{};
  int occurrence = 0;  ///< how often its lanes had met at this line in this interval
  int lanes_in_warp = 32;
  ElementType kind = ElementType::i32;         ///< of what is given
  ElementType result_kind = ElementType::i32;  ///< of what is taken: a mask of lanes for votes
  struct ExchangeLane {
    int lane = 0;
    int node = -1;       ///< the shuffle, vote or sum
    int from = -1;       ///< the lane it took from: itself, if it took from no other; -1: from all
    bool gave = false;   ///< whether `given` is in the trace; one that no lane takes is only if it is used
    uint64_t given = 0;  ///< what the lane brought
    uint64_t taken = 0;  ///< what it got
    int used = -1;       ///< the computation (a node) that first used what it got; -1: none did
    bool joins_constant = false;  ///< and put it together with a constant, as the other lanes did with theirs
  };
  std::vector<ExchangeLane> lanes;  ///< those that took part, in order
  const ExchangeLane* of(int lane) const;
};
/// Whether any lane gets another's value. A shuffle that reaches beyond the warp's ends moves nothing.
bool moves_something(const Exchange&);
/// The computation (a node) that put together what a lane got and what it held itself at the meeting; -1: it
/// went on with what it got, or used it later with something that it made afterwards.
int combined(const DataflowGraph&, const Exchange::ExchangeLane&);
/// All of a block, in the order of their first nodes. A block without any costs a look at its logs.
std::vector<Exchange> exchanges(const Trace&, const DataflowGraph&, int launch, int block);

}  // namespace bscope
