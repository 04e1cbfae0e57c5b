#include <algorithm>
#include <cmath>
#include <map>

#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"
#include "engine/trace/places.hpp"

namespace bscope {
std::string pill_text(const Scene& v, const Drawn& d) {
  if (is_between_launches(v.model.trace().launches[size_t(v.block.launch)])) return sign(d.move->arrow.op);
  std::string thread = "t" + std::to_string(d.move->arrow.thread % v.threads);
  if (d.move->held) return thread;
  return (d.times > 1 ? std::to_string(d.times) + "x" : thread) + (v.tight ? "" : " ") +
         sign(d.move->arrow.op);
}

std::string named_thread(const Scene& v, int rank) {
  return rank_text(v.model.trace().launches[size_t(v.block.launch)], rank);
}

namespace {

float pill_width(const Scene& v, const Drawn& d) {
  return v.pen.width(pill_text(v, d), v.label_size(), Font::mono_bold) + v.px(v.tight ? 8 : 12);
}

// The node of a move's store or atomic: what happened there.
const Node& node(const Scene& v, const Move& m) { return v.model.flow().nodes[size_t(m.arrow.node)]; }

void kept_in_register(Scene& v, float top, const Box& pill, const std::string& words, Colour colour) {
  if (words.empty()) return;
  const float size = v.label_size(), w = v.pen.width(words, size, Font::mono_bold) + v.px(8),
              h = size + v.px(5);
  const Box places[] = {{pill.centre().x - w - v.px(5), pill.y - h - v.px(6), w, h},
                        {pill.x - w - v.px(7), pill.centre().y - h / 2, w, h},
                        {pill.right() + v.px(7), pill.centre().y - h / 2, w, h}};
  for (const Box& box : places) {
    if (!is_free(v, box) || box.y < top) continue;
    v.pen.rect(box, v.theme.panel, colour, v.px(1.5f), v.px(4));
    v.pen.text(box.centre(), words, size, v.theme.read, Font::mono_bold, Align::centre);
    v.occupied.push_back(box);
    v.marks.boxed = true;
    return;
  }
}

/// A value on its way as a line of the picture.
struct ArrowLine {
  Point p[4];
  bool curved, focus;
  Input value;
  const Drawn* of;
};

std::string carries(const Scene& v, const ArrowLine& l) {
  const std::string thread = named_thread(v, l.of->move->arrow.thread % v.threads);
  if (l.of->times > 1) return tr("{} found {} in it at first.", v.name(l.of->move->arrow.to), l.value.words);
  return l.value.place.array < 0
             ? tr("Thread {} takes {}.", thread, l.value.words)
             : tr("Thread {} reads {} = {}.", thread, v.name(l.value.place), l.value.words);
}

/// The hover text of a value on an arrow, and the cell that a click goes to.
void value_hit(Scene& v, const ArrowLine& line, const Box& box) {
  const CellRef from = line.value.place;
  std::string name = "carries:" + std::to_string(line.of->move->arrow.thread % v.threads) + ":" +
                     std::to_string(line.of->to) + ":" + (from.array < 0 ? "" : v.name(from));
  if (const int number = v.pills[name]++) name += ":" + std::to_string(number);
  v.pen.hit({HitRegion::other, box, from.array, line.value.cell < 0 || line.value.meanwhile ? -1 : from.index,
             carries(v, line), name});
}

/// Of a dot only where its lines begin matters.
std::vector<Input> cells_of(const Scene& v, const CellRow& row, const Drawn& d) {
  std::vector<Input> out;
  const Move& m = *d.move;
  for (size_t k = 0; k < m.arrow.from.size(); ++k) {
    const CellRef p = m.arrow.from[k];
    const int cell = p.index - v.from.first;
    if (!read_now(v, m, p)) continue;
    const bool shown = p.array == v.from.array && row.has(cell);
    if (!shown && p == m.arrow.to) continue;
    const bool in_picture =
        shown && (d.times > 1 || k >= m.arrow.loads.size() || written_meanwhile(v, m, k).empty());
    out.push_back({p, {}, in_picture ? cell : -1, false, false});
  }
  return out;
}

/// What the cell holds when all that the pill stands for have written.
std::string value_left(const Scene& v, const Drawn& d) {
  const CellRef to = d.move->arrow.to;
  if (d.times > 1 && to.index < v.after->size() && v.after->is_known(to.index))
    return value_text(*v.after, to.index);
  return value_written(v, *d.move);
}

void draw_pill(Scene& v, const Box& box, const Drawn& d) {
  const bool atomic = !d.move->held && is_atomic(node(v, *d.move).op);
  const Colour fill = atomic ? v.theme.atomic : v.theme.thread;
  const float radius = box.h / 2;
  if (d.move->held)
    v.pen.rect(box, v.theme.panel, fill, v.px(2), radius);
  else
    v.pen.rect(box, fill, 0, 1, radius);
  const float lit = progress(v.cursor.phase, 280, 340);
  if (d.focus && v.cursor.phase < 1 && lit > 0 && lit < 1) {
    const float out = v.px(4) * lit;
    v.pen.rect(grown(box, out), 0, fill, v.px(1.5f), radius + out);
  }
  v.pen.text(box.centre(), pill_text(v, d), v.label_size(), d.move->held ? fill : v.theme.on(fill),
             Font::mono_bold, Align::centre);
  const int rank = d.move->arrow.thread % v.threads;
  const int line = d.move->arrow.line;
  const std::string thread = named_thread(v, rank);
  std::string tip = d.move->held ? tr("Thread {}, line {}: reads {} into a register.", thread, line,
                                      v.name(d.move->arrow.from[0]))
                                 : tr("Thread {}, line {}: {} into {}.", thread, line, tr(d.move->arrow.op),
                                      v.name(d.move->arrow.to));
  if (d.times > 1) tip += tr(" {} writes to this cell in this step.", d.times);
  std::string name = "pill:" + std::to_string(rank) + (d.move->held ? ":read" : ":" + std::to_string(d.to));
  // a thread that reads several cells has several pills
  if (const int number = v.pills[name]++) name += ":" + std::to_string(number);
  v.pen.hit({HitRegion::thread, box, rank, 0, tip, name});
}

/// Whether a curve runs behind the box.
bool crosses(const Point (&p)[4], const Box& box) {
  constexpr int parts = 48;
  const Box inside{box.x + 1, box.y + 1, box.w - 2, box.h - 2};
  for (int k = 0; k <= parts; ++k)
    if (inside.contains(on_curve(p, float(k) / parts))) return true;
  return false;
}

struct ArrowPath {
  Point p[4];
};
/// Straight from one point to another, as a curve.
ArrowPath straight_way(Point a, Point b) {
  return {
      {a, {a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3}, {b.x - (b.x - a.x) / 3, b.y - (b.y - a.y) / 3}, b}};
}

/// How a value comes from its cell to a pill: from above, so that no other pill lies on the way and none
/// seems to pass it on; where one does, to the pill's side.
ArrowPath way_to_pill(const Scene& v, Point from, const Box& pill,
                      const std::vector<std::pair<Box, const Drawn*>>& pills) {
  const float x = pill.centre().x, port = std::min(pill.w * 0.28f, v.px(14));
  const bool from_left = from.x < x;
  const bool down = std::fabs(from.x - x) < 1;
  const ArrowPath ways[] = {straight_way(from, {down        ? x
                                                : from_left ? x - port
                                                            : x + port,
                                                pill.y}),
                            straight_way(from, {from_left ? x - pill.w * 0.4f : x + pill.w * 0.4f, pill.y}),
                            straight_way(from, {from_left ? pill.x : pill.right(), pill.centre().y})};
  for (const ArrowPath& way : ways)
    if (std::none_of(pills.begin(), pills.end(),
                     [&](const auto& other) { return crosses(way.p, other.first); }))
      return way;
  return ways[0];
}

void draw_way(Scene& v, const ArrowPath& way, Colour colour, float thick) {
  const auto& p = way.p;
  const Point d{p[3].x - p[2].x, p[3].y - p[2].y};
  const float length = std::max(0.01f, std::hypot(d.x, d.y)), back = v.px(6);
  const Point end{p[3].x - d.x / length * back, p[3].y - d.y / length * back};
  const bool straight =
      std::fabs((p[1].x - p[0].x) * (p[3].y - p[0].y) - (p[1].y - p[0].y) * (p[3].x - p[0].x)) < 1;
  if (straight)
    v.pen.line(p[0], end, colour, thick);
  else
    v.pen.curve(p[0], p[1], p[2], end, colour, thick);
  v.pen.arrow_head(p[3], {d.x / length, d.y / length}, v.px(9), colour);
}

}  // namespace

std::vector<Seat> seats(const Scene& v, const CellRow& row, std::vector<Drawn>& shown, bool stack) {
  std::map<int, std::vector<size_t>> columns;
  for (size_t k = 0; k < shown.size(); ++k) columns[shown[k].to].push_back(k);
  std::vector<Seat> out(shown.size());
  std::vector<bool> gone(shown.size());
  for (const auto& [cell, all] : columns) {
    if (all.size() < 2) continue;
    float width = v.px(4) * float(all.size() - 1), widest = 0;
    for (const size_t k : all)
      width += pill_width(v, shown[k]), widest = std::max(widest, pill_width(v, shown[k]));
    if (width <= row.pitch - v.px(2)) {
      float x = -width / 2;
      for (const size_t k : all) {
        const float w = pill_width(v, shown[k]);
        out[k].dx = x + w / 2;
        x += w + v.px(4);
      }
    } else if (stack) {
      // each a little aside, so that what goes to and comes from one passes the others
      for (size_t j = 0; j < all.size(); ++j)
        out[all[j]] = {int(j), (j % 2 ? 1.0f : -1.0f) * (widest * 0.12f + v.px(2)), true};
    } else {
      // the followed thread's pill stands for the others, or that of the last write
      size_t best = all.back();
      int times = 0;
      for (const size_t k : all) {
        times += shown[k].move->held ? 0 : shown[k].times;
        if (!shown[k].move->held && (shown[best].move->held || shown[k].focus)) best = k;
      }
      for (const size_t k : all) gone[k] = k != best;
      shown[best].times = std::max(1, times);
    }
  }
  size_t kept = 0;
  for (size_t k = 0; k < shown.size(); ++k)
    if (!gone[k]) {
      shown[kept] = shown[k];
      out[kept++] = out[k];
    }
  shown.resize(kept);
  out.resize(kept);
  return out;
}

// Whether pills side by side in their lanes leave each other room.
bool pills_fit(const Scene& v, const CellRow& row, const std::vector<Drawn>& shown,
               const std::vector<Seat>& seat) {
  std::vector<std::pair<int, Box>> spans;
  for (size_t k = 0; k < shown.size(); ++k) {
    const float w = pill_width(v, shown[k]);
    spans.push_back(
        {std::min(seat[k].lane, most_lanes - 1), {row.x_of(shown[k].to) + seat[k].dx - w / 2, 0, w, 1}});
  }
  std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.x < b.second.x;
  });
  for (size_t k = 1; k < spans.size(); ++k)
    if (spans[k].first == spans[k - 1].first && spans[k].second.x < spans[k - 1].second.right() + v.px(1))
      return false;
  return true;
}

