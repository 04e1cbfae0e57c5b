#include "app/tabs/time/picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/run/titles.hpp"
#include "app/tabs/time/sheet.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/words/counting.hpp"
#include "app/words/glossary.hpp"

namespace bscope {
namespace {

std::string family_of(const std::string& kernel) { return kernel.substr(0, kernel.find('/')); }

std::string day(const std::string& date) { return date.substr(0, 10); }

/// A GPU's driver, or how many threads a CPU has.
std::string driver_text(const Recording& r) {
  const size_t end = r.driver.find(" threads");
  return end == std::string::npos ? r.driver
                                  : say_count(std::atoi(r.driver.c_str()), "{} thread", "{} threads");
}

/// The colour, or as little darker (in light themes) as words need to be read on a chart.
Colour readable(const Theme& t, Colour c) {
  const Colour paper = t.dark() ? t.window : t.cell;
  for (float ink = 0.1f; contrast(c, paper) < 4.6f && ink <= 1; ink += 0.1f) c = mix(t.ink, c, ink);
  return c;
}

CurveLook curve_look(const Theme& t, const TimeSeries& s, int rungs) {
  const float thick = s.recorded ? 1.5f : 2;
  const auto filled = [&](Colour c) { return s.recorded ? mix(c, t.panel, 0.6f) : c; };
  if (s.current) {
    const Colour ink = t.dark() ? t.changed : t.ink;
    return {ink, ink, s.recorded ? mix(t.changed, t.panel, 0.65f) : t.changed, ink, 3};
  }
  const std::string& kernel = s.points.front()->kernel;
  const float rung = s.rung >= 0 && rungs > 1 ? float(s.rung) / float(rungs - 1) : 1;
  const Colour c = s.limit       ? t.ink2
                   : s.reference ? (kernel.starts_with("thrust") ? t.ink2 : t.ink)
                   : s.cpu       ? (kernel.starts_with("tbb") ? t.thread : t.ink3)
                   : s.sibling   ? mix(t.dark() ? t.changed : t.ink, t.panel, 0.6f)
                                 : mix(t.read, t.ink3, rung);
  return {c, readable(t, c), filled(c), c, s.limit ? 1 : thick};
}

}  // namespace

std::vector<CurveLook> curve_looks(const Theme& t, const std::string& kernel,
                                   const std::vector<TimeSeries>& series) {
  const int rungs = int(rungs_of(family_of(kernel)).size());
  std::vector<CurveLook> all;
  for (const TimeSeries& one : series) all.push_back(curve_look(t, one, rungs));
  return all;
}

std::string rate_text(double gb) {
  if (gb >= 100) return grouped(std::llround(gb));
  char text[32];
  std::snprintf(text, sizeof text, gb >= 10 ? "%.1f" : gb >= 0.1 ? "%.2f" : "%.2g", gb);
  return text;
}
std::string percent_text(double share) {
  const double p = share * 100;
  char text[32];
  std::snprintf(text, sizeof text, p >= 10 || p == 0 ? "%.0f%%" : p >= 0.095 ? "%.1f%%" : "%.2f%%", p);
  return text;
}
std::string power_of_two(int log_n) { return "2^" + std::to_string(log_n); }

std::string short_device(const std::string& device) {
  std::string s = device;
  for (const char* noise : {"(R)", "(TM)", "NVIDIA ", "Intel ", "AMD ", "GeForce ", " Processor", " CPU"})
    if (const size_t at = s.find(noise); at != std::string::npos) s.erase(at, std::string(noise).size());
  if (const size_t at = s.find(" @"); at != std::string::npos) s.erase(at);
  // "H100 80GB HBM3": what tells it from others stands before
  if (const size_t memory = s.find("GB HBM"); memory != std::string::npos)
    if (const size_t space = s.rfind(' ', memory); space != std::string::npos) s.erase(space);
  while (s.ends_with(' ')) s.pop_back();
  return s.empty() ? device : s;
}

std::string family_title(const std::string& kernel) {
  const std::string family = family_of(kernel);
  const bool ladder = family == "reduce" || family == "scan" || family == "histogram";
  return ladder ? family_name(family) : said(title_of(kernel));
}

std::vector<const TimeSeries*> ladder_rows(const TimeInput& in, const std::vector<TimeSeries>& series) {
  const long long n = 1LL << in.look.log_n;
  std::vector<const TimeSeries*> rows;
  for (const TimeSeries& s : series) rows.push_back(&s);
  const auto speed = [&](const TimeSeries* s) {
    const Record* r = s->at(n);
    return r ? r->gb_per_s : 1e30;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const TimeSeries* a, const TimeSeries* b) { return speed(a) < speed(b); });
  return rows;
}

