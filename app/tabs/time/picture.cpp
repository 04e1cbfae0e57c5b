#include "app/tabs/time/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/draw/controls.hpp"
#include "app/draw/upright.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/time/sheet.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/words/counting.hpp"
#include "app/words/glossary.hpp"
#include "app/words/measures.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

/// The colour, or as little darker (in light themes) as words need to be read on a chart.
Colour readable(const Theme& t, Colour c) {
  const Colour paper = t.dark() ? t.window : t.cell;
  for (float ink = 0.1f; contrast(c, paper) < 4.6f && ink <= 1; ink += 0.1f) c = mix(t.ink, c, ink);
  return c;
}

CurveLook curve_look(const Theme& t, const Curve& s, int variants) {
  const float thick = s.recorded ? 1.5f : 2;
  const auto filled = [&](Colour c) { return s.recorded ? mix(c, t.panel, 0.6f) : c; };
  if (s.current) {
    const Colour ink = t.dark() ? t.changed : t.ink;
    return {ink, ink, s.recorded ? mix(t.changed, t.panel, 0.65f) : t.changed, ink, 3};
  }
  const std::string& kernel = s.first().kernel;
  const float variant = s.variant >= 0 && variants > 1 ? float(s.variant) / float(variants - 1) : 1;
  const Colour c = s.limit       ? t.ink2
                   : s.reference ? (kernel.starts_with("thrust") ? t.ink2 : t.ink)
                   : s.cpu       ? (kernel.starts_with("tbb") ? t.thread : t.ink3)
                   : s.sibling   ? mix(t.dark() ? t.changed : t.ink, t.panel, 0.6f)
                                 : mix(t.read, t.ink3, variant);
  return {c, readable(t, c), filled(c), c, s.limit ? 1 : thick};
}

}  // namespace

std::vector<CurveLook> curve_looks(const Theme& t, const CurvesAsked& asked,
                                   const std::vector<Curve>& series) {
  const int variants = int(asked.series.size());
  std::vector<CurveLook> all;
  for (const Curve& one : series) all.push_back(curve_look(t, one, variants));
  return all;
}

std::string family_title(const std::string& kernel) {
  const Family family = family_of(kernel);
  return family.timed() ? tr(family.title) : tr(title_of(kernel));
}

std::vector<const Curve*> ladder_rows(const TimeInput& in, const std::vector<Curve>& series) {
  const long long n = 1LL << in.look.log_n;
  std::vector<const Curve*> rows;
  for (const Curve& s : series) rows.push_back(&s);
  const auto speed = [&](const Curve* s) {
    const Record* r = s->at(n);
    return r ? r->gb_per_s : 1e30;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Curve* a, const Curve* b) { return speed(a) < speed(b); });
  return rows;
}

