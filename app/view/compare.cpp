#include "app/view/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/view/chart.hpp"

namespace bscope {
namespace {

constexpr int most_cells = 64;

struct Sheet {
  Pen& pen;
  const Theme& t;
  int interval;
  bool atomics;    ///< neither side adds anything but by atomics: those are its work
  long most_work;  ///< of any interval of either side
  size_t rows;     ///< of the longer side: one row height for both
  float label() const { return t.px(t.size_label); }
  float small() const { return t.px(t.size_index); }
  float title() const { return t.px(t.size_title); }
  long work(const CompareSide::Row& r) const { return atomics ? r.atomics : r.adds; }
};

std::string parameter(const Trace& t, const std::string& name) {
  for (const auto& [key, value] : t.parameters)
    if (key == name) return value;
  return {};
}

std::string summary(const CompareSide& side) {
  const Trace& t = side.run->trace;
  std::string s = "n = " + parameter(t, "n") + ", " + counted(side.threads, "thread");
  if (t.promise == Promise::inclusive_scan) s = "inclusive, " + s;
  if (t.promise == Promise::exclusive_scan) s = "exclusive, " + s;
  if (t.launches.size() > 1 || side.launch->grid > 1) s += ", block 0 of the first launch";
  return s;
}

void dataflow(Sheet& s, const CompareSide& side, Box box, float pitch, size_t now) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float thin = std::max(1.0f, t.px(1));
  const auto x = [&](int cell) { return box.x + (float(cell) + 0.5f) / float(side.cells) * box.w; };
  const auto y = [&](size_t row) { return box.y + (float(row) + 0.5f) * pitch; };
  const float dot = std::min({box.w / float(side.cells) * 0.36f, pitch * 0.3f, t.px(6)});
  const Colour rail = mix(t.line, t.panel, 0.8f);
  for (int c = 0; c < side.cells; ++c) pen.line({x(c), y(0)}, {x(c), y(side.rows.size() - 1)}, rail, thin);
  const auto strength = [&](size_t r) { return r <= now ? 1.0f : 0.45f; };
  for (size_t r = 0; r < side.rows.size(); ++r)
    for (const auto& d : side.rows[r].dots)
      for (int from : d.from) {
        const Colour c =
            r == now ? (t.dark() ? t.changed : t.ink) : mix(t.read, t.panel, 0.75f * strength(r));
        pen.line({x(from), y(r ? r - 1 : 0)}, {x(d.cell), y(r)}, c,
                 r == now ? std::max(1.0f, t.px(1.5f)) : thin);
      }
  for (size_t r = 0; r < side.rows.size(); ++r)
    for (const auto& d : side.rows[r].dots) {
      const Colour c = r == now ? t.changed : mix(d.add ? t.read : t.ink3, t.panel, strength(r));
      const Box b{x(d.cell) - dot, y(r) - dot, 2 * dot, 2 * dot};
      const Colour edge = r == now && !t.dark() ? t.ink : 0;
      if (d.add)
        disc(pen, b.centre(), dot, c, edge, thin);
      else
        pen.rect(b, r == now ? c : t.panel, r == now ? edge : c, std::max(1.0f, t.px(1.5f)));
    }
}

/// A slot a thread, solid where it works; above `most_cells` threads a strip.
void threads(Sheet& s, const CompareSide& side, Box box, float pitch, size_t now) {
  const Theme& t = s.t;
  for (size_t r = 0; r < side.rows.size(); ++r) {
    const float tall = std::min(pitch * 0.5f, t.px(16)), y = box.y + (float(r) + 0.5f) * pitch - tall / 2;
    const Colour on = r <= now ? t.thread : mix(t.thread, t.panel, 0.5f);
    if (side.threads > most_cells) {
      std::vector<Colour> cells(most_cells * 2, t.cell);
      for (int k : side.rows[r].active) cells[size_t(k) * cells.size() / size_t(side.threads)] = on;
      s.pen.strip({box.x, y, box.w, tall}, std::move(cells));
      continue;
    }
    const float wide = std::min(box.w / float(side.threads), t.px(22));
    std::vector<bool> active(size_t(side.threads));
    for (int k : side.rows[r].active) active[size_t(k)] = true;
    for (int k = 0; k < side.threads; ++k) {
      const Box b{box.x + float(k) * wide, y, wide * 0.82f, tall};
      s.pen.rect(b, active[size_t(k)] ? on : 0, active[size_t(k)] ? 0 : mix(t.idle, t.panel, 0.6f), 1,
                 wide > 6 ? t.px(2) : 0);
    }
  }
}

void side_panel(Sheet& s, const CompareSide& side, Box outer, const std::string& which) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), head = s.title() * 1.5f;
  const Box heading =
      pen.text({in.x, in.y + head / 2}, title_of(side.run->trace.kernel), s.title(), t.ink, Font::text_bold);
  const std::string what = first_fit(
      pen, {s.atomics ? "atomics per interval" : "adds per interval", s.atomics ? "atomics" : "adds"},
      in.w * 0.3f, label);
  const Box what_box = pen.text({in.right(), in.y + head / 2}, what, label, t.ink2, Font::text, Align::right);
  const std::string facts = summary(side);
  pen.text({heading.right() + t.px(14), in.y + head / 2},
           first_fit(pen, {facts, facts.substr(0, facts.find(", block"))},
                     what_box.x - heading.right() - t.px(28), label),
           label, t.ink2);
  if (side.rows.empty()) return;
  const Box body{in.x, in.y + head + t.px(4), in.w, in.h - head - t.px(4)};
  const float note = label * 1.6f;
  const float pitch = std::min((body.h - note) / float(s.rows), t.px(44));
  const size_t now = std::min(size_t(std::max(0, s.interval)), side.rows.size() - 1);
  float names = 0;
  for (const auto& row : side.rows) names = std::max(names, pen.width(row.name, label, Font::text_bold));
  names = std::min(names, in.w * 0.24f) + t.px(12);
  const float numbers = pen.width(grouped(s.most_work), label, Font::mono_bold) + t.px(10);
  const float bars = std::min(in.w * 0.15f, t.px(90));
  const Box flow{body.x + names, body.y, in.w - names - numbers - bars - t.px(16),
                 pitch * float(side.rows.size())};
  const Box current{outer.x + t.px(1), body.y + float(now) * pitch, outer.w - t.px(2), pitch};
  pen.rect(current, t.selected);
  pen.rect({current.x, current.y, t.px(4), current.h}, t.dark() ? t.changed : t.ink);
  if (side.array >= 0)
    dataflow(s, side, flow, pitch, now);
  else
    threads(s, side, flow, pitch, now);
  const int every = std::max(1, int(std::ceil(label * 1.25f / pitch)));
  for (size_t r = 0; r < side.rows.size(); ++r) {
    const auto& row = side.rows[r];
    const float y = body.y + (float(r) + 0.5f) * pitch;
    const bool named = r == now || (r % size_t(every) == 0 &&
                                    (every == 1 || (r + size_t(every) <= now || r >= now + size_t(every))));
    const Font f = r == now ? Font::text_bold : Font::text;
    if (named)
      pen.text({body.x, y}, pen.fitted(row.name, names - t.px(8), label, f), label, r == now ? t.ink : t.ink2,
               f);
    const Box track{flow.right() + t.px(16), y - std::min(pitch * 0.3f, t.px(7)), bars,
                    2 * std::min(pitch * 0.3f, t.px(7))};
    pen.rect(track, 0, t.line, std::max(1.0f, t.px(1)), t.px(2));
    if (const long work = s.work(row))
      pen.rect({track.x, track.y, std::max(t.px(2), track.w * float(work) / float(std::max(1L, s.most_work))),
                track.h},
               r == now  ? t.changed
               : r < now ? t.thread
                         : mix(t.thread, t.panel, 0.5f),
               r == now && !t.dark() ? t.ink : 0, 1, t.px(2));
    if (named)
      pen.text({in.right(), y}, grouped(s.work(row)), label, r == now ? t.ink : t.ink2, Font::mono_bold,
               Align::right);
    pen.hit({.what = Hit::interval,
             .box = {in.x, body.y + float(r) * pitch, in.w, pitch},
             .a = int(r),
             .tip = row.name + ": " + counted(row.adds, "add") + ", " + counted(row.atomics, "atomic") +
                    ", " + counted(int(row.active.size()), "thread") + " at work.",
             .name = which + " " + std::to_string(r)});
  }
  const float end = body.y + float(side.rows.size()) * pitch;
  if (side.rows.size() < s.rows || int(side.rows.size()) <= s.interval + 1) {
    const long rest = long(s.rows) - long(side.rows.size());
    pen.line({in.x, end + t.px(4)}, {in.right(), end + t.px(4)}, t.barrier, std::max(1.0f, t.px(1.5f)),
             t.px(6));
    std::string words = "Done after " + counted(int(side.rows.size()), "interval") + ".";
    if (rest > 0) words += " The other has " + std::to_string(rest) + " more.";
    pen.text({in.x, std::min(end + t.px(4) + label * 0.9f, in.bottom() - label * 0.6f)},
             first_fit(pen, {words, "Done after " + counted(int(side.rows.size()), "interval") + "."}, in.w,
                       label, Font::text_bold),
             label, t.ink, Font::text_bold);
  }
}