bool is_drawn(const Drawn& d, size_t k, size_t of) {
  const size_t every = of > 256 ? of : of > 32 ? 8 : 1;
  return d.focus || k % every == 0;
}

namespace {

/// What runs between the cells before and after: from cells into pills, from pills down through the barrier.
class Arrows {
 public:
  Arrows(Scene& v, const CellRow& row, const ArrowZone& zone, bool family)
      : v_(v), row_(row), zone_(zone), family_(family) {}

  void draw(const std::vector<Drawn>& shown, const std::vector<Seat>& seats) {
    place(shown, seats);
    for (const Placed& p : all_) {
      const float thick = v_.px(p.dot ? 1 : 2);
      if (started_) p.dot ? draw_reads_of_dot(p, thick) : draw_reads_of_pill(p, thick);
      draw_write(p, thick);
      if (p.dot) v_.pen.rect(p.box, mix(v_.theme.thread, v_.theme.panel, 0.6f), 0, 1, v_.px(2.5f));
    }
    for (const auto& [box, d] : pills_) draw_pill(v_, box, *d);
    // values ride on the arrows: travelling copies while the phase runs, tags when it has landed
    if (moving_ && reading_ < 1)
      draw_travelling();
    else
      draw_landed();
  }

 private:
  /// A move, and where its pill stands.
  struct Placed {
    const Drawn* of;
    Seat seat;
    float x;  ///< of its column's middle, aside as its seat is
    Box box;
    bool dot;  ///< too many, or it would cover another: a point without words
  };

