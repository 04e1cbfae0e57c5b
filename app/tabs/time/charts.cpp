// The charts of the Time tab.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/draw/fitting.hpp"
#include "app/tabs/time/axes.hpp"

namespace bscope {
TimeFacet facet_beside(const TimeSheet& s) {
  const auto known = time_facets(s.in);
  if (std::find(known.begin(), known.end(), s.in.look.facet) != known.end()) return s.in.look.facet;
  const bool cpu =
      std::any_of(s.series.begin(), s.series.end(), [](const TimeSeries& x) { return x.cpu && !x.limit; });
  return cpu ? TimeFacet::speedup : TimeFacet::noise;
}

float draw_facets(TimeSheet& s, Box head, bool with_throughput) {
  if (s.t.printed) return head.right();
  struct Facet {
    TimeFacet facet;
    const char *name, *label, *tip;
  };
  static constexpr Facet every[] = {
      {TimeFacet::speedup, "facet:speedup", later("Speed-up"),
       later("How many times as fast as this CPU's own loop.")},
      {TimeFacet::noise, "facet:noise", later("Noise"), later("How far single runs lie from their median.")},
      {TimeFacet::roofline, "facet:roofline", later("Roofline"),
       later("Additions a second against additions a byte: what the memory allows.")},
      {TimeFacet::cycles, "facet:cycles", later("Cycles"),
       later("How long a block is busy, by its own clock.")},
      {TimeFacet::gpus, "facet:gpus", later("GPUs"), later("The same job over several GPUs of one host.")},
      {TimeFacet::notes, "facet:notes", later("Notes"),
       later("What was left out of a recording, and what changed meanwhile.")}};
  const auto known = time_facets(s.in);
  const bool alone = with_throughput && std::find(known.begin(), known.end(), s.in.look.facet) == known.end();
  const TimeFacet beside = alone ? TimeFacet::throughput : facet_beside(s);
  Choices all;
  if (with_throughput)
    all.all.push_back(
        {"facet:throughput", say("Throughput"), say("Bytes that must be moved, a second."), alone});
  for (const Facet& one : every)
    if (std::find(known.begin(), known.end(), one.facet) != known.end())
      all.all.push_back({one.name, say(one.label), say(one.tip), beside == one.facet});
  const float w = std::min(choices_width(s.pen, s.t, all), head.w), h = choices_height(s.t);
  choices(s.pen, s.t, {head.right() - w, head.centre().y - h / 2, w, h}, all);
  return head.right() - w;
}

void draw_throughput(TimeSheet& s, Box outer) {
  if (s.in.look.axis != "n" && std::find(s.axes.begin(), s.axes.end(), s.in.look.axis) != s.axes.end())
    return draw_sweep(s, outer);
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small();
  const Recording* roofs = with_roofs(s);

  // tags stand beside the curves' ends, but say what the ladder, the verdict and the marked N say
  const long long n = 1LL << s.in.look.log_n;
  double least = 1e300, most = 0;
  int first = 62, last = 0;
  std::vector<Tag> tags;
  for (const TimeSeries& x : s.series) {
    if (x.hidden) continue;
    for (const Record* r : x.points) {
      least = std::min(least, r->gb_per_s), most = std::max(most, r->gb_per_s);
      first = std::min(first, int(std::floor(std::log2(double(r->n)))));
      last = std::max(last, int(std::ceil(std::log2(double(r->n)))));
    }
    const Record* here = x.at(n);
    const CurveLook& l = s.look(x);
    tags.push_back({x.label,
                    here ? rate_text(here->gb_per_s) : nothing_here,
                    "curve:" + x.key,
                    here ? facts(x, *here) : say("{}: no point at this length.", x.label),
                    l.words,
                    l.line,
                    x.current ? Font::text_bold : Font::text,
                    {},
                    x.current,
                    0});
  }
  if (roofs) most = std::max({most, roofs->copy_gb_per_s, roofs->peak_gb_per_s});
  // what happens below a ten-thousandth of the best is launch overhead: it would squeeze the rest
  least = std::max(least, most / 2e4);
  const float scale = scale_width(s, most * 2),
              shares = roofs ? pen.width("100%", small, Font::mono) + t.px(14) : 0;
  Frame f = frame(s, in, scale, shares);
  float left_of_facets = in.right();
  if (t.projector()) left_of_facets = draw_facets(s, f.head, true);
  const Box heading =
      pen.text({in.x, f.head.centre().y},
               first_fit(pen, {say("{}: throughput", family_title(s.in.kernel)), family_title(s.in.kernel)},
                         left_of_facets - in.x - t.px(10), s.title(), Font::text_bold),
               s.title(), t.ink, Font::text_bold);
  const float choice = draw_time_choices(s, {in.x, f.head.bottom() + t.px(2), in.w, choices_height(t)});
  f.plot.y += choice, f.plot.h -= choice, f.unit_y += choice;
  if (tags.empty() || most <= 0) {
    say_nothing(s, f.plot, say("Every curve is hidden: tick one in the ladder below."));
    return;
  }
  if (last == first) ++last;
  // what is from another machine is said here too
  bool any_recorded = false, any_live = false;
  for (const TimeSeries& x : s.series)
    if (!x.hidden) (x.recorded ? any_recorded : any_live) = true;
  if (!t.projector()) {
    const Recording* r = nullptr;
    for (const TimeSeries& x : s.series)
      if (!x.hidden && x.recorded) r = x.run;
    const float room = in.right() - heading.right() - t.px(20);
    std::string words;
    if (r && any_live)
      words = first_fit(pen,
                        {say("hollow: recorded, {}, {}", short_device(r->device), r->date.substr(0, 10)),
                         say("hollow: recorded")},
                        room, label);
    else if (r)
      words = first_fit(pen,
                        {say("recorded on {}, driver {}, {}", r->device, r->driver, r->date.substr(0, 10)),
                         say("recorded on {}, {}", r->device, r->date.substr(0, 10)),
                         say("recorded on {}", short_device(r->device)), say("recorded")},
                        room, label);
    pen.text({in.right(), f.head.centre().y}, words, label, t.write, Font::text, Align::right);
  }

  const TagRoom room = room_for(s, tags, f.plot.w * 0.32f);
  Axes a{f.plot,
         double(first),
         double(last),
         std::floor(std::log10(least) * 3) / 3,
         std::log10(most * 1.15),
         f.plot.right() - room.all};
  if (a.data_right - a.plot.x < t.px(60) || a.plot.h < t.px(40)) return;
  // the peak's name stands above its line
  a.high += (a.high - a.low) * double(small * 1.5f / a.plot.h);
  pen.text({in.x, f.unit_y}, rate_unit(s), small, t.ink2);
  draw_axes(s, a);
  draw_lengths(s, a);

  // roofs, and shares of the copy at the right
  if (roofs) {
    const auto roof = [&](double v, float dash, const std::string& words, bool above, Font font) {
      pen.line({a.plot.x, a.y(v)}, {a.data_right + t.px(6), a.y(v)}, font == Font::text_bold ? t.ink : t.ink2,
               std::max(1.0f, t.px(1.5f)), t.px(dash));
      const float y = a.y(v) + (above ? -1 : 1) * small * 0.85f, w = pen.width(words, small, font);
      if (a.plot.x + w + t.px(16) > a.data_right) return;
      pen.rect({a.plot.x + t.px(5), y - small * 0.6f, w + t.px(6), small * 1.2f},
               t.dark() ? t.window : t.cell);
      pen.text({a.plot.x + t.px(8), y}, words, small, font == Font::text_bold ? t.ink : t.ink2, font);
    };
    if (roofs->peak_gb_per_s > 0)
      roof(roofs->peak_gb_per_s, 2, say("peak {}", rate_text(roofs->peak_gb_per_s)), true, Font::text);
    if (!limit_is_a_curve(s, roofs))
      roof(roofs->copy_gb_per_s, 7, say("copy {}", rate_text(roofs->copy_gb_per_s)), false, Font::text_bold);
    pen.text(
        {in.right(), f.unit_y},
        first_fit(pen, {say("percent of {}'s copy", short_device(roofs->device)), say("percent of copy")},
                  in.w * 0.5f, small),
        small, t.ink2, Font::text, Align::right);
    float above = -1e9f;
    for (double share : {1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001}) {
      const double v = share * roofs->copy_gb_per_s;
      if (!a.shows(v) || a.y(v) - above < small * 1.6f) continue;
      above = a.y(v);
      pen.line({a.plot.right(), above}, {a.plot.right() + t.px(4), above}, t.ink2, s.thin());
      char text[16];
      std::snprintf(text, sizeof text, "%g%%", share * 100);
      pen.text({in.right(), above}, text, small, t.ink2, Font::mono, Align::right);
    }
  }

  // bands of the spread below all curves; the current curve on top
  for (const TimeSeries& x : s.series) {
    if (x.hidden || x.limit) continue;
    const Colour band = with_alpha(s.look(x).line, x.current ? 0.28f : 0.11f);
    for (size_t k = 0; k + 1 < x.points.size(); ++k) {
      const Record &p = *x.points[k], &q = *x.points[k + 1];
      const auto [p_low, p_high] = spread_of(p);
      const auto [q_low, q_high] = spread_of(q);
      if (!a.shows(p_low) || !a.shows(q_low) || !std::isfinite(p_high) || !std::isfinite(q_high)) continue;
      const float px = a.x(std::log2(double(p.n))), qx = a.x(std::log2(double(q.n)));
      const auto y = [&](double v) { return std::max(a.plot.y, a.y(v)); };
      pen.polygon({{px, y(p_high)}, {qx, y(q_high)}, {qx, y(q_low)}, {px, y(p_low)}}, band);
    }
  }
  std::vector<const TimeSeries*> order;
  for (const TimeSeries& x : s.series)
    if (!x.hidden) order.push_back(&x);
  std::stable_sort(order.begin(), order.end(),
                   [](const TimeSeries* p, const TimeSeries* q) { return p->current < q->current; });
  for (const TimeSeries* x : order)
    draw_curve(
        s, a, *x, log_length, [](const Record& r) { return r.gb_per_s; }, x->limit ? t.px(7) : 0);
  const float reach = t.px(7);
  for (const TimeSeries* x : order) {
    if (x->limit) continue;
    for (const Record* r : x->points)
      if (a.shows(r->gb_per_s))
        pen.hit(
            {.what = Hit::other,
             .box = {a.x(std::log2(double(r->n))) - reach, a.y(r->gb_per_s) - reach, 2 * reach, 2 * reach},
             .tip = facts(*x, *r),
             .name = "point:" + x->key + ":" + std::to_string(r->n)});
  }
  size_t k = 0;
  for (const TimeSeries& x : s.series) {
    if (x.hidden) continue;
    const Record& end = *x.points.back();
    tags[k++].from = {a.x(std::log2(double(end.n))),
                      std::min(a.y(std::max(end.gb_per_s, 1e-30)), a.plot.bottom())};
  }
  draw_tags(s, a, std::move(tags), room, "N = " + power_of_two(s.in.look.log_n));
}

void draw_speedup(TimeSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float small = s.small();
  const Frame f = frame(s, in, pen.width("1,000x", small, Font::mono) + t.px(10), 0);
  const float left = draw_facets(s, f.head, t.projector());
  if (t.projector() || left - in.x > pen.width(say("Speed-up"), s.title(), Font::text_bold) + t.px(12))
    pen.text({in.x, f.head.centre().y},
             first_fit(pen, {say("Speed-up")}, left - in.x - t.px(8), s.title(), Font::text_bold), s.title(),
             t.ink, Font::text_bold);

  // over this machine's own loop, else a recorded one
  const char* over = s.in.look.over_tbb ? "tbb/" : "serial/";
  const TimeSeries* base = nullptr;
  for (const TimeSeries& x : s.series)
    if (x.points[0]->kernel.starts_with(over) && (!base || (base->recorded && !x.recorded))) base = &x;
  Choices which;
  which.all = {{"over:serial", say("over one core"), say("The CPU's plain loop is 1."), !s.in.look.over_tbb},
               {"over:tbb", say("over all cores"), say("The CPU's parallel algorithm (TBB) is 1."),
                s.in.look.over_tbb}};
  const float h = choices_height(t), w = std::min(choices_width(pen, t, which), in.w * 0.9f);
  choices(pen, t, {in.x, f.head.bottom() + t.px(2), w, h}, which);
  Box plot = f.plot;
  const float shift = f.head.bottom() + t.px(2) + h + small * 0.9f - plot.y;
  plot.y += shift, plot.h -= shift;

  struct Line {
    const TimeSeries* series;
    std::vector<std::pair<double, double>> points;  // log2 n, times
  };
  std::vector<Line> lines;
  if (base)
    for (const TimeSeries& x : s.series) {
      if (x.hidden || x.limit || &x == base) continue;
      Line one{&x, {}};
      for (const Record* r : x.points) {
        const Record* b = base->at(r->n);
        if (b && r->seconds.median > 0 && b->seconds.median > 0)
          one.points.emplace_back(std::log2(double(r->n)), b->seconds.median / r->seconds.median);
      }
      if (!one.points.empty()) lines.push_back(std::move(one));
    }
  if (lines.empty()) {
    say_nothing(
        s, plot,
        std::string(s.in.measuring
                        ? say("The CPU is being measured: its times are what others are compared with.")
                        : say("Speed-up compares with this machine's CPU, which is not measured yet: "
                              "press Measure (Ctrl Enter).")));
    return;
  }
  double least = 1, most = 1;
  int first = 62, last = 0;
  const long long now = 1LL << s.in.look.log_n;
  std::vector<Tag> tags;
  for (const Line& l : lines) {
    for (const auto& [n, v] : l.points) {
      least = std::min(least, v), most = std::max(most, v);
      first = std::min(first, int(std::floor(n))), last = std::max(last, int(std::ceil(n)));
    }
    const CurveLook& look = s.look(*l.series);
    const Record *here = l.series->at(now), *there = base->at(now);
    const bool both = here && there && here->seconds.median > 0 && there->seconds.median > 0;
    tags.push_back({l.series->label,
                    both ? rate_text(there->seconds.median / here->seconds.median) + "x" : nothing_here,
                    {},
                    {},
                    look.words,
                    look.line,
                    l.series->current ? Font::text_bold : Font::text,
                    {},
                    l.series->current,
                    0});
  }
  const CurveLook& plain = s.look(*base);
  tags.push_back({base->label,
                  base->at(now) ? "1x" : nothing_here,
                  {},
                  {},
                  plain.words,
                  plain.line,
                  Font::text,
                  {},
                  false,
                  0});
  if (last == first) ++last;
  const TagRoom room = room_for(s, tags, plot.w * 0.36f);
  Axes a{plot,
         double(first),
         double(last),
         std::floor(std::log10(least) * 3 - 0.3) / 3,
         std::log10(most * 1.3),
         plot.right() - room.all};
  if (a.data_right - a.plot.x < t.px(40) || a.plot.h < t.px(40)) return;
  draw_axes(s, a, "x");
  draw_lengths(s, a);
  pen.line({a.plot.x, a.y(1)}, {a.data_right + t.px(6), a.y(1)}, t.ink, std::max(1.0f, t.px(1.5f)), t.px(7));

  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& p, const Line& q) { return p.series->current < q.series->current; });
  for (const Line& l : lines)
    draw_curve(s, a, *l.series, log_length, [&](const Record& r) {
      const Record* b = base->at(r.n);
      return b ? b->seconds.median / r.seconds.median : 0;
    });
  for (Tag& tag : tags)
    for (const Line& l : lines)
      if (l.series->label == tag.words) tag.from = {a.x(l.points.back().first), a.y(l.points.back().second)};
  tags.back().from = {a.data_right, a.y(1)};
  draw_tags(s, a, std::move(tags), room, "N = " + power_of_two(s.in.look.log_n));
}

