#include "app/view/time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include "app/view/chart.hpp"

namespace bscope {
namespace {

std::string family_of(const std::string& kernel) { return kernel.substr(0, kernel.find('/')); }

std::string capital(std::string s) {
  if (!s.empty() && s[0] >= 'a' && s[0] <= 'z') s[0] = char(s[0] - 32);
  return s;
}

/// 4,553 or 13.4 or 0.82.
std::string rate(double gb) {
  if (gb >= 100) return grouped(std::llround(gb));
  char text[32];
  std::snprintf(text, sizeof text, gb >= 10 ? "%.1f" : gb >= 0.1 ? "%.2f" : "%.2g", gb);
  return text;
}

std::string power(int log_n) { return "2^" + std::to_string(log_n); }

std::string percent(double share) { return std::to_string(std::lround(share * 100)) + "%"; }

/// Colours of a curve. Light `changed` may not be a line or a text: there ink stands for it.
struct Look {
  Colour line, words, point, edge;
  float thickness;
};
Look look(const Theme& t, const TimeSeries& s, int rung, int rungs) {
  if (s.current)
    return t.dark() ? Look{t.changed, t.changed, t.changed, 0, 3} : Look{t.ink, t.ink, t.changed, t.ink, 3};
  if (s.reference) return {t.ink, t.ink, t.ink, 0, 1.5f};
  if (s.cpu) {
    const Colour c = s.points.front()->kernel.starts_with("tbb") ? t.thread : t.ink3;
    return {c, c, c, 0, 2};
  }
  const Colour c = mix(t.read, t.ink3, rungs > 1 ? float(rung) / float(rungs - 1) : 1);
  return {c, c, c, 0, 2};
}

struct Sheet {
  Pen& pen;
  const Theme& t;
  const TimeInput& in;
  const std::vector<TimeSeries>& series;
  std::vector<Look> looks;
  float label() const { return t.px(t.size_label); }
  float small() const { return t.px(t.size_index); }
  float title() const { return t.px(t.size_title); }
  std::string family() const { return family_of(in.kernel); }
  const Recording* recording() const {
    for (const TimeSeries& s : series)
      if (s.recorded) return s.run;
    return nullptr;
  }
};

std::string day(const std::string& date) { return date.substr(0, 10); }

void controls(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label();
  float y = in.y;
  pen.text({in.x, y + s.title() * 0.65f}, "Run", s.title(), t.ink, Font::text_bold);
  y += s.title() * 1.3f + t.px(10);
  slider(pen, t, {in.x, y, in.w, slider_height(t)},
         {"n", "N", "", power(s.in.log_n), "Length of the ladder below, and of a single measurement.", 10, 28,
          float(s.in.log_n)});
  y += slider_height(t) + t.px(14);
  slider(pen, t, {in.x, y, in.w, slider_height(t)},
         {"block", "Threads per block", "Block", std::to_string(s.in.block),
          "Threads of a block, on the GPU.", 5, 10, float(std::log2(std::max(1, s.in.block)))});
  y += slider_height(t) + t.px(18);

  const Box button{in.x, y, in.w, std::max(t.px(36), s.title() * 1.7f)};
  const Colour fill = s.in.measuring ? t.cell : t.thread;
  pen.rect(button, fill, s.in.measuring ? t.line : 0, 1, t.px(6));
  pen.text(button.centre(),
           s.in.measuring ? first_fit(pen, {"Stop"}, in.w, s.title(), Font::text_bold)
                          : first_fit(pen, {"Measure   Ctrl Enter", "Measure"}, in.w - t.px(12), s.title(),
                                      Font::text_bold),
           s.title(), t.on(fill), Font::text_bold, Align::centre);
  pen.hit({.what = Hit::button,
           .box = button,
           .tip = s.in.measuring     ? "Keep what is measured so far."
                  : s.in.gpu.empty() ? "Time this family on this machine's CPU, serially and with TBB."
                                     : "Time this family on " + s.in.gpu + ".",
           .name = s.in.measuring ? "stop" : "measure"});
  y = button.bottom() + t.px(14);
  if (s.in.measuring) {
    const std::string count = std::to_string(s.in.done) + " of " + std::to_string(s.in.all);
    const Box right =
        pen.text({in.right(), y + label * 0.7f}, count, label, t.ink, Font::mono_bold, Align::right);
    pen.text({in.x, y + label * 0.7f}, pen.fitted(s.in.doing, right.x - in.x - t.px(8), label), label, t.ink);
    y += label * 1.5f;
    const Box track{in.x, y, in.w, t.px(8)};
    pen.rect(track, t.selected, 0, 1, t.px(4));
    if (s.in.all > 0)
      pen.rect(
          {track.x, track.y, track.w * std::clamp(float(s.in.done) / float(s.in.all), 0.0f, 1.0f), track.h},
          t.thread, 0, 1, t.px(4));
    y = track.bottom() + t.px(12);
  }
  pen.line({in.x, y}, {in.right(), y}, t.line, std::max(1.0f, t.px(1)));
  y += t.px(10);
  const auto rest = [&] { return Box{in.x, y, in.w, in.bottom() - y}; };
  if (!s.in.error.empty()) y = paragraph(pen, {{s.in.error, t.race}}, rest(), label) + t.px(8);

  // what is live and what is not: said first, because nothing on the right may be mistaken for this machine
  for (const Recording& live : s.in.live) {
    const float before = y;
    y = paragraph(
        pen,
        {{"Measured here:", t.ink, Font::text_bold}, {" " + live.device + ", " + live.driver + ".", t.ink2}},
        rest(), label);
    if (y > before) y += t.px(8);
  }
  if (const Recording* r = s.recording()) {
    const float before = y;
    y = paragraph(
        pen,
        {{"Recorded, dashed:", t.write, Font::text_bold},
         {" " + r->device + ", driver " + r->driver + ", " + day(r->date) + ". Not this machine.", t.ink2}},
        rest(), label);
    if (y == before)
      y = paragraph(
          pen,
          {{"Recorded, dashed:", t.write, Font::text_bold}, {" " + r->device + ", " + day(r->date), t.ink2}},
          rest(), label);
    y += t.px(8);
  }
  if (s.in.gpu.empty() && !s.in.no_gpu.empty()) {
    const std::string sentence = capital(s.in.no_gpu) + (s.in.no_gpu.ends_with(".") ? "" : ".");
    if (paragraph(pen, {{sentence, t.ink2}}, rest(), label) == y && y + label < in.bottom())
      paragraph(pen, {{"No GPU here.", t.ink2}}, rest(), label);
  }
}

std::string copy_label(const TimeInput& in, const Recording* run) {
  const bool here =
      std::any_of(in.live.begin(), in.live.end(), [&](const Recording& r) { return &r == run; });
  return here ? "copy, here" : "copy, recorded";
}

void chart(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small();
  const float head = s.title() * 1.35f;
  const Box heading = pen.text({in.x, in.y + head / 2}, capital(s.family()) + ": throughput by length",
                               s.title(), t.ink, Font::text_bold);
  if (s.series.empty()) {
    const Box room{in.x + in.w * 0.15f, in.y + in.h * 0.34f, in.w * 0.7f, in.h * 0.6f};
    float y = paragraph(pen, {{"Nothing is measured yet.", t.ink, Font::text_bold}}, room, t.px(t.size_why));
    y = paragraph(
        pen,
        {{"Press Measure (Ctrl Enter) to time this family on ", t.ink2},
         {s.in.gpu.empty() ? "this machine's CPU, serially and with TBB." : s.in.gpu + ".", t.ink2}},
        {room.x, y + t.px(6), room.w, room.bottom() - y}, label);
    paragraph(pen,
              {{"In a terminal: ", t.ink2},
               {"barrierscope time " + s.in.kernel + " -o times.json", t.ink, Font::mono}},
              {room.x, y + t.px(12), room.w, room.bottom() - y}, label);
    return;
  }
  if (const Recording* r = s.recording())
    pen.text({in.right(), heading.centre().y},
             first_fit(pen,
                       {"dashed: recorded on " + r->device + ", " + r->driver + ", " + day(r->date),
                        "dashed: recorded on " + r->device + ", " + day(r->date),
                        "dashed: recorded " + day(r->date)},
                       in.right() - heading.right() - t.px(20), label, Font::text_bold),
             label, t.write, Font::text_bold, Align::right);

  // ranges: powers of two across, decades up
  double least = 1e300, most = 0;
  int first_n = 62, last_n = 0;
  std::vector<const Recording*> runs;
  for (const TimeSeries& x : s.series) {
    for (const Record* r : x.points) {
      if (r->gb_per_s > 0) least = std::min(least, r->gb_per_s), most = std::max(most, r->gb_per_s);
      first_n = std::min(first_n, int(std::floor(std::log2(double(r->n)))));
      last_n = std::max(last_n, int(std::ceil(std::log2(double(r->n)))));
    }
    if (std::find(runs.begin(), runs.end(), x.run) == runs.end()) runs.push_back(x.run);
  }
  for (const Recording* r : runs) most = std::max({most, r->copy_gb_per_s});
  if (most <= 0) return;
  // what happens below a ten-thousandth of the best is launch overhead: it would squeeze the rest
  least = std::max(least, most / 1e4);
  const double low = std::floor(std::log10(least) * 3) / 3, high = std::log10(most * 1.35);
  if (last_n == first_n) ++last_n;

  float names = 0, values = 0;
  for (const TimeSeries& x : s.series) {
    names = std::max(names, pen.width(x.label, label, x.current ? Font::text_bold : Font::text));
    values = std::max(values, pen.width(rate(x.points.back()->gb_per_s), label, Font::mono_bold));
  }
  for (const Recording* r : runs) {
    names = std::max(names, pen.width(copy_label(s.in, r), label));
    values = std::max(values, pen.width(rate(r->copy_gb_per_s), label, Font::mono_bold));
  }
  names = std::min(names, in.w * 0.22f);
  const float scale_width = pen.width("5,000", small, Font::mono) + t.px(10);
  const float label_room = names + values + t.px(46);
  const float unit = small * 1.9f;
  const Box plot{in.x + scale_width, in.y + head + unit, in.w - scale_width - label_room,
                 in.h - head - unit - small * 1.6f};
  if (plot.w < t.px(60) || plot.h < t.px(40)) return;
  const auto x = [&](double n) {
    return plot.x + float((std::log2(n) - first_n) / (last_n - first_n)) * plot.w;
  };
  const auto y = [&](double gb) {
    return plot.bottom() - float((std::clamp(std::log10(gb), low, high) - low) / (high - low)) * plot.h;
  };
  pen.rect(plot, t.dark() ? t.window : t.cell);
  const float thin = std::max(1.0f, t.px(1));
  pen.text({in.x, in.y + head + unit * 0.45f}, "GB/s", small, t.ink2);
  // 1, 2, 5 a decade, or only the ones
  const float decade = plot.h / float(high - low);
  float last_text = 1e9f;
  for (int d = int(std::floor(low)); d <= int(std::ceil(high)); ++d)
    for (double f : {1.0, 2.0, 5.0}) {
      const double gb = f * std::pow(10, d);
      if (std::log10(gb) < low - 1e-9 || std::log10(gb) > high + 1e-9) continue;
      if (f != 1 && decade < small * 5) continue;
      pen.line({plot.x, y(gb)}, {plot.right(), y(gb)}, t.line, thin);
      if (last_text - y(gb) < small * 1.3f) continue;
      last_text = y(gb);
      char text[32];
      std::snprintf(text, sizeof text, "%g", gb);
      pen.text({plot.x - t.px(7), y(gb)}, gb >= 1 ? grouped(std::llround(gb)) : text, small, t.ink2,
               Font::mono, Align::right);
    }
  const float power_width = pen.width("2^28", small, Font::mono) * 1.5f;
  const int every = std::max(1, int(std::ceil(power_width / (plot.w / float(last_n - first_n)))));
  for (int p = first_n; p <= last_n; ++p) {
    if ((p - first_n) % every) continue;
    const float px = x(std::exp2(p));
    pen.line({px, plot.y}, {px, plot.bottom()}, t.line, thin);
    pen.text({px, plot.bottom() + small * 0.9f}, power(p), small, t.ink2, Font::mono, Align::centre);
  }
  const float after_axis = plot.right() + power_width / 2 + t.px(8);
  pen.text({after_axis, plot.bottom() + small * 0.9f},
           first_fit(pen, {"N, elements", "N"}, in.right() - after_axis, small), small, t.ink2);

  // the ladder's length
  const float now = x(std::exp2(s.in.log_n));
  if (s.in.log_n >= first_n && s.in.log_n <= last_n)
    pen.line({now, plot.y}, {now, plot.bottom()}, t.dark() ? t.changed : t.ink, thin, t.px(2));

  for (const Recording* r : runs)
    if (r->copy_gb_per_s > 0)
      pen.line({plot.x, y(r->copy_gb_per_s)}, {plot.right(), y(r->copy_gb_per_s)}, t.ink2,
               std::max(1.0f, t.px(1.5f)), t.px(3));

  // curves, the current one last so that it lies on top
  std::vector<size_t> order;
  for (size_t k = 0; k < s.series.size(); ++k) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return s.series[a].current < s.series[b].current; });
  for (size_t k : order) {
    const TimeSeries& one = s.series[k];
    const Look& l = s.looks[k];
    const float thick = std::max(1.0f, t.px(l.thickness));
    for (size_t p = 0; p + 1 < one.points.size(); ++p)
      pen.line({x(double(one.points[p]->n)), y(one.points[p]->gb_per_s)},
               {x(double(one.points[p + 1]->n)), y(one.points[p + 1]->gb_per_s)}, l.line, thick,
               one.recorded ? t.px(7) : 0);
    for (const Record* r : one.points) {
      const float px = x(double(r->n)), py = y(r->gb_per_s), dot = t.px(one.current ? 4 : 3);
      if (r->seconds.least > 0)
        pen.line({px, y(r->bytes / r->seconds.most / 1e9)}, {px, y(r->bytes / r->seconds.least / 1e9)},
                 l.line, thin);
      disc(pen, {px, py}, dot, l.point, l.edge, thin);
    }
  }

