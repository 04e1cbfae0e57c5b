#include "app/tabs/time/axes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/draw/fitting.hpp"
#include "app/words/counting.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

/// Lays labels out so that none lies on another, as near to their curves as that allows.
void spread(std::vector<Tag>& tags, float top, float bottom, float pitch) {
  std::stable_sort(tags.begin(), tags.end(), [](const Tag& a, const Tag& b) { return a.from.y < b.from.y; });
  while (tags.size() > 1 && float(tags.size()) * pitch > bottom - top) {
    auto drop = std::find_if(tags.rbegin(), tags.rend(), [](const Tag& t) { return !t.keep; });
    if (drop == tags.rend()) break;
    tags.erase(std::next(drop).base());
  }
  float y = top;
  for (Tag& t : tags) {
    t.y = std::max(t.from.y, y + pitch / 2);
    y = t.y + pitch / 2;
  }
  y = bottom;
  for (auto t = tags.rbegin(); t != tags.rend(); ++t) {
    t->y = std::min(t->y, y - pitch / 2);
    y = t->y - pitch / 2;
  }
}

}  // namespace

TagRoom room_for(const TimeSheet& s, const std::vector<Tag>& tags, float most) {
  TagRoom r;
  for (const Tag& t : tags) {
    // in some languages bold is not the wider
    for (const Font font : {Font::text, Font::text_bold})
      r.names = std::max(r.names, s.pen.width(t.words, s.label(), font) + 1);
    r.values = std::max(r.values, s.pen.width(t.value, s.label(), Font::mono_bold));
  }
  r.values = std::max(r.values, s.pen.width(nothing_here, s.label(), Font::mono_bold));
  r.names = std::min(r.names, most);
  r.all = r.names + r.values + s.t.px(44);
  return r;
}

void draw_tags(TimeSheet& s, const Axes& a, std::vector<Tag> tags, const TagRoom& room,
               const std::string& of) {
  const float label = s.label(), pitch = label * 1.28f;
  const float head = of.empty() ? 0 : s.small() * 1.4f, top = a.plot.y + s.t.px(4);
  spread(tags, top + head, a.plot.bottom() - s.t.px(2), pitch);
  if (head > 0)
    s.pen.text({a.plot.right() - s.t.px(8), top + head / 2}, of, s.small(), s.t.ink2, Font::text,
               Align::right);
  const float right = a.plot.right() - s.t.px(8), x = right - room.values - s.t.px(10) - room.names;
  for (const Tag& tag : tags) {
    s.pen.line(tag.from, {x - s.t.px(5), tag.y}, mix(tag.line, s.t.panel, 0.55f), s.thin());
    name_in(s.pen, {x, tag.y - pitch / 2, room.names, pitch}, tag.words, label,
            s.t.projector() ? label : label * 0.75f, tag.colour, tag.font);
    s.pen.text({right, tag.y}, tag.value, label, s.t.ink, Font::mono_bold, Align::right);
    if (!tag.hit.empty())
      press(s.pen, s.t,
            {.what = Hit::button,
             .box = {x, tag.y - pitch / 2, right - x, pitch},
             .tip = tag.tip,
             .name = tag.hit});
  }
}

std::string number_text(double v) {
  if (v >= 1) return grouped(std::llround(v));
  char text[32];
  std::snprintf(text, sizeof text, "%g", v);
  return text;
}

