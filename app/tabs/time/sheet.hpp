// What the parts of the Time tab's picture share.
#pragma once

#include <string>
#include <vector>

#include "app/draw/chart.hpp"
#include "app/tabs/time/picture.hpp"
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
  std::vector<std::string> axes = {};        ///< that throughput can be drawn against

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
/// Rungs of the family's ladder in the catalog's order.
std::vector<std::string> rungs_of(const std::string& family);
/// The kernel's place in the ladder of the kernel `open`, found without a list; -1 if it is of another
/// family.
int rung_of(const std::string& kernel, const std::string& open);

void draw_time_controls(TimeSheet&, Box);
/// Against N, or what else was chosen.
void draw_throughput(TimeSheet&, Box);
void draw_sweep(TimeSheet&, Box);
void draw_cycles(TimeSheet&, Box);
void draw_gpus(TimeSheet&, Box);
void draw_notes(TimeSheet&, Box);
void draw_speedup(TimeSheet&, Box);
void draw_noise(TimeSheet&, Box);
void draw_roofline(TimeSheet&, Box);
void draw_ladder(TimeSheet&, Box);
/// The row of a throughput chart that chooses what it is drawn against and which times; empty where there is
/// no choice. Returns the height that it took.
float draw_time_choices(TimeSheet&, Box row);
/// GB/s, and on which cache where there is a choice.
std::string rate_unit(const TimeSheet&);
/// Adds the device to labels that are the same on several, and the date where the device is the same, too.
void tell_devices_apart(std::vector<TimeSeries>&);
/// Colours of curves that are in no ladder: of a sweep's lines.
std::vector<CurveLook> curve_looks(const Theme&, const std::string& kernel, const std::vector<TimeSeries>&);

/// What stands beside throughput: what was chosen, else what there are figures for.
TimeFacet facet_beside(const TimeSheet&);
/// The buttons that choose what is beside throughput; returns the x left of them.
float draw_facets(TimeSheet&, Box head, bool with_throughput);

}  // namespace bscope