void draw_noise(TimeSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small();
  const Frame f = frame(s, in, 0, 0);
  const float left = draw_facets(s, f.head, t.projector());
  pen.text({in.x, f.head.centre().y},
           first_fit(pen, {say("Noise at {}", power_of_two(s.in.look.log_n)), say("Noise")},
                     left - in.x - t.px(8), s.title(), Font::text_bold),
           s.title(), t.ink, Font::text_bold);
  const long long n = 1LL << s.in.look.log_n;
  std::vector<std::pair<const TimeSeries*, const Record*>> rows;
  for (const TimeSeries* x : s.rows)
    if (const Record* r = x->at(n); r && !x->hidden && !x->limit && r->seconds.median > 0)
      rows.emplace_back(x, r);
  if (rows.empty()) {
    say_nothing(
        s, f.plot,
        say("Nothing is measured at N = {}: move the slider, or measure.", power_of_two(s.in.look.log_n)));
    return;
  }
  pen.text({in.x, f.unit_y},
           first_fit(pen,
                     {say("each run against the median; right: how sure the median is"),
                      say("each run against the median")},
                     in.w, small),
           small, t.ink2);
  const float pitch_least = label * 1.35f;
  while (float(rows.size()) * pitch_least > f.plot.h && rows.size() > 1) {
    const auto drop = std::find_if(rows.begin(), rows.end(), [](const auto& r) { return !r.first->current; });
    rows.erase(drop == rows.end() ? rows.begin() : drop);
  }
  // deviations, in shares; single interrupted samples do not set the scale
  std::vector<double> all;
  const auto deviations = [](const Record& r) {
    std::vector<double> d;
    if (r.samples.empty())
      d = {r.seconds.least / r.seconds.median - 1, r.seconds.most / r.seconds.median - 1};
    else
      for (double x : r.samples) d.push_back(x / r.seconds.median - 1);
    return d;
  };
  for (const auto& [x, r] : rows)
    for (double d : deviations(*r)) all.push_back(std::abs(d));
  std::sort(all.begin(), all.end());
  double range = std::clamp(all[std::min(all.size() - 1, all.size() * 95 / 100)] * 1.15, 0.002, 1.0);
  for (const double nice : {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0})
    if (range <= nice) {
      range = nice;
      break;
    }
  float names = 0;
  for (const auto& [x, r] : rows) names = std::max(names, pen.width(x->label, label, Font::text_bold));
  names = std::min(names, in.w * 0.36f);
  const float values = pen.width("0.00%", label, Font::mono_bold);
  const Box plot{in.x + names + t.px(12), f.plot.y, in.w - names - values - t.px(24), f.plot.h};
  const float pitch = std::min(plot.h / float(rows.size()), t.px(72));
  const Box field{plot.x, plot.y, plot.w, pitch * float(rows.size())};
  pen.rect(field, t.dark() ? t.window : t.cell);
  const auto x_of = [&](double d) {
    return field.centre().x + float(std::clamp(d / range, -1.0, 1.0)) * (field.w / 2 - t.px(6));
  };
  for (const double share : {-1.0, -0.5, 0.5, 1.0})
    pen.line({x_of(range * share), field.y}, {x_of(range * share), field.bottom()}, t.line, s.thin());
  const std::string edge = percent_text(range);
  const float ticks = field.bottom() + small * 0.95f;
  pen.text({field.x, ticks},
           first_fit(pen, {"-" + edge + " " + say("(faster)"), "-" + edge}, field.w * 0.32f, small), small,
           t.ink2);
  pen.text({field.centre().x, ticks}, first_fit(pen, {say("median")}, field.w * 0.3f, small), small, t.ink2,
           Font::text, Align::centre);
  pen.text({field.right(), ticks},
           first_fit(pen, {"+" + edge + " " + say("(slower)"), "+" + edge}, field.w * 0.32f, small), small,
           t.ink2, Font::text, Align::right);
  for (size_t k = 0; k < rows.size(); ++k) {
    const auto& [x, r] = rows[k];
    const CurveLook& l = s.look(*x);
    const float cy = field.y + (float(k) + 0.5f) * pitch;
    const Font font = x->current ? Font::text_bold : Font::text;
    name_in(pen, {plot.x - t.px(12) - names, cy - pitch / 2, names, pitch}, x->label, label,
            t.projector() ? label : label * 0.75f, l.words, font, Align::right);
    // how sure: the median's 68% interval, under the samples
    const float half = std::max(t.px(1.5f), (x_of(r->seconds.noise) - x_of(0)));
    pen.rect({x_of(0) - half, cy - pitch * 0.36f, 2 * half, pitch * 0.72f},
             mix(l.line, t.dark() ? t.window : t.cell, 0.35f));
    const auto d = deviations(*r);
    const float dot = std::clamp(t.px(1.7f), 1.0f, pitch * 0.12f);
    for (size_t i = 0; i < d.size(); ++i) {
      // one above the other in the order of measuring: a drift shows as a slope
      const float at = cy + (d.size() > 1 ? float(i) / float(d.size() - 1) - 0.5f : 0.0f) * pitch * 0.62f;
      pen.rect({x_of(d[i]) - dot, at - dot, 2 * dot, 2 * dot}, l.line);
    }
    pen.text({in.right(), cy}, percent_text(r->seconds.noise), label, t.ink, Font::mono_bold, Align::right);
    pen.hit({.what = Hit::other,
             .box = {in.x, cy - pitch / 2, in.w, pitch},
             .tip = say("{}: {} runs from {} to {}; the median is sure to {}.", x->label, r->samples.size(),
                        seconds_text(r->seconds.least), seconds_text(r->seconds.most),
                        percent_text(r->seconds.noise)),
             .name = "noise:" + x->key});
  }
}

