// The Time tab: throughput against length, measured here and recorded elsewhere, the ladder at one length,
// and beside them speed-up, noise or a roofline.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/measure/bench.hpp"
#include "app/tabs/time/time_state.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {

class Kit;

/// What the tab shows. Plain data: who measures fills it in.
struct TimeInput {
  std::string kernel;                               ///< the open kernel: scan/blelloch; its family is shown
  std::vector<Parameter> parameters;                ///< that it declares
  TimeState look;                                   ///< sliders, chosen curves, facet
  std::vector<Recording> live;                      ///< measured on this machine in this session
  std::vector<Recording> recorded;                  ///< that came with the program or were imported
  bool is_warm = false;                             ///< their times are the warm ones: see warmed()
  std::map<WorkCounter::Key, CountedWork> counted;  ///< for the roofline
  bool measuring = false;
  int done = 0, all = 0;     ///< points measured
  double seconds_left = -1;  ///< -1: not known
  std::string doing;         ///< "scan, N = 2^20"
  std::string gpu;           ///< this machine's GPU; empty: none
  std::string no_gpu;        ///< why there is none, one sentence
  std::string error;         ///< what went wrong in the last measurement
  std::string notice;        ///< where the last export went
  Kit* kit = nullptr;        ///< what its buttons measure and save with; null: a picture alone
};

/// One curve: the records of one kernel with one set of parameters on one device.
struct TimeSeries {
  std::string label;                  ///< said, as on the screen
  std::string key;                    ///< the same in every language and session: TimeState::hidden
  std::vector<const Record*> points;  ///< by n, one for each
  const Recording* run = nullptr;
  /// current: the open kernel, with the sliders' parameters where it was measured with those.
  /// limit: a copy or a pure read of as many bytes.
  bool recorded = false, current = false, reference = false, cpu = false, limit = false, hidden = false;
  bool sibling = false;  ///< the open kernel with other parameters than the sliders'
  int rung = -1;         ///< of the family's ladder; -1: none
  const Record* at(long long n) const;
};
/// Live recordings' curves first, then the open ones of `recorded`; hidden ones too. Of the other kernels a
/// recording gives the variant that is nearest to the sliders, then fastest; of the open one all. Points that
/// belong to a sweep over something else than N are no curve where the kernel has one. The input must outlive
/// them.
std::vector<TimeSeries> time_series(const TimeInput&);
std::vector<TimeSeries> time_series(TimeInput&&) = delete;
/// The same input with its recordings' warm times for their cold ones; what has none is left out, but for a
/// CPU's, whose runs are in a row always.
TimeInput warmed(TimeInput);
/// Has any record of the open family warm times?
bool has_warm(const TimeInput&);

/// What throughput can be drawn against: "n", and what an open recording sweeps at one N: "block", what the
/// open kernel declares, "keys" (histograms: how uneven they are).
std::vector<std::string> time_axes(const TimeInput&);
/// Curves over one of these but "n".
struct TimeSweep {
  std::string axis;
  long long n = 0;                    ///< of all of them: near the slider's
  std::vector<std::string> ticks;     ///< values, in order
  std::vector<TimeSeries> lines;      ///< points: one a value
  std::vector<TimeSeries> levels;     ///< of one point: CUB's and the limit's at this N
  double place(const Record&) const;  ///< in `ticks`; -1: nowhere
};
TimeSweep time_sweep(const TimeInput&, const std::string& axis);
TimeSweep time_sweep(TimeInput&&, const std::string& axis) = delete;
/// What can stand beside throughput: speed-up, noise and roofline always, others where recordings hold such.
std::vector<TimeFacet> time_facets(const TimeInput&);
/// Sentences of the open recordings: what was left out, what changed, what was measured on a fallen clock.
std::vector<std::string> time_notes(const TimeInput&);

/// Is it ticked? One that was measured here (not `recorded`) goes by its device's name.
bool is_open(const TimeState&, const Recording&, bool recorded);
/// The curves in the order of the ladder's rows: as fast at the chosen length, slowest first; then those that
/// have no point there.
std::vector<const TimeSeries*> ladder_rows(const TimeInput&, const std::vector<TimeSeries>&);
/// The values that a declared parameter's slider stands at, least first; empty for one that has no slider.
std::vector<std::string> slider_values(const Parameter&);
/// What the roofline needs to have counted.
std::vector<WorkCounter::Key> time_work(const TimeInput&);

/// Hits: other "n", "block", "skew", "set:NAME" (sliders: log2, percent, index in slider_values); buttons
/// "measure", "measure one" (or "stop" while measuring), "type:TYPE", "facet:NAME", "over:serial|tbb",
/// "recording:KEY", "forget:KEY", "import", "export:json", "export:csv", "row:KEY" and "curve:KEY" (both
/// toggle a curve), "point:KEY:N" (of a sweep "point:KEY:VALUE"), "axis:NAME", "cache:cold|warm".
Picture time_view(const TimeInput&, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
