// The Time tab: throughput against length, measured here and recorded elsewhere, the ladder at one length,
// and beside them speed-up, noise or a roofline.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/state/measure.hpp"
#include "app/state/tabs.hpp"
#include "app/view/picture.hpp"
#include "app/view/theme.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {

/// What the tab shows. Plain data: who measures fills it in.
struct TimeInput {
  std::string kernel;                               ///< the open kernel: scan/blelloch; its family is shown
  std::vector<Parameter> parameters;                ///< that it declares
  TimeState look;                                   ///< sliders, chosen curves, facet
  std::vector<Recording> live;                      ///< measured on this machine in this session
  std::vector<Recording> recorded;                  ///< that came with the program or were imported
  std::map<WorkCounter::Key, CountedWork> counted;  ///< for the roofline
  bool measuring = false;
  int done = 0, all = 0;     ///< points measured
  double seconds_left = -1;  ///< -1: not known
  std::string doing;         ///< "scan, N = 2^20"
  std::string gpu;           ///< this machine's GPU; empty: none
  std::string no_gpu;        ///< why there is none, one sentence
  std::string error;         ///< what went wrong in the last measurement
  std::string notice;        ///< where the last export went
};

/// One curve: the records of one kernel with one set of parameters on one device.
struct TimeSeries {
  std::string label;                  ///< said, as on the screen
  std::string key;                    ///< the same in every language and session: TimeState::hidden
  std::vector<const Record*> points;  ///< by n, one for each
  const Recording* run = nullptr;
  /// current: the open kernel, with the sliders' parameters where it was measured with those.
  bool recorded = false, current = false, reference = false, cpu = false, copy = false, hidden = false;
  int rung = -1;  ///< of the family's ladder; -1: none
  const Record* at(long long n) const;
};
/// Live recordings' curves first, then the open ones of `recorded`; hidden ones too. The input must outlive
/// them.
std::vector<TimeSeries> time_series(const TimeInput&);
std::vector<TimeSeries> time_series(TimeInput&&) = delete;
/// What TimeState::closed names a recording by.
std::string key_of(const Recording&);
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
/// toggle a curve), "point:KEY:N".
Picture time_view(const TimeInput&, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