void draw_roofline(TimeSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float small = s.small();
  const Frame f = frame(s, in, scale_width(s, 10000), 0);
  const float left = draw_facets(s, f.head, t.projector());
  pen.text({in.x, f.head.centre().y},
           first_fit(pen, {say("Roofline at {}", power_of_two(s.in.look.log_n)), say("Roofline")},
                     left - in.x - t.px(8), s.title(), Font::text_bold),
           s.title(), t.ink, Font::text_bold);
  const long long n = 1LL << s.in.look.log_n;
  struct Dot {
    const TimeSeries* series;
    double intensity, rate;  // operations a byte; 10^9 operations a second
  };
  std::vector<Dot> dots;
  const Recording* run = nullptr;
  for (const TimeSeries& x : s.series) {
    const Record* r = x.at(n);
    if (x.hidden || x.limit || x.reference || !r || r->seconds.median <= 0) continue;
    CountedWork w;
    if (x.cpu) {
      w = {1, r->bytes / double(r->n)};  // the baselines' loops: one addition an element
    } else {
      auto parameters = x.points[0]->parameters;
      parameters.erase("skew");
      if (const auto it = s.in.counted.find({x.points[0]->kernel, parameters}); it != s.in.counted.end())
        w = it->second;
    }
    if (!w.known()) continue;
    dots.push_back({&x, w.operations / w.bytes, w.operations * double(r->n) / r->seconds.median / 1e9});
    if (x.run->copy_gb_per_s > 0 && (!run || x.run->copy_gb_per_s > run->copy_gb_per_s)) run = x.run;
  }
  if (dots.empty()) {
    say_nothing(s, f.plot,
                say("No kernel is measured at N = {}: move the slider to a length that was.",
                    power_of_two(s.in.look.log_n)));
    return;
  }
  pen.text({in.x, f.unit_y}, first_fit(pen, {say("10^9 additions a second"), "Gop/s"}, in.w, small), small,
           t.ink2);
  // from the sources of its roofs down: what is drawn and what is not
  const std::string compute(
      say("Additions and sectors are counted in a trace. No compute roof: a recording does not hold how "
          "many units add."));
  const float words_top = in.bottom() - s.label() * 2.75f;
  Box plot = f.plot;
  const bool explained = plot.h > s.label() * 12;
  if (explained) plot.h -= s.label() * 2.9f;

  double x0 = 1e300, x1 = 0, y0 = 1e300, y1 = 0;
  std::vector<Tag> tags;
  for (const Dot& d : dots) {
    x0 = std::min(x0, d.intensity), x1 = std::max(x1, d.intensity);
    y0 = std::min(y0, d.rate), y1 = std::max(y1, d.rate);
    const CurveLook& l = s.look(*d.series);
    tags.push_back({d.series->label,
                    rate_text(d.rate),
                    {},
                    {},
                    l.words,
                    l.line,
                    d.series->current ? Font::text_bold : Font::text,
                    {},
                    d.series->current,
                    0});
  }
  const TagRoom room = room_for(s, tags, plot.w * 0.36f);
  Axes a{plot, std::log2(x0 / 1.6), std::log2(x1 * 1.6), 0, 1, plot.right() - room.all};
  if (run) {  // the roofs at the edges belong into the picture
    y1 = std::max(y1, std::max(run->peak_gb_per_s, run->copy_gb_per_s) * std::exp2(a.last));
    y0 = std::min(y0, run->copy_gb_per_s * std::exp2(a.first));
  }
  a.low = std::log10(y0 / 1.5), a.high = std::log10(y1 * 1.2);
  if (a.data_right - a.plot.x < t.px(60) || a.plot.h < t.px(40)) return;
  draw_axes(s, a);
  const float ticks = a.plot.bottom() + small * 0.95f;
  float end = -1e9f;
  for (int p = int(std::ceil(a.first)); p <= int(std::floor(a.last)); ++p) {
    const double v = std::exp2(p);
    pen.line({a.x(p), a.plot.y}, {a.x(p), a.plot.bottom()}, t.line, s.thin());
    const std::string words = p < 0 ? "1/" + std::to_string(1LL << std::min(-p, 40)) : number_text(v);
    const float w = pen.width(words, small, Font::mono);
    if (a.x(p) - w / 2 < end + t.px(8) || a.x(p) - w / 2 < in.x) continue;
    end = pen.text({a.x(p), ticks}, words, small, t.ink2, Font::mono, Align::centre).right();
  }
  pen.text({a.plot.right(), ticks},
           first_fit(pen, {say("additions a byte")}, a.plot.right() - end - t.px(8), small), small, t.ink2,
           Font::text, Align::right);
  if (run) {
    const auto roof = [&](double bandwidth, const std::string& words, float dash, Colour c, bool above) {
      if (bandwidth <= 0) return;
      const Point p{a.plot.x, a.y(bandwidth * std::exp2(a.first))},
          q{a.data_right, a.y(bandwidth * std::exp2(a.last))};
      pen.line(p, q, c, std::max(1.0f, t.px(1.5f)), t.px(dash));
      const float w = pen.width(words, small) + t.px(8), at = above ? 0.30f : 0.45f;
      const Point m{p.x + (q.x - p.x) * at, p.y + (q.y - p.y) * at};
      const Box back{above ? m.x - w - t.px(4) : m.x + t.px(10),
                     above ? m.y - small * 1.5f : m.y + small * 0.7f, w, small * 1.25f};
      if (back.x < a.plot.x || back.right() > a.data_right || back.y < a.plot.y ||
          back.bottom() > a.plot.bottom())
        return;
      pen.rect(back, t.dark() ? t.window : t.cell);
      pen.text({back.x + t.px(4), back.centre().y}, words, small, c);
    };
    roof(run->peak_gb_per_s, say("peak {} GB/s", rate_text(run->peak_gb_per_s)), 2, t.ink2, true);
    roof(run->copy_gb_per_s, say("copy {} GB/s", rate_text(run->copy_gb_per_s)), 7, t.ink, false);
  }
  for (size_t k = 0; k < dots.size(); ++k) {
    const Dot& d = dots[k];
    const CurveLook& l = s.look(*d.series);
    const Point p{a.x(std::log2(d.intensity)), a.y(d.rate)};
    tags[k].from = p;
    pen.line(p, {p.x, a.plot.bottom()}, mix(l.line, t.panel, 0.35f), s.thin(), t.px(2));
    pen.hit({.what = Hit::other,
             .box = {p.x - t.px(8), p.y - t.px(8), t.px(16), t.px(16)},
             .tip = say(
                 "{}: {} additions a byte that its requests touch, {} thousand million additions a second.",
                 d.series->label, rate_text(d.intensity), rate_text(d.rate)),
             .name = "roof:" + d.series->key});
  }
  draw_tags(s, a, std::move(tags), room, {});
  for (const Dot& d : dots) {
    const CurveLook& l = s.look(*d.series);
    pen.disc({a.x(std::log2(d.intensity)), a.y(d.rate)}, t.px(d.series->current ? 6 : 5), l.fill, l.edge,
             s.thin());
  }
  if (explained)
    paragraph(pen, {{compute, t.ink2}}, {in.x, words_top, in.w, in.bottom() - words_top}, s.label());
}

