// What the lanes of a warp hand each other in a step: the registers before the first exchange and after each,
// and how they are named. No pixels.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/lane_rows.hpp"

namespace bscope {

struct StepView;

/// Whether lanes of the block hand each other anything, in any of its steps.
bool has_lanes(const StepView&);
/// The warp whose lanes are shown; -1: cells are.
int shown_warp(const StepView&);

struct WarpLanes {
  /// `warp`: of the step's block.
  WarpLanes(const StepView&, int warp);

  int warp = 0, lanes = 0;
  std::vector<const Exchange*> exchanges;  ///< that move something, or that is the sub-step
  int idle = 0;                            ///< the others: shuffles that reach beyond the warp's ends
  LaneRows held;                           ///< of these exchanges
  int focus = -1;                          ///< the exchange that is the sub-step; -1: the step is shown
  int happened = 0;                        ///< exchanges, at this moment of the step's motion
  int followed = -1;                       ///< lane; -1: of another warp, or none
  int asked = -1;                          ///< the followed lane, if the user chose it: others step back

  int count() const { return int(exchanges.size()); }
  const Exchange& exchange(int number) const { return *exchanges[size_t(number)]; }
  /// The computation (a node) in which a lane used what an exchange brought; -1: none.
  int made_by(int number, int lane) const { return held.made[size_t(number)][size_t(lane)]; }
  /// Whether the lane gives to another in the exchange of that number.
  bool gives(int number, int lane) const;
};

/// A register's value, in few letters if `briefly`.
std::string lane_words(const LaneRows::LaneValue&, bool briefly);
/// The one thing that all lanes did: "xor 16", "up 4", "from lane 7".
std::string exchange_pattern(const Exchange&);
/// The operator that used what the exchange brought: "+"; empty: none, or another.
std::string exchange_operator(const StepView&, const WarpLanes&, int number);
/// What one exchange did for a lane, as a sentence.
std::string lane_sentence(const StepView&, const WarpLanes&, int number, const Exchange::ExchangeLane&);
/// What all lanes got from an exchange that is no shuffle: "+ 28", "3 of 32 say yes".
std::string common_result(const Exchange&);
/// Where the results go: "then lane 0 stores sum[0] = 28"; empty: nowhere yet.
std::string stores_of_lanes(const StepView&, const WarpLanes&);

}  // namespace bscope
