#include "app/tabs/watch/array/read_arrows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/moves.hpp"
#include "app/tabs/watch/array/occupied.hpp"
#include "app/tabs/watch/array/pills.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "engine/analysis/block_steps.hpp"

namespace bscope {

ReadArrows::ReadArrows(Pen& pen, const Theme& t, const StepView& view, const StepStates& states,
                       const CellRow& row, const ArrowZone& zone, std::span<const PlacedPill> all,
                       OccupiedBoxes& occupied)
    : pen_(pen), t_(t), view_(view), states_(states), row_(row), zone_(zone), all_(all), occupied_(occupied) {
  for (const PlacedPill& p : all)
    if (!p.dot) pill_boxes_.push_back(p.box);
}

void ReadArrows::draw(const PlacedPill& p, Colour colour) {
  p.dot ? draw_into_dot(p, colour) : draw_into_pill(p, colour);
}

void ReadArrows::draw_into_dot(const PlacedPill& p, Colour colour) {
  const DrawnMove& d = p.of->of;
  const float y = p.box.centre().y;
  for (const MoveInput& in : input_places(view_, states_, row_, d)) {
    // from elsewhere: a stub that begins at no cell, with a ring where the legend may speak of it
    const Point from = in.cell < 0 ? Point{p.middle.x, std::max(zone_.open_y + t_.px(4), y - t_.px(10))}
                                   : Point{row_.x_of(in.cell), zone_.before_bottom};
    pen_.line(from, {p.middle.x, y}, colour, t_.px(1));
    if (d.focus && in.cell < 0) pen_.disc(from, t_.px(2.5f), t_.panel, colour, t_.px(1));
  }
}

void ReadArrows::draw_into_pill(const PlacedPill& p, Colour colour) {
  int elsewhere = 0;
  for (const MoveInput& in : inputs_of(view_, states_, row_, p.of->of)) {
    if (in.in_register)
      draw_register(p.box, in.words, colour);
    else if (in.cell >= 0 && !in.meanwhile)
      draw_from_cell(p, in, colour);
    else if (!draw_from_pill(p, in, colour))
      draw_from_elsewhere(p, in, elsewhere++ ? 1.0f : -1.0f, colour);
  }
}

/// A value that waits in a register: a box beside the pill, where there is room.
void ReadArrows::draw_register(const Box& pill, const std::string& words, Colour colour) {
  if (words.empty() || !zone_.boxes) return;
  const float size = t_.label(), w = pen_.width(words, size, Font::mono_bold) + t_.px(8), h = size + t_.px(5);
  const Box places[] = {{pill.centre().x - w - t_.px(5), pill.y - h - t_.px(6), w, h},
                        {pill.x - w - t_.px(7), pill.centre().y - h / 2, w, h},
                        {pill.right() + t_.px(7), pill.centre().y - h / 2, w, h}};
  for (const Box& box : places) {
    if (!occupied_.is_free(box) || box.y < zone_.before_bottom) continue;
    pen_.rect(box, t_.panel, colour, t_.px(1.5f), t_.px(4));
    pen_.text(box.centre(), words, size, t_.read, Font::mono_bold, Align::centre);
    occupied_.boxes.push_back(box);
    boxed_ = true;
    return;
  }
}

void ReadArrows::draw_from_cell(const PlacedPill& p, const MoveInput& in, Colour colour) {
  const DrawnMove& d = p.of->of;
  const float x = row_.x_of(in.cell), port = p.port();
  // straight down, also where two pills share the column
  const bool down = in.cell == d.to && std::fabs(x - p.middle.x) < row_.cell_w / 2;
  const ArrowPath path = down ? straight_path({port, zone_.before_bottom}, {port, p.box.y})
                              : path_to_pill(t_, {x, zone_.before_bottom}, p.box, pill_boxes_);
  draw_arrow(pen_, t_, path, colour, t_.px(2));
  MoveInput value = in;  // to read it from its cell is a part of a prediction
  if (view_.hides) value.words.clear();
  from_cells_.push_back({path, !down, std::move(value), &d});
}

/// What another pill of the picture wrote in this step is taken from that pill's own arrow. False: none
/// did, or there is no room.
bool ReadArrows::draw_from_pill(const PlacedPill& p, const MoveInput& in, Colour colour) {
  if (!in.meanwhile) return false;
  const DrawnMove& d = p.of->of;
  const auto writer = std::ranges::find_if(all_, [&](const PlacedPill& pill) {
    const DrawnMove& other = pill.of->of;
    return !pill.dot && &other != &d && !other.move->held &&
           (other.move->arrow.node == in.writer || (other.times > 1 && other.to == in.cell));
  });
  const float bottom = p.box.bottom(), below = std::min(t_.px(9), (zone_.close_y - bottom) * 0.6f);
  if (writer == all_.end() || below <= t_.px(3) || writer->box.y != p.box.y) return false;
  const float from = writer->box.centre().x, to = p.middle.x + (from < p.middle.x ? -0.28f : 0.28f) * p.box.w;
  const ArrowPath path{
      {{from, bottom + below}, {(from + to) / 2, bottom + below}, {to, bottom + below}, {to, bottom}}};
  pen_.curve(path.p[0], path.p[1], path.p[2], {to, bottom + t_.px(4)}, colour, t_.px(2));
  pen_.arrow_head(path.p[3], {0, -1}, t_.px(7), colour);
  pen_.disc(path.p[0], t_.px(3), colour);
  MoveInput value = in;  // which thread wrote it is to be seen
  if (const size_t colon = value.words.find(": "); colon != std::string::npos)
    value.words.erase(0, colon + 2);
  from_pills_.push_back({path, true, std::move(value), &d});
  return true;
}

/// From an array or a cell that is not in this picture, or made meanwhile: a ring is its beginning.
void ReadArrows::draw_from_elsewhere(const PlacedPill& p, const MoveInput& in, float side, Colour colour) {
  const Box& pill = p.box;
  const float y = pill.centre().y, edge = side < 0 ? pill.x : pill.right();
  const auto ring = [&](Point at) { return Box{at.x - t_.px(4), at.y - t_.px(4), t_.px(8), t_.px(8)}; };
  Point from{pill.centre().x + side * std::min(t_.px(15), row_.pitch * 0.3f),
             std::max(zone_.open_y + t_.px(4), pill.y - t_.px(16))};
  Point to{pill.centre().x + side * std::min(pill.w * 0.2f, t_.px(8)), pill.y};
  const Point beside{edge + side * t_.px(15), y};
  // above the pill a ring needs room for an arrow, and beside it, in a row of pills, for a gap
  const bool touches = from.y + t_.px(5) > pill.y, squeezed = from.y + t_.px(11) > pill.y;
  const bool roomy = row_.pitch >= pill.w + t_.px(24) && !covers_a_pill(ring(beside), all_);
  if (touches || covers_a_pill(ring(from), all_) || (squeezed && roomy)) {
    from = beside;
    to = {edge, y};
  }
  const ArrowPath path = straight_path(from, to);
  draw_arrow(pen_, t_, path, colour, t_.px(2));
  pen_.disc(from, t_.px(3.5f), t_.panel, colour, t_.px(1.5f));
  occupied_.boxes.push_back(ring(from));
  from_cells_.push_back({path, false, in, &p.of->of});
}

}  // namespace bscope
