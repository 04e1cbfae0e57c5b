// A GPU's own record of a launch: each warp's way through it, on which multiprocessor, from the
// stamped form of a kernel (engine/simt/stamps.hpp). And the file that it is kept in:
// barrierscope.timeline/1.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/simt/stamps.hpp"

namespace bscope {

/// Where a warp came to, in the order of its way.
struct TimelinePlace {
  Stamp::Kind kind = Stamp::phase;
  int line = 0;
  bool operator==(const TimelinePlace&) const = default;
};

/// Times are in cycles of the multiprocessors since the launch's first warp began.
struct TimelineWarp {
  long long begin = 0, end = 0;
  int path = 0;                    ///< which of the launch's
  std::vector<long long> at = {};  ///< when it came to each of its path's places
  std::vector<StampedTiles> tiles =
      {};  ///< of those of its path's places that are about tiles, in their order
};
struct TimelineBlock {
  int multiprocessor = 0;
  int number = 0;  ///< in its grid
  std::vector<TimelineWarp> warps = {};
  long long begin() const;
  long long end() const;
};
/// Where the time of a launch's warps goes.
struct TimelineShare {
  std::string phase;    ///< empty: before the first one
  double cycles = 0;    ///< of all warps together, at work
  double waiting = 0;   ///< at its barriers
  double awaiting = 0;  ///< for what other blocks publish, or the copy engine brings
};
struct TimelineMeasures {
  long long cycles = 0;       ///< from the first warp's begin to the last one's end
  int multiprocessors = 0;    ///< that had a block
  int most_blocks = 0;        ///< on one multiprocessor at a time
  double warps = 0;           ///< on a multiprocessor at a time, on average over the launch
  double waiting_warps = 0;   ///< of them, at a barrier
  double awaiting_warps = 0;  ///< of them, for other blocks or the copy engine
  long long tail = 0;         ///< from when the first multiprocessor had no block left to the end
  std::vector<TimelineShare> phases = {};
};
/// What a trace of the same kernel counts in a phase.
struct TimelineCount {
  std::string phase;
  long wavefronts = 0, sectors = 0, atomics = 0;
};
struct TimelineLaunch {
  std::string name;
  int block = 1;
  int grid = 0;         ///< blocks that ran
  long long since = 0;  ///< cycles from the begin of the run's first warp to that of this launch's
  uint32_t shared_bytes = 0;
  uint32_t padding = 0;  ///< of these, what no array uses: it keeps other blocks away
  int registers = 0, untraced_registers = 0;
  int resident = 0, untraced_resident = 0;  ///< blocks that fit on a multiprocessor
  std::map<int, std::string> phases = {};   ///< names of phases, by their lines
  std::vector<std::vector<TimelinePlace>> paths = {};
  std::vector<TimelineBlock> blocks = {};
  long long dropped = 0;  ///< stamps for which there was no room
  /// Of the whole launch, where the blocks of some multiprocessors alone are kept.
  std::optional<TimelineMeasures> whole = {};
  std::vector<TimelineCount> counted =
      {};  ///< of all its launches' of that name, in a run of Timeline::counted_n
  long long end() const;
};

/// What a warp is at between two places of its way.
enum class Doing : uint8_t {
  work,
  barrier,  ///< has come to a barrier of its block, and others have not
  tiles,    ///< waits for what other blocks publish
  copy      ///< waits for what the copy engine brings
};
struct TimelineStretch {
  long long begin = 0, end = 0;
  Doing doing = Doing::work;
  int line = 0;             ///< of its phase; 0: before the first one
  StampedTiles tiles = {};  ///< that it waits for
};
/// A warp's way from its begin to its end, without gaps; stretches of no length are left out.
std::vector<TimelineStretch> stretches_of(const TimelineLaunch&, const TimelineWarp&);
/// The name of the phase in this line: "line 12" without a name; empty for line 0.
std::string phase_name(const TimelineLaunch&, int line);

/// One run of a kernel's program.
struct Timeline {
  std::string device = {}, driver = {}, date = {}, kernel = {};
  std::map<std::string, std::string> parameters = {};
  long long n = 0;
  int multiprocessors = 0;
  double clock_mhz = 0;                  ///< of the multiprocessors, in this run
  int limit = 0;                         ///< blocks of a launch let onto a multiprocessor; 0: as many as fit
  double untraced_s = 0, stamped_s = 0;  ///< medians, in turns: what the stamps cost; 0: not measured
  long long counted_n = 0;               ///< elements of the traced run that `counted` is of; 0: none
  std::vector<TimelineLaunch> launches = {};
};

/// Puts the multiprocessors' clocks side by side, by the GPU's own time that each warp read when it began and
/// ended. In a run too short to tell how fast they tick, `clock_mhz` says it.
std::vector<TimelineLaunch> timeline_of(const std::vector<StampedLaunch>&, double& clock_mhz);

/// What cannot be: a warp that goes back in time, a release before the last arrival of its block, a block on
/// two multiprocessors, more blocks on one than fit. A sentence each; empty: it is consistent.
std::vector<std::string> contradictions(const Timeline&);

/// Of the whole launch, whatever is kept of it.
TimelineMeasures measures_of(const Timeline&, const TimelineLaunch&);
/// With every warp of so many multiprocessors, evenly chosen of those that have blocks, and the measures of
/// all.
Timeline thinned(Timeline, int multiprocessors);

std::string to_json(const Timeline&);
/// `name` is said in errors. Trusts nothing: throws BadFile with one sentence.
Timeline read_timeline(std::string_view json, const std::string& name);
/// Whether a file that begins so says that it is one.
bool is_timeline(std::string_view beginning);
/// Throws BadFile.
Timeline load_timeline(const std::filesystem::path&);

}  // namespace bscope
