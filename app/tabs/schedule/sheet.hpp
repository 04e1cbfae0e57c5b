// What the parts of the Schedule tab's picture share.
#pragma once

#include <string>
#include <vector>

#include "app/draw/layout.hpp"
#include "app/draw/picture.hpp"
#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/schedule/picture.hpp"
#include "app/words/measures.hpp"
#include "app/words/words.hpp"
#include "engine/timing/timeline.hpp"

namespace bscope {

struct ShownTimeline;
struct TimelineRows;

struct ScheduleSheet {
  const Theme& t;
  const ScheduleInput& in;
  const Timeline& timeline;
  const TimelineRows& schedule;
  std::vector<Colour> phases = {};  ///< by number
  double begin = 0, end = 1;        ///< what is in view, cycles
  size_t first = 0, rows = 1;       ///< multiprocessors in view
  float name_width = 0;             ///< of what stands left of the rows
  int slots = 1;                    ///< of the rows in view, together

  double us(double cycles) const { return timeline.clock_mhz > 0 ? cycles / timeline.clock_mhz : 0; }
  std::string time(double cycles) const { return tr("{} us", rate_text(us(cycles))); }
  float x(Box plot, double cycle) const { return plot.x + float((cycle - begin) / (end - begin)) * plot.w; }
  /// What a block at this looks like.
  Colour fill(WarpActivity, int phase) const;
  LineLook label(Colour c, Align a = Align::left, Font f = Font::text) const {
    return {.size = t.label(), .colour = c, .font = f, .align = a, .cut = true};
  }
  const TimelineBlock& block(int launch, int k) const {
    return timeline.launches[size_t(launch)].blocks[size_t(k)];
  }
  bool chosen(int launch, int k) const {
    return in.look.launch == launch && in.look.block == block(launch, k).number;
  }
};

ScheduleSheet schedule_sheet(const Theme&, const ScheduleInput&, const ShownTimeline&);

// The parts, each what stands in a panel.
LayoutNode schedule_side(const Theme&, const ScheduleInput&, const ScheduleSheet*);
/// How many warps were there, over the same time as the rows.
LayoutNode schedule_warps(const ScheduleSheet&);
LayoutNode schedule_rows(const ScheduleSheet&);
LayoutNode schedule_phases(const ScheduleSheet&);
/// One sentence of what the run shows.
Text schedule_verdict(const ScheduleSheet&);

}  // namespace bscope