  // direct labels, pushed apart from the top down, then back up from the bottom
  struct Tag {
    std::string words, value;
    Colour colour, line;
    Font font;
    float from_x, at, y;
  };
  std::vector<Tag> tags;
  for (size_t k = 0; k < s.series.size(); ++k) {
    const TimeSeries& one = s.series[k];
    const Record& last = *one.points.back();
    tags.push_back({one.label, rate(last.gb_per_s), s.looks[k].words, s.looks[k].line,
                    one.current ? Font::text_bold : Font::text, x(double(last.n)) + t.px(5), y(last.gb_per_s),
                    0});
  }
  for (const Recording* r : runs)
    if (r->copy_gb_per_s > 0)
      tags.push_back({copy_label(s.in, r), rate(r->copy_gb_per_s), t.ink2, t.ink2, Font::text, plot.right(),
                      y(r->copy_gb_per_s), 0});
  std::stable_sort(tags.begin(), tags.end(), [](const Tag& a, const Tag& b) { return a.at < b.at; });
  const float pitch = label * 1.3f, top = plot.y + pitch / 2, bottom = plot.bottom() - pitch / 2;
  for (size_t k = 0; k < tags.size(); ++k) tags[k].y = std::max(tags[k].at, k ? tags[k - 1].y + pitch : top);
  for (size_t k = tags.size(); k-- > 0;)
    tags[k].y = std::min(tags[k].y, k + 1 < tags.size() ? tags[k + 1].y - pitch : bottom);
  for (const Tag& tag : tags) {
    if (tag.y < plot.y) continue;  // more curves than lines of text: the ladder below has them all
    const float lx = plot.right() + t.px(26);
    pen.line({tag.from_x, tag.at}, {lx - t.px(6), tag.y}, mix(tag.line, t.panel, 0.6f), thin);
    pen.text({lx, tag.y}, pen.fitted(tag.words, names, label, tag.font), label, tag.colour, tag.font);
    pen.text({in.right(), tag.y}, tag.value, label, t.ink, Font::mono_bold, Align::right);
  }
}

