#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {
std::string pill_text(const Scene& v, const Drawn& d) {
  std::string thread = "t" + std::to_string(d.move->arrow.thread % v.threads);
  if (d.move->held) return thread;
  return (d.times > 1 ? std::to_string(d.times) + "x" : thread) + (v.tight ? "" : " ") +
         sign(d.move->arrow.op);
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
struct Line {
  Point p[4];
  bool curved, focus;
  Input value;
  const Drawn* of;
};

std::string carries(const Scene& v, const Line& l) {
  const std::string thread = std::to_string(l.of->move->arrow.thread % v.threads);
  if (l.of->times > 1) return say("{} found {} in it at first.", v.name(l.of->move->arrow.to), l.value.words);
  return l.value.place.array < 0
             ? say("Thread {} takes {}.", thread, l.value.words)
             : say("Thread {} reads {} = {}.", thread, v.name(l.value.place), l.value.words);
}

/// What a told value says to the mouse, and the cell that a click goes to.
void value_hit(Scene& v, const Line& line, const Box& box) {
  const Place from = line.value.place;
  std::string name = "carries:" + std::to_string(line.of->move->arrow.thread % v.threads) + ":" +
                     std::to_string(line.of->to) + ":" + (from.array < 0 ? "" : v.name(from));
  if (const int number = v.pills[name]++) name += ":" + std::to_string(number);
  v.pen.hit({Hit::other, box, from.array, line.value.cell < 0 || line.value.meanwhile ? -1 : from.index,
             carries(v, line), name});
}

/// Of a dot only where its lines begin matters.
std::vector<Input> cells_of(const Scene& v, const CellRow& row, const Drawn& d) {
  std::vector<Input> out;
  const Move& m = *d.move;
  for (size_t k = 0; k < m.arrow.from.size(); ++k) {
    const Place p = m.arrow.from[k];
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
  const Place to = d.move->arrow.to;
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
  std::string tip = d.move->held ? say("Thread {}, line {}: reads {} into a register.", rank, line,
                                       v.name(d.move->arrow.from[0]))
                                 : say("Thread {}, line {}: {} into {}.", rank, line, said(d.move->arrow.op),
                                       v.name(d.move->arrow.to));
  if (d.times > 1) tip += say(" {} writes to this cell in this step.", d.times);
  std::string name = "pill:" + std::to_string(rank) + (d.move->held ? ":read" : ":" + std::to_string(d.to));
  // a thread that reads several cells has several pills
  if (const int number = v.pills[name]++) name += ":" + std::to_string(number);
  v.pen.hit({Hit::thread, box, rank, 0, tip, name});
}

/// Does a curve run behind the box?
bool crosses(const Point (&p)[4], const Box& box) {
  constexpr int parts = 48;
  const Box inside{box.x + 1, box.y + 1, box.w - 2, box.h - 2};
  for (int k = 0; k <= parts; ++k)
    if (inside.contains(on_curve(p, float(k) / parts))) return true;
  return false;
}

struct Way {
  Point p[4];
};
/// Straight from one point to another, as a curve.
Way straight_way(Point a, Point b) {
  return {
      {a, {a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3}, {b.x - (b.x - a.x) / 3, b.y - (b.y - a.y) / 3}, b}};
}

/// How a value comes from its cell to a pill: from above, so that no other pill lies on the way and none
/// seems to pass it on; where one does, to the pill's side.
Way way_to_pill(const Scene& v, Point from, const Box& pill,
                const std::vector<std::pair<Box, const Drawn*>>& pills) {
  const float x = pill.centre().x, port = std::min(pill.w * 0.28f, v.px(14));
  const bool from_left = from.x < x;
  const bool down = std::fabs(from.x - x) < 1;
  const Way ways[] = {straight_way(from, {down        ? x
                                          : from_left ? x - port
                                                      : x + port,
                                          pill.y}),
                      straight_way(from, {from_left ? x - pill.w * 0.4f : x + pill.w * 0.4f, pill.y}),
                      straight_way(from, {from_left ? pill.x : pill.right(), pill.centre().y})};
  for (const Way& way : ways)
    if (std::none_of(pills.begin(), pills.end(),
                     [&](const auto& other) { return crosses(way.p, other.first); }))
      return way;
  return ways[0];
}

void draw_way(Scene& v, const Way& way, Colour colour, float thick) {
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

// Do pills side by side in their lanes leave each other room?
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

void draw_arrows(Scene& v, const CellRow& row, const std::vector<Drawn>& shown, const std::vector<Seat>& seat,
                 const ArrowZone& zone, bool family) {
  constexpr int most_travelling = 32;
  const float before_bottom = zone.before_bottom, open_y = zone.open_y, close_y = zone.close_y,
              after_top = zone.after_top, pill_h = zone.pill_h;
  const std::vector<float>& lane_y = zone.lane_y;
  const float reading = ease_in_out(progress(v.cursor.phase, 60, 280));
  const float writing = ease_out(progress(v.cursor.phase, 340, 420));
  const bool started = v.cursor.phase * 600 >= 60, moving = v.cursor.phase < 1;
  std::vector<Line> reads, picked;
  std::vector<std::pair<Box, const Drawn*>> pills;
  int travelling = 0;

  const auto strength = [&](const Drawn& d) {
    return d.focus ? 1.0f : v.followed < 0 ? 1.0f : family ? 0.35f : 0.55f;
  };
  // families first, so that the followed thread's arrows lie on top
  std::vector<size_t> order;
  for (size_t k = 0; k < shown.size(); ++k)
    if (is_drawn(shown[k], k, shown.size())) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return shown[a].focus < shown[b].focus; });

  // Pills take their places before anything is written beside them. One that would cover another is a dot.
  std::map<size_t, Box> places;
  std::set<size_t> dots;
  for (size_t k : order) {
    const Drawn& d = shown[k];
    const float x = row.x_of(d.to) + seat[k].dx,
                y = lane_y[size_t(std::min<int>(seat[k].lane, int(lane_y.size()) - 1))];
    const auto place = [&](float w, float h) {
      // a pill at the edge of a narrow column leans inwards
      const float px0 = std::clamp(x - w / 2, v.columns.left - v.px(8), v.picture.width - w - v.px(4));
      return Box{px0, y - h / 2, w, h};
    };
    const Box pill = place(pill_width(v, d), pill_h);
    const bool covers = std::any_of(pills.begin(), pills.end(),
                                    [&](const auto& other) { return overlap(other.first, pill); });
    if ((family && !d.focus) || covers) {
      dots.insert(k);
      places[k] = place(v.px(5), v.px(5));
      continue;
    }
    places[k] = pill;
    pills.push_back({pill, &d});
    v.occupied.push_back(pill);
  }
  for (size_t k : order) {
    const Drawn& d = shown[k];
    const bool dot = dots.contains(k);
    const Box pill = places[k];
    const float x = row.x_of(d.to) + seat[k].dx, y = pill.centre().y;
    const float thick = dot ? v.px(1) : v.px(2);
    const Colour read = mix(v.theme.read, v.theme.panel, strength(d));
    const Colour write = mix(v.theme.write, v.theme.panel, strength(d));
    // what comes straight down and goes on passes the pills above and below
    const float port = x + (!seat[k].stacked ? 0 : seat[k].dx < 0 ? -0.36f : 0.36f) * pill.w;
    int beside = 0;  // values that come from no cell of the row before
    for (const Input& in :
         started ? dot ? cells_of(v, row, d) : inputs_of(v, row, d) : std::vector<Input>{}) {
      if (in.in_register) {
        if (!dot) kept_in_register(v, before_bottom, pill, in.words, read);
        continue;
      }
      if (dot) {
        // from elsewhere: a stub that begins at no cell
        if (in.cell < 0)
          v.pen.line({x, std::max(open_y + v.px(4), y - v.px(10))}, {x, y}, read, thick);
        else
          v.pen.line({row.x_of(in.cell), before_bottom}, {x, y}, read, thick);
        continue;
      }
      if (in.cell >= 0 && !in.meanwhile) {
        const float sx = row.x_of(in.cell);
        // straight down, also where two pills share the column
        const bool down = in.cell == d.to && std::fabs(sx - x) < row.cell_w / 2;
        const Way way = down ? straight_way({port, before_bottom}, {port, pill.y})
                             : way_to_pill(v, {sx, before_bottom}, pill, pills);
        draw_way(v, way, read, thick);
        reads.push_back({{way.p[0], way.p[1], way.p[2], way.p[3]}, !down, d.focus, in, &d});
        continue;
      }
      // what another pill of the picture wrote in this step is taken from that pill's own arrow
      const auto writer =
          in.meanwhile ? std::find_if(pills.begin(), pills.end(),
                                      [&](const auto& other) {
                                        return other.second != &d && !other.second->move->held &&
                                               (other.second->move->arrow.node == in.writer ||
                                                (other.second->times > 1 && other.second->to == in.cell));
                                      })
                       : pills.end();
      const float below = std::min(v.px(9), (close_y - pill.bottom()) * 0.6f);
      if (writer != pills.end() && below > v.px(3) && writer->first.y == pill.y) {
        const float wx = writer->first.centre().x, wy = pill.bottom() + below;
        const float ex = wx < x ? x - pill.w * 0.28f : x + pill.w * 0.28f;
        const Way way{{{wx, wy}, {(wx + ex) / 2, wy}, {ex, wy}, {ex, pill.bottom()}}};
        v.pen.curve(way.p[0], way.p[1], way.p[2], {ex, pill.bottom() + v.px(4)}, read, thick);
        v.pen.arrow_head(way.p[3], {0, -1}, v.px(7), read);
        v.pen.disc(way.p[0], v.px(3), read);
        v.marks.picked = true;
        Input value = in;  // who wrote it is to be seen
        if (const size_t colon = value.words.find(": "); colon != std::string::npos)
          value.words.erase(0, colon + 2);
        picked.push_back({{way.p[0], way.p[1], way.p[2], way.p[3]}, true, d.focus, value, &d});
        continue;
      }
      // from an array or a cell that is not in this picture, or made meanwhile: a ring is its beginning
      const float side = beside++ ? 1.0f : -1.0f;
      Point from{pill.centre().x + side * std::min(v.px(15), row.pitch * 0.3f),
                 std::max(open_y + v.px(4), pill.y - v.px(16))};
      const Box ring{from.x - v.px(4), from.y - v.px(4), v.px(8), v.px(8)};
      const bool taken =
          from.y + v.px(5) > pill.y ||
          std::any_of(pills.begin(), pills.end(), [&](const auto& o) { return overlap(o.first, ring); });
      if (taken) from = {side < 0 ? pill.x - v.px(15) : pill.right() + v.px(15), y};
      const Way way = straight_way(
          from, taken ? Point{side < 0 ? pill.x : pill.right(), y}
                      : Point{pill.centre().x + side * std::min(pill.w * 0.2f, v.px(8)), pill.y});
      draw_way(v, way, read, thick);
      v.pen.disc(from, v.px(3.5f), v.theme.panel, read, v.px(1.5f));
      v.occupied.push_back({from.x - v.px(4), from.y - v.px(4), v.px(8), v.px(8)});
      reads.push_back({{way.p[0], way.p[1], way.p[2], way.p[3]}, false, d.focus, in, &d});
    }
    // the write: straight down, through the barrier
    if (!d.move->held && (writing > 0 || !moving)) {
      const float from_y = pill.bottom();
      const float tip = moving && !v.landed ? from_y + (close_y - v.px(4) - from_y) * writing : after_top;
      v.pen.line({port, from_y}, {port, tip - (dot || (moving && !v.landed) ? 0 : v.px(6))}, write, thick);
      if (!dot && !(moving && !v.landed)) v.pen.arrow_head({port, tip}, {0, 1}, v.px(9), write);
      if (!dot && moving && !v.landed && travelling < most_travelling) {
        ++travelling;
        draw_chip(v, {port, tip - v.label_size() * 0.7f}, value_left(v, d), v.theme.write);
      }
    }
    if (dot) v.pen.rect(pill, mix(v.theme.thread, v.theme.panel, 0.6f), 0, 1, v.px(2.5f));
  }
  for (const auto& [box, d] : pills) draw_pill(v, box, *d);

  // values ride on the arrows: travelling copies while the phase runs, tags when it has landed
  if (moving && reading < 1) {
    for (const std::vector<Line>* lines : {&reads, &picked})
      for (const Line& l : *lines)
        if (!l.value.words.empty() && travelling++ < most_travelling)
          draw_chip(v, on_curve(l.p, reading), l.value.words, v.theme.read);
  } else {
    // below the pills only what was picked up there
    for (const Line& l : picked) {
      const float size = v.label_size(), w = v.pen.width(l.value.words, size, Font::mono_bold),
                  h = size * 1.1f;
      const float middle = (l.p[0].x + l.p[3].x) / 2, top = l.p[0].y + v.px(2);
      const Box box{middle - w / 2, top, w, h};
      if (l.value.words.empty() || top + h > zone.after_top || !is_free(v, box)) continue;
      v.pen.text(box.centre(), l.value.words, size,
                 l.focus || v.followed < 0 ? v.theme.read : faint(v.theme.read, v.theme.panel, 0.8f),
                 Font::mono_bold, Align::centre);
      v.occupied.push_back(box);
      value_hit(v, l, box);
    }
    std::vector<CarriedValue> values;
    for (const Line& l : reads)
      values.push_back({{l.p[0], l.p[1], l.p[2], l.p[3]}, l.curved, l.focus, l.value.words});
    for (const auto& [k, box] : draw_tags(v, values, family, open_y, close_y)) {
      value_hit(v, reads[k], box);
      const Input& in = reads[k].value;
      if (in.meanwhile && (v.marks.words.empty() || reads[k].focus)) {
        v.marks.words = in.words;
        v.marks.by = in.words.substr(0, in.words.find(':'));
      }
    }
  }
}

}  // namespace bscope