void draw_axes(TimeSheet& s, const Axes& a, const std::string& suffix) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float small = s.small();
  pen.rect(a.plot, t.dark() ? t.window : t.cell);
  float last_text = 1e9f;
  const auto line = [&](double v) {
    pen.line({a.plot.x, a.y(v)}, {a.plot.right(), a.y(v)}, t.line, s.thin());
    if (last_text - a.y(v) < small * 1.3f) return;
    last_text = a.y(v);
    pen.text({a.plot.x - t.px(7), a.y(v)}, number_text(v) + suffix, small, t.ink2, Font::mono, Align::right);
  };
  if (a.level) {
    const long step = nice_step(std::max(1L, std::lround(a.high)), std::max(2, int(a.plot.h / (small * 3))));
    for (long v = 0; double(v) <= a.high; v += step) line(double(v));
    return;
  }
  const float decade = a.plot.h / float(a.high - a.low);
  for (int d = int(std::floor(a.low)); d <= int(std::ceil(a.high)); ++d)
    for (double f : {1.0, 2.0, 5.0}) {
      const double v = f * std::pow(10, d);
      if (std::log10(v) < a.low - 1e-9 || std::log10(v) > a.high + 1e-9) continue;
      if (f == 1 || decade >= small * 5) line(v);
    }
}

void draw_lengths(TimeSheet& s, const Axes& a) {
  Pen& pen = s.pen;
  const float small = s.small(), y = a.plot.bottom() + small * 0.95f;
  const float wide = pen.width("2^28", small, Font::mono) * 1.5f;
  const int first = int(a.first), last = int(a.last);
  const float pitch = (a.data_right - a.plot.x) / float(std::max(1, last - first));
  const int every = std::max(1, int(std::ceil(wide / pitch)));
  float end = a.plot.x;
  for (int p = first; p <= last; p += every) {
    pen.line({a.x(p), a.plot.y}, {a.x(p), a.plot.bottom()}, s.t.line, s.thin());
    end = pen.text({a.x(p), y}, power_of_two(p), small, s.t.ink2, Font::mono, Align::centre).right();
  }
  const std::string words =
      first_fit(pen, {say("N, elements"), "N"}, a.plot.right() - end - s.t.px(10), small);
  pen.text({a.plot.right(), y}, words, small, s.t.ink2, Font::text, Align::right);
  const int now = s.in.look.log_n;
  if (now >= first && now <= last)
    pen.line({a.x(now), a.plot.y}, {a.x(now), a.plot.bottom()}, s.t.dark() ? s.t.changed : s.t.ink, s.thin(),
             s.t.px(2));
}

void draw_ticks(TimeSheet& s, const Axes& a, const std::vector<std::string>& ticks, const std::string& unit) {
  Pen& pen = s.pen;
  const float small = s.small(), row = small * 1.25f, y = a.plot.bottom() + small * 0.95f;
  // what does not fit side by side stands on two rows in turn; what fits neither is left out
  float pitch = a.x(1) - a.x(0), widest = 0;
  for (const std::string& words : ticks) widest = std::max(widest, pen.width(words, small, Font::mono));
  const int rows = widest + s.t.px(6) > pitch ? 2 : 1;
  std::vector<float> ends(size_t(rows), -1e9f);
  for (size_t k = 0; k < ticks.size(); ++k) {
    const float x = a.x(double(k)), half = pen.width(ticks[k], small, Font::mono) / 2;
    float& end = ends[k % size_t(rows)];
    pen.line({x, a.plot.y}, {x, a.plot.bottom()}, s.t.line, s.thin());
    if (x - half < end + s.t.px(5) || x + half > a.plot.right()) continue;
    pen.text({x, y + float(k % size_t(rows)) * row}, ticks[k], small, s.t.ink2, Font::mono, Align::centre);
    end = x + half;
  }
  const float room = a.plot.right() - *std::max_element(ends.begin(), ends.end()) - s.t.px(10);
  if (room > 0)
    pen.text({a.plot.right(), y}, first_fit(pen, {unit}, room, small), small, s.t.ink2, Font::text,
             Align::right);
}

Frame frame(const TimeSheet& s, Box in, float left, float right) {
  const float head = s.title() * 1.5f, unit = s.small() * 1.9f;
  return {{in.x, in.y, in.w, head},
          {in.x + left, in.y + head + unit, in.w - left - right, in.h - head - unit - s.small() * 1.7f},
          in.y + head + unit * 0.5f};
}

double log_length(const Record& r) { return std::log2(double(r.n)); }

