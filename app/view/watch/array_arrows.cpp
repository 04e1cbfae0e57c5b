#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/view/watch/array_parts.hpp"
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
    return;
  }
}

void carried(Scene& v, Point at, const std::string& words, Colour fill) {
  const float size = v.label_size(), w = v.pen.width(words, size, Font::mono_bold) + v.px(8),
              h = size + v.px(6);
  const Box box{std::clamp(at.x - w / 2, 0.0f, v.picture.width - w), at.y - h / 2, w, h};
  v.pen.rect(box, fill, 0, 1, v.px(4));
  v.pen.text(box.centre(), words, size, v.theme.on(fill), Font::mono_bold, Align::centre);
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
  for (const Place p : d.move->arrow.from) {
    const int cell = p.index - v.from.first;
    if (!read_now(v, *d.move, p)) continue;
    const bool in_picture = p.array == v.from.array && row.has(cell);
    if (!in_picture && p == d.move->arrow.to) continue;
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
    v.pen.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0, fill, v.px(1.5f),
               radius + out);
  }
  v.pen.text(box.centre(), pill_text(v, d), v.label_size(), d.move->held ? fill : v.theme.on(fill),
             Font::mono_bold, Align::centre);
  const int rank = d.move->arrow.thread % v.threads;
  const int line = d.move->arrow.line;
  std::string tip = d.move->held ? say("Thread {}, line {}: reads {} into a register.", rank, line,
                                       v.name(d.move->arrow.from[0]))
                                 : say("Thread {}, line {}: {} into {}.", rank, line, said(d.move->arrow.op),
                                       v.name(d.move->arrow.to));
  if (d.times > 1) tip += say(" {} threads write this cell in this step.", d.times);
  std::string name = "pill:" + std::to_string(rank) + (d.move->held ? ":read" : ":" + std::to_string(d.to));
  // a thread that reads several cells has several pills
  if (const int number = v.pills[name]++) name += ":" + std::to_string(number);
  v.pen.hit({Hit::thread, box, rank, 0, tip, name});
}

}  // namespace