  /// Pills take their places before anything is written beside them.
  void place(const std::vector<Drawn>& shown, const std::vector<Seat>& seats) {
    for (size_t k = 0; k < shown.size(); ++k)
      if (is_drawn(shown[k], k, shown.size()))
        all_.push_back({&shown[k], seats[k], row_.x_of(shown[k].to) + seats[k].dx, {}, false});
    // the followed thread's arrows lie on top
    std::ranges::stable_sort(all_, {}, [](const Placed& p) { return p.of->focus; });
    for (Placed& p : all_) {
      p.box = box_of(p, pill_width(v_, *p.of), zone_.pill_h);
      p.dot = (family_ && !p.of->focus) || covers_a_pill(p.box);
      if (p.dot) {
        p.box = box_of(p, v_.px(5), v_.px(5));
        continue;
      }
      pills_.emplace_back(p.box, p.of);
      v_.occupied.push_back(p.box);
    }
  }
  /// At the edge of a narrow column it leans inwards.
  Box box_of(const Placed& p, float w, float h) const {
    const float y = zone_.lane_y[size_t(std::min<int>(p.seat.lane, int(zone_.lane_y.size()) - 1))];
    return {std::clamp(p.x - w / 2, v_.columns.left - v_.px(8), v_.picture.width - w - v_.px(4)), y - h / 2,
            w, h};
  }
  bool covers_a_pill(const Box& box) const {
    return std::ranges::any_of(pills_, [&](const auto& pill) { return overlap(pill.first, box); });
  }