void draw_curve(TimeSheet& s, const Axes& a, const TimeSeries& one, const Reading& x, const Reading& value,
                float dash) {
  const CurveLook& l = s.look(one);
  const float thick = std::max(1.0f, s.t.px(l.thickness)), dot = s.t.px(one.current ? 3.6f : 2.6f);
  std::vector<Point> line;
  for (const Record* r : one.points) {
    const double v = value(*r);
    if (v > 0) line.push_back({a.x(x(*r)), a.y(v)});
  }
  const float bottom = a.plot.bottom();
  for (size_t k = 0; k + 1 < line.size(); ++k) {
    Point p = line[k], q = line[k + 1];
    if (p.y > bottom && q.y > bottom) continue;
    const auto cut = [&](Point in, Point out) {
      const float share = (bottom - in.y) / (out.y - in.y);
      return Point{in.x + (out.x - in.x) * share, bottom};
    };
    if (p.y > bottom) p = cut(q, p);
    if (q.y > bottom) q = cut(p, q);
    s.pen.line(p, q, l.line, thick, dash);
  }
  if (one.limit) return;
  for (const Point& p : line)
    if (p.y <= bottom) s.pen.disc(p, dot, l.fill, one.recorded || l.edge != l.fill ? l.edge : 0, s.thin());
}

std::pair<double, double> spread_of(const Record& r) {
  if (r.samples.size() < 5) return {r.bytes / r.seconds.most / 1e9, r.bytes / r.seconds.least / 1e9};
  std::vector<double> sorted = r.samples;
  std::sort(sorted.begin(), sorted.end());
  const size_t cut = sorted.size() / 20;
  return {r.bytes / sorted[sorted.size() - 1 - cut] / 1e9, r.bytes / sorted[cut] / 1e9};
}

float scale_width(const TimeSheet& s, double most) {
  const double top = std::pow(10, std::floor(std::log10(std::max(most, 1000.0))));
  return s.pen.width(number_text(top), s.small(), Font::mono) + s.t.px(10);
}

std::string seconds_text(double v) {
  char text[32];
  if (v >= 1)
    std::snprintf(text, sizeof text, "%.3g s", v);
  else if (v >= 1e-3)
    std::snprintf(text, sizeof text, "%.3g ms", v * 1e3);
  else
    std::snprintf(text, sizeof text, "%.3g us", v * 1e6);
  return text;
}

std::string facts(const TimeSeries& s, const Record& r) {
  std::string words =
      say("{}, N = {}: {} GB/s, median {}, noise {}", s.label, grouped(r.n), rate_text(r.gb_per_s),
          seconds_text(r.seconds.median), percent_text(r.seconds.noise));
  if (r.of_copy > 0) words += say(", {} of copy", percent_text(r.of_copy));
  if (r.of_peak > 0) words += say(", {} of peak", percent_text(r.of_peak));
  if (r.clock_mhz > 0) words += say(", at {} MHz", grouped(std::llround(r.clock_mhz)));
  if (r.throttled) words += say("; the clock fell meanwhile");
  return words + say(", on {}.", s.run->device);
}

bool limit_is_a_curve(const TimeSheet& s, const Recording* run) {
  return std::any_of(s.series.begin(), s.series.end(),
                     [&](const TimeSeries& x) { return x.limit && x.run == run; });
}

const Recording* with_roofs(const TimeSheet& s) {
  const Recording* best = nullptr;
  for (const Recording* r : s.runs())
    if (r->copy_gb_per_s > 0 && (!is_of_cpu(*r) || !limit_is_a_curve(s, r)) &&
        (!best || r->copy_gb_per_s > best->copy_gb_per_s))
      best = r;
  return best;
}

void say_nothing(TimeSheet& s, Box room, const std::string& words) {
  paragraph(s.pen, {{words, s.t.ink2}},
            {room.x + room.w * 0.08f, room.y + room.h * 0.32f, room.w * 0.84f, room.h * 0.66f}, s.label());
}

}  // namespace bscope