// Do pills side by side in their lanes leave each other room?
bool pills_fit(const Scene& v, const CellRow& row, const std::vector<Drawn>& shown,
               const std::vector<int>& lane) {
  std::vector<std::pair<int, Box>> spans;
  for (size_t k = 0; k < shown.size(); ++k) {
    const float w = pill_width(v, shown[k]);
    spans.push_back({std::min(lane[k], most_lanes - 1), {row.x_of(shown[k].to) - w / 2, 0, w, 1}});
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

void draw_arrows(Scene& v, const CellRow& row, const std::vector<Drawn>& shown, const std::vector<int>& lane,
                 const ArrowZone& zone, bool family) {
  constexpr int most_travelling = 32;
  const float before_bottom = zone.before_bottom, open_y = zone.open_y, close_y = zone.close_y,
              after_top = zone.after_top, pill_h = zone.pill_h;
  const std::vector<float>& lane_y = zone.lane_y;
  const float reading = ease_in_out(progress(v.cursor.phase, 60, 280));
  const float writing = ease_out(progress(v.cursor.phase, 340, 420));
  const bool started = v.cursor.phase * 600 >= 60, moving = v.cursor.phase < 1;
  std::vector<Line> reads;
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
    const float x = row.x_of(d.to), y = lane_y[size_t(std::min<int>(lane[k], int(lane_y.size()) - 1))];
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
    const float x = row.x_of(d.to), y = pill.centre().y;
    const float thick = dot ? v.px(1) : v.px(2);
    const Colour read = mix(v.theme.read, v.theme.panel, strength(d));
    const Colour write = mix(v.theme.write, v.theme.panel, strength(d));
    for (const Input& in :
         started ? dot ? cells_of(v, row, d) : inputs_of(v, row, d) : std::vector<Input>{}) {
      if (in.in_register) {
        if (!dot) kept_in_register(v, before_bottom, pill, in.words, read);
        continue;
      }
      if (in.cell < 0) {
        // from an array or a cell that is not in this picture: it comes from above
        v.pen.line({x, open_y + v.px(4)}, {x, pill.y - v.px(1)}, read, thick);
        if (dot) continue;
        v.pen.arrow_head({x, pill.y}, {0, 1}, v.px(8), read);
        reads.push_back({{{x, open_y}, {x, open_y}, {x, pill.y}, {x, pill.y}}, false, d.focus, in, &d});
        continue;
      }
      const float sx = row.x_of(in.cell);
      // what was written meanwhile does not come from the row before
      const float start_y = in.meanwhile ? open_y + v.px(2) : before_bottom;
      const bool down = std::fabs(sx - x) < 1;
      if (down) {
        v.pen.line({x, start_y}, {x, pill.y - v.px(dot ? 0 : 6)}, read, thick);
        if (!dot) v.pen.arrow_head({x, pill.y}, {0, 1}, v.px(9), read);
        reads.push_back({{{x, start_y}, {x, start_y}, {x, pill.y}, {x, pill.y}}, false, d.focus, in, &d});
      } else if (dot) {
        v.pen.line({sx, start_y}, {x, y}, read, thick);
      } else {
        const bool leftwards = sx > x;
        // a copy leaves beside the add that goes straight down from the same cell
        const float start = leftwards ? sx - std::min(v.px(11), row.pitch * 0.24f) : sx;
        const float end = leftwards ? pill.right() : pill.x;
        const float span = end - start;
        const Point p[4] = {{start, start_y}, {start, y}, {start + span * 0.3f, y}, {end, y}};
        v.pen.curve(p[0], p[1], p[2], {end - (leftwards ? -v.px(6) : v.px(6)), y}, read, thick);
        v.pen.arrow_head({end, y}, {leftwards ? -1.0f : 1.0f, 0}, v.px(9), read);
        reads.push_back({{p[0], p[1], p[2], p[3]}, true, d.focus, in, &d});
      }
      if (in.meanwhile && !dot)
        v.pen.rect({sx - v.px(2.5f), start_y - v.px(2.5f), v.px(5), v.px(5)}, read, 0, 1, v.px(2.5f));
    }
    // the write: straight down, through the barrier
    if (!d.move->held && (writing > 0 || !moving)) {
      const float from_y = pill.bottom();
      const float tip = moving && !v.landed ? from_y + (close_y - v.px(4) - from_y) * writing : after_top;
      v.pen.line({x, from_y}, {x, tip - (dot || (moving && !v.landed) ? 0 : v.px(6))}, write, thick);
      if (!dot && !(moving && !v.landed)) v.pen.arrow_head({x, tip}, {0, 1}, v.px(9), write);
      if (!dot && moving && !v.landed && travelling < most_travelling) {
        ++travelling;
        carried(v, {x, tip - v.label_size() * 0.7f}, value_left(v, d), v.theme.write);
      }
    }
    if (dot) v.pen.rect(pill, mix(v.theme.thread, v.theme.panel, 0.6f), 0, 1, v.px(2.5f));
  }
  for (const auto& [box, d] : pills) draw_pill(v, box, *d);

  // values ride on the arrows: travelling copies while the phase runs, tags when it has landed
  if (moving && reading < 1) {
    for (const Line& l : reads)
      if (!l.value.words.empty() && travelling++ < most_travelling)
        carried(v, on_curve(l.p, reading), l.value.words, v.theme.read);
  } else {
    std::vector<CarriedValue> values;
    for (const Line& l : reads)
      values.push_back({{l.p[0], l.p[1], l.p[2], l.p[3]}, l.curved, l.focus, l.value.words});
    for (const auto& [k, box] : draw_tags(v, values, family, open_y, close_y)) value_hit(v, reads[k], box);
  }
}

}  // namespace bscope
