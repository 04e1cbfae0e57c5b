// Axes, curves and labels that the charts of the Time tab share.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/tabs/time/sheet.hpp"

namespace bscope {

/// x: what the chart says (mostly powers of two). y: decades of its value, or the value itself.
struct Axes {
  Box plot;
  double first = 0, last = 1;  ///< across
  double low = 0, high = 1;    ///< log10 up; the values themselves if `level`
  float data_right = 0;        ///< curves end here at the latest: labels follow
  bool level = false;          ///< y goes up evenly
  float x(double v) const { return plot.x + float((v - first) / (last - first)) * (data_right - plot.x); }
  float y(double v) const {
    return plot.bottom() - float(((level ? v : std::log10(v)) - low) / (high - low)) * plot.h;
  }
  bool shows(double v) const { return v > 0 && (level || std::log10(v) >= low - 1e-9); }
};

/// A label beside its curve's end.
struct Tag {
  std::string words, value, hit, tip;
  Colour colour, line;
  Font font = Font::text;
  Point from;
  bool keep = false;  ///< the open kernel's: goes last when there is no room
  float y = 0;
};
/// How much room labels take on the right of a plot.
struct TagRoom {
  float names = 0, values = 0, all = 0;
};
TagRoom room_for(const TimeSheet&, const std::vector<Tag>&, float most);
/// Lays labels out so that none lies on another, as near to their curves as that allows. `of` stands above
/// their values: where on the curves those are.
void draw_tags(TimeSheet&, const Axes&, std::vector<Tag>, const TagRoom&, const std::string& of);
/// The value of a curve that was not measured where the tags are of.
constexpr const char* nothing_here = "-";

std::string number_text(double);
/// Background, lines and numbers of the y axis at the left.
void draw_axes(TimeSheet&, const Axes&, const std::string& suffix = {});
/// Powers of two below, and where the slider of N stands.
void draw_lengths(TimeSheet&, const Axes&);
/// Words below, one at each whole number from 0; `unit` at the right.
void draw_ticks(TimeSheet&, const Axes&, const std::vector<std::string>& ticks, const std::string& unit);

/// Room for a plot in a panel below its head and a line of units.
struct Frame {
  Box head, plot;
  float unit_y;
};
Frame frame(const TimeSheet&, Box in, float left, float right);

/// Where a record lies on a chart.
using Reading = std::function<double(const Record&)>;
double log_length(const Record&);
/// A curve through (x, value), cut where it leaves the plot below.
void draw_curve(TimeSheet&, const Axes&, const TimeSeries&, const Reading& x, const Reading& value,
                float dash = 0);

/// Slowest to fastest (of all but the outermost twentieths, where there are samples): throughput from and to.
std::pair<double, double> spread_of(const Record&);
/// Of the widest number on an axis that goes up to this.
float scale_width(const TimeSheet&, double most);
std::string seconds_text(double);
/// What a point's tip says.
std::string facts(const TimeSeries&, const Record&);
/// Does the run's copy or read run along as a curve of its own, so that a level line would say something
/// else?
bool limit_is_a_curve(const TimeSheet&, const Recording*);
/// The recording whose copy and peak are drawn: the fastest with a level copy.
const Recording* with_roofs(const TimeSheet&);
/// Words in the middle of a facet that has nothing to show.
void say_nothing(TimeSheet&, Box room, const std::string& words);

}  // namespace bscope
