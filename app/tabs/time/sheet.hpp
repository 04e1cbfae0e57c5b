// What the parts of the Time tab's picture share.
#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/draw/layout.hpp"
#include "app/draw/picture.hpp"
#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/session/state.hpp"
#include "app/tabs/time/picture.hpp"
#include "app/tabs/time/time_state.hpp"
#include "engine/timing/curves.hpp"

namespace bscope {

struct Control;

/// Colours of a curve. Light `changed` may not be a line or a text: there ink stands for it.
struct CurveLook {
  Colour line, words, fill, edge;
  float thickness;
};

struct TimeSheet {
  const Theme& t;
  const TimeInput& in;
  const CurvesAsked& asked;
  const std::vector<Curve>& series;
  std::vector<CurveLook> looks;         ///< by series
  std::vector<const Curve*> rows = {};  ///< of the bar table
  std::vector<std::string> axes = {};   ///< that throughput can be drawn against
  std::vector<TimeFacet> facets = {};   ///< that can stand beside it
  bool low = false;                     ///< on a projector below a lesson's strip

  const CurveLook& look(const Curve& s) const { return looks[size_t(&s - series.data())]; }
  /// The chosen length, and what it is called.
  long long length() const { return 1LL << in.look.log_n; }
  std::string n() const;
  LineLook small() const { return {.size = t.small(), .colour = t.ink2}; }
  LineLook label(Colour c, Align a = Align::left, Font f = Font::text) const {
    return {.size = t.label(), .colour = c, .font = f, .align = a, .cut = true};
  }
};

/// Sets what the tab remembers.
template <class Value>
HitAction sets(Value TimeState::*member, std::type_identity_t<Value> to) {
  return [member, to](LoadedState& s, float) { s.of<TimeState>().*member = to; };
}
/// Into or out of a list that it remembers.
HitAction toggles(std::vector<std::string> TimeState::*list, const std::string& key);

std::string family_title(const std::string& kernel);
/// The family's kernels in the catalog's order.
std::vector<std::string> series_of(const std::string& family);
/// Colours of curves that are in no bar table: of a sweep's lines.
std::vector<CurveLook> curve_looks(const Theme&, const CurvesAsked&, const std::vector<Curve>&);
/// What a point's tip says.
std::string facts(const Curve&, const Record&);
/// Whether the run's copy or read is a curve of its own, so that a level line would say something else.
bool limit_is_a_curve(const TimeSheet&, const Recording*);
double log_length(const Record&);

/// What is set of a measurement: length, threads a block, skew. Parameters of one kernel are declared there.
const std::array<Control, 3>& time_sliders();
/// The threads a block that the slider says: those that are chosen, else those of the recorded curve, else
/// the kernel's own.
std::string block_shown(const TimeSheet&);

// The parts, each what stands in a panel.
LayoutNode time_controls(const TimeSheet&);
/// Against N, or what else was chosen.
LayoutNode throughput(const TimeSheet&);
/// What stands beside throughput.
LayoutNode facet(const TimeSheet&, TimeFacet);
LayoutNode speedup(const TimeSheet&);
LayoutNode noise(const TimeSheet&);
LayoutNode roofline(const TimeSheet&);
LayoutNode cycles(const TimeSheet&);
LayoutNode gpus(const TimeSheet&);
LayoutNode notes(const TimeSheet&);
LayoutNode series_table(const TimeSheet&);

/// One sentence of what the figures say of the open kernel; empty without them.
Text verdict(const TimeSheet&);
/// The one that is chosen, else what there are figures for.
TimeFacet facet_beside(const TimeSheet&);
/// A facet: its heading (longest spelling first), the buttons that choose another, and what it shows.
LayoutNode faceted(const TimeSheet&, std::vector<std::string> heading, LayoutNode shown);
/// The buttons that choose a facet.
LayoutNode facet_buttons(const TimeSheet&, bool with_throughput);
/// Words in the middle of what has nothing to show.
LayoutNode nothing(const TimeSheet&, const std::string& words);

}  // namespace bscope
