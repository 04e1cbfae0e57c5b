#include "app/tabs/watch/array/pills.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/draw/theme.hpp"
#include "app/run/values.hpp"
#include "app/tabs/watch/array/arrow_paths.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/occupied.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// Pills of one column, by their number.
using Column = std::vector<size_t>;

/// Side by side about the column's middle.
void set_side_by_side(std::vector<MovePill>& pills, const Column& column, const std::vector<float>& widths,
                      float width, float apart) {
  float x = -width / 2;
  for (const size_t k : column) {
    pills[k].dx = x + widths[k] / 2;
    x += widths[k] + apart;
  }
}

/// One below the other, each a little aside, so that what goes to and comes from one passes the others.
void stack_up(const Theme& t, std::vector<MovePill>& pills, const Column& column, float widest) {
  for (size_t j = 0; j < column.size(); ++j) {
    MovePill& pill = pills[column[j]];
    pill.lane = int(j);
    pill.dx = (j % 2 ? 1.0f : -1.0f) * (widest * 0.12f + t.px(2));
    pill.stacked = true;
  }
}

/// One pill stands for the others: of the writes, else of the reads, the followed thread's, else the last.
/// Marks the others as gone.
void let_one_stand_for_all(std::vector<MovePill>& pills, const Column& column, std::vector<bool>& gone) {
  const auto rank = [&](size_t k) { return std::pair(!pills[k].of.move->held, pills[k].of.focus); };
  size_t best = column.front();
  int times = 0;
  std::set<int> readers;
  for (const size_t k : column) {
    const DrawnMove& d = pills[k].of;
    times += d.move->held ? 0 : d.times;
    if (d.move->held) readers.insert(d.move->arrow.thread);
    if (rank(k) >= rank(best)) best = k;
  }
  for (const size_t k : column) gone[k] = k != best;
  pills[best].of.times = std::max(1, times);
  if (pills[best].of.move->held) pills[best].readers = int(readers.size());
}

/// Of a thread that reads one cell again and again, as one that waits for a flag, the first read is left, and
/// the last if it saw another write.
void leave_out_repeated_reads(const StepView& v, const std::vector<MovePill>& pills, Column& column,
                              std::vector<bool>& gone) {
  const auto same = [&](size_t a, size_t b) {
    const Move &one = *pills[a].of.move, &other = *pills[b].of.move;
    return one.held && other.held && one.arrow.thread == other.arrow.thread &&
           one.arrow.from == other.arrow.from;
  };
  const auto writer = [&](size_t k) { return v.node(pills[k].of.move->arrow.loads[0]).a; };
  for (size_t j = 1; j < column.size(); ++j) {
    const auto repeats = [&](size_t k) { return same(k, column[j]); };
    const auto here = column.begin() + std::ptrdiff_t(j), first = std::find_if(column.begin(), here, repeats);
    gone[column[j]] = first != here &&
                      (writer(*first) == writer(column[j]) || std::any_of(here + 1, column.end(), repeats));
  }
  std::erase_if(column, [&](size_t k) { return gone[k]; });
}

std::vector<MovePill> seated(const Pen& pen, const Theme& t, const StepView& v, const CellRow& row,
                             const std::vector<DrawnMove>& moves, bool stack) {
  std::vector<MovePill> pills;
  std::vector<float> widths;
  std::map<int, Column> columns;
  for (const DrawnMove& d : moves) {
    columns[d.to].push_back(pills.size());
    pills.push_back({d});
    widths.push_back(pill_width(pen, t, v, d, false));
  }
  std::vector<bool> gone(pills.size());
  for (auto& [cell, column] : columns) {
    leave_out_repeated_reads(v, pills, column, gone);
    if (column.size() < 2) continue;
    const float apart = t.px(4);
    float width = apart * float(column.size() - 1), widest = 0;
    for (const size_t k : column) width += widths[k], widest = std::max(widest, widths[k]);
    if (width <= row.pitch - t.px(2))
      set_side_by_side(pills, column, widths, width, apart);
    else if (stack)
      stack_up(t, pills, column, widest);
    else
      let_one_stand_for_all(pills, column, gone);
  }
  std::vector<MovePill> kept;
  for (size_t k = 0; k < pills.size(); ++k)
    if (!gone[k]) kept.push_back(pills[k]);
  return kept;
}

/// Whether pills side by side in their lanes leave each other room.
bool have_room(const Pen& pen, const Theme& t, const StepView& v, const CellRow& row,
               const std::vector<MovePill>& pills, bool tight) {
  std::vector<std::pair<int, Box>> spans;
  for (const MovePill& p : pills) {
    const float w = pill_width(pen, t, v, p.of, tight);
    spans.push_back({std::min(p.lane, most_lanes - 1), {row.x_of(p.of.to) + p.dx - w / 2, 0, w, 1}});
  }
  std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.x < b.second.x;
  });
  for (size_t k = 1; k < spans.size(); ++k)
    if (spans[k].first == spans[k - 1].first && spans[k].second.x < spans[k - 1].second.right() + t.px(1))
      return false;
  return true;
}

