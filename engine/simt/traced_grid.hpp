// Timed runs with a trace's grids, so that what a GPU counts of them can be held against the trace.
#pragma once

namespace bscope {

/// While one lives, what is prepared to be timed (Algorithm::timed) finds as few multiprocessors as a trace
/// has: grids that stay on every multiprocessor are then as small as the trace's.
class TracedGrid {
 public:
  TracedGrid() { ++alive_; }
  ~TracedGrid() { --alive_; }
  TracedGrid(const TracedGrid&) = delete;
  TracedGrid& operator=(const TracedGrid&) = delete;
  static bool wanted() { return alive_ > 0; }

 private:
  static inline int alive_ = 0;
};

}  // namespace bscope
