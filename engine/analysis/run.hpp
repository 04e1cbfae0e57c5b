// A run: a trace with all that is computed of it, and its steps.
#pragma once

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/moment.hpp"
#include "engine/analysis/report.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// The trace and everything computed from it. Immutable once it is made; shared.
struct Run {
  Trace trace;
  Report report;
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