std::vector<WorkCounter::Key> time_work(const TimeInput& in) {
  std::vector<WorkCounter::Key> all;
  for (const TimeSeries& s : time_series(in))
    if (s.rung >= 0) {
      auto parameters = s.points[0]->parameters;
      parameters.erase("skew");
      all.emplace_back(s.points[0]->kernel, std::move(parameters));
    }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<const Recording*> TimeSheet::runs() const {
  std::vector<const Recording*> all;
  for (const TimeSeries& s : series)
    if (!s.hidden && std::find(all.begin(), all.end(), s.run) == all.end()) all.push_back(s.run);
  return all;
}

namespace {

/// One sentence of what the figures say of the open kernel; empty without them.
std::vector<Words> verdict(const TimeSheet& s) {
  const Theme& t = s.t;
  const long long n = 1LL << s.in.look.log_n;
  const TimeSeries *mine = nullptr, *best = nullptr;
  for (const TimeSeries& x : s.series)
    if (x.current && x.at(n) && (!mine || !x.recorded)) mine = &x;
  if (!mine) return {};
  for (const TimeSeries& x : s.series)
    if (x.run == mine->run && x.reference && x.at(n) && (!best || x.at(n)->gb_per_s > best->at(n)->gb_per_s))
      best = &x;
  const Record& r = *mine->at(n);
  std::string words = say("moves {} GB/s at {} on {}", rate_text(r.gb_per_s), power_of_two(s.in.look.log_n),
                          short_device(mine->run->device));
  if (has_warm(s.in)) words += std::string(s.in.look.warm ? say(" (warm)") : say(" (cold)"));
  if (r.of_copy > 0) words += say(", {} of what a copy does", percent_text(r.of_copy));
  if (best && best->at(n)->gb_per_s > 0) {
    const double times = best->at(n)->gb_per_s / r.gb_per_s;
    words += times >= 1.05   ? say("; {} is {} times as fast.", best->label, rate_text(times))
             : times <= 0.99 ? say("; {} times as fast as {}.", rate_text(1 / times), best->label)
                             : say("; no slower than {}.", best->label);
  } else {
    words += say(".");
  }
  return {{mine->label + " ", t.ink, Font::text_bold}, {words, t.ink2}};
}

/// Which of the sliders' values no recording on screen has, in a sentence; empty if they have all.
std::string not_recorded(const TimeSheet& s) {
  const TimeState& look = s.in.look;
  std::vector<const Record*> there;  // the nearest first
  for (const TimeSeries& x : s.series)
    if (x.recorded && !x.hidden && !x.points.empty() && x.points[0]->kernel == s.in.kernel)
      there.insert(x.current ? there.begin() : there.end(), x.points[0]);
  if (there.empty()) return {};
  std::string asked, has;
  const auto look_for = [&](const std::string& name, const std::string& value) {
    std::vector<std::string> values;
    for (const Record* r : there)
      if (const auto it = r->parameters.find(name); it != r->parameters.end()) values.push_back(it->second);
    if (values.empty() || std::find(values.begin(), values.end(), value) != values.end()) return;
    asked += (asked.empty() ? "" : ", ") + said(name) + " = " + said(value);
    has += (has.empty() ? "" : ", ") + said(name) + " = " + said(values.front());
  };
  look_for("block", std::to_string(look.block));
  for (const Parameter& p : s.in.parameters) {
    const auto it = look.set.find(p.name);
    if (!slider_values(p).empty()) look_for(p.name, it == look.set.end() ? p.initial.text : it->second);
  }
  if (s.in.kernel.starts_with("histogram/")) look_for("skew", skew_text(look.skew / 100.0));
  if (asked.empty()) return {};
  return say("No curve here was recorded with {}: they stay those of {}.", asked, has);
}

}  // namespace

void draw_time_controls(TimeSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const TimeState& look = s.in.look;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), gap = t.px(t.projector() ? 6 : 12);
  const bool gpu = !s.in.gpu.empty();
  float y = in.y;
  pen.text({in.x, y + s.title() * 0.65f}, say("Run"), s.title(), t.ink, Font::text_bold);
  y += s.title() * 1.3f + t.px(6);
  const auto put = [&](Slider one) {
    if (y + slider_height(t) > in.bottom()) return;
    slider(pen, t, {in.x, y, in.w, slider_height(t)}, one);
    y += slider_height(t) + gap;
  };
  put({"n", "N", "N", power_of_two(look.log_n),
       say("Elements: length of the ladder, and the longest that a sweep measures."), TimeState::least_log_n,
       TimeState::most_log_n, float(look.log_n)});
  const std::string only_gpu(
      gpu ? say("Threads of a block, on the GPU.")
          : say("Threads of a block: without a GPU here, it chooses among recorded curves."));
  put({"block", say("Threads per block"), say("Block"), std::to_string(look.block), only_gpu, 5, 10,
       float(std::log2(std::max(1, look.block))), !gpu});
  int shown = 0;
  for (const Parameter& p : s.in.parameters) {
    const std::vector<std::string> values = slider_values(p);
    if (values.empty() || ++shown > 3) continue;
    const auto it = look.set.find(p.name);
    const std::string now = it == look.set.end() ? p.initial.text : it->second;
    const auto at = std::find(values.begin(), values.end(), now);
    const bool on_cpu = p.name == "bins";
    put({"set:" + p.name, said(p.name), said(p.name), said(now),
         say("A parameter that this kernel declares: {}.", p.name), 0, int(values.size()) - 1,
         float(at == values.end() ? 0 : at - values.begin()), !gpu && !on_cpu});
  }
  if (s.in.kernel.starts_with("histogram/"))
    put({"skew", say("Skew"), say("Skew"), percent_text(look.skew / 100.0),
         say("Share of the keys that is one favourite key: more contention."), 0, 100, float(look.skew)});
  const bool typed = std::any_of(s.in.parameters.begin(), s.in.parameters.end(),
                                 [](const Parameter& p) { return p.name == "type" && p.values.size() > 1; });
  if (typed && y + choices_height(t) < in.bottom()) {
    Choices types;
    for (const char* type : {"int32", "float", "double"})
      types.all.push_back({std::string("type:") + type, type, say("Type of an element."), look.type == type});
    choices(pen, t, {in.x, y, in.w, choices_height(t)}, types);
    y += choices_height(t) + gap;
  }

  if (const std::string sentence = not_recorded(s); !sentence.empty()) {
    const float after = paragraph(pen, {{sentence, t.write}}, {in.x, y, in.w, in.bottom() - y}, label);
    if (after > y) y = after + t.px(6);
  }

  // measure, or stop
  y += t.px(2);
  const Box big{in.x, y, in.w, std::max(t.px(36), s.title() * 1.7f)};
  const Colour fill = s.in.measuring ? t.cell : t.thread;
  pen.rect(big, fill, s.in.measuring ? t.line : 0, s.thin(), t.px(6));
  pen.text(big.centre(),
           s.in.measuring ? first_fit(pen, {say("Stop   Esc"), say("Stop")}, in.w, s.title(), Font::text_bold)
                          : first_fit(pen, {say("Measure   Ctrl Enter"), say("Measure")}, in.w - t.px(12),
                                      s.title(), Font::text_bold),
           s.title(), t.on(fill), Font::text_bold, Align::centre);
  const std::string where = gpu ? s.in.gpu : say("this machine's CPU, serially and with TBB");
  pen.hit({.what = Hit::button,
           .box = big,
           .tip = s.in.measuring ? say("Keep what is measured so far.")
                                 : say("Time this family from 2^10 to {} elements on {}.",
                                       power_of_two(look.log_n), where),
           .name = s.in.measuring ? "stop" : "measure"});
  y = big.bottom() + t.px(8);
  if (s.in.measuring) {
    const std::string count = say("{} of {}", s.in.done, s.in.all);
    const Box right =
        pen.text({in.right(), y + label * 0.7f}, count, label, t.ink, Font::mono_bold, Align::right);
    pen.text({in.x, y + label * 0.7f}, pen.fitted(s.in.doing, right.x - in.x - t.px(8), label), label, t.ink);
    y += label * 1.5f;
    const Box track{in.x, y, in.w, t.px(8)};
    pen.rect(track, t.selected, 0, 1, t.px(4));
    if (s.in.all > 0)
      pen.rect(
          {track.x, track.y, track.w * std::clamp(float(s.in.done) / float(s.in.all), 0.02f, 1.0f), track.h},
          t.thread, 0, 1, t.px(4));
    y = track.bottom() + t.px(4);
    const auto left = std::lround(std::max(0.0, s.in.seconds_left));
    char clock[32];
    std::snprintf(clock, sizeof clock, "%ld:%02ld", left / 60, left % 60);
    pen.text({in.right(), y + label * 0.7f},
             s.in.seconds_left >= 0 ? say("about {} left", clock) : say("measuring the copy"), label, t.ink2,
             Font::text, Align::right);
    y += label * 1.4f + gap;
  } else {
    const float h = choices_height(t);
    if (y + h < in.bottom())
      button(pen, t, {in.x, y, in.w, h},
             {"measure one", say("Only at {}", power_of_two(look.log_n)),
              say("Time this family at {} elements alone: a few seconds.", power_of_two(look.log_n))});
    y += h + gap;
  }
  const auto rest = [&] { return Box{in.x, y, in.w, in.bottom() - y}; };
  const float foot = choices_height(t) + t.px(6);
  if (!s.in.error.empty()) y = paragraph(pen, {{said(s.in.error), t.race}}, rest(), label) + t.px(8);

  // recordings, each with a tick: nothing on the right may be mistaken for this machine
  const float row = label * 2.75f;
  if (y + label * 1.6f + row + foot < in.bottom()) {
    pen.line({in.x, y}, {in.right(), y}, t.line, s.thin());
    y += t.px(8);
    const auto source = [&](const Recording& r, bool recorded, size_t k) {
      if (y + row + foot > in.bottom()) return;
      const std::string where = recorded ? key_of(r) : r.device;
      const bool on = is_open(look, r, recorded);
      const float tick = label * 1.05f, x = in.x + tick + t.px(8);
      tick_box(pen, t, {in.x + tick / 2, y + label * 0.75f}, tick, on, recorded ? t.write : t.thread);
      float room = in.right() - x;
      if (!recorded) {
        const Box cross{in.right() - label * 1.3f, y + label * 0.1f, label * 1.3f, label * 1.3f};
        const Point c = cross.centre();
        const float arm = label * 0.3f;
        pen.line({c.x - arm, c.y - arm}, {c.x + arm, c.y + arm}, t.ink3, t.px(1.5f));
        pen.line({c.x - arm, c.y + arm}, {c.x + arm, c.y - arm}, t.ink3, t.px(1.5f));
        room -= cross.w + t.px(4);
      }
      pen.text({x, y + label * 0.75f}, pen.fitted(short_device(r.device), room, label, Font::text_bold),
               label, t.ink, Font::text_bold);
      pen.text({x, y + label * 2.05f},
               recorded ? first_fit(pen,
                                    {say("recorded {}, {}", day(r.date), driver_text(r)),
                                     say("recorded {}", day(r.date)), day(r.date)},
                                    in.right() - x, label)
                        : first_fit(pen, {say("measured here, {}", driver_text(r)), say("measured here")},
                                    in.right() - x, label),
               label, recorded ? t.write : t.ink2);
      pen.hit({.what = Hit::button,
               .box = {in.x, y, in.w, row},
               .tip = say("{}, {}, {}: show or hide its curves.", r.device, r.driver, r.date),
               .name = "recording:" + std::to_string(k) + ":" + where});
      if (!recorded)
        pen.hit({.what = Hit::button,
                 .box = {in.right() - label * 1.3f, y + label * 0.1f, label * 1.3f, label * 1.3f},
                 .tip = say("Forget what was measured on this device."),
                 .name = "forget:" + std::to_string(k) + ":" + where});
      y += row + t.px(4);
    };
    size_t k = 0;
    for (const Recording& r : s.in.live) source(r, false, k++);
    for (const Recording& r : s.in.recorded) source(r, true, k++);
    y += t.px(2);
  }
  if (y + foot <= in.bottom()) {
    const float h = choices_height(t);
    Choices::One all[] = {
        {"import", say("Open"),
         say("Open a recording, JSON or CSV; or drop the file anywhere on the window.")},
        {"export:json", "JSON", say("Save what is ticked with every sample, as JSON (barrierscope.time/1).")},
        {"export:csv", "CSV", say("Save what is ticked for a spreadsheet, one line a point.")}};
    const float w = (in.w - 2 * t.px(6)) / 3;
    for (int k = 0; k < 3; ++k) button(pen, t, {in.x + float(k) * (w + t.px(6)), y, w, h}, all[k]);
    y += h + t.px(8);
  }
  if (!s.in.notice.empty()) {
    const float after = paragraph(pen, {{s.in.notice, t.ink2}}, rest(), label);
    if (after > y) y = after + t.px(6);
  }
  if (const auto words = verdict(s); !words.empty()) {
    const float after = paragraph(pen, words, rest(), label);
    if (after > y) y = after + t.px(6);
  }
  if (!gpu && !s.in.no_gpu.empty()) {
    std::string sentence = capitalised(said(s.in.no_gpu));
    if (!sentence.ends_with(".") && !sentence.ends_with("。")) sentence += say(".");
    if (paragraph(pen, {{sentence, t.ink2}}, rest(), label) == y)
      paragraph(pen, {{say("There is no GPU here."), t.ink2}}, rest(), label);
  }
}

