// A timeline as it is drawn: multiprocessors as rows, blocks as bars in them, how many warps were there at
// each moment, and which warp waited for which.
#pragma once

#include <string>
#include <vector>

#include "engine/timing/timeline.hpp"

namespace bscope {

/// Times are cycles since the run's first warp began: launches follow each other.
struct TimelineRows {
  /// What a block is at. `tiles` or `copy`: one of its warps waits for these; `barrier`: more than half of
  /// its warps wait at one; else it works.
  struct Stretch {
    long long begin = 0, end = 0;
    WarpActivity activity = WarpActivity::work;
    int phase = 0;  ///< in `phases`: where most of its warps are
  };
  struct BlockBar {
    int launch = 0, block = 0;  ///< which of the timeline's launches, and of its blocks
    int slot = 0;               ///< no two bars of a slot overlap
    long long begin = 0, end = 0;
    std::vector<Stretch> stretches = {};  ///< without gaps
  };
  struct TimeSpan {
    long long begin = 0, end = 0;
  };
  struct MultiprocessorRow {
    int multiprocessor = 0, slots = 0;
    std::vector<BlockBar> bars = {};    ///< as they begin
    std::vector<TimeSpan> unkept = {};  ///< launches of which blocks of other multiprocessors alone are kept
  };
  /// Warps on a multiprocessor, on average over all of the GPU's, from here to the next.
  struct Resident {
    long long at = 0;
    double working = 0, at_barrier = 0, awaiting = 0;
    double all() const { return working + at_barrier + awaiting; }
  };
  /// A warp that waited for what other blocks published.
  struct Wait {
    int launch = 0, block = 0, warp = 0;
    long long begin = 0, end = 0;
    StampedTiles tiles = {};
    int from =
        -1;  ///< the block that published the last of them; -1: all were there already, or it is not kept
    long long from_tile = -1;
    long long published = 0;  ///< when it did
  };

  std::vector<MultiprocessorRow> rows;  ///< by number
  std::vector<std::string> phases;      ///< in the order of the launches and their lines
  std::vector<TimeSpan> launches;       ///< from the first begin to the last end, of all blocks
  std::vector<Resident> resident;
  std::vector<Wait> waits;  ///< as they begin
  long long end = 0;
  int most_slots = 1;
};
TimelineRows rows_of(const Timeline&);

/// Waits that led to one another: the one that is given, the last one that its publisher had been in before
/// it published, and so on back in time.
std::vector<const TimelineRows::Wait*> chain_of(const TimelineRows&, const TimelineRows::Wait&);
/// The waits of a block, or where `block` is -1 of the one that waited longest for others to publish: by
/// begin. Empty: no warp waited.
std::vector<const TimelineRows::Wait*> waits_of(const TimelineRows&, int launch, int block);

/// How many warps there were on average between two moments.
TimelineRows::Resident resident_between(const TimelineRows&, long long begin, long long end);

}  // namespace bscope
