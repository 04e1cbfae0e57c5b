// The cursor: the place in a run that all views show, and how they show it.
#pragma once

#include "engine/analysis/moment.hpp"

namespace bscope {

struct Run;

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

/// The same cursor, whatever it held, at a place that the run has.
Cursor fitted(const Run&, Cursor);
/// The same cursor at a step (clamped to the run), landed: launch, block, interval.
Cursor at_step(const Run&, Cursor, int step);

}  // namespace bscope
