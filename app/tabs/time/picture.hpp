// The Time tab: throughput against length, measured here and recorded elsewhere, the bars at one length,
// and beside them speed-up, noise or a roofline.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/measure/measurer.hpp"
#include "app/tabs/time/time_state.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/timing/recording.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Curve;
struct CurvesAsked;
struct Metrics;
struct Picture;
class TabServices;
struct Theme;

/// What the tab shows. Plain data: who measures fills it in.
struct TimeInput {
  std::string kernel;                               ///< the open kernel: scan/blelloch; its family is shown
  std::vector<Parameter> parameters;                ///< that it declares
  TimeState look;                                   ///< sliders, chosen curves, facet
  std::vector<Recording> live;                      ///< measured on this machine in this session
  std::vector<Recording> recorded;                  ///< that came with the program or were imported
  bool is_warm = false;                             ///< their times are the warm ones: see warmed()
  std::map<WorkCounter::Key, CountedWork> counted;  ///< for the roofline
  bool measures = true;                             ///< whether anything can be measured here
  bool measuring = false;
  int done = 0, all = 0;            ///< points measured
  double seconds_left = -1;         ///< -1: not known
  std::string doing;                ///< "scan, N = 2^20"
  std::string gpu;                  ///< this machine's GPU; empty: none
  Message no_gpu;                   ///< why there is none
  Message error;                    ///< what went wrong in the last measurement
  std::string notice;               ///< where the last export went
  Message awaited;                  ///< what a page says while it reads recordings; empty: they are there
  TabServices* services = nullptr;  ///< what its buttons measure and save with; null: a picture alone
};

/// What of it is asked of its open recordings; points into the input.
CurvesAsked curves_asked(const TimeInput&);
CurvesAsked curves_asked(TimeInput&&) = delete;
/// What a curve is called: its kernel and what tells it from others.
std::string label_of(const Curve&);
/// The same input with its recordings' warm times for their cold ones; what has none is left out, but for a
/// CPU's, whose runs are in a row always.
TimeInput warmed(TimeInput);
/// Whether any record of the open family has warm times.
bool has_warm(const TimeInput&);

/// What throughput can be drawn against: "n", and what is swept.
std::vector<std::string> time_axes(const CurvesAsked&);
/// What can stand beside throughput: speed-up, noise and roofline always, others where recordings hold such.
std::vector<TimeFacet> time_facets(const CurvesAsked&);
/// Sentences of the open recordings: what was left out, what changed, what was measured on a fallen clock.
std::vector<std::string> time_notes(const CurvesAsked&);

/// Whether it is ticked. One that was measured here (not `recorded`) goes by its device's name.
bool is_open(const TimeState&, const Recording&, bool recorded);
/// The curves in the order of the bar table's rows: as fast at the chosen length, slowest first; then those
/// that have no point there.
std::vector<const Curve*> ladder_rows(const TimeInput&, const std::vector<Curve>&);
/// The threads a block that the kernel is timed with where none are chosen: "auto" where they change with the
/// length.
std::string own_block(const std::string& kernel);
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