void ladder(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label();
  const float head = s.title() * 1.35f;
  const double n = std::exp2(s.in.log_n);
  struct Row {
    size_t series;
    const Record* record;
  };
  std::vector<Row> rows;
  for (size_t k = 0; k < s.series.size(); ++k) {
    const Record* nearest = nullptr;
    for (const Record* r : s.series[k].points)
      if (!nearest || std::abs(std::log2(r->n / n)) < std::abs(std::log2(nearest->n / n))) nearest = r;
    if (nearest && std::abs(std::log2(nearest->n / n)) < 0.51) rows.push_back({k, nearest});
  }
  const Box heading = pen.text({in.x, in.y + head / 2}, "Ladder at N = " + power(s.in.log_n), s.title(),
                               t.ink, Font::text_bold);
  pen.text(
      {heading.right() + t.px(14), heading.centre().y},
      first_fit(
          pen,
          {"bar: median GB/s; whisker: slowest to fastest sample; right: percent of its own device's copy",
           "median GB/s, and percent of its device's copy", "GB/s, percent of copy"},
          in.right() - heading.right() - t.px(14), label),
      label, t.ink2);
  const float y0 = in.y + head + t.px(6), room = in.bottom() - y0;
  if (rows.empty()) {
    paragraph(pen, {{"No measurement at this length.", t.ink2}}, {in.x, y0, in.w, room}, label);
    return;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.record->gb_per_s < b.record->gb_per_s; });
  // rows that do not fit go from the slow end, but for the current kernel's
  const size_t most_rows = std::max<size_t>(1, size_t(room / (label * 1.35f)));
  while (rows.size() > most_rows) {
    const auto slowest =
        std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return !s.series[r.series].current; });
    if (slowest == rows.end()) break;
    rows.erase(slowest);
  }
  double most = 0;
  const Recording* best = nullptr;
  for (const Row& r : rows) {
    most = std::max({most, r.record->gb_per_s, s.series[r.series].run->copy_gb_per_s});
    if (!best || s.series[r.series].run->copy_gb_per_s > best->copy_gb_per_s) best = s.series[r.series].run;
  }
  float names = 0;
  for (const Row& r : rows)
    names = std::max(names, pen.width(s.series[r.series].label, label, Font::text_bold));
  names = std::min(names, in.w * 0.3f);
  const float share_width = pen.width("100%", label, Font::mono),
              value_width = pen.width("00,000", label, Font::mono_bold);
  const std::string wrong = "wrong result";
  const bool any_wrong =
      std::any_of(rows.begin(), rows.end(), [](const Row& r) { return !r.record->correct; });
  const float wrong_width = any_wrong ? pen.width(wrong, label) + t.px(16) : 0;
  const float left = in.x + names + t.px(12),
              right = in.right() - share_width - value_width - wrong_width - t.px(36);
  const float pitch = std::min(room / float(rows.size()), t.px(38));
  const auto x = [&](double gb) { return left + float(gb / most) * (right - left); };
  const float thin = std::max(1.0f, t.px(1.5f));
  for (size_t k = 0; k < rows.size(); ++k) {
    const TimeSeries& one = s.series[rows[k].series];
    const Record& r = *rows[k].record;
    const Look& l = s.looks[rows[k].series];
    const float cy = y0 + (float(k) + 0.5f) * pitch, tall = std::min(pitch * 0.62f, t.px(20));
    const Font f = one.current ? Font::text_bold : Font::text;
    pen.text({left - t.px(12), cy}, pen.fitted(one.label, names, label, f), label,
             one.current ? t.ink : t.ink2, f, Align::right);
    const Box bar{left, cy - tall / 2, std::max(x(r.gb_per_s) - left, thin), tall};
    // recorded bars are hatched as their curves are dashed: not from this machine
    if (one.recorded) {
      pen.rect(bar, mix(l.point, t.panel, 0.55f), l.edge ? l.edge : l.point, 1, t.px(2));
      pen.hatch(bar, l.point, t.px(6), std::max(1.0f, t.px(1.5f)));
    } else {
      pen.rect(bar, l.point, l.edge, 1, t.px(2));
    }
    if (r.seconds.least > 0 && r.seconds.most > 0) {
      const float slow = x(r.bytes / r.seconds.most / 1e9),
                  fast = std::min(x(r.bytes / r.seconds.least / 1e9), right + t.px(8));
      pen.line({slow, cy}, {fast, cy}, t.write, thin);
      for (float edge : {slow, fast})
        pen.line({edge, cy - tall * 0.35f}, {edge, cy + tall * 0.35f}, t.write, thin);
    }
    pen.text({right + t.px(16) + value_width, cy}, rate(r.gb_per_s), label, t.ink, Font::mono_bold,
             Align::right);
    if (r.of_copy > 0)
      pen.text({in.right() - wrong_width, cy}, percent(r.of_copy), label, t.ink2, Font::mono, Align::right);
    if (!r.correct) pen.text({in.right(), cy}, wrong, label, t.race, Font::text, Align::right);
  }
  if (best && best->copy_gb_per_s > 0)
    pen.line({x(best->copy_gb_per_s), y0}, {x(best->copy_gb_per_s), y0 + float(rows.size()) * pitch}, t.ink2,
             thin, t.px(8));
}

}  // namespace