  float strength(const Drawn& d) const { return d.focus || v_.followed < 0 ? 1.0f : family_ ? 0.35f : 0.55f; }
  Colour read_colour(const Drawn& d) const { return mix(v_.theme.read, v_.theme.panel, strength(d)); }
  /// What comes straight down and goes on passes the pills above and below.
  static float port_of(const Placed& p) {
    return p.x + (!p.seat.stacked ? 0 : p.seat.dx < 0 ? -0.36f : 0.36f) * p.box.w;
  }

  void draw_reads_of_dot(const Placed& p, float thick) {
    const float y = p.box.centre().y;
    for (const Input& in : cells_of(v_, row_, *p.of)) {
      // from elsewhere: a stub that begins at no cell
      const Point from = in.cell < 0 ? Point{p.x, std::max(zone_.open_y + v_.px(4), y - v_.px(10))}
                                     : Point{row_.x_of(in.cell), zone_.before_bottom};
      v_.pen.line(from, {p.x, y}, read_colour(*p.of), thick);
    }
  }

  void draw_reads_of_pill(const Placed& p, float thick) {
    int elsewhere = 0;
    for (const Input& in : inputs_of(v_, row_, *p.of)) {
      if (in.in_register)
        kept_in_register(v_, zone_.before_bottom, p.box, in.words, read_colour(*p.of));
      else if (in.cell >= 0 && !in.meanwhile)
        draw_from_cell(p, in, thick);
      else if (!draw_from_pill(p, in, thick))
        draw_from_elsewhere(p, in, elsewhere++ ? 1.0f : -1.0f, thick);
    }
  }
  void draw_from_cell(const Placed& p, const Input& in, float thick) {
    const float x = row_.x_of(in.cell), port = port_of(p);
    // straight down, also where two pills share the column
    const bool down = in.cell == p.of->to && std::fabs(x - p.x) < row_.cell_w / 2;
    const ArrowPath way = down ? straight_way({port, zone_.before_bottom}, {port, p.box.y})
                               : way_to_pill(v_, {x, zone_.before_bottom}, p.box, pills_);
    draw_way(v_, way, read_colour(*p.of), thick);
    reads_.push_back(line(way, !down, in, *p.of));
  }
  /// What another pill of the picture wrote in this step is taken from that pill's own arrow. False: none
  /// did, or there is no room.
  bool draw_from_pill(const Placed& p, const Input& in, float thick) {
    if (!in.meanwhile) return false;
    const auto writer = std::ranges::find_if(pills_, [&](const auto& pill) {
      const Drawn& other = *pill.second;
      return &other != p.of && !other.move->held &&
             (other.move->arrow.node == in.writer || (other.times > 1 && other.to == in.cell));
    });
    const float bottom = p.box.bottom(), below = std::min(v_.px(9), (zone_.close_y - bottom) * 0.6f);
    if (writer == pills_.end() || below <= v_.px(3) || writer->first.y != p.box.y) return false;
    const float from = writer->first.centre().x, to = p.x + (from < p.x ? -0.28f : 0.28f) * p.box.w;
    const ArrowPath way{
        {{from, bottom + below}, {(from + to) / 2, bottom + below}, {to, bottom + below}, {to, bottom}}};
    const Colour colour = read_colour(*p.of);
    v_.pen.curve(way.p[0], way.p[1], way.p[2], {to, bottom + v_.px(4)}, colour, thick);
    v_.pen.arrow_head(way.p[3], {0, -1}, v_.px(7), colour);
    v_.pen.disc(way.p[0], v_.px(3), colour);
    v_.marks.picked = true;
    Input value = in;  // who wrote it is to be seen
    if (const size_t colon = value.words.find(": "); colon != std::string::npos)
      value.words.erase(0, colon + 2);
    picked_.push_back(line(way, true, std::move(value), *p.of));
    return true;
  }
  /// From an array or a cell that is not in this picture, or made meanwhile: a ring is its beginning.
  void draw_from_elsewhere(const Placed& p, const Input& in, float side, float thick) {
    const Box& pill = p.box;
    const float y = pill.centre().y, edge = side < 0 ? pill.x : pill.right();
    const auto ring = [&](Point at) { return Box{at.x - v_.px(4), at.y - v_.px(4), v_.px(8), v_.px(8)}; };
    Point from{pill.centre().x + side * std::min(v_.px(15), row_.pitch * 0.3f),
               std::max(zone_.open_y + v_.px(4), pill.y - v_.px(16))};
    Point to{pill.centre().x + side * std::min(pill.w * 0.2f, v_.px(8)), pill.y};
    if (from.y + v_.px(5) > pill.y || covers_a_pill(ring(from))) {
      from = {edge + side * v_.px(15), y};
      to = {edge, y};
    }
    const ArrowPath way = straight_way(from, to);
    draw_way(v_, way, read_colour(*p.of), thick);
    v_.pen.disc(from, v_.px(3.5f), v_.theme.panel, read_colour(*p.of), v_.px(1.5f));
    v_.occupied.push_back(ring(from));
    reads_.push_back(line(way, false, in, *p.of));
  }

