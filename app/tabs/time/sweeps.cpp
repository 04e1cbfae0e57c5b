// The Time tab's charts over something else than N: a parameter, uneven keys, GPUs; a block's cycles; notes.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/run/titles.hpp"
#include "app/tabs/time/axes.hpp"
#include "app/words/counting.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

std::string axis_name(const std::string& axis) {
  return axis == "n" ? "N" : axis == "block" ? say("block") : axis == "keys" ? say("keys") : said(axis);
}

std::string axis_unit(const std::string& axis) {
  return axis == "block" ? say("threads a block") : axis == "keys" ? say("uniform to one key") : said(axis);
}

/// Short enough to stand below an axis.
std::string tick_text(const std::string& axis, const std::string& value) {
  if (axis != "keys") return said(value);
  if (value == "uniform") return say("uniform");
  if (value == "one key") return say("one key");
  if (value == "zipf") return say("Zipf");
  if (value.starts_with("entropy ")) return say("entropy {}", value.substr(8));
  if (value.starts_with("skew ")) return say("skew {}", percent_text(std::atof(value.c_str() + 5)));
  return said(value);
}

std::string n_text(long long n) {
  return (n & (n - 1)) == 0 ? power_of_two(int(std::lround(std::log2(double(n))))) : grouped(n);
}

/// The heading of a chart; what does not fit is said shorter.
void title(TimeSheet& s, const Frame& f, float right, std::initializer_list<std::string> spellings) {
  s.pen.text({f.head.x, f.head.centre().y},
             first_fit(s.pen, spellings, right - f.head.x - s.t.px(10), s.title(), Font::text_bold),
             s.title(), s.t.ink, Font::text_bold);
}

/// Which recording this is, at the right of a heading; where some was measured here, how to tell them apart.
void origin(TimeSheet& s, const Frame& f, float left) {
  const TimeSeries* recorded = nullptr;
  bool live = false;
  for (const TimeSeries& x : s.series) {
    if (x.recorded) recorded = &x;
    live = live || !x.recorded;
  }
  if (!recorded) return;
  const std::string day = recorded->run->date.substr(0, 10), device = short_device(recorded->run->device);
  const float room = f.head.right() - left - s.t.px(20);
  s.pen.text({f.head.right(), f.head.centre().y},
             live ? first_fit(s.pen, {say("hollow: recorded, {}, {}", device, day), say("hollow: recorded")},
                              room, s.label())
                  : first_fit(s.pen,
                              {say("recorded on {}, {}", recorded->run->device, day),
                               say("recorded on {}", device), say("recorded")},
                              room, s.label()),
             s.label(), s.t.write, Font::text, Align::right);
}

Tag tag_of(const TimeSheet& s, const TimeSeries& x, std::string value, std::string tip = {}) {
  const CurveLook& l = s.look(x);
  return {x.label,
          std::move(value),
          {},
          std::move(tip),
          l.words,
          l.line,
          x.current ? Font::text_bold : Font::text,
          {},
          x.current || x.reference || x.limit,
          0};
}

/// Up evenly from 0, or in decades where the slowest is far below the fastest.
void scale(Axes& a, double least, double most) {
  a.level = most < least * 30;
  a.low = a.level ? 0 : std::floor(std::log10(least) * 3) / 3;
  a.high = a.level ? most * 1.08 : std::log10(most * 1.15);
}

}  // namespace

std::string rate_unit(const TimeSheet& s) {
  if (!has_warm(s.in)) return "GB/s";
  return std::string(s.in.look.warm ? say("GB/s, warm") : say("GB/s, cold"));
}

