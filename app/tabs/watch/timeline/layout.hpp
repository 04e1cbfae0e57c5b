// What the timeline shows of a run, and where its columns and rows stand.
#pragma once

#include <array>
#include <string>

#include "engine/analysis/moment.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {

struct BlockSteps;
class Pen;
struct Step;
struct Theme;

struct TimelineSteps {
  const RunQueries& model;
  const BlockSteps& block;  ///< the cursor's
  Track track;
  int launches = 0;  ///< so many of the run's are shown
  const Step& step(int k) const { return *track.steps[size_t(k)]; }
  int present() const { return track.present; }
};
/// Without `future` they end at the present step.
TimelineSteps timeline_steps(const RunQueries&, const Moment&, bool future);

/// What stands at the left of the rows, from above: launches, phases, threads, memory.
std::array<std::string, 4> timeline_row_names(const TimelineSteps&);

struct TimelineLayout {
  float width = 0, height = 0;         ///< of the picture
  float left = 0, pitch = 0;           ///< of the steps' columns
  int first = 0, count = 0;            ///< steps that have one
  float launch_h = 0, overview_h = 0;  ///< 0: there is none
  float phase_y = 0, phase_h = 0;
  float lane_y = 0, lane_h = 0;
  float traffic_y = 0, traffic_h = 0;
  bool named = false;  ///< rows have their names at the left
  float x_of(int k) const { return left + pitch * float(k - first); }
  int end() const { return first + count; }
  /// Height of what stands above the steps.
  float head_h() const { return launch_h + overview_h; }
};
TimelineLayout timeline_layout(const TimelineSteps&, const Pen&, const Theme&, float width, float height);

}  // namespace bscope