std::optional<Formula> formula(const Trace& t, const std::string& of) {
  for (const Formula& f : t.formulas)
    if (f.of == of) return f;
  return {};
}

void table(Sheet& s, const CompareSide& left, const CompareSide& right, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), value = t.px(t.projector() ? t.size_label : t.size_title),
              head = s.title() * 1.5f;
  pen.text(
      {in.x, in.y + head / 2},
      first_fit(
          pen, {"Counted in the whole trace, against the formula", "Counted, against the formula", "Counted"},
          in.w, s.title(), Font::text_bold),
      s.title(), t.ink, Font::text_bold);
  struct Row {
    std::string what, of;
    std::array<std::string, 2> values;
  };
  const auto row = [&](const char* what, const char* of, const auto& f) {
    return Row{what, of, {f(left), f(right)}};
  };
  const auto with_ideal = [](long used, long ideal) {
    return grouped(used) + (used == ideal ? "" : ", ideal " + grouped(ideal));
  };
  std::vector<Row> rows = {
      row("intervals", "steps", [](const CompareSide& x) { return grouped((long long)x.rows.size()); }),
      row("barriers", "barriers", [](const CompareSide& x) { return grouped(x.run->report.barriers); }),
      row("adds", "adds", [](const CompareSide& x) { return grouped(x.run->report.work().adds); }),
      row("atomics", "atomics",
          [](const CompareSide& x) {
            long n = 0;
            for (const Node& node : x.run->report.flow.nodes) n += is_atomic(node.op);
            return grouped(n);
          }),
      row("span", "span", [](const CompareSide& x) { return grouped(x.run->report.span()); }),
      row("wavefronts", "wavefronts",
          [&](const CompareSide& x) {
            const auto sum = total(x.run->report.requests());
            return with_ideal(sum.shared_wavefronts, sum.shared_wavefronts_ideal);
          }),
      row("sectors", "sectors",
          [&](const CompareSide& x) {
            const auto sum = total(x.run->report.requests());
            return with_ideal(sum.global_sectors, sum.global_sectors_ideal);
          }),
      row("thread slots used", "slots",
          [](const CompareSide& x) {
            const long all = long(x.rows.size()) * x.threads;
            return grouped(x.slots_used) + " of " + grouped(all);
          }),
  };
  std::erase_if(rows, [](const Row& r) { return r.values[0] == "0" && r.values[1] == "0"; });
  float names = 0;
  for (const Row& r : rows) names = std::max(names, pen.width(r.what, label));
  names = std::min(names + t.px(20), in.w * 0.36f);
  const float column = (in.w - names) / 2;
  float y = in.y + head + t.px(2);
  const CompareSide* sides[] = {&left, &right};
  for (int k = 0; k < 2; ++k)
    pen.text({in.x + names + float(k) * column, y + label * 0.7f},
             pen.fitted(title_of(sides[k]->run->trace.kernel), column - t.px(8), label, Font::text_bold),
             label, t.ink2, Font::text_bold);
  y += label * 1.5f;
  pen.line({in.x, y}, {in.right(), y}, t.line, std::max(1.0f, t.px(1)));
  // rows that would touch are left out from the end
  const float least = value * 1.2f;
  rows.resize(std::min(rows.size(), size_t(std::max(0.0f, (in.bottom() - y) / least))));
  if (rows.empty()) return;
  const float pitch = std::min((in.bottom() - y) / float(rows.size()), t.px(34));
  for (const Row& r : rows) {
    const float cy = y + pitch / 2;
    pen.text({in.x, cy}, pen.fitted(r.what, names - t.px(8), label), label, t.ink2);
    for (int k = 0; k < 2; ++k) {
      const float x = in.x + names + float(k) * column;
      const Box b =
          pen.text({x, cy}, pen.fitted(r.values[size_t(k)], column - t.px(8), value, Font::mono_bold), value,
                   t.ink, Font::mono_bold);
      if (const auto f = formula(sides[k]->run->trace, r.of)) {
        char number[32];
        std::snprintf(number, sizeof number, "%.10g", f->value);
        pen.text({b.right() + t.px(14), cy},
                 first_fit(pen, {f->text + " = " + number, f->text}, x + column - b.right() - t.px(20), label,
                           Font::mono),
                 label, t.ink2, Font::mono);
      }
    }
    y += pitch;
  }
}