/// Where many moves are drawn at once, only some of them are: whether each is. Of each of a few cells one is,
/// or it would look as if no thread touched the cell.
std::vector<bool> those_drawn(const std::vector<MovePill>& pills) {
  const size_t all = pills.size(), every = all > 256 ? all : all > 32 ? 8 : 1;
  std::map<int, size_t> first;  // of each cell's
  for (size_t k = 0; k < all; ++k) first.emplace(pills[k].of.to, k);
  const bool of_each_cell = all <= 256 && first.size() <= 32;
  std::vector<bool> out;
  for (size_t k = 0; k < all; ++k)
    out.push_back(pills[k].of.focus || k % every == 0 || (of_each_cell && first.at(pills[k].of.to) == k));
  return out;
}

}  // namespace

MovePills move_pills(const Pen& pen, const Theme& t, const StepView& v, const CellRow& row,
                     const std::vector<DrawnMove>& moves, bool stack) {
  MovePills out{seated(pen, t, v, row, moves, stack)};
  for (const MovePill& p : out.all) out.lanes = std::clamp(p.lane + 1, out.lanes, most_lanes);
  out.tight = !have_room(pen, t, v, row, out.all, false);
  out.family = out.all.size() > most_worded || !have_room(pen, t, v, row, out.all, out.tight);
  return out;
}

std::string pill_text(const StepView& v, const DrawnMove& d, bool tight) {
  const Arrow& arrow = d.move->arrow;
  if (is_between_launches(v.launch())) return sign(arrow.op);
  const std::string thread = "t" + std::to_string(arrow.thread % v.threads);
  if (d.move->held) return thread;
  return (d.times > 1 ? std::to_string(d.times) + "x" : thread) + (tight ? "" : " ") + sign(arrow.op);
}

float pill_width(const Pen& pen, const Theme& t, const StepView& v, const DrawnMove& d, bool tight) {
  return pen.width(pill_text(v, d, tight), t.label(), Font::mono_bold) + t.px(tight ? 8 : 12);
}

std::vector<PlacedPill> placed_pills(const Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                                     const CellRow& row, const MovePills& pills, const ArrowZone& zone) {
  std::vector<PlacedPill> out;
  const std::vector<bool> drawn = those_drawn(pills.all);
  for (size_t k = 0; k < pills.all.size(); ++k) {
    const MovePill& p = pills.all[k];
    if (!drawn[k]) continue;
    const float y = zone.lane_y[size_t(std::min<int>(p.lane, int(zone.lane_y.size()) - 1))];
    out.push_back({&p, {row.x_of(p.of.to) + p.dx, y}});
  }
  // the followed thread's arrows lie on top
  std::ranges::stable_sort(out, {}, [](const PlacedPill& p) { return p.of->of.focus; });
  // at the edge of a narrow column a pill leans inwards
  const auto box_about = [&](Point p, float w, float h) {
    return Box{clamp_or_least(p.x - w / 2, grid.columns.left - t.px(8), grid.width - w - t.px(4)),
               p.y - h / 2, w, h};
  };
  for (size_t k = 0; k < out.size(); ++k) {
    PlacedPill& p = out[k];
    const DrawnMove& d = p.of->of;
    p.box = box_about(p.middle, pill_width(pen, t, v, d, pills.tight), zone.pill_h);
    p.dot =
        (pills.family && !d.focus) || covers_a_pill(p.box, {out.begin(), out.begin() + std::ptrdiff_t(k)});
    if (p.dot) p.box = box_about(p.middle, t.px(5), t.px(5));
  }
  return out;
}

bool covers_a_pill(const Box& box, std::span<const PlacedPill> pills) {
  return std::ranges::any_of(pills, [&](const PlacedPill& p) { return !p.dot && overlap(p.box, box); });
}

void draw_pill(Pen& pen, const Theme& t, const StepView& v, const DrawnMove& d, const Box& box, bool tight) {
  const bool held = d.move->held, atomic = !held && is_atomic(v.node(d.move->arrow.node).op);
  const Colour fill = atomic ? t.atomic : t.thread;
  const float radius = box.h / 2;
  if (held)
    pen.rect(box, t.panel, fill, t.px(2), radius);
  else
    pen.rect(box, fill, 0, 1, radius);
  const float lit = progress(v.phase, 280, 340);
  if (d.focus && v.phase < 1 && lit > 0 && lit < 1) {
    const float out = t.px(4) * lit;
    pen.rect(grown(box, out), 0, fill, t.px(1.5f), radius + out);
  }
  pen.text(box.centre(), pill_text(v, d, tight), t.label(), held ? fill : t.on(fill), Font::mono_bold,
           Align::centre);
}

std::string pill_tip(const StepView& v, const DrawnMove& d) {
  const Arrow& arrow = d.move->arrow;
  const std::string thread = v.thread_name(arrow.thread % v.threads);
  std::string tip =
      d.move->held
          ? tr("Thread {}, line {}: reads {} into a register.", thread, arrow.line, v.name(arrow.from[0]))
      : arrow.op == "other"
          ? tr("Thread {0}, line {1}: computes {2}. f stands for arithmetic that no single sign names.",
               thread, arrow.line, v.name(arrow.to))
          : tr("Thread {}, line {}: {} into {}.", thread, arrow.line, tr(arrow.op), v.name(arrow.to));
  if (d.times > 1) tip += tr(" {} writes to this cell in this step.", d.times);
  return tip;
}

}  // namespace bscope
