// A run: a trace with all that is computed of it, and a position in it.
#pragma once

#include <optional>

#include "engine/analysis/report.hpp"

namespace bscope {

/// The trace and everything computed from it. Immutable once it is made; shared.
struct Run {
  Trace trace;
  Report report;
};

/// A position in a run, and the selected thread and cell there.
struct Moment {
  int launch = 0, block = 0, interval = 0;
  int substep = -1;             ///< within the interval: of substeps(), -1: the whole interval
  int thread = -1;              ///< followed thread (rank in the block), -1: none
  std::optional<CellRef> cell;  ///< selected cell
  int array = -1;               ///< the array that is looked at, -1: the one that the block writes most
  bool operator==(const Moment&) const = default;
};

/// Steps of the run: its intervals, by launch, then block, then index. At least 1 for a run that can be
/// shown.
inline int steps(const Run& r) { return int(r.report.flow.intervals.size()); }
/// The moment's step, counted from 0 through the run; the nearest before it if it lies between steps.
int step_of(const Run&, const Moment&);
/// The interval of the moment. The run must have steps.
inline const Interval& interval_at(const Run& r, const Moment& m) {
  return r.report.flow.intervals[size_t(step_of(r, m))];
}

}  // namespace bscope