  /// Straight down, through the barrier.
  void draw_write(const Placed& p, float thick) {
    if (p.of->move->held || (writing_ <= 0 && moving_)) return;
    const Colour colour = mix(v_.theme.write, v_.theme.panel, strength(*p.of));
    const bool under_way = moving_ && !v_.landed;
    const float x = port_of(p), top = p.box.bottom();
    const float tip = under_way ? top + (zone_.close_y - v_.px(4) - top) * writing_ : zone_.after_top;
    v_.pen.line({x, top}, {x, tip - (p.dot || under_way ? 0 : v_.px(6))}, colour, thick);
    if (p.dot) return;
    if (!under_way) return v_.pen.arrow_head({x, tip}, {0, 1}, v_.px(9), colour);
    if (travelling_++ < most_travelling)
      draw_chip(v_, {x, tip - v_.label_size() * 0.7f}, value_left(v_, *p.of), v_.theme.write);
  }

  void draw_travelling() {
    for (const std::vector<ArrowLine>* lines : {&reads_, &picked_})
      for (const ArrowLine& l : *lines)
        if (!l.value.words.empty() && travelling_++ < most_travelling)
          draw_chip(v_, on_curve(l.p, reading_), l.value.words, v_.theme.read);
  }
  void draw_landed() {
    for (const ArrowLine& l : picked_) draw_picked(l);
    std::vector<CarriedValue> values;
    for (const ArrowLine& l : reads_)
      values.push_back({{l.p[0], l.p[1], l.p[2], l.p[3]}, l.curved, l.focus, l.value.words});
    for (const auto& [k, box] : draw_tags(v_, values, family_, zone_.open_y, zone_.close_y)) {
      value_hit(v_, reads_[k], box);
      const Input& in = reads_[k].value;
      if (in.meanwhile && (v_.marks.words.empty() || reads_[k].focus)) {
        v_.marks.words = in.words;
        v_.marks.by = in.words.substr(0, in.words.find(':'));
      }
    }
  }
  /// Below the pills stands only what was picked up there.
  void draw_picked(const ArrowLine& l) {
    const float size = v_.label_size(), w = v_.pen.width(l.value.words, size, Font::mono_bold),
                h = size * 1.1f;
    const Box box{(l.p[0].x + l.p[3].x) / 2 - w / 2, l.p[0].y + v_.px(2), w, h};
    if (l.value.words.empty() || box.bottom() > zone_.after_top || !is_free(v_, box)) return;
    v_.pen.text(box.centre(), l.value.words, size,
                l.focus || v_.followed < 0 ? v_.theme.read : faint(v_.theme.read, v_.theme.panel, 0.8f),
                Font::mono_bold, Align::centre);
    v_.occupied.push_back(box);
    value_hit(v_, l, box);
  }

  static ArrowLine line(const ArrowPath& way, bool curved, Input value, const Drawn& of) {
    return {{way.p[0], way.p[1], way.p[2], way.p[3]}, curved, of.focus, std::move(value), &of};
  }

  static constexpr int most_travelling = 32;
  Scene& v_;
  const CellRow& row_;
  const ArrowZone& zone_;
  bool family_;
  const float reading_ = ease_in_out(progress(v_.cursor.phase, reading_ms, 280)),
              writing_ = ease_out(progress(v_.cursor.phase, 340, 420));
  const bool started_ = v_.cursor.phase * step_ms >= reading_ms, moving_ = v_.cursor.phase < 1;
  std::vector<Placed> all_;
  std::vector<std::pair<Box, const Drawn*>> pills_;
  std::vector<ArrowLine> reads_, picked_;
  int travelling_ = 0;
};

}  // namespace

void draw_arrows(Scene& v, const CellRow& row, const std::vector<Drawn>& shown,
                 const std::vector<Seat>& seats, const ArrowZone& zone, bool family) {
  Arrows(v, row, zone, family).draw(shown, seats);
}

}  // namespace bscope