const Record* best_record(const Recording& run, const std::string& kernel) {
  const Record* best = nullptr;
  for (const Record& r : run.records)
    if (r.kernel == kernel && (!best || r.n > best->n)) best = &r;
  return best;
}

void measured(Sheet& s, const CompareSide& left, const CompareSide& right,
              const std::vector<Recording>& recordings, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), head = s.title() * 1.5f;
  const std::string kernels[] = {left.run->trace.kernel, right.run->trace.kernel};
  const Recording* run = nullptr;
  for (const Recording& r : recordings)
    if (best_record(r, kernels[0]) && best_record(r, kernels[1]) && (!run || r.date > run->date)) run = &r;
  pen.text({in.x, in.y + head / 2}, "Measured", s.title(), t.ink, Font::text_bold);
  const Box rest{in.x, in.y + head + t.px(4), in.w, in.h - head - t.px(4)};
  if (!run) {
    const float y = paragraph(pen, {{"No time of both kernels has been recorded.", t.ink2}}, rest, label);
    paragraph(pen,
              {{"On a machine with a GPU:", t.ink2},
               {" barrierscope time " + kernels[0] + " " + kernels[1] + " -o FILE.json", t.ink, Font::mono}},
              {rest.x, y + t.px(6), rest.w, rest.bottom() - y}, label);
    return;
  }
  struct Bar {
    std::string name;
    const Record* record;
    double gb;
    Colour fill;
  };
  std::vector<Bar> bars;
  for (const auto& k : kernels)
    if (const Record* r = best_record(*run, k)) bars.push_back({title_of(k), r, r->gb_per_s, t.thread});
  if (const Record* r = best_record(*run, "cub/" + kernels[0].substr(0, kernels[0].find('/'))))
    bars.push_back({"CUB", r, r->gb_per_s, t.ink3});
  if (run->copy_gb_per_s > 0)
    bars.push_back({"copy", nullptr, run->copy_gb_per_s, mix(t.ink, t.panel, 0.7f)});
  const std::string where = run->device + ", " + run->date.substr(0, 10) + ", N = 2^" +
                            std::to_string(int(std::log2(double(bars[0].record->n)) + 0.5));
  const float below = paragraph(
      pen, {{"Recorded:", t.write, Font::text_bold}, {" " + where + "; GB/s, percent of copy", t.ink2}}, rest,
      label);
  float names = 0;
  double most = 0;
  for (const Bar& b : bars) names = std::max(names, pen.width(b.name, label)), most = std::max(most, b.gb);
  names = std::min(names + t.px(12), in.w * 0.4f);
  const float number = pen.width("00,000", label, Font::mono_bold),
              share = pen.width("100%", label, Font::mono) + t.px(14);
  const float pitch = std::min((in.bottom() - below - t.px(4)) / float(bars.size()), t.px(32));
  const float width = in.w - names - number - share - t.px(10);
  if (pitch < label) return;
  for (size_t k = 0; k < bars.size(); ++k) {
    const float cy = below + t.px(4) + (float(k) + 0.5f) * pitch, tall = std::min(pitch * 0.6f, t.px(18));
    pen.text({in.x, cy}, pen.fitted(bars[k].name, names - t.px(8), label), label, t.ink2);
    pen.rect({in.x + names, cy - tall / 2, std::max(t.px(2), float(bars[k].gb / most) * width), tall},
             bars[k].fill, 0, 1, t.px(2));
    pen.text({in.right() - share, cy}, grouped(std::llround(bars[k].gb)), label, t.ink, Font::mono_bold,
             Align::right);
    if (run->copy_gb_per_s > 0)
      pen.text({in.right(), cy}, std::to_string(std::lround(100 * bars[k].gb / run->copy_gb_per_s)) + "%",
               label, t.ink2, Font::mono, Align::right);
  }
}

}  // namespace

