// What the parts of the Time tab's picture share.
#pragma once

#include <string>
#include <vector>

#include "app/view/chart.hpp"
#include "app/view/time.hpp"
#include "app/words/words.hpp"

namespace bscope {

/// Colours of a curve. Light `changed` may not be a line or a text: there ink stands for it.
struct CurveLook {
  Colour line, words, fill, edge;
  float thickness;
};

struct TimeSheet {
  Pen& pen;
  const Theme& t;
  const TimeInput& in;
  const std::vector<TimeSeries>& series;
  std::vector<CurveLook> looks;              ///< by series
  std::vector<const TimeSeries*> rows = {};  ///< of the ladder

  float label() const { return t.px(t.size_label); }
  float small() const { return t.px(t.size_index); }
  float title() const { return t.px(t.size_title); }
  float thin() const { return std::max(1.0f, t.px(1)); }
  const CurveLook& look(const TimeSeries& s) const { return looks[size_t(&s - series.data())]; }
  /// The recordings that shown curves come from.
  std::vector<const Recording*> runs() const;
};

/// 4,553 or 13.4 or 0.82.
std::string rate_text(double);
/// 12%, 0.43%.
std::string percent_text(double share);
std::string power_of_two(int log_n);
/// "NVIDIA H200" as H200: what fits beside a curve.
std::string short_device(const std::string&);
std::string family_title(const std::string& kernel);

void draw_time_controls(TimeSheet&, Box);
void draw_throughput(TimeSheet&, Box);
void draw_speedup(TimeSheet&, Box);
void draw_noise(TimeSheet&, Box);
void draw_roofline(TimeSheet&, Box);
void draw_ladder(TimeSheet&, Box);
/// What stands beside throughput: what was chosen, else what there are figures for.
TimeFacet facet_beside(const TimeSheet&);
/// The buttons that choose what is beside throughput; returns the x left of them.
float draw_facets(TimeSheet&, Box head, bool with_throughput);

}  // namespace bscope