float draw_time_choices(TimeSheet& s, Box row) {
  if (s.t.printed) return 0;
  Choices axes, cache;
  if (s.axes.size() > 1)
    for (const std::string& name : s.axes)
      axes.all.push_back({"axis:" + name, axis_name(name),
                          name == "n" ? say("Throughput against length.")
                                      : say("Throughput at one length against: {}.", axis_unit(name)),
                          s.in.look.axis == name});
  // a choice of the session that this family does not have: it is N
  if (!axes.all.empty() &&
      std::none_of(axes.all.begin(), axes.all.end(), [](const auto& one) { return one.on; }))
    axes.all[0].on = true;
  if (has_warm(s.in))
    cache.all = {{"cache:cold", say("cold"), say("Nothing of the input is in the cache before a run."),
                  !s.in.look.warm},
                 {"cache:warm", say("warm"),
                  say("Runs in a row: launches overlap, what is short stays in the cache."), s.in.look.warm}};
  if (axes.all.empty() && cache.all.empty()) return 0;
  const float h = choices_height(s.t), gap = s.t.px(10);
  float right = row.right();
  if (!cache.all.empty()) {
    const float w = std::min(choices_width(s.pen, s.t, cache), row.w * 0.4f);
    choices(s.pen, s.t, {right - w, row.y, w, h}, cache);
    right -= w + gap;
  }
  if (!axes.all.empty()) {
    const float w = std::min(choices_width(s.pen, s.t, axes), right - row.x);
    choices(s.pen, s.t, {row.x, row.y, w, h}, axes);
  }
  return h + s.t.px(4);
}

void draw_sweep(TimeSheet& all, Box outer) {
  TimeSweep sweep = time_sweep(all.in, all.in.look.axis);
  // a kernel that is ticked off in the ladder has no line here
  const auto hidden = [&](const TimeSeries& x) {
    bool shown = true;
    for (const TimeSeries& o : all.series)
      if (o.run == x.run && o.points[0]->kernel == x.points[0]->kernel) {
        if (!o.hidden) return false;
        shown = false;
      }
    return !shown;
  };
  std::erase_if(sweep.lines, hidden);
  std::erase_if(sweep.levels, hidden);
  std::vector<TimeSeries> every = sweep.lines;
  every.insert(every.end(), sweep.levels.begin(), sweep.levels.end());
  TimeSheet s{all.pen, all.t, all.in, every, curve_looks(all.t, all.in.kernel, every)};
  s.axes = all.axes;
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float small = s.small();
  double least = 1e300, most = 0;
  std::vector<Tag> tags;
  for (const TimeSeries& x : every) {
    for (const Record* r : x.points) least = std::min(least, r->gb_per_s), most = std::max(most, r->gb_per_s);
  }
  // at which value of the axis: the slider's of a block where it was measured, else the last
  const std::string asked = std::to_string(s.in.look.block);
  const bool there = std::find(sweep.ticks.begin(), sweep.ticks.end(), asked) != sweep.ticks.end();
  const std::string shown = sweep.ticks.empty()              ? std::string()
                            : sweep.axis == "block" && there ? asked
                                                             : sweep.ticks.back();
  for (size_t k = 0; k < every.size(); ++k) {
    const TimeSeries& x = every[k];
    const bool level = k >= sweep.lines.size();
    const auto here = std::find_if(x.points.begin(), x.points.end(), [&](const Record* r) {
      return level || sweep.ticks[size_t(sweep.place(*r))] == shown;
    });
    tags.push_back(here == x.points.end() ? tag_of(s, x, nothing_here)
                                          : tag_of(s, x, rate_text((*here)->gb_per_s), facts(x, **here)));
  }
  Frame f = frame(s, in, scale_width(s, most * 2), 0);
  const float facets = t.projector() ? draw_facets(s, f.head, true) : in.right();
  title(s, f, facets,
        {say("{} at {}, against: {}", family_title(s.in.kernel), n_text(sweep.n), axis_unit(sweep.axis)),
         say("{} at {}", family_title(s.in.kernel), n_text(sweep.n)), family_title(s.in.kernel)});
  if (!t.projector() && !every.empty())
    origin(s, f,
           in.x + pen.width(say("{} at {}, against: {}", family_title(s.in.kernel), n_text(sweep.n),
                                axis_unit(sweep.axis)),
                            s.title(), Font::text_bold));
  const float choice = draw_time_choices(s, {in.x, f.head.bottom() + t.px(2), in.w, choices_height(t)});
  f.plot.y += choice, f.plot.h -= choice + small * 1.25f, f.unit_y += choice;
  if (sweep.lines.empty() || most <= 0) {
    say_nothing(s, f.plot, say("No recording that is ticked sweeps this at one length."));
    return;
  }
  const TagRoom room = room_for(s, tags, f.plot.w * 0.36f);
  Axes a{f.plot, -0.4, double(sweep.ticks.size()) - 0.6, 0, 1, f.plot.right() - room.all};
  if (a.data_right - a.plot.x < t.px(60) || a.plot.h < t.px(40)) return;
  scale(a, least, most);
  pen.text({in.x, f.unit_y}, rate_unit(s), small, t.ink2);
  draw_axes(s, a);
  std::vector<std::string> ticks;
  for (const std::string& value : sweep.ticks) ticks.push_back(tick_text(sweep.axis, value));
  draw_ticks(s, a, ticks, axis_unit(sweep.axis));
  const float thin = std::max(1.0f, t.px(1.5f));
  size_t k = 0;
  for (const TimeSeries& x : every) {
    const bool level = k >= sweep.lines.size();
    if (level) {
      const float y = a.y(x.points[0]->gb_per_s);
      pen.line({a.plot.x, y}, {a.data_right, y}, s.look(x).line, thin, t.px(x.limit ? 7 : 3));
      tags[k++].from = {a.data_right, y};
      continue;
    }
    draw_curve(
        s, a, x, [&](const Record& r) { return sweep.place(r); }, [](const Record& r) { return r.gb_per_s; });
    tags[k++].from = {a.x(sweep.place(*x.points.back())), a.y(x.points.back()->gb_per_s)};
    const float reach = t.px(7);
    for (const Record* r : x.points)
      pen.hit(
          {.what = Hit::other,
           .box = {a.x(sweep.place(*r)) - reach, a.y(r->gb_per_s) - reach, 2 * reach, 2 * reach},
           .tip = say("{}: {}.", axis_name(sweep.axis), ticks[size_t(sweep.place(*r))]) + " " + facts(x, *r),
           .name = "point:" + x.key + ":" + sweep.ticks[size_t(sweep.place(*r))]});
  }
  draw_tags(s, a, std::move(tags), room,
            (sweep.axis == "keys" ? "" : said(sweep.axis) + " = ") + tick_text(sweep.axis, shown));
}