namespace {

/// Nothing to draw yet: what to do, in the middle of all the room.
void draw_nothing(TimeSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), head = s.title() * 1.35f;
  pen.text({in.x, in.y + head / 2}, say("{}: throughput", family_title(s.in.kernel)), s.title(), t.ink,
           Font::text_bold);
  const bool closed = !s.in.look.closed.empty();
  const std::string family = s.in.kernel.substr(0, s.in.kernel.find('/'));
  const bool known = family == "reduce" || family == "scan" || family == "histogram";
  const Box room{in.x + in.w * 0.15f, in.y + in.h * 0.34f, in.w * 0.7f, in.h * 0.6f};
  float y = paragraph(pen,
                      {{std::string(!known   ? say("This kernel is for looking at, not for timing.")
                                    : closed ? say("Every recording of this family is hidden.")
                                             : say("Nothing is measured yet.")),
                        t.ink, Font::text_bold}},
                      room, t.px(t.size_why));
  const std::string where = s.in.gpu.empty() ? say("this machine's CPU, serially and with TBB") : s.in.gpu;
  if (!known || !t.printed)
    y = paragraph(
        pen,
        {{known ? say("Press Measure (Ctrl Enter) to time this family on {}, or open a recording.", where)
                : say("Open a reduction, a scan or a histogram to see its times."),
          t.ink2}},
        {room.x, y + t.px(6), room.w, room.bottom() - y}, label);
  if (known)
    paragraph(pen,
              {{say("In a terminal:") + " ", t.ink2},
               {"barrierscope time " + s.in.kernel + " -o times.json", t.ink, Font::mono}},
              {room.x, y + t.px(12), room.w, room.bottom() - y}, label);
}

}  // namespace

