// What one instruction of one warp did: a sub-step of an interval.
#pragma once

#include <span>
#include <vector>

#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/substeps.hpp"

namespace bscope {

struct Exchange;
struct Interval;
struct Run;
struct WarpAccess;

/// A sub-step: what one instruction of one warp did.
struct WarpInstruction {
  const Step* step = nullptr;
  SubStep what;
  int number = 0, of = 0;               ///< from 0, within the interval
  const WarpAccess* request = nullptr;  ///< null: an exchange
  const Exchange* exchange = nullptr;   ///< null: a request
  std::vector<int> ranks;               ///< the threads that take part, of the block
  std::vector<int> nodes;               ///< all its accesses, those of vectors cell by cell
  std::vector<Move> moves;
  Step::WrittenCells written;
};
/// The sub-step of that number of those of a step, all of which `substeps` are; `exchanges` are its block's.
/// What is given must outlive it.
WarpInstruction instruction(const Step&, std::span<const SubStep> substeps, int number,
                            std::span<const Exchange> exchanges);
/// The nodes of a request: its lanes', and the further cells of those that asked for several at once.
std::vector<int> nodes_of(const WarpAccess&, const Run&, const Interval&);

}  // namespace bscope