void draw_cycles(TimeSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label();
  const Frame f = frame(s, in, 0, 0);
  const float left = draw_facets(s, f.head, t.projector());
  title(s, f, left, {say("Cycles of a block"), say("Cycles")});
  struct Bar {
    std::string words;
    double cycles;
    Colour colour;
    bool current;
  };
  // each kernel at the length next to the slider's
  std::vector<Bar> bars;
  std::string length;
  for (const TimeSeries& x : s.series) {
    const Record* near = nullptr;
    const auto away = [&](const Record* r) { return std::abs(log_length(*r) - s.in.look.log_n); };
    for (const Record* r : x.points)
      if (r->cycles_per_block > 0 && (!near || away(r) < away(near))) near = r;
    if (x.hidden || !near) continue;
    length = n_text(near->n);
    bars.push_back({x.label, near->cycles_per_block, s.look(x).line, x.current});
  }
  std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) { return a.cycles > b.cycles; });
  if (bars.empty()) {
    say_nothing(s, f.plot, say("No curve that is ticked holds a block's cycles."));
    return;
  }
  float y = paragraph(pen,
                      {{say("Of clock64(), from a block's first instruction to its last; the median block at "
                            "N = {}.",
                            length),
                        t.ink2}},
                      {in.x, f.head.bottom() + t.px(4), in.w, in.h * 0.4f}, label) +
            t.px(10);
  const float pitch = std::min((in.bottom() - y) / float(bars.size()), t.px(64));
  if (pitch < label * 2.6f) return;
  const float numbers = pen.width(grouped(std::llround(bars[0].cycles)), label, Font::mono_bold) +
                        pen.width(" 00.0x", label, Font::mono) + t.px(16);
  const float wide = in.w - numbers;
  for (const Bar& b : bars) {
    pen.text({in.x, y + label * 0.7f},
             pen.fitted(b.words, in.w, label, b.current ? Font::text_bold : Font::text), label, t.ink,
             b.current ? Font::text_bold : Font::text);
    const float top = y + label * 1.45f, tall = std::min(pitch - label * 1.6f, t.px(22));
    pen.rect({in.x, top, std::max(1.0f, wide * float(b.cycles / bars[0].cycles)), tall}, b.colour, 0, 1,
             t.px(3));
    const float x = in.x + wide * float(b.cycles / bars[0].cycles) + t.px(8);
    const Box number =
        pen.text({x, top + tall / 2}, grouped(std::llround(b.cycles)), label, t.ink, Font::mono_bold);
    if (&b != &bars[0])
      pen.text({number.right() + t.px(8), top + tall / 2}, rate_text(b.cycles / bars[0].cycles) + "x", label,
               t.ink2, Font::mono);
    y += pitch;
  }
}