std::vector<WorkCounter::Key> time_work(const TimeInput& in) {
  std::vector<WorkCounter::Key> all;
  for (const Curve& s : curves_over_n(curves_asked(in)))
    if (s.variant >= 0) {
      auto parameters = s.first().parameters;
      parameters.erase("skew");
      all.emplace_back(s.first().kernel, std::move(parameters));
    }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string TimeSheet::n() const { return power_of_two(in.look.log_n); }

double log_length(const Record& r) { return std::log2(double(r.n)); }

std::string facts(const Curve& s, const Record& r) {
  std::string words =
      tr("{}, N = {}: {} GB/s, median {}, noise {}", label_of(s), grouped(r.n), rate_text(r.gb_per_s),
         seconds_text(r.seconds.median), percent_text(r.seconds.noise));
  if (r.of_copy > 0) words += tr(", {} of copy", percent_text(r.of_copy));
  if (r.of_peak > 0) words += tr(", {} of peak", percent_text(r.of_peak));
  if (r.clock_mhz > 0) words += tr(", at {} MHz", grouped(std::llround(r.clock_mhz)));
  if (r.throttled) words += tr("; the clock fell meanwhile");
  return words + tr(", on {}.", s.run->device);
}

bool limit_is_a_curve(const TimeSheet& s, const Recording* run) {
  return std::any_of(s.series.begin(), s.series.end(),
                     [&](const Curve& x) { return x.limit && x.run == run; });
}

Text verdict(const TimeSheet& s) {
  const Theme& t = s.t;
  const long long n = s.length();
  const Curve *mine = nullptr, *best = nullptr;
  for (const Curve& x : s.series)
    if (x.current && x.at(n) && (!mine || !x.recorded)) mine = &x;
  if (!mine) return {};
  for (const Curve& x : s.series)
    if (x.run == mine->run && x.reference && x.at(n) && (!best || x.at(n)->gb_per_s > best->at(n)->gb_per_s))
      best = &x;
  const Record& r = *mine->at(n);
  std::string words =
      tr("moves {} GB/s at {} on {}", rate_text(r.gb_per_s), s.n(), short_device(mine->run->device));
  if (has_warm(s.in)) words += std::string(s.in.look.warm ? tr(" (warm)") : tr(" (cold)"));
  if (r.of_copy > 0) words += tr(", {} of what a copy does", percent_text(r.of_copy));
  if (best && best->at(n)->gb_per_s > 0) {
    const double times = best->at(n)->gb_per_s / r.gb_per_s;
    words += times >= 1.05   ? tr("; {} is {} times as fast.", label_of(*best), rate_text(times))
             : times <= 0.99 ? tr("; {} times as fast as {}.", rate_text(1 / times), label_of(*best))
                             : tr("; no slower than {}.", label_of(*best));
  } else {
    words += tr(".");
  }
  return {{label_of(*mine) + " ", t.ink, Font::text_bold}, {words, t.ink2}};
}

TimeFacet facet_beside(const TimeSheet& s) {
  if (std::ranges::count(s.facets, s.in.look.facet)) return s.in.look.facet;
  const bool cpu = std::ranges::any_of(s.series, [](const Curve& x) { return x.cpu && !x.limit; });
  return cpu ? TimeFacet::speedup : TimeFacet::noise;
}

LayoutNode facet_buttons(const TimeSheet& s, bool with_throughput) {
  if (s.t.printed) return {};
  struct Facet {
    TimeFacet facet;
    const char *name, *label, *tip;
  };
  static constexpr Facet every[] = {
      {TimeFacet::speedup, "facet:speedup", tr_noop("Speed-up"),
       tr_noop("How many times as fast as this CPU's own loop.")},
      {TimeFacet::noise, "facet:noise", tr_noop("Noise"),
       tr_noop("How far single runs lie from their median.")},
      {TimeFacet::roofline, "facet:roofline", tr_noop("Roofline"),
       tr_noop("Additions a second against additions a byte: what the memory allows.")},
      {TimeFacet::cycles, "facet:cycles", tr_noop("Cycles"),
       tr_noop("How long a block is busy, by its own clock.")},
      {TimeFacet::gpus, "facet:gpus", tr_noop("GPUs"),
       tr_noop("The same job over several GPUs of one host.")},
      {TimeFacet::notes, "facet:notes", tr_noop("Notes"),
       tr_noop("What was left out of a recording, and what changed meanwhile.")}};
  const bool alone = with_throughput && !std::ranges::count(s.facets, s.in.look.facet);
  const TimeFacet chosen = alone ? TimeFacet::throughput : facet_beside(s);
  std::vector<Button> all;
  if (with_throughput)
    all.push_back({"facet:throughput", tr("Throughput"), tr("Bytes that must be moved, a second."), alone, 0,
                   sets(&TimeState::facet, TimeFacet::throughput)});
  for (const Facet& one : every)
    if (std::ranges::count(s.facets, one.facet))
      all.push_back(
          {one.name, tr(one.label), tr(one.tip), chosen == one.facet, 0, sets(&TimeState::facet, one.facet)});
  return choices(std::move(all));
}

LayoutNode faceted(const TimeSheet& s, std::vector<std::string> heading, LayoutNode shown) {
  heading.emplace_back();  // where there is no room for both: the chosen button says it
  return column(s.t.gap(), {row(s.t.gap(), {line(std::move(heading), heading_look(s.t)).gives(1),
                                            space(0).grows(), facet_buttons(s, s.t.projector())}),
                            std::move(shown).grows()});
}

LayoutNode facet(const TimeSheet& s, TimeFacet which) {
  switch (which) {
    case TimeFacet::throughput: return throughput(s);
    case TimeFacet::speedup: return speedup(s);
    case TimeFacet::noise: return noise(s);
    case TimeFacet::roofline: return roofline(s);
    case TimeFacet::cycles: return cycles(s);
    case TimeFacet::gpus: return gpus(s);
    case TimeFacet::notes: return notes(s);
  }
  return {};
}

LayoutNode nothing(const TimeSheet& s, const std::string& words) {
  return column(0,
                {space(0).grows(), padded(text({{words, s.t.ink2}}, {.size = s.t.label()}), s.t.apart(), 0),
                 space(0).grows(2)});
}

namespace {

/// Nothing to draw yet: what to do, in the middle of all the room.
LayoutNode nothing_yet(const TimeSheet& s) {
  const Theme& t = s.t;
  const std::string& kernel = s.in.kernel;
  const bool known = family_of(kernel).timed();
  const std::string where = s.in.gpu.empty() ? tr("this machine's CPU, serially and with TBB") : s.in.gpu;
  const std::string what = !s.in.awaited.empty()       ? tr(s.in.awaited)
                           : !known                    ? tr("This kernel is for looking at, not for timing.")
                           : !s.in.look.closed.empty() ? tr("Every recording of this family is hidden.")
                                                       : tr("Nothing is measured yet.");
  const std::string then =
      known && !s.in.measures ? tr("Nothing can be measured in a page: open a recording.")
      : known ? tr("Press Measure (Ctrl Enter) to time this family on {}, or open a recording.", where)
              : tr("Open a reduction, a scan or a histogram to see its times.");
  const TextLook look{.size = t.label()};
  const LayoutNode words = column(
      t.px(12),
      {text({{what, t.ink, Font::text_bold}}, {.size = t.why()}),
       !s.in.awaited.empty() || (known && t.printed) ? LayoutNode{} : text({{then, t.ink2}}, look).gives(1),
       known && s.in.awaited.empty()
           ? text({{tr("In a terminal:") + " ", t.ink2},
                   {"barrierscope time " + kernel + " -o times.json", t.ink, Font::mono}},
                  look)
                 .gives(2)
           : LayoutNode{}});
  return column(0, {line({tr("{}: throughput", family_title(kernel))}, heading_look(t)), space(0).grows(),
                    shares(0, {{0.15f, {}}, {0.7f, words}, {0.15f, {}}}), space(0).grows(2)});
}

}  // namespace

Picture time_view(const TimeInput& given, const Theme& t, const Metrics& metrics, float w, float h) {
  std::optional<TimeInput> warm;
  if (given.look.warm && !given.is_warm && has_warm(given)) warm = warmed(given);
  const TimeInput& in = warm ? *warm : given;
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  const DrawContext paper{pen, t};
  const CurvesAsked asked = curves_asked(in);
  const std::vector<Curve> series = curves_over_n(asked);
  TimeSheet s{t,
              in,
              asked,
              series,
              curve_looks(t, asked, series),
              ladder_rows(in, series),
              time_axes(asked),
              time_facets(asked)};
  // below a lesson's strip
  s.low = t.projector() && h < t.px(700);
  if (t.printed) std::erase_if(s.rows, [](const Curve* x) { return x->hidden; });
  pen.rect({0, 0, w, h}, t.window);
  const float gap = t.gap();
  if (!t.printed && !series.empty() && is_upright(t, w, h)) {
    draw(paper,
         column(gap, {panel(throughput(s)).grows(), panel(facet(s, facet_beside(s))).grows(),
                      panel(series_table(s)), panel(time_controls(s))}),
         {0, 0, w, h});
    return picture;
  }
  Box room{0, 0, w, h};
  if (!t.printed) {
    const float side = w * (t.projector() ? 0.25f : 0.19f);
    draw(paper, panel(time_controls(s)), {0, 0, side, h});
    room = {side + gap, 0, w - side - gap, h};
  } else if (const Text words = verdict(s); !words.empty()) {  // as the figure's caption
    room.h -= t.label() * 2.2f;
    draw(paper, text(words, {.size = t.label()}), {gap, room.h, w - 2 * gap, h - room.h});
  }
  if (series.empty()) {
    draw(paper, panel(nothing_yet(s)), room);
    return picture;
  }
  // the bar table takes what its rows need and some air between them, at most half; below a strip less, for
  // the chart needs height
  const LayoutNode below = panel(series_table(s));
  const float wanted = below.height_at(paper, room.w) + t.label() * 0.35f * float(s.rows.size());
  const float lower = clamp_or_least(wanted, room.h * 0.2f,
                                     room.h * (s.low           ? 0.36f
                                               : t.projector() ? 0.46f
                                                               : 0.5f));
  const bool chosen = std::ranges::count(s.facets, in.look.facet) > 0;
  draw(paper,
       t.projector()
           ? panel(facet(s, chosen ? in.look.facet : TimeFacet::throughput))
           : shares(gap, {{0.55f, panel(throughput(s))}, {0.45f, panel(facet(s, facet_beside(s)))}}),
       {room.x, 0, room.w, room.h - lower - gap});
  draw(paper, below, {room.x, room.h - lower, room.w, lower});
  return picture;
}

}  // namespace bscope
