// The whole state of the app: what is open, where we are in it, how it looks. Plain data and pure steps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/analysis/other_order.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

/// Where we are in a run, and how we look at it: all that a view needs to know beside the run itself.
struct Cursor : Moment {
  int line = 0;                ///< selected source line, 0: none
  float zoom = 1, scroll = 0;  ///< cells: zoom factor and first visible cell
  float phase = 1;             ///< 0..1 within the step, for motion; 1: landed
  bool arrows = true;          ///< draw the dataflow arrows
  /// What a session keeps of it (app/session/tab_states.hpp): all but the phase, which is motion and no
  /// place.
  template <class Self, class Visit>
  static void fields(Self& c, Visit&& visit) {
    visit("launch", c.launch);
    visit("block", c.block);
    visit("interval", c.interval);
    visit("substep", c.substep);
    visit("thread", c.thread);
    visit("cell", c.cell);
    visit("line", c.line);
    visit("array", c.array);
    visit("zoom", c.zoom);
    visit("scroll", c.scroll);
    visit("arrows", c.arrows);
  }
  bool operator==(const Cursor&) const = default;
};

inline constexpr float most_zoom = 65536;

/// Traces on the CPU (or GPU), analyses. Throws UsageError, NoDevice.
std::shared_ptr<const Run> open_run(const RunSpec&, Device = Device::cpu, const Schedule& = {});
/// Loads a .bscope file and analyses it. `session`, if given, receives the text that was saved with it.
/// Throws BadFile.
std::shared_ptr<const Run> open_file(const std::string& path, std::string* session = nullptr);

/// A trace and what is known of it, made where they stay. `other`: what a run in another order has shown.
std::shared_ptr<const Run> analysed(Trace&&, const OtherOrder& other = {});

/// Whether it takes longer than a frame to trace such a run, or to count what it did.
inline bool is_large(const Run& r) { return r.trace.events() > 100'000; }

/// The catalog's entry of a kernel; null for one that this program does not have.
const Algorithm* algorithm_of(std::string_view kernel);
/// A parameter of the run, as text; empty if it has none of that name.
std::string parameter_of(const Trace&, std::string_view name);

/// The text as a whole number; nothing if it is anything else, or too large. A file's parameters are
/// untrusted text.
std::optional<long long> as_whole(std::string_view text);

/// The same cursor, whatever it held, at a place that the run has.
Cursor fitted(const Run&, Cursor);
/// The same cursor at a step (clamped to the run), landed: launch, block, interval.
Cursor at_step(const Run&, Cursor, int step);

}  // namespace bscope
