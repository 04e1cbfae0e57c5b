// The machine code in the source panel: what a launch takes, and the instructions of a line.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "engine/analysis/line_lanes.hpp"
#include "engine/machine_code/launched_code.hpp"

namespace bscope {

struct LayoutNode;
struct LoadedState;
struct OwnCode;
class RunQueries;
class TabServices;
struct Theme;

/// Of one launch: its code, by line, and what was counted on each line.
struct MachineLines {
  LaunchedCode found;
  std::string why_none;  ///< one sentence; empty: there is code
  std::map<int, std::vector<const MachineInstruction*>> by_line;
  std::map<int, LineLanes> lanes;
  bool has(int line) const { return by_line.contains(line); }
};
/// Found on first use, and kept with the run's queries. `own`: of a user's own program, as far as it is made;
/// null: of the built-in kernels.
const MachineLines& machine_lines(const RunQueries&, int launch,
                                  const std::shared_ptr<const OwnCode>& own = nullptr);
/// For the source panel: null where machine code is not shown, or the run is no program's. On demand it is
/// made in the background (OwnCodeBench).
std::shared_ptr<const OwnCode> own_code_shown(const LoadedState&, TabServices&);
/// Another number whenever that has changed.
uint64_t own_code_version(TabServices&);

/// What a thread and a block take, how full that makes a multiprocessor, and what keeps it from more; or why
/// there is no code. `brief`: in one row, without shared memory and limit.
LayoutNode machine_figures(const MachineLines&, const Theme&, bool brief = false);
/// How they look on the ground that they stand on.
struct MachineLook {
  float size = 0, row = 0;
  size_t letters = 0;  ///< that have room
  Colour ground = 0;
  bool brief = false;  ///< what is said of the line in one row, not in two; instructions that are many in two
                       ///< columns, without operands that have no room
};
/// A line's: what its lanes did, what its instructions are, and these, from `first` on, in at most so many
/// rows; where they are more, the last row says so, and shows the next.
std::vector<LayoutNode> machine_rows(const MachineLines&, int line, int first, int most, const Theme&,
                                     const MachineLook&);

}  // namespace bscope