void draw_gpus(TimeSheet& all, Box outer) {
  // one line a kernel and length: its points are numbers of GPUs
  std::vector<TimeSeries> lines;
  const std::string family = all.in.kernel.substr(0, all.in.kernel.find('/'));
  const auto look = [&](const Recording& run, bool recorded) {
    if (!is_open(all.in.look, run, recorded)) return;
    for (const Record& r : run.records) {
      if (r.family() != family || !is_of_several(r) || r.gb_per_s <= 0) continue;
      auto line = std::find_if(lines.begin(), lines.end(), [&](const TimeSeries& x) {
        return x.run == &run && x.points[0]->kernel == r.kernel && x.points[0]->n == r.n &&
               x.points[0]->type == r.type;
      });
      if (line == lines.end()) {
        TimeSeries x;
        x.run = &run;
        x.recorded = recorded;
        x.current = r.kernel == all.in.kernel;
        x.label = said(title_of(r.kernel));
        x.rung = rung_of(r.kernel, all.in.kernel);
        line = lines.insert(lines.end(), std::move(x));
      }
      line->points.push_back(&r);
    }
  };
  for (const Recording& run : all.in.live) look(run, false);
  for (const Recording& run : all.in.recorded) look(run, true);
  std::erase_if(lines, [](const TimeSeries& x) { return x.points.size() < 2; });
  for (TimeSeries& x : lines)
    std::stable_sort(x.points.begin(), x.points.end(),
                     [](const Record* a, const Record* b) { return a->gpus < b->gpus; });

  const bool of_one_length = std::all_of(lines.begin(), lines.end(), [&](const TimeSeries& x) {
    return x.points[0]->n == lines[0].points[0]->n;
  });
  if (!of_one_length)
    for (TimeSeries& x : lines) x.label += ", " + n_text(x.points[0]->n);
  tell_devices_apart(lines);

  TimeSheet s{all.pen, all.t, all.in, lines, curve_looks(all.t, all.in.kernel, lines)};
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float small = s.small();
  double most = 0, one = 0;
  std::vector<int> counts;
  std::vector<Tag> tags;
  for (const TimeSeries& x : lines) {
    for (const Record* r : x.points) {
      most = std::max(most, r->gb_per_s);
      counts.push_back(r->gpus);
    }
    one = std::max(one, x.points[0]->gb_per_s / x.points[0]->gpus);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  for (const TimeSeries& x : lines) {
    const Record& last = *x.points.back();
    const double times = last.gb_per_s / x.points[0]->gb_per_s * x.points[0]->gpus;
    tags.push_back(
        tag_of(s, x, last.gpus == counts.back() ? rate_text(times) + "x" : nothing_here, facts(x, last)));
  }
  Frame f = frame(s, in, scale_width(s, most * 2), 0);
  const float left = draw_facets(s, f.head, t.projector());
  title(s, f, left, {say("Several GPUs"), say("GPUs")});
  if (lines.empty()) {
    say_nothing(s, f.plot, say("No recording that is ticked holds runs over several GPUs."));
    return;
  }
  pen.text({in.x, f.unit_y},
           of_one_length ? say("GB/s at {}", n_text(lines[0].points[0]->n)) : std::string("GB/s"), small,
           t.ink2);
  const TagRoom room = room_for(s, tags, f.plot.w * 0.36f);
  const double ideal = one * counts.back();
  Axes a{f.plot, 0, counts.back() * 1.08, 0, std::max(most, ideal) * 1.14, f.plot.right() - room.all, true};
  if (a.data_right - a.plot.x < t.px(60) || a.plot.h < t.px(40)) return;
  draw_axes(s, a);
  for (const int count : counts) {
    pen.line({a.x(count), a.plot.y}, {a.x(count), a.plot.bottom()}, t.line, s.thin());
    pen.text({a.x(count), a.plot.bottom() + small * 0.95f}, std::to_string(count), small, t.ink2, Font::mono,
             Align::centre);
  }
  pen.text({a.plot.right(), a.plot.bottom() + small * 0.95f},
           first_fit(pen, {say("GPUs of one host"), say("GPUs")},
                     a.plot.right() - a.x(counts.back()) - t.px(16), small),
           small, t.ink2, Font::text, Align::right);
  for (const TimeSeries& x : lines) {  // as many times as fast as one: what would be ideal
    const double alone = x.points[0]->gb_per_s / x.points[0]->gpus;
    pen.line({a.x(0), a.y(0)}, {a.x(counts.back()), a.y(alone * counts.back())}, s.look(x).line, s.thin(),
             t.px(4));
  }
  const float up = small * 1.4f;
  const Point end{a.x(counts.back()), a.y(ideal)};
  const std::string words(say("ideal"));
  if (end.x - pen.width(words, small) > a.plot.x && end.y - up > a.plot.y)
    pen.text({end.x, end.y - up * 0.6f}, words, small, t.ink2, Font::text, Align::right);
  size_t k = 0;
  for (const TimeSeries& x : lines) {
    draw_curve(
        s, a, x, [](const Record& r) { return double(r.gpus); }, [](const Record& r) { return r.gb_per_s; });
    tags[k++].from = {a.x(x.points.back()->gpus), a.y(x.points.back()->gb_per_s)};
    for (const Record* r : x.points)
      pen.hit({.what = Hit::other,
               .box = {a.x(r->gpus) - t.px(7), a.y(r->gb_per_s) - t.px(7), t.px(14), t.px(14)},
               .tip = facts(x, *r),
               .name = "gpus:" + x.label + ":" + std::to_string(r->gpus) + "@" + key_of(*x.run)});
  }
  draw_tags(s, a, std::move(tags), room, say("{} GPUs", counts.back()));
}

void draw_notes(TimeSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const Frame f = frame(s, in, 0, 0);
  const float left = draw_facets(s, f.head, t.projector());
  title(s, f, left, {say("Notes of the recording"), say("Notes")});
  float y = f.head.bottom() + t.px(8);
  const auto notes = time_notes(s.in);
  if (notes.empty()) {
    say_nothing(s, f.plot, say("The recordings that are ticked have no notes."));
    return;
  }
  size_t shown = 0;
  for (const std::string& note : notes) {
    // room for the line that says how many are left
    const float room = in.bottom() - y - s.label() * 1.6f;
    const float below =
        paragraph(pen, {{said(note), t.ink}}, {in.x + t.px(14), y, in.w - t.px(14), room}, s.label());
    if (below == y) break;
    pen.disc({in.x + t.px(5), y + s.label() * 0.7f}, t.px(2.5f), t.ink2);
    y = below + t.px(6);
    ++shown;
  }
  if (shown < notes.size())
    pen.text({in.x, y + s.label() * 0.7f}, say_count(notes.size() - shown, "and {} more", "and {} more"),
             s.label(), t.ink2);
}

}  // namespace bscope
