// One side of Compare: its whole run, a row an interval, on the row height and the scale of both.
#include <cmath>

#include "app/draw/chart.hpp"
#include "app/draw/controls.hpp"
#include "app/draw/fitting.hpp"
#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/run/values.hpp"
#include "app/session/state.hpp"
#include "app/session/tab_time.hpp"
#include "app/tabs/compare/sheet.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::compare {
namespace {

/// "up-sweep #2": the phase in the spoken language, and its number.
std::string name_of(const Trace& trace, const RunRows::RunRow& row) {
  const Launch& launch = trace.launches[size_t(row.launch)];
  if (row.name == launch.name) return launch_title(trace, launch);
  if (row.phase.empty() || !row.name.starts_with(row.phase)) return translated(row.name);
  return phase_name(trace, launch, row.phase) + row.name.substr(row.phase.size());
}

using RunRow = RunRows::RunRow;

/// "inclusive, n = 32, 2 blocks of 16 threads", most telling first.
std::vector<std::string> sizes_of(const Run& run) {
  const Trace& t = run.trace;
  const Launch& l = *std::max_element(
      t.launches.begin(), t.launches.end(),
      [](const Launch& a, const Launch& b) { return long(a.grid) * a.block < long(b.grid) * b.block; });
  std::string kind;
  if (t.property == Property::inclusive_scan) kind = tr("inclusive");
  if (t.property == Property::exclusive_scan) kind = tr("exclusive");
  const std::string n = "n = " + grouped(parameter_of(t, "n"));
  const std::string threads = tr_count(l.block, "{} thread", "{} threads");
  const std::string grid = l.grid == 1 ? threads : tr("{} blocks of {}", l.grid, threads);
  const std::string sizes = tr("{}, {}", n, grid);
  std::vector<std::string> all{kind.empty() ? sizes : tr("{}, {}", kind, sizes), sizes, n};
  if (const int launches = launch_count(t); launches > 1)
    all.insert(all.begin(), tr("{}, {}", all[0], tr("{} launches", launches)));
  return all;
}

/// "adds 4, wavefronts 2, sectors 0, threads at work 4"
std::string counts_of(const CompareSheet& s, const RunRow& row) {
  std::string all;
  for (const std::string& scale : s.c.scales())
    all += (all.empty() ? std::string() : tr(", ")) + counted_thing(s.c, scale) + " " +
           grouped(s.c.count(row, scale));
  return all;
}

/// The figure's place on the panel, and where its rows and columns are.
struct Plan {
  Box box;
  float pitch = 0;
  const RunRows& side;
  float x(const RunRows::Figure& f, int column) const {
    return box.x + (float(column) + 0.5f) / float(std::max(1, f.columns)) * box.w;
  }
  float y(size_t row) const { return box.y + (float(row) + 0.5f) * pitch; }
  /// The row above of the same launch; the first row's values come from its own.
  size_t above(size_t row) const {
    return row && side.rows[row - 1].launch == side.rows[row].launch ? row - 1 : row;
  }
};

/// Few columns: a dot for each that changes, a line from each that it was computed from.
void dots(const DrawContext& paper, const Plan& p, size_t first, size_t end, size_t now) {
  Pen& pen = paper.pen;
  const Theme& t = paper.t;
  const auto& f = p.side.figures[size_t(p.side.rows[first].launch)];
  const float size = std::min({p.box.w / float(std::max(1, f.columns)) * 0.36f, p.pitch * 0.3f, t.px(6)});
  const Colour rail = mix(t.line, t.panel, 0.8f);
  for (int c = 0; c < f.columns; ++c)
    pen.line({p.x(f, c), p.y(first)}, {p.x(f, c), p.y(end - 1)}, rail, t.thin());
  const auto strength = [&](size_t r) { return r <= now ? 1.0f : 0.45f; };
  // plain lines first, so that the lineage lies over them
  for (const bool lineage : {false, true})
    for (size_t r = first; r < end; ++r)
      for (const auto& d : p.side.rows[r].dots) {
        if (d.lineage != lineage) continue;
        const Colour c = r == now  ? t.present()
                         : lineage ? mix(t.read, t.panel, 0.3f + 0.7f * strength(r) * 0.9f)
                                   : mix(t.ink3, t.panel, 0.5f * strength(r));
        const float wide = t.thin(lineage || r == now ? 1.5f : 1);
        for (int from : d.from)
          pen.line({p.x(f, from), p.y(p.above(r))}, {p.x(f, d.column), p.y(r)}, c, wide);
        if (lineage && d.self && p.above(r) != r)
          pen.line({p.x(f, d.column), p.y(p.above(r))}, {p.x(f, d.column), p.y(r)}, c, wide);
      }
  for (size_t r = first; r < end; ++r) {
    for (int c : p.side.rows[r].reads) {
      const Colour line = mix(t.read, t.panel, 0.6f * strength(r));
      pen.line({p.x(f, c) - size * 0.7f, p.y(r)}, {p.x(f, c) + size * 0.7f, p.y(r)}, line, t.thin(1.5f));
    }
    for (const auto& d : p.side.rows[r].dots) {
      const Colour role = d.lineage ? t.read : mix(t.ink3, t.panel, 0.85f);
      const Colour c = r == now ? t.changed : mix(role, t.panel, strength(r));
      const Box b{p.x(f, d.column) - size, p.y(r) - size, 2 * size, 2 * size};
      const Colour edge = r == now && !t.dark() ? t.ink : 0;
      if (d.add)
        pen.disc(b.centre(), size, c, edge, t.thin());
      else
        pen.rect({b.x + size * 0.15f, b.y + size * 0.15f, 1.7f * size, 1.7f * size}, r == now ? c : t.panel,
                 r == now ? edge : c, t.thin(1.5f));
    }
  }
}

/// Many columns: each row is a strip; a column that computes outshines one that copies. What is put together
/// is as strong as the share of it that does so.
void strips(const DrawContext& paper, const Plan& p, size_t first, size_t end, size_t now) {
  Pen& pen = paper.pen;
  const Theme& t = paper.t;
  const auto& f = p.side.figures[size_t(p.side.rows[first].launch)];
  const int together = columns_together(f.columns, f.in_block(), std::max(1, int(p.box.w)));
  const size_t across = size_t((f.columns + together - 1) / together);
  for (size_t r = first; r < end; ++r) {
    std::vector<RunRows::ColumnGroup> sums(across);
    const auto& parts = p.side.rows[r].parts;
    for (size_t k = 0; k < parts.size(); ++k) {
      auto& sum = sums[k / size_t(together)];
      sum.adds += parts[k].adds, sum.copies += parts[k].copies;
    }
    const float strength = r == now ? 1.0f : r < now ? 0.9f : 0.5f;
    const int of_one = together * f.part;
    std::vector<Colour> cells(across, t.cell);
    for (size_t k = 0; k < across; ++k) {
      const auto [adds, copies] = sums[k];
      if (!adds && !copies) continue;
      const float share = float(adds ? adds : copies) / float(std::min(of_one, f.all - int(k) * of_one));
      const Colour full = r == now ? t.changed : adds ? t.read : t.ink3;
      cells[k] = mix(full, t.cell, strength * (adds ? 1.0f : 0.6f) * (0.3f + 0.7f * std::sqrt(share)));
    }
    const float tall = std::min(p.pitch * 0.62f, t.px(30));
    pen.strip({p.box.x, p.y(r) - tall / 2, p.box.w, tall}, std::move(cells));
  }
}

/// Whether so many pixels show a column of a launch that does something in a part of what it stands for.
bool has_smaller_shares(const RunRows& side, int pixels) {
  return std::ranges::any_of(side.rows, [&](const RunRow& row) {
    const auto& f = side.figures[size_t(row.launch)];
    const size_t together = size_t(columns_together(f.columns, f.in_block(), std::max(1, pixels)));
    const int of_one = int(together) * f.part;
    for (size_t k = 0; k < row.parts.size(); k += together) {
      int adds = 0, copies = 0;
      for (size_t j = k; j < std::min(k + together, row.parts.size()); ++j)
        adds += row.parts[j].adds, copies += row.parts[j].copies;
      const int does = adds ? adds : copies;
      if (does && does < std::min(of_one, f.all - int(k / together) * of_one)) return true;
    }
    return false;
  });
}

/// Whether a launch of either side has too many columns for marks of their own. Then both sides are drawn as
/// strips, or they could not be compared by eye.
bool draws_strips(const CompareSheet& s) {
  return std::ranges::any_of(s.c.sides, [](const RunRows& side) {
    return std::ranges::any_of(side.figures, [](const auto& f) { return f.columns > most_columns; });
  });
}

/// What the marks mean; `columns`: so many pixels are there for a figure.
LayoutNode key(const RunRows& side, bool in_strips, int columns, const Theme& t) {
  const auto any = [&](auto&& is) { return std::ranges::any_of(side.figures, is); };
  const bool lineage = std::ranges::any_of(
      side.rows, [](const RunRow& row) { return std::ranges::any_of(row.dots, &RunRows::Dot::lineage); });
  bool adds = false, copies = false;
  for (const RunRow& row : side.rows)
    for (const auto& part : row.parts) adds |= part.adds > 0, copies |= part.copies > 0;
  std::vector<Meaning> all;
  if (adds)
    all.push_back(in_strips ? Meaning{.words = tr("add"), .colour = t.read}
                            : Meaning{.words = tr("add"), .colour = t.ink3, .round = true});
  if (copies)
    all.push_back(in_strips ? Meaning{.words = tr("copy"), .colour = mix(t.ink3, t.panel, 0.6f)}
                            : Meaning{.words = tr("copy"), .colour = t.panel, .edge = t.ink3});
  if (!in_strips && lineage)
    all.push_back({.words = tr("flows into the fullest cell"), .colour = t.read, .round = true});
  const Colour full = adds ? t.read : mix(t.ink3, t.panel, 0.6f);
  if (any([&](const auto& f) { return f.columns > columns; }) && has_smaller_shares(side, columns))
    all.push_back({.words = tr("paler: a smaller share"),
                   .shades = {full, mix(full, t.cell, 0.67f), mix(full, t.cell, 0.34f)}});
  all.push_back({.words = tr("this step"), .colour = t.changed, .edge = t.dark() ? 0 : t.ink, .round = true});
  return legend(std::move(all));
}

/// Whether it is done, and how far the other is.
LayoutNode done(const CompareSheet& s, size_t which) {
  const size_t rows = s.c.sides[which].rows.size();
  const int other = int(s.c.sides[1 - which].rows.size()) - 1 - s.now[1 - which];
  const std::string words = tr_count(rows, "Done after {} step.", "Done after {} steps.");
  const std::string rest =
      other > 0 ? " " + tr_count(other, "The other has {} more.", "The other has {} more.") : "";
  LineLook look = s.label(s.t.ink, Align::left, Font::text_bold);
  look.cut = false;
  return line({words + rest, words}, look);
}

/// The rows, bars beside them, whether the run is done, and what the marks mean.
void figure(const CompareSheet& s, size_t which, const DrawContext& paper, Box body) {
  Pen& pen = paper.pen;
  const Theme& t = paper.t;
  const RunRows& side = s.c.sides[which];
  const Trace& trace = s.c.runs[which]->trace;
  const float label = t.label();
  const size_t rows = std::max(s.c.sides[0].rows.size(), s.c.sides[1].rows.size());
  // where rows are lower than their names, the last one's reaches below it
  float notes = label * (s.low ? 1.7f : 3.6f) + t.px(6);
  if (!s.low && (body.h - notes) / float(rows) < label * 1.3f) notes += label * 0.4f;
  const float pitch = std::min((body.h - notes) / float(rows), t.px(64));
  const size_t now = size_t(s.now[which]);
  long most = 1;
  for (const auto& one : s.c.sides)
    for (const RunRow& row : one.rows) most = std::max(most, s.c.count(row, s.look.scale));
  float names = 0;
  for (const RunRow& row : side.rows)
    names = std::max(names, pen.width(name_of(trace, row), label, Font::text_bold));
  names = std::min(names, body.w * (t.projector() ? 0.34f : 0.24f)) + t.px(12);
  const float numbers = pen.width(grouped(most), label, Font::mono_bold) + t.px(10);
  const float bars = std::min(body.w * 0.15f, t.px(90));
  const Plan plan{
      {body.x + names, body.y, body.w - names - numbers - bars - t.px(16), pitch * float(side.rows.size())},
      pitch,
      side};
  const float margin = panel_margin(t).x - t.px(1);
  const Box current{body.x - margin, plan.y(now) - pitch / 2, body.w + 2 * margin, pitch};
  pen.rect(current, t.selected);
  pen.rect({current.x, current.y, t.px(4), current.h}, t.present());
  for (size_t first = 0, end; first < side.rows.size(); first = end) {
    const int launch = side.rows[first].launch;
    for (end = first; end < side.rows.size() && side.rows[end].launch == launch;) ++end;
    if (draws_strips(s))
      strips(paper, plan, first, end, now);
    else
      dots(paper, plan, first, end, now);
    if (end < side.rows.size() && pitch >= t.px(6))  // a launch ends where another begins
      pen.line({plan.box.x, body.y + float(end) * pitch},
               {plan.box.right() + t.px(16) + bars, body.y + float(end) * pitch}, t.ink3, t.thin(), t.px(5));
  }
  const float line = label * (s.low ? 0.95f : 1.25f);  // of a name; in one line letters need less
  const int every = std::max(1, int(std::ceil(line / pitch)));
  for (size_t r = 0; r < side.rows.size(); ++r) {
    const RunRow& row = side.rows[r];
    const float y = plan.y(r);
    const bool named = r == now || (r % size_t(every) == 0 &&
                                    (every == 1 || (r + size_t(every) <= now || r >= now + size_t(every))));
    const Font f = r == now ? Font::text_bold : Font::text;
    const std::string row_name = name_of(trace, row);
    const float tall = std::max(pitch, line);
    if (named)
      name_in(pen, {body.x, y - tall / 2, names - t.px(8), tall}, row_name, label,
              t.projector() ? label : label * 0.8f, r == now ? t.ink : t.ink2, f);
    const float half = std::min(pitch * 0.3f, t.px(7));
    const Box track{plan.box.right() + t.px(16), y - half, bars, 2 * half};
    pen.rect(track, 0, t.line, t.thin(), t.px(2));
    const long count = s.c.count(row, s.look.scale);
    if (count)
      pen.rect({track.x, track.y, std::max(t.px(2), track.w * float(count) / float(most)), track.h},
               r == now  ? t.changed
               : r < now ? t.thread
                         : mix(t.thread, t.panel, 0.5f),
               r == now && !t.dark() ? t.ink : 0, 1, t.px(2));
    if (named)
      pen.text({body.right(), y}, grouped(count), label, r == now ? t.ink : t.ink2, Font::mono_bold,
               Align::right);
    pen.hit({.what = HitRegion::other,
             .box = {body.x, y - pitch / 2, body.w, pitch},
             .a = int(which),
             .b = int(r),
             .tip = tr("{}: {}.", row_name, counts_of(s, row)),
             .name = (which ? "right " : "left ") + std::to_string(r),
             .press = [position = position_of(s.c, s.look.sync, which, int(r))](LoadedState& state, float) {
               state = at_time(std::move(state), position);
             }});
  }
  // below: is it done, and what the marks mean
  float y = std::max(plan.box.bottom() + t.px(4), plan.y(side.rows.size() - 1) + label * 0.7f);
  const bool is_done = now + 1 == side.rows.size();
  if (is_done) {
    pen.line({body.x, y}, {body.right(), y}, t.barrier, t.thin(1.5f), t.px(6));
    draw(paper, done(s, which), {body.x, y + label * 0.35f, body.w, label * 1.2f});
  }
  // what the marks mean stands in the place of the other where there is room for one of them
  const float sentence = label * 1.75f, legend = label * 1.35f;
  if (is_done || (!s.low && body.bottom() - y >= sentence + legend)) y += sentence;
  if (body.bottom() - y >= legend)
    draw(paper, key(side, draws_strips(s), int(plan.box.w), t), {body.x, y, body.w, legend});
}

}  // namespace

LayoutNode side(const CompareSheet& s, size_t which) {
  const Theme& t = s.t;
  const Run& run = *s.c.runs[which];
  const std::string thing = counted_thing(s.c, s.look.scale);
  LineLook beside = s.label(t.ink2);
  beside.cut = false;
  LineLook at_end = beside;
  at_end.align = Align::right;
  const LayoutNode heading =
      row(t.px(14),
          {line({s.names[which]}, heading_look(t)),
           run.trace.launches.empty() ? LayoutNode{} : line(sizes_of(run), beside).gives(2), space(0).grows(),
           line({tr("{} per step, on one scale", thing), tr("{} per step", thing), thing}, at_end)
               .at_most(0.35f)
               .gives(1)});
  if (s.c.sides[which].rows.empty())
    return column(t.close(), {heading, text({{tr("This run has no step."), t.ink2}}, {.size = t.label()})});
  return column(
      t.close(),
      {heading, drawing(0, 0, [s, which](const DrawContext& p, Box b) { figure(s, which, p, b); }).grows()});
}

}  // namespace bscope::compare
