// What the tabs Banks and Memory share: what requests are called, their list, their totals, the sliders of
// the access pattern.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/chart.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/picture.hpp"
#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/parts/pattern.hpp"
#include "app/run/cursor.hpp"
#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

struct CellColumns;
struct LoadedState;
struct Run;

/// "load sum", with the time where a loop comes by more than once in an interval.
std::string request_name(const Run&, const WarpAccess&);
/// Its line of source, without the spaces before it.
std::string source_line(const Run&, const WarpAccess&);
Colour role(const Theme&, Op);

/// A run in one of the tabs, and where in it.
struct Looked {
  std::shared_ptr<const Run> run;
  Cursor cursor;
  int request = -1;
};
/// What one of the tabs shows.
struct RequestScene {
  Looked here;
  /// The thread that all pictures of the moment are about (RunQueries::selection), its rank in the block; -1:
  /// none, or the pattern is shown. It is marked.
  int followed = -1;
  bool asked_for = false;                       ///< it was asked for: then all others step back
  std::optional<Looked> beside;                 ///< the padded twin, or the strided pattern
  bool by_cost = false;                         ///< the list: those that waste most first
  bool shows_future = true;                     ///< totals of steps after the cursor's are shown
  std::optional<bool> twin;                     ///< whether the padded twin is shown; nothing: there is none
  std::optional<PatternState> pattern;          ///< given: the access pattern with its sliders
  std::vector<Slider> sliders;                  ///< of the pattern: stride, offset, width, pad
  RequestState& (*of)(LoadedState&) = nullptr;  ///< what the tab remembers: pressing changes it
  HitAction turn_twin = {};                     ///< shows the padded twin, or hides it
  std::optional<RequestSums> whole, whole_beside;   ///< of the runs; where not given they are counted now
  enum { there, counting, running } waits = there;  ///< for `whole`; for the padded twin
  std::vector<int> sweep, sweep_beside;  ///< of the pattern: answers at stride 0, 1, ...; 0: not run yet
};

/// What the panels are made from.
struct RequestSheet {
  const Theme& t;
  const RequestScene& scene;
  MemorySpace space;
  const WarpAccess* request = nullptr;         ///< of `here`
  const WarpAccess* request_beside = nullptr;  ///< of `beside`
  const EngineCopy* copy = nullptr;            ///< instead of a request
  std::vector<EngineCopy> copies;

  const Run& run() const { return *scene.here.run; }
  /// The followed thread's lane of the request's warp; -1: it is of another.
  int followed_lane(const WarpAccess& q) const {
    return scene.followed >= 0 && scene.followed / warp_size == q.warp ? scene.followed % warp_size : -1;
  }
  LineLook label(Colour c, Align a = Align::left, Font f = Font::text) const {
    return {.size = t.label(), .colour = c, .font = f, .align = a};
  }
  /// The colour of how often memory answers: the conflict's where that is more than it must.
  Colour verdict(const WarpAccess& q) const {
    return answers(q) > fewest(q) ? t.conflict : t.dark() ? role(t, q.op) : t.ink;
  }
};
/// Chooses what is looked at.
RequestSheet sheet(const Theme&, const RequestScene&, MemorySpace);
/// The name of the step that is shown, in the language that is spoken.
std::string shown_phase(const RequestSheet&);

/// Answers of one interval of the block.
struct IntervalSum {
  int step = 0, index = 0;
  std::string phase;
  long used = 0, ideal = 0, engine = 0, beside = 0;
};
std::vector<IntervalSum> interval_sums(const RequestSheet&);
/// Answers of an interval; adds the fewest to `ideal`.
long used_by(const Run&, size_t interval, MemorySpace, long* ideal = nullptr);
/// The same with what the copy engine moves; it moves no more than it must.
long used_and_moved(const RequestSheet&, size_t interval, long& ideal);

// The forms. Their hits: line (a: the request's number), thread (a lane), interval (a: the run's step). The
// sliders are named stride, offset, width and pad; the buttons kernel, pattern and beside.

/// A panel's heading: name and source line left, number and unit right.
LayoutNode heading(const RequestSheet&, const std::string& name, const std::string& code, int number,
                   const std::string& unit, Colour);
/// The row of lanes: hatched where a lane asks for nothing.
LayoutNode lane_row(const RequestSheet&, const Looked&, const WarpAccess&, const CellColumns&,
                    const std::string& prefix);
/// From a lane to what it asks for, in columns below; the followed lane's lines lie in front.
struct LaneLink {
  int lane = 0;
  float to = 0;
  Colour colour = 0;
};
LayoutNode falling(const RequestSheet&, const WarpAccess&, const std::vector<LaneLink>&,
                   const CellColumns& above, const CellColumns& below);
/// The requests to choose from (or the pattern's sliders), the switch between kernel and pattern, and why:
/// one panel. `reasons`: the longest first; the first that fits is written.
LayoutNode requests_form(const RequestSheet&, const std::vector<Text>& reasons);
/// For `reasons`: in full; of the request alone; in a word, what is bold of that.
std::vector<Text> shorter_and_shorter(Text full, Text alone);
/// Answers of each interval, beside the ideal or the run beside: one panel.
LayoutNode totals_form(const RequestSheet&);
/// Answers of the pattern at each stride: one panel. Hits: button (a: the stride) named `stride N`.
LayoutNode sweep_form(const RequestSheet&);
/// Where there is nothing to show: two sentences in a panel.
LayoutNode nothing_form(const RequestSheet&, const std::string& what, const std::string& instead);

}  // namespace bscope