Picture time_view(const TimeInput& given, const Theme& t, const Metrics& metrics, float w, float h) {
  std::optional<TimeInput> warm;
  if (given.look.warm && !given.is_warm && has_warm(given)) warm = warmed(given);
  const TimeInput& in = warm ? *warm : given;
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  const std::vector<TimeSeries> series = time_series(in);
  TimeSheet s{pen, t, in, series, {}};
  s.looks = curve_looks(t, in.kernel, series);
  s.rows = ladder_rows(in, series);
  s.axes = time_axes(in);
  if (t.printed) std::erase_if(s.rows, [](const TimeSeries* x) { return x->hidden; });
  pen.rect({0, 0, w, h}, t.window);
  const float gap = t.px(8);
  float x = 0;
  if (!t.printed) {
    const float side = w * (t.projector() ? 0.25f : 0.19f);
    draw_time_controls(s, {0, 0, side, h});
    x = side + gap;
  } else if (const auto words = verdict(s); !words.empty()) {  // as the figure's caption
    const float line = s.label() * 2.2f;
    h -= line;
    paragraph(pen, words, {gap, h + line * 0.2f, w - 2 * gap, line}, s.label());
  }
  const float room = w - x;
  if (series.empty()) {
    draw_nothing(s, {x, 0, room, h});
    return picture;
  }
  // the ladder takes what its rows need, at most half
  const float row = s.label() * 1.75f,
              wanted = t.px(24) + s.title() * 1.35f + t.px(22) + row * float(s.rows.size());
  const float lower = std::clamp(wanted, h * 0.2f, h * (t.projector() ? 0.46f : 0.5f));
  const float upper = h - lower - gap;
  const bool wide = !t.projector();
  const auto facet_in = [&](Box box, TimeFacet facet) {
    switch (facet) {
      case TimeFacet::throughput: return draw_throughput(s, box);
      case TimeFacet::speedup: return draw_speedup(s, box);
      case TimeFacet::noise: return draw_noise(s, box);
      case TimeFacet::roofline: return draw_roofline(s, box);
      case TimeFacet::cycles: return draw_cycles(s, box);
      case TimeFacet::gpus: return draw_gpus(s, box);
      case TimeFacet::notes: return draw_notes(s, box);
    }
  };
  if (wide) {
    const float left = room * 0.6f;
    draw_throughput(s, {x, 0, left, upper});
    facet_in({x + left + gap, 0, room - left - gap, upper}, facet_beside(s));
  } else {
    const auto known = time_facets(in);
    const bool there = std::find(known.begin(), known.end(), in.look.facet) != known.end();
    facet_in({x, 0, room, upper}, there ? in.look.facet : TimeFacet::throughput);
  }
  draw_ladder(s, {x, upper + gap, room, lower});
  return picture;
}

}  // namespace bscope
