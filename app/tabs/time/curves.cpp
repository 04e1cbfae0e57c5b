// The Time tab's charts of curves: throughput against N or against what was swept, speed-up, several GPUs,
// roofline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

#include "app/draw/charts.hpp"
#include "app/draw/controls.hpp"
#include "app/measure/measurement_store.hpp"
#include "app/tabs/time/sheet.hpp"
#include "app/words/counting.hpp"
#include "app/words/measures.hpp"
#include "engine/timing/kinds.hpp"
#include "engine/timing/several.hpp"

namespace bscope {
namespace {

/// The value of a curve that was not measured where the tags are of.
constexpr const char* nothing_here = "-";

/// From the least to the most of some values.
struct ValueRange {
  double least = 1e300, most = 0;
  void add(double v) { least = std::min(least, v), most = std::max(most, v); }
};

LineChart::Series curve_of(const TimeSheet& s, const Curve& x) {
  const CurveLook& l = s.look(x);
  return {.label = label_of(x),
          .value = nothing_here,
          .line = l.line,
          .words = l.words,
          .fill = l.fill,
          .edge = x.recorded || l.edge != l.fill ? l.edge : 0,
          .thickness = l.thickness,
          .dash = x.limit ? 7.0f : 0,
          .dot = x.limit     ? 0
                 : x.current ? 3.6f
                             : 2.6f,
          .current = x.current,
          .keep = x.current};
}

/// Powers of two, where the slider of N stands among them.
LineChart::Axis lengths(const ValueRange& log_n) {
  const int first = int(std::floor(log_n.least)), last = std::max(first + 1, int(std::ceil(log_n.most)));
  LineChart::Axis x{.from = double(first), .to = double(last), .unit = {tr("N, elements"), "N"}};
  for (int p = first; p <= last; ++p) x.ticks.push_back({double(p), power_of_two(p)});
  return x;
}

/// A third of a decade or less below the least; so far above the most.
LineChart::Axis decades(ValueRange v, double above, std::vector<std::string> unit) {
  return {.from = std::pow(10, std::floor(std::log10(v.least) * 3) / 3),
          .to = v.most * above,
          .log = true,
          .words = number_text,
          .unit = std::move(unit)};
}

/// GB/s, and on which cache where there is a choice.
std::string rate_unit(const TimeSheet& s) {
  return !has_warm(s.in) ? "GB/s" : s.in.look.warm ? tr("GB/s, warm") : tr("GB/s, cold");
}

/// Whether throughput is drawn against N. Possibly no recording of this family sweeps the chosen axis.
bool over_n(const TimeSheet& s) {
  return s.in.look.axis == "n" || !std::ranges::count(s.axes, s.in.look.axis);
}

/// Which recording the curves are of, at the right of a heading; where some was measured here, how to tell
/// them apart.
LayoutNode origin(const TimeSheet& s) {
  const Recording* recorded = nullptr;
  bool live = false;
  for (const Curve& x : s.series) {
    if (x.hidden) continue;
    if (x.recorded) recorded = x.run;
    live = live || !x.recorded;
  }
  if (!recorded) return {};
  const std::string device = short_device(recorded->device);
  LineLook look = s.label(s.t.write, Align::right);
  look.cut = false;
  if (live)
    return line({tr("hollow: recorded, {}, {}", device, day_of(*recorded)), tr("hollow: recorded")}, look);
  std::vector<std::string> ways{tr("recorded on {}, {}", recorded->device, day_of(*recorded)),
                                tr("recorded on {}", device), tr("recorded")};
  if (over_n(s))
    ways.insert(ways.begin(),
                tr("recorded on {}, driver {}, {}", recorded->device, recorded->driver, day_of(*recorded)));
  return line(std::move(ways), look);
}

std::string axis_name(const std::string& axis) {
  return axis == "n" ? "N" : axis == "block" ? tr("block") : axis == "keys" ? tr("keys") : tr(axis);
}

std::string axis_unit(const std::string& axis) {
  return axis == "block" ? tr("threads a block") : axis == "keys" ? tr("uniform to one key") : tr(axis);
}

/// Short enough to stand below an axis.
std::string tick_text(const std::string& axis, const std::string& value) {
  if (axis != "keys") return tr(value);
  if (value == "uniform") return tr("uniform");
  if (value == "one key") return tr("one key");
  if (value == "zipf") return tr("Zipf");
  if (value.starts_with("entropy ")) return tr("entropy {}", value.substr(8));
  if (value.starts_with("skew ")) return tr("skew {}", percent_text(std::atof(value.c_str() + 5)));
  return tr(value);
}

/// What throughput is drawn against, and which times; nothing where there is no choice.
LayoutNode time_choices(const TimeSheet& s) {
  if (s.t.printed) return {};
  std::vector<Button> axes, cache;
  const std::string chosen = over_n(s) ? "n" : s.in.look.axis;
  for (const std::string& name : s.axes)
    axes.push_back({"axis:" + name, axis_name(name),
                    name == "n" ? tr("Throughput against length.")
                                : tr("Throughput at one length against: {}.", axis_unit(name)),
                    name == chosen, 0, sets(&TimeState::axis, name)});
  const bool warm = s.in.look.warm;
  if (has_warm(s.in))
    cache = {
        {"cache:cold", tr("cold"), tr("Nothing of the input is in the cache before a run."), !warm, 0,
         sets(&TimeState::warm, false)},
        {"cache:warm", tr("warm"), tr("Runs in a row: launches overlap, what is short stays in the cache."),
         warm, 0, sets(&TimeState::warm, true)}};
  if (axes.size() < 2 && cache.empty()) return {};
  return row(s.t.px(10), {choices(axes), space(0).grows(), choices(cache)});
}

/// The panel of throughput: a heading, where its curves come from, choices, the chart.
LayoutNode throughput_panel(const TimeSheet& s, std::vector<std::string> heading, LayoutNode shown) {
  LayoutNode head = s.t.projector() ? row(s.t.gap(), {line(std::move(heading), heading_look(s.t)).gives(1),
                                                      space(0).grows(), facet_buttons(s, true)})
                                    : row(s.t.px(20), {line(std::move(heading), heading_look(s.t)),
                                                       space(0).grows(), origin(s).gives(1)});
  return column(s.t.close(), {std::move(head), time_choices(s), std::move(shown).grows()});
}

/// The recording whose copy and peak are drawn: the fastest with a level copy.
const Recording* with_roofs(const TimeSheet& s) {
  const Recording* best = nullptr;
  for (const Curve& x : s.series)
    if (const Recording* r = x.run; !x.hidden && r->copy_gb_per_s > 0 &&
                                    (!is_of_cpu(*r) || !limit_is_a_curve(s, r)) &&
                                    (!best || r->copy_gb_per_s > best->copy_gb_per_s))
      best = r;
  return best;
}

/// Copy and peak as levels, and percents of the copy as a second scale.
void add_roofs(const TimeSheet& s, LineChart& c, const Recording& r) {
  if (r.peak_gb_per_s > 0)
    c.guides.push_back({.y0 = r.peak_gb_per_s,
                        .y1 = r.peak_gb_per_s,
                        .words = tr("peak {}", rate_text(r.peak_gb_per_s)),
                        .colour = s.t.ink2,
                        .dash = 2,
                        .above = true});
  if (!limit_is_a_curve(s, &r))
    c.guides.push_back({.y0 = r.copy_gb_per_s,
                        .y1 = r.copy_gb_per_s,
                        .words = tr("copy {}", rate_text(r.copy_gb_per_s)),
                        .colour = s.t.ink,
                        .font = Font::text_bold});
  for (const double share : {1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001})
    c.second.push_back({share * r.copy_gb_per_s, fmt::format("{:g}%", share * 100)});
  c.second_unit = {tr("of copy")};
  if (std::ranges::any_of(s.series, [&](const Curve& x) { return !x.hidden && x.run != &r; }))
    c.second_unit.insert(c.second_unit.begin(), tr("of {}'s copy", short_device(r.device)));
}

/// Against what a recording sweeps at one length.
LayoutNode sweep_panel(const TimeSheet& all) {
  Sweep sweep = sweep_over(all.asked, all.in.look.axis);
  // a kernel that is unticked in the bar table has no line here
  const auto hidden = [&](const Curve& x) {
    bool some = false;
    for (const Curve& o : all.series)
      if (o.run == x.run && o.first().kernel == x.first().kernel) {
        if (!o.hidden) return false;
        some = true;
      }
    return some;
  };
  std::erase_if(sweep.lines, hidden);
  std::erase_if(sweep.levels, hidden);
  std::vector<Curve> every = sweep.lines;
  every.insert(every.end(), sweep.levels.begin(), sweep.levels.end());
  const TimeSheet s{all.t, all.in,   all.asked, every, curve_looks(all.t, all.asked, every),
                    {},    all.axes, all.facets};
  // at which value of the axis: the slider's of a block where it was measured, else the last
  const std::string asked = block_shown(s);
  const std::string shown = sweep.ticks.empty() ? std::string()
                            : sweep.axis == "block" && std::ranges::count(sweep.ticks, asked)
                                ? asked
                                : sweep.ticks.back();
  LineChart c{.x = {.from = -0.4,
                    .to = double(sweep.ticks.size()) - 0.6,
                    .unit = {axis_unit(sweep.axis)},
                    .named = true},
              .tags = 0.36f};
  std::vector<std::string> ticks;
  for (const std::string& value : sweep.ticks) {
    ticks.push_back(tick_text(sweep.axis, value));
    c.x.ticks.push_back({double(ticks.size()) - 1, ticks.back()});
  }
  ValueRange rates;
  for (size_t k = 0; k < every.size(); ++k) {
    const Curve& x = every[k];
    LineChart::Series one = curve_of(s, x);
    one.keep = x.current || x.reference || x.limit;
    for (const Record* r : x.points) rates.add(r->gb_per_s);
    if (k >= sweep.lines.size()) {  // what does not depend on the axis: from edge to edge
      one.value = rate_text(x.first().gb_per_s), one.here = x.first().gb_per_s;
      one.thickness = 1.5f, one.dash = x.limit ? 7.0f : 3, one.dot = 0;
      for (const double at : {c.x.from, c.x.to}) one.dots.push_back({.x = at, .y = x.first().gb_per_s});
    } else {
      for (const Record* r : x.points) {
        const size_t at = size_t(sweep.place(*r));
        if (sweep.ticks[at] == shown) one.value = rate_text(r->gb_per_s), one.here = r->gb_per_s;
        one.dots.push_back({.x = double(at),
                            .y = r->gb_per_s,
                            .tip = tr("{}: {}.", axis_name(sweep.axis), ticks[at]) + " " + facts(x, *r),
                            .name = "point:" + x.key + ":" + sweep.ticks[at]});
      }
    }
    c.curves.push_back(std::move(one));
  }
  const std::vector<std::string> heading{
      sweep.axis == "keys"
          ? tr("{} at N = {}, from uniform keys to a single key", family_title(s.in.kernel), n_text(sweep.n))
          : tr("{} at N = {}, against {}", family_title(s.in.kernel), n_text(sweep.n), axis_unit(sweep.axis)),
      tr("{} at {}", family_title(s.in.kernel), n_text(sweep.n)), family_title(s.in.kernel)};
  if (sweep.lines.empty() || rates.most <= 0)
    return throughput_panel(s, heading,
                            nothing(s, tr("No recording that is ticked sweeps this at one length.")));
  // up evenly from 0, or in decades where the slowest is far below the fastest
  c.y = rates.most < rates.least * 30
            ? LineChart::Axis{.to = rates.most * 1.08, .words = number_text, .unit = {rate_unit(s)}}
            : decades(rates, 1.15, {rate_unit(s)});
  c.of = (sweep.axis == "keys" ? "" : tr(sweep.axis) + " = ") + tick_text(sweep.axis, shown);
  return throughput_panel(s, heading, chart(std::move(c)));
}

}  // namespace

LayoutNode throughput(const TimeSheet& s) {
  if (!over_n(s)) return sweep_panel(s);
  LineChart c{.of = "N = " + s.n(), .now = s.in.look.log_n, .tags = 0.32f};
  ValueRange rates, log_n;
  for (const Curve& x : s.series) {
    if (x.hidden) continue;
    // tags stand beside the curves' ends, but say what the bar table, the verdict and the marked N say
    LineChart::Series one = curve_of(s, x);
    const Record* here = x.at(s.length());
    if (here) one.value = rate_text(here->gb_per_s), one.here = here->gb_per_s;
    one.tip = here ? facts(x, *here) : tr("{}: no point at this length.", label_of(x));
    one.name = "curve:" + x.key;
    one.does = toggles(&TimeState::hidden, x.key);
    for (const Record* r : x.points) {
      rates.add(r->gb_per_s), log_n.add(log_length(*r));
      LineChart::DataPoint dot{.x = log_length(*r), .y = r->gb_per_s};
      if (!x.limit) {
        std::tie(dot.low, dot.high) = usual_rates(*r);
        dot.tip = facts(x, *r);
        dot.name = "point:" + x.key + ":" + std::to_string(r->n);
      }
      one.dots.push_back(std::move(dot));
    }
    c.curves.push_back(std::move(one));
  }
  const std::vector<std::string> heading{tr("{}: throughput", family_title(s.in.kernel)),
                                         family_title(s.in.kernel)};
  if (c.curves.empty() || rates.most <= 0)
    return throughput_panel(s, heading,
                            nothing(s, tr("Every curve is hidden: tick one in the ladder below.")));
  if (const Recording* roofs = with_roofs(s)) {
    rates.add(roofs->copy_gb_per_s), rates.add(std::max(roofs->copy_gb_per_s, roofs->peak_gb_per_s));
    add_roofs(s, c, *roofs);
  }
  // what happens below a ten-thousandth of the best is launch overhead: it would squeeze the rest, and in a
  // low chart what lies below a thousandth, too
  rates.least = std::max(rates.least, rates.most / (s.low ? 1e3 : 2e4));
  c.x = lengths(log_n);
  c.y = decades(rates, 1.15, {rate_unit(s)});
  return throughput_panel(s, heading, chart(std::move(c)));
}

LayoutNode speedup(const TimeSheet& s) {
  const bool all_cores = s.in.look.over_tbb;
  const LayoutNode over =
      choices({{"over:serial", tr("over one core"), tr("The CPU's plain loop is 1."), !all_cores, 0,
                sets(&TimeState::over_tbb, false)},
               {"over:tbb", tr("over all cores"), tr("The CPU's parallel algorithm (TBB) is 1."), all_cores,
                0, sets(&TimeState::over_tbb, true)}});
  const auto shown = [&](LayoutNode form) {
    return faceted(s, {tr("Speed-up")},
                   column(s.t.close(), {row(0, {over, space(0).grows()}), std::move(form).grows()}));
  };
  // over this machine's own loop, else a recorded one
  const Curve* base = nullptr;
  for (const Curve& x : s.series)
    if (x.first().kernel.starts_with(all_cores ? "tbb/" : "serial/") &&
        (!base || (base->recorded && !x.recorded)))
      base = &x;
  const auto times = [&](const Record* r) {
    const Record* b = base && r ? base->at(r->n) : nullptr;
    return b && r->seconds.median > 0 ? b->seconds.median / r->seconds.median : 0;
  };
  LineChart c{.of = "N = " + s.n(), .now = s.in.look.log_n, .tags = 0.36f};
  ValueRange values, log_n;
  values.add(1);
  for (const Curve& x : s.series) {
    if (!base || x.hidden || x.limit || &x == base) continue;
    LineChart::Series one = curve_of(s, x);
    for (const Record* r : x.points)
      if (const double v = times(r); v > 0) {
        one.dots.push_back({.x = log_length(*r), .y = v});
        values.add(v), log_n.add(log_length(*r));
      }
    if (const double here = times(x.at(s.length())); here > 0)
      one.value = rate_text(here) + "x", one.here = here;
    if (!one.dots.empty()) c.curves.push_back(std::move(one));
  }
  if (c.curves.empty())
    return shown(nothing(
        s, s.in.measuring ? tr("The CPU is being measured: its times are what others are compared with.")
           : !s.in.measures
               ? tr("Speed-up compares with a CPU, which no recording here has: open one that has.")
               : tr("Speed-up compares with this machine's CPU, which is not measured yet: "
                    "press Measure (Ctrl Enter).")));
  c.x = lengths(log_n);
  c.y = decades(values, 1.3, {});
  c.y.words = [](double v) { return number_text(v) + "x"; };
  LineChart::Series one = curve_of(s, *base);
  one.line = s.t.ink, one.thickness = 1.5f, one.dash = 7, one.dot = 0, one.current = one.keep = false;
  if (base->at(s.length())) one.value = "1x", one.here = 1;
  one.dots = {{.x = c.x.from, .y = 1}, {.x = c.x.to, .y = 1}};
  c.curves.push_back(std::move(one));
  return shown(chart(std::move(c)));
}

LayoutNode gpus(const TimeSheet& all) {
  const std::vector<Curve> lines = curves_over_gpus(all.asked);
  const bool of_one_length =
      std::ranges::all_of(lines, [&](const Curve& x) { return x.first().n == lines[0].first().n; });
  const std::vector<std::string> heading{tr("Several GPUs"), tr("GPUs")};
  if (lines.empty())
    return faceted(all, heading,
                   nothing(all, tr("No recording that is ticked holds runs over several GPUs.")));

  const TimeSheet s{all.t, all.in,   all.asked, lines, curve_looks(all.t, all.asked, lines),
                    {},    all.axes, all.facets};
  const int passes = family_of(lines[0].first().kernel).passes;
  int most = 0;
  double rate = 0;
  for (const Curve& x : lines)
    for (const Record* r : x.points) most = std::max(most, r->gpus), rate = std::max(rate, r->gb_per_s);
  LineChart c{.x = {.to = most * 1.08, .unit = {tr("GPUs of one host"), tr("GPUs")}},
              .y = {.words = number_text,
                    .unit = {of_one_length ? tr("GB/s at {}", n_text(lines[0].first().n)) : "GB/s"}},
              .of = tr("{} GPUs", most),
              .tags = 0.36f};
  for (const Curve& x : lines) {
    LineChart::Series one = curve_of(s, x);
    const double alone = x.first().gb_per_s / x.first().gpus;
    const Record& last = *x.points.back();
    one.keep = x.current || x.reference || x.limit;
    if (last.gpus == most) one.value = rate_text(last.gb_per_s / alone) + "x";
    one.tip = facts(x, last);
    for (const Record* r : x.points) {
      if (std::ranges::none_of(c.x.ticks, [&](const auto& tick) { return tick.at == r->gpus; }))
        c.x.ticks.push_back({double(r->gpus), std::to_string(r->gpus)});
      one.dots.push_back(
          {.x = double(r->gpus),
           .y = r->gb_per_s,
           .tip = facts(x, *r),
           .name = "gpus:" + one.label + ":" + std::to_string(r->gpus) + "@" + key_of(*x.run)});
    }
    c.curves.push_back(std::move(one));
  }
  std::ranges::sort(c.x.ticks, {}, &LineChart::Tick::at);
  const auto guide = [&](double one, double all, const std::string& words, float at) {
    c.guides.push_back({.x0 = 1,
                        .x1 = most,
                        .y0 = one,
                        .y1 = all,
                        .words = words,
                        .colour = s.t.ink2,
                        .thickness = 1,
                        .dash = 4,
                        .above = true,
                        .at = at});
    rate = std::max(rate, all);
  };
  // as many times as fast as one, of the open kernel's fastest; and what no scan passes
  const Curve& best = *std::ranges::max_element(
      lines, {}, [](const Curve& x) { return std::pair(x.current, x.first().gb_per_s); });
  const double alone = best.first().gb_per_s;
  guide(alone, alone * most, tr("ideal"), 0.95f);
  const double copy = best.run->copy_gb_per_s;
  if (passes == 2 && copy > 0) guide(copy, copy * most_speed_up(passes, most), tr("bound"), 0.4f);
  c.y.to = rate * 1.14;
  return faceted(s, heading, chart(std::move(c)));
}

namespace {

/// Of the traces that were counted: where a kernel does a fixed part of its work whatever the length, a short
/// trace has more of it for each element than the length that was measured.
std::string counted_lengths(const std::set<long long>& lengths) {
  if (lengths.empty()) return {};
  const std::string least = grouped(*lengths.begin()), most = grouped(*lengths.rbegin());
  return tr(
      "Additions and sectors are counted in traces of {} elements: work that does not grow with N weighs "
      "more "
      "in them.",
      least == most ? least : tr("{} to {}", least, most));
}

/// Additions and bytes of an element; unknown where they were not counted.
CountedWork work_of(const TimeSheet& s, const Curve& x, const Record& r) {
  // the baselines' loops: one addition an element
  if (x.cpu) return {.operations = 1, .bytes = r.bytes / double(r.n)};
  auto parameters = x.first().parameters;
  parameters.erase("skew");
  const auto it = s.in.counted.find({x.first().kernel, parameters});
  return it == s.in.counted.end() ? CountedWork{} : it->second;
}

}  // namespace

LayoutNode roofline(const TimeSheet& s) {
  LineChart c{.y = {.unit = {tr("10^9 additions a second"), "Gop/s"}}, .tags = 0.36f};
  c.least = s.t.size_label * 12;
  ValueRange intensity, rates;
  const Recording* run = nullptr;
  std::set<long long> lengths;  // of the traces that were counted
  for (const Curve& x : s.series) {
    const Record* r = x.at(s.length());
    if (x.hidden || x.limit || x.reference || !r || r->seconds.median <= 0) continue;
    const CountedWork w = work_of(s, x, *r);
    if (!w.known()) continue;
    if (w.n) lengths.insert(w.n);
    const double a_byte = w.operations / w.bytes,
                 rate = w.operations * double(r->n) / r->seconds.median / 1e9;
    LineChart::Series one = curve_of(s, x);
    one.value = rate_text(rate), one.joined = false, one.dot = x.current ? 6.0f : 5;
    one.edge = s.look(x).edge;
    one.dots = {
        {.x = a_byte,
         .y = rate,
         .tip = tr("{}: {} additions a byte that its requests touch, {} thousand million additions a second.",
                   label_of(x), rate_text(a_byte), rate_text(rate)),
         .name = "roof:" + x.key}};
    c.curves.push_back(std::move(one));
    intensity.add(a_byte), rates.add(rate);
    if (x.run->copy_gb_per_s > 0 && (!run || x.run->copy_gb_per_s > run->copy_gb_per_s)) run = x.run;
  }
  const std::vector<std::string> heading{tr("Roofline at {}", s.n()), tr("Roofline")};
  if (c.curves.empty())
    return faceted(
        s, heading,
        nothing(s, tr("No kernel is measured at N = {}: move the slider to a length that was.", s.n())));
  c.x = {.from = intensity.least / 1.6,
         .to = intensity.most * 1.6,
         .log = true,
         .unit = {tr("additions a byte")}};
  for (int p = int(std::ceil(std::log2(c.x.from))); p <= int(std::floor(std::log2(c.x.to))); ++p)
    c.x.ticks.push_back(
        {std::exp2(p), p < 0 ? "1/" + std::to_string(1LL << std::min(-p, 40)) : number_text(std::exp2(p))});
  const auto roof = [&](double bandwidth, std::string words, float dash, Colour colour, bool above) {
    if (bandwidth <= 0) return;
    // the roofs at the edges belong into the picture
    rates.most = std::max(rates.most, bandwidth * c.x.to);
    rates.least = std::min(rates.least, bandwidth * c.x.from);
    c.guides.push_back({.x0 = c.x.from,
                        .x1 = c.x.to,
                        .y0 = bandwidth * c.x.from,
                        .y1 = bandwidth * c.x.to,
                        .words = std::move(words),
                        .colour = colour,
                        .dash = dash,
                        .above = above,
                        .at = above ? 0.30f : 0.45f});
  };
  if (run) {
    roof(run->peak_gb_per_s, tr("peak {} GB/s", rate_text(run->peak_gb_per_s)), 2, s.t.ink2, true);
    roof(run->copy_gb_per_s, tr("copy {} GB/s", rate_text(run->copy_gb_per_s)), 7, s.t.ink, false);
  }
  c.y.from = rates.least / 1.5, c.y.to = rates.most * 1.2, c.y.log = true, c.y.words = number_text;
  return faceted(
      s, heading,
      column(s.t.gap(), {chart(std::move(c)).grows(),
                         text({{counted_lengths(lengths) + (lengths.empty() ? "" : " ") +
                                    tr("No compute roof: a recording does not hold how many units add."),
                                s.t.ink2}},
                              {.size = s.t.label()})
                             .gives(1)}));
}

}  // namespace bscope