CompareSide compare_side(const Run& run) {
  CompareSide side;
  side.run = &run;
  if (run.trace.launches.empty()) return side;
  side.launch = &run.trace.launches[0];
  side.threads = side.launch->block;
  // the largest array is the one that the kernel works in
  for (size_t k = 0; k < side.launch->shared.size(); ++k)
    if (const int size = side.launch->shared[k].size; size > side.cells)
      side.cells = size, side.array = first_shared + int(k);
  const Flow& flow = run.report.flow;
  bool fits = side.array >= 0 && side.cells <= most_cells;
  for (const Interval& v : flow.of_block(0, 0)) {
    CompareSide::Row row;
    row.name = v.phase;
    row.active = active_threads(flow, v);
    side.slots_used += long(row.active.size());
    row.adds = work(flow, v).adds;
    for (int k : v.nodes) row.atomics += is_atomic(flow.nodes[size_t(k)].op);
    if (fits)
      for (const Arrow& a : arrows(flow, v)) {
        if (a.to.array != side.array || a.to.index < 0 || a.to.index >= side.cells) continue;
        CompareSide::Dot dot{a.to.index, a.op != "copy" && a.op != "constant", {}};
        for (const Place& from : a.from)
          if (from.array == side.array && from.index != a.to.index) dot.from.push_back(from.index);
        row.dots.push_back(std::move(dot));
      }
    side.rows.push_back(std::move(row));
  }
  // phases of several intervals are numbered: up-sweep 1, up-sweep 2
  for (size_t k = 0; k < side.rows.size();) {
    size_t end = k + 1;
    while (end < side.rows.size() && side.rows[end].name == side.rows[k].name) ++end;
    const std::string phase = side.rows[k].name;
    for (size_t r = k; end - k > 1 && r < end; ++r)
      side.rows[r].name = phase + " " + std::to_string(r - k + 1);
    k = end;
  }
  if (!fits) side.array = -1;
  return side;
}