std::vector<TimeSeries> time_series(const TimeInput& in) {
  const std::string family = family_of(in.kernel);
  std::vector<TimeSeries> all;
  const auto add = [&](const Recording& run, bool recorded) {
    // same kernel, other parameters (unroll, type) make a curve of their own
    std::map<std::tuple<std::string, std::map<std::string, std::string>, std::string>, size_t> known;
    std::map<std::string, int> variants;
    const size_t begin = all.size();
    for (const Record& r : run.records) {
      if (r.family() != family || r.gb_per_s <= 0 || r.n < 1) continue;
      const auto [it, fresh] = known.insert({{r.kernel, r.parameters, r.type}, all.size()});
      if (fresh) {
        TimeSeries s;
        s.run = &run;
        s.recorded = recorded;
        s.current = r.kernel == in.kernel;
        s.reference = r.kernel.starts_with("cub/") || r.kernel.starts_with("thrust/");
        s.cpu = r.kernel.starts_with("serial/") || r.kernel.starts_with("tbb/");
        s.label = r.kernel.starts_with("cub/")      ? "CUB"
                  : r.kernel.starts_with("thrust/") ? "Thrust"
                  : r.kernel.starts_with("serial/") ? "CPU, one core"
                  : r.kernel.starts_with("tbb/")    ? "CPU, TBB"
                                                    : title_of(r.kernel);
        ++variants[r.kernel];
        all.push_back(std::move(s));
      }
      all[it->second].points.push_back(&r);
    }
    for (size_t k = begin; k < all.size(); ++k) {
      auto& points = all[k].points;
      std::stable_sort(points.begin(), points.end(),
                       [](const Record* a, const Record* b) { return a->n < b->n; });
      // what tells the variants apart: everything they do not share
      if (variants[points[0]->kernel] < 2) continue;
      for (const auto& [name, value] : points[0]->parameters) {
        bool differs = false;
        for (size_t other = begin; other < all.size(); ++other) {
          const Record& o = *all[other].points[0];
          const auto it = o.parameters.find(name);
          differs =
              differs || (o.kernel == points[0]->kernel && (it == o.parameters.end() || it->second != value));
        }
        if (differs) all[k].label += " " + name + " " + value;
      }
    }
  };
  for (const Recording& run : in.live) add(run, false);
  const bool live_gpu = std::any_of(all.begin(), all.end(), [](const TimeSeries& s) { return !s.cpu; });
  const Recording* newest = nullptr;
  for (const Recording& run : in.recorded)
    if (!newest || run.date > newest->date) newest = &run;
  if (newest && !live_gpu) add(*newest, true);
  return all;
}

Picture time_view(const TimeInput& in, const Theme& t, const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  const std::vector<TimeSeries> series = time_series(in);
  Sheet s{pen, t, in, series, {}};
  int rungs = 0, rung = 0;
  for (const TimeSeries& one : series) rungs += !one.cpu && !one.reference;
  for (const TimeSeries& one : series)
    s.looks.push_back(look(t, one, one.cpu || one.reference ? 0 : rung++, rungs));
  pen.rect({0, 0, w, h}, t.window);
  const float gap = t.px(8), side = w * (t.projector() ? 0.25f : 0.19f);
  controls(s, {0, 0, side, h});
  const float x = side + gap, upper = h * 0.60f;
  if (series.empty()) {  // one sentence of what to do has all the room
    chart(s, {x, 0, w - x, h});
    return picture;
  }
  chart(s, {x, 0, w - x, upper});
  ladder(s, {x, upper + gap, w - x, h - upper - gap});
  return picture;
}

}  // namespace bscope