void draw_ladder(TimeSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small(), head = s.title() * 1.35f;
  const long long n = 1LL << s.in.look.log_n;
  const Box heading =
      pen.text({in.x, in.y + head / 2}, say("Ladder at N = {}", power_of_two(s.in.look.log_n)), s.title(),
               t.ink, Font::text_bold);
  const float share = std::max({pen.width("0.00%", label, Font::mono), pen.width(say("of copy"), small),
                                pen.width(say("of peak"), small)}) +
                      t.px(12);
  const float value =
      std::max(pen.width("00,000", label, Font::mono_bold), pen.width("GB/s", small)) + t.px(8);
  const float columns = in.right() - 2 * share - value;
  pen.text(
      {heading.right() + t.px(14), heading.centre().y},
      first_fit(pen,
                {std::string(
                     t.printed ? say("bar: median GB/s; whisker: slowest to fastest run")
                               : say("bar: median GB/s; whisker: slowest to fastest run; tick: shown above")),
                 std::string(t.printed ? say("median GB/s") : say("median GB/s; tick: shown above")),
                 say("median GB/s")},
                columns - heading.right() - t.px(22), label),
      label, t.ink2);
  const float captions = heading.centre().y;
  pen.text({in.right() - 2 * share, captions}, "GB/s", small, t.ink2, Font::text, Align::right);
  pen.text({in.right() - share, captions}, say("of copy"), small, t.ink2, Font::text, Align::right);
  pen.text({in.right(), captions}, say("of peak"), small, t.ink2, Font::text, Align::right);

  const float y0 = in.y + head + t.px(4), room = in.bottom() - y0;
  const int all = int(s.rows.size());
  const int fit = std::max(1, int(room / (label * 1.4f)));
  // what does not fit goes from the slow end, unless the legend's cursor is there
  int begin = std::max(0, all - fit);
  const int row = s.in.look.row < all ? s.in.look.row : all - 1;
  if (row >= 0) begin = std::min(begin, row);
  const int end = std::min(all, begin + fit);
  const float pitch = std::min(room / float(std::max(1, end - begin)), t.px(34));
  double most = 0;
  const Recording* roofs = nullptr;
  for (const TimeSeries* x : s.rows) {
    if (const Record* r = x->at(n); r && !x->hidden) {
      most = std::max(most, r->gb_per_s);
      if (x->run->copy_gb_per_s > 0 && !limit_is_a_curve(s, x->run) &&
          (!roofs || x->run->copy_gb_per_s > roofs->copy_gb_per_s))
        roofs = x->run;
    }
  }
  if (roofs) most = std::max({most, roofs->copy_gb_per_s, roofs->peak_gb_per_s});
  float names = 0;
  for (const TimeSeries* x : s.rows) names = std::max(names, pen.width(x->label, label, Font::text_bold));
  names = std::min(names, in.w * 0.28f);
  const float tick = label * 1.05f, left = in.x + tick + t.px(10) + names + t.px(12),
              right = columns - t.px(24);
  const auto x_of = [&](double gb) { return left + float(gb / most) * (right - left); };
  const float thin = std::max(1.0f, t.px(1.5f));
  const float foot = y0 + float(end - begin) * pitch;
  for (int k = begin; k < end; ++k) {
    const TimeSeries& one = *s.rows[size_t(k)];
    const Record* r = one.at(n);
    const CurveLook& l = s.look(one);
    const float cy = y0 + (float(k - begin) + 0.5f) * pitch, tall = std::min(pitch * 0.62f, t.px(20));
    const Box whole{in.x - t.px(6), cy - pitch / 2 + 1, in.w + t.px(12), pitch - 2};
    if (k == row) pen.rect(whole, t.cell, t.ink3, s.thin(), t.px(4));
    if (t.printed)
      pen.rect({in.x, cy - tick / 2, tick, tick}, l.line, 0, 1, t.px(3));
    else
      tick_box(pen, t, {in.x + tick / 2, cy}, tick, !one.hidden, l.line);
    const Font font = one.current ? Font::text_bold : Font::text;
    name_in(pen, {left - t.px(12) - names, cy - pitch / 2, names, pitch}, one.label, label,
            t.projector() ? label : label * 0.75f,
            one.hidden    ? t.ink3
            : one.current ? t.ink
                          : t.ink2,
            font, Align::right);
    const std::string tip = r ? facts(one, *r) : say("{}: no point at this length.", one.label);
    press(pen, t, {.what = Hit::button, .box = whole, .tip = tip, .name = "row:" + one.key});
    if (!r) {
      pen.text({left, cy}, pen.fitted(say("not measured at this length"), right - left, label), label,
               t.ink3);
      continue;
    }
    if (!one.hidden && most > 0) {
      const Box bar{left, cy - tall / 2, std::max(x_of(r->gb_per_s) - left, thin), tall};
      pen.rect(bar, one.limit ? t.panel : l.fill, l.edge, s.thin(), t.px(3));
      if (r->seconds.least > 0 && r->seconds.most > 0 && !one.limit) {
        const float slow = x_of(r->bytes / r->seconds.most / 1e9),
                    fast = std::min(x_of(r->bytes / r->seconds.least / 1e9), right + t.px(8));
        pen.line({slow, cy}, {fast, cy}, t.write, thin);
        for (float x : {slow, fast}) pen.line({x, cy - tall * 0.35f}, {x, cy + tall * 0.35f}, t.write, thin);
      }
    }
    const Colour ink = one.hidden ? t.ink3 : t.ink, ink2 = one.hidden ? t.ink3 : t.ink2;
    pen.text({in.right() - 2 * share, cy}, rate_text(r->gb_per_s), label, ink, Font::mono_bold, Align::right);
    if (!r->correct) {
      pen.text({in.right(), cy}, pen.fitted(say("wrong result"), 2 * share - t.px(8), label), label, t.race,
               Font::text, Align::right);
      continue;
    }
    // a copy is what others are a share of
    if (r->of_copy > 0 && !r->kernel.starts_with("copy/"))
      pen.text({in.right() - share, cy}, percent_text(r->of_copy), label, ink2, Font::mono, Align::right);
    if (r->of_peak > 0)
      pen.text({in.right(), cy}, percent_text(r->of_peak), label, ink2, Font::mono, Align::right);
  }
  if (roofs && most > 0) {
    pen.line({x_of(roofs->copy_gb_per_s), y0}, {x_of(roofs->copy_gb_per_s), foot}, t.ink, thin, t.px(7));
    if (roofs->peak_gb_per_s > 0)
      pen.line({x_of(roofs->peak_gb_per_s), y0}, {x_of(roofs->peak_gb_per_s), foot}, t.ink2, thin, t.px(2));
  }
}

}  // namespace bscope