Picture compare_view(const CompareSide& left, const CompareSide& right, int interval,
                     const std::vector<Recording>& recordings, const Theme& t, const Metrics& metrics,
                     float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  pen.rect({0, 0, w, h}, t.window);
  if (!left.launch || !right.launch) return picture;
  Sheet s{pen, t, interval, true, 1, std::max(left.rows.size(), right.rows.size())};
  for (const CompareSide* side : {&left, &right})
    for (const auto& row : side->rows) s.atomics = s.atomics && row.adds == 0;
  for (const CompareSide* side : {&left, &right})
    for (const auto& row : side->rows) s.most_work = std::max(s.most_work, s.work(row));
  const float gap = t.px(8), upper = h * (t.projector() ? 0.60f : 0.66f), half = (w - gap) / 2;
  side_panel(s, left, {0, 0, half, upper}, "left");
  side_panel(s, right, {gap + half, 0, half, upper}, "right");
  const float lower = h - upper - gap, wide = w * (t.projector() ? 0.62f : 0.60f);
  table(s, left, right, {0, upper + gap, wide, lower});
  measured(s, left, right, recordings, {wide + gap, upper + gap, w - wide - gap, lower});
  return picture;
}

Picture compare_view(const Run& left, const Run& right, int interval,
                     const std::vector<Recording>& recordings, const Theme& t, const Metrics& metrics,
                     float w, float h) {
  return compare_view(compare_side(left), compare_side(right), interval, recordings, t, metrics, w, h);
}

}  // namespace bscope
