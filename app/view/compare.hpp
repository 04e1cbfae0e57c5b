// The Compare tab: two runs side by side, one transport, one scale of work.
#pragma once

#include <vector>

#include "app/session.hpp"
#include "app/view/picture.hpp"
#include "app/view/theme.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {

/// What one side shows: the first launch's block 0, an interval a row.
struct CompareSide {
  const Run* run = nullptr;
  const Launch* launch = nullptr;
  int array = -1;  ///< the shared array whose dataflow is drawn; -1: threads at work instead
  int cells = 0;   ///< of it
  int threads = 0;
  struct Dot {
    int cell;
    bool add;               ///< a computation; else a copy or a constant
    std::vector<int> from;  ///< other cells of the array
  };
  struct Row {
    std::string name;
    std::vector<Dot> dots;
    std::vector<int> active;  ///< threads with at least one access
    long adds = 0, atomics = 0;
  };
  std::vector<Row> rows;
  long slots_used = 0;  ///< threads at work, summed over the intervals
};
/// Dataflow is drawn up to 64 cells; `run` must outlive it.
CompareSide compare_side(const Run& run);

/// Both sides stand at `interval` (of block 0), or at their last. `recordings` give the measured panel its
/// bars; the newest with both kernels is used. Hits: interval (a: index) named "left 3" and "right 3".
Picture compare_view(const CompareSide& left, const CompareSide& right, int interval,
                     const std::vector<Recording>& recordings, const Theme&, const Metrics&, float w,
                     float h);
Picture compare_view(const Run& left, const Run& right, int interval,
                     const std::vector<Recording>& recordings, const Theme&, const Metrics&, float w,
                     float h);

}  // namespace bscope
