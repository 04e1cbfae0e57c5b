// What the lines of the source did in a step: how many lanes took part, which values the followed thread had.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/active_lanes.hpp"
#include "engine/analysis/block_steps.hpp"

namespace bscope {

struct Interval;
class RunQueries;
struct WarpInstruction;

/// How many lanes took part in the instructions of each line: in this step, or in all launches of its source;
/// nothing where values are shown.
LinesActiveLanes lanes_of_lines(const RunQueries&, const Step&, Profile);

/// By line. A line may be run in several rounds: its lanes are of the one whose value stands beside them,
/// which is the one that Why is about (the node `chosen`), else the followed thread's first.
std::map<int, LineRole> roles_of_lines(const RunQueries&, const Step&, int followed, int chosen);
/// What an instruction does, and the lanes that take part in it.
LineRole role_of(const WarpInstruction&);

/// Lines that are run for the first time after the interval, and what stands between them below all that has
/// run; none up to the line `shown`.
std::set<int> coming_lines(const RunQueries&, const Interval&, int shown);

/// What the followed thread read on a line, or what it wrote there.
struct ValueOfLine {
  std::vector<std::string> all;  ///< in its order; `chosen` before others
  LineRole::Activity what = LineRole::read;
  std::string longest;  ///< of all that was read and written there
};
/// By line; of one instruction, if it is given. `hides`: the step's results are asked for, and not shown.
std::map<int, ValueOfLine> values_of_lines(const RunQueries&, const Step&, int followed, int chosen,
                                           bool hides, const WarpInstruction* = nullptr);

}  // namespace bscope
