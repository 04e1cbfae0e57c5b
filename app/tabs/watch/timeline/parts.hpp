// The parts of the timeline's picture. Each draws one row of it, or one concern of a step's column.
#pragma once

namespace bscope {

class Pen;
struct Theme;
struct TimelineLayout;
struct TimelineSteps;

// launches.cpp
/// The run's launches, side by side: the present one is spread out below.
void draw_timeline_launches(Pen&, const Theme&, const TimelineSteps&, const TimelineLayout&);
/// Of more steps than there is room for: the part that is spread out, and where the present is.
void draw_timeline_overview(Pen&, const Theme&, const TimelineSteps&, const TimelineLayout&);

// phases.cpp
/// A band for each phase.
void draw_timeline_bands(Pen&, const Theme&, const TimelineSteps&, const TimelineLayout&);
/// In the bands: the phases' names, and their steps' strides.
void draw_timeline_phases(Pen&, const Theme&, const TimelineSteps&, const TimelineLayout&);

// columns.cpp: below the phases, a column a step
/// Behind the present step's column, and around it.
void draw_present_ground(Pen&, const Theme&, const TimelineSteps&, const TimelineLayout&);
void draw_present_frame(Pen&, const Theme&, const TimelineSteps&, const TimelineLayout&);
/// Which threads work.
void draw_working_threads(Pen&, const Theme&, const TimelineSteps&, const TimelineLayout&, int k);
/// How often memory served the step, by what it was asked for.
void draw_timeline_traffic(Pen&, const Theme&, const TimelineSteps&, const TimelineLayout&, int k);
void draw_timeline_barriers(Pen&, const Theme&, const TimelineSteps&, const TimelineLayout&);

}  // namespace bscope
