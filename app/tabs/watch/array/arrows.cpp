#include "app/tabs/watch/array/arrows.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "app/draw/theme.hpp"
#include "app/run/values.hpp"
#include "app/session/motion.hpp"
#include "app/tabs/watch/array/captions.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/moves.hpp"
#include "app/tabs/watch/array/occupied.hpp"
#include "app/tabs/watch/array/pills.hpp"
#include "app/tabs/watch/array/read_arrows.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/tags.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/arrows.hpp"

namespace bscope {
namespace {

/// How far the motion of reads and writes has come, and how strong arrows are.
struct ArrowMotion {
  explicit ArrowMotion(const StepView& v)
      : reading(ease_in_out(progress(v.phase, reading_ms, 280))),
        writing(ease_out(progress(v.phase, 340, 420))),
        started(v.phase * step_ms >= reading_ms),
        moving(v.phase < 1) {}
  float reading, writing;  ///< 0 to 1
  bool started, moving;
  int travelling = 0;  ///< values drawn on their way
  static constexpr int most_travelling = 32;
  /// Whether one more is drawn; counts it.
  bool one_more() { return travelling++ < most_travelling; }
};

/// How many hits of each name there are: a thread that reads several cells has several pills, and values.
using HitNames = std::map<std::string, int>;
std::string numbered(HitNames& names, std::string name) {
  if (const int number = names[name]++) name += ":" + std::to_string(number);
  return name;
}

/// How much of its colour an arrow has: others step back behind the followed thread's.
float strength(const StepView& v, const DrawnMove& d, bool family) {
  return d.focus || v.followed < 0 ? 1.0f : family ? 0.35f : 0.55f;
}
Colour value_colour(const Theme& t, const StepView& v, const DrawnMove& d) {
  return d.focus || v.followed < 0 ? t.read : faint(t.read, t.panel, 0.8f);
}

/// What the cell holds when all that the pill stands for have written.
std::string value_left(const StepView& v, const StepStates& states, const DrawnMove& d) {
  const CellRef to = d.move->arrow.to;
  if (d.times > 1 && to.index < states.after->size() && states.after->is_known(to.index))
    return value_text(*states.after, to.index);
  return value_written(v, *d.move);
}

/// Straight down, through the barrier. `width`: of the picture.
void draw_write(Pen& pen, const Theme& t, float width, const StepView& v, const StepStates& states,
                const PlacedPill& p, Colour colour, const ArrowZone& zone, ArrowMotion& motion) {
  const DrawnMove& d = p.of->of;
  if (d.move->held || (motion.writing <= 0 && motion.moving)) return;
  const bool on_its_way = motion.moving && !v.landed;
  const float x = p.port(), top = p.box.bottom();
  const float tip = on_its_way ? top + (zone.close_y - t.px(4) - top) * motion.writing : zone.after_top;
  pen.line({x, top}, {x, tip - (p.dot || on_its_way ? 0 : t.px(6))}, colour, t.px(p.dot ? 1 : 2));
  if (p.dot) return;
  if (!on_its_way) return pen.arrow_head({x, tip}, {0, 1}, t.px(9), colour);
  if (motion.one_more())
    draw_chip(pen, t, width, {x, tip - t.label() * 0.7f}, value_left(v, states, d), t.write);
}

void draw_pill_with_hit(Pen& pen, const Theme& t, const StepView& v, const PlacedPill& p, bool tight,
                        HitNames& names) {
  const DrawnMove& d = p.of->of;
  draw_pill(pen, t, v, d, p.box, tight);
  const int rank = d.move->arrow.thread % v.threads;
  const std::string name =
      "pill:" + std::to_string(rank) + (d.move->held ? ":read" : ":" + std::to_string(d.to));
  pen.hit({HitRegion::thread, p.box, rank, 0, pill_tip(v, d), numbered(names, name)});
}

/// Copies of the values, on their arrows.
void draw_travelling(Pen& pen, const Theme& t, float width, const ReadArrows& reads, ArrowMotion& motion) {
  for (const std::vector<ReadArrow>* arrows : {&reads.from_cells(), &reads.from_pills()})
    for (const ReadArrow& a : *arrows)
      if (!a.value.words.empty() && motion.one_more())
        draw_chip(pen, t, width, on_curve(a.path, motion.reading), a.value.words, t.read);
}

std::string carries(const StepView& v, const ReadArrow& a) {
  const Arrow& arrow = a.of->move->arrow;
  const std::string thread = v.thread_name(arrow.thread % v.threads);
  if (a.of->times > 1) return tr("{} found {} in it at first.", v.name(arrow.to), a.value.words);
  return a.value.place.array < 0
             ? tr("Thread {} takes {}.", thread, a.value.words)
             : tr("Thread {} reads {} = {}.", thread, v.name(a.value.place), a.value.words);
}

/// The hover text of a value on an arrow, and the cell that a click goes to.
void value_hit(Pen& pen, const StepView& v, const ReadArrow& a, const Box& box, HitNames& names) {
  const CellRef from = a.value.place;
  const int cell = a.value.cell < 0 || a.value.meanwhile ? -1 : from.index;
  const std::string name = "carries:" + std::to_string(a.of->move->arrow.thread % v.threads) + ":" +
                           std::to_string(a.of->to) + ":" + (from.array < 0 ? "" : v.name(from));
  pen.hit({HitRegion::other, box, from.array, cell, carries(v, a), numbered(names, name)});
}

/// Below the pills stands only what was picked up there.
void draw_picked_values(Pen& pen, const Theme& t, const StepView& v, const std::vector<ReadArrow>& arrows,
                        float lowest, OccupiedBoxes& occupied, HitNames& names) {
  for (const ReadArrow& a : arrows) {
    const auto& p = a.path.p;
    const float size = t.label(), w = pen.width(a.value.words, size, Font::mono_bold), h = size * 1.1f;
    const Box box{(p[0].x + p[3].x) / 2 - w / 2, p[0].y + t.px(2), w, h};
    if (a.value.words.empty() || box.bottom() > lowest || !occupied.is_free(box)) continue;
    pen.text(box.centre(), a.value.words, size, value_colour(t, v, *a.of), Font::mono_bold, Align::centre);
    occupied.boxes.push_back(box);
    value_hit(pen, v, a, box, names);
  }
}

/// Those that find a place. Returns which arrows' they are.
std::vector<size_t> draw_values(Pen& pen, const Theme& t, const StepView& v,
                                const std::vector<ReadArrow>& arrows, const ArrowZone& zone,
                                bool followed_only, OccupiedBoxes& occupied, HitNames& names) {
  std::vector<CarriedValue> values;
  for (const ReadArrow& a : arrows)
    values.push_back({a.path, a.curved, a.of->focus, a.value.words, value_colour(t, v, *a.of)});
  const std::vector<PlacedTag> tags = placed_tags(pen, t, values, zone, followed_only, occupied);
  draw_tags(pen, t, values, tags);
  std::vector<size_t> drawn;
  for (const PlacedTag& tag : tags) {
    value_hit(pen, v, arrows[tag.value], tag.box, names);
    drawn.push_back(tag.value);
  }
  return drawn;
}

/// The value that was written within the step, as captions explain it: the followed thread's, else the first
/// of those drawn.
void mark_meanwhile(MoveMarks& marks, const std::vector<ReadArrow>& arrows,
                    const std::vector<size_t>& drawn) {
  for (const size_t k : drawn) {
    const MoveInput& in = arrows[k].value;
    if (!in.meanwhile || (!marks.words.empty() && !arrows[k].of->focus)) continue;
    marks.words = in.words;
    marks.writer = in.writer;
  }
}

}  // namespace

MoveMarks draw_arrows(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                      const StepStates& states, const CellRow& row, const MovePills& pills,
                      const ArrowZone& zone, OccupiedBoxes& occupied) {
  const std::vector<PlacedPill> placed = placed_pills(pen, t, grid, v, row, pills, zone);
  // pills take their places before anything is written beside them
  for (const PlacedPill& p : placed)
    if (!p.dot) occupied.boxes.push_back(p.box);
  ArrowMotion motion(v);
  ReadArrows reads(pen, t, v, states, row, zone, placed, occupied);
  for (const PlacedPill& p : placed) {
    const float share = strength(v, p.of->of, pills.family);
    if (motion.started) reads.draw(p, mix(t.read, t.panel, share));
    draw_write(pen, t, grid.width, v, states, p, mix(t.write, t.panel, share), zone, motion);
    if (p.dot) pen.rect(p.box, mix(t.thread, t.panel, 0.6f), 0, 1, t.px(2.5f));
  }
  HitNames names;
  for (const PlacedPill& p : placed)
    if (!p.dot) draw_pill_with_hit(pen, t, v, p, pills.tight, names);
  MoveMarks marks{.boxed = reads.boxed(), .picked = !reads.from_pills().empty()};
  // values ride on the arrows: travelling copies while the phase runs, tags when it has landed
  if (motion.moving && motion.reading < 1) {
    draw_travelling(pen, t, grid.width, reads, motion);
  } else {
    draw_picked_values(pen, t, v, reads.from_pills(), zone.after_top, occupied, names);
    mark_meanwhile(marks, reads.from_cells(),
                   draw_values(pen, t, v, reads.from_cells(), zone, pills.family, occupied, names));
  }
  return marks;
}

}  // namespace bscope
