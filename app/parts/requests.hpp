// What the tabs Banks and Memory share: what requests are called, their list, their totals, the sliders of
// the access pattern.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/chart.hpp"
#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/parts/pattern.hpp"
#include "app/run/run.hpp"
#include "engine/analysis/request_choice.hpp"

namespace bscope {

/// "load sum", with the time where a loop comes by more than once in an interval.
std::string request_name(const Run&, const WarpRequest&);
/// Its line of source, without the spaces before it.
std::string source_line(const Run&, const WarpRequest&);
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
  /// The thread that all pictures of the moment are about (Moments::selection), its rank in the block; -1:
  /// nobody, or the pattern is shown. It is marked.
  int followed = -1;
  bool asked_for = false;                           ///< somebody asked for it: then all others step back
  std::optional<Looked> beside;                     ///< the padded twin, or the strided pattern
  std::optional<bool> twin;                         ///< is there a padded twin, and is it shown?
  std::optional<PatternState> pattern;              ///< given: the access pattern with its sliders
  std::vector<Slider> sliders;                      ///< of the pattern: stride, offset, width, pad
  RequestState& (*of)(State&) = nullptr;            ///< what the tab remembers: pressing changes it
  Does turn_twin = {};                              ///< shows the padded twin, or hides it
  std::optional<RequestSums> whole, whole_beside;   ///< of the runs; where not given they are counted now
  enum { there, counting, running } waits = there;  ///< for `whole`; for the padded twin
  std::vector<int> sweep, sweep_beside;  ///< of the pattern: answers at stride 0, 1, ...; 0: not run yet
};

/// Selects in the picture: line (a: the request's number), thread (a lane), interval (a: the run's step).
/// The sliders are named stride, offset, width and pad; the buttons kernel, pattern and
/// beside.
struct RequestSheet {
  Pen& pen;
  const Theme& t;
  const RequestScene& scene;
  Space space;
  const WarpRequest* request = nullptr;         ///< of `here`
  const WarpRequest* request_beside = nullptr;  ///< of `beside`
  const EngineCopy* copy = nullptr;             ///< instead of a request
  std::vector<EngineCopy> copies;

  const Run& run() const { return *scene.here.run; }
  /// The followed thread's lane of the request's warp; -1: it is of another.
  int followed_lane(const WarpRequest& q) const {
    return scene.followed >= 0 && scene.followed / warp_size == q.warp ? scene.followed % warp_size : -1;
  }
  float label() const { return t.px(t.size_label); }
  float small() const { return t.px(t.size_index); }
  float title() const { return t.px(t.size_title); }
  float why() const { return t.px(t.size_why) * (t.projector() ? 0.72f : 1); }
};
/// Chooses what is looked at. The pen's picture must have been filled with the window's colour.
RequestSheet sheet(Pen&, const Theme&, const RequestScene&, Space);

/// A panel's heading: name and source line left, number and unit right. Returns the y below it.
float heading(RequestSheet&, Box in, const std::string& name, const std::string& code, int number,
              const std::string& unit, Colour);
/// The row of lanes: a chip each, hatched where a lane asks for nothing. Returns the chips' boxes.
struct LaneRow {
  float left = 0, pitch = 0, chip = 0, top = 0, bottom = 0;
  float x(int k) const { return left + (float(k) + 0.5f) * pitch; }
};
/// The size in which two digits stand whole in a chip, with a little air beside them.
float chip_digits(const RequestSheet&, const LaneRow&);
LaneRow lane_row(RequestSheet&, const Looked&, const WarpRequest&, Box in, float names, float y,
                 const std::string& prefix);
/// List of requests, the switch between kernel and pattern or the sliders, and why: one panel.
/// `reasons`: the longest first; the first that fits is written.
void request_panel(RequestSheet&, Box outer, const std::vector<std::vector<Words>>& reasons);
/// For `reasons`: in full; of the request alone; in a word, what is bold of that.
std::vector<std::vector<Words>> shorter_and_shorter(std::vector<Words> full, std::vector<Words> alone);
/// Answers of each interval, beside the ideal or the run beside: one panel.
void totals_panel(RequestSheet&, Box outer);
/// Answers of the pattern at each stride: one panel. Hits: button (a: the stride) named `stride N`.
void sweep_panel(RequestSheet&, Box outer);
/// Where there is nothing to show: two sentences in a panel.
void nothing_panel(RequestSheet&, Box outer, const std::string& what, const std::string& instead);

}  // namespace bscope
