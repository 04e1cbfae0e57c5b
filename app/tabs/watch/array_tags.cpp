// Values that ride on arrows: where each of them stands.
#include <algorithm>
#include <cmath>
#include <map>

#include "app/tabs/watch/array_parts.hpp"

namespace bscope {

Point on_curve(const Point (&p)[4], float t) {
  const float u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
          a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

void draw_chip(Scene& v, Point at, const std::string& words, Colour fill) {
  const float size = v.label_size(), w = v.pen.width(words, size, Font::mono_bold) + v.px(8),
              h = size + v.px(5);
  const Box box{std::clamp(at.x - w / 2, 0.0f, v.picture.width - w), at.y - h / 2, w, h};
  v.pen.rect(box, fill, 0, 1, v.px(4));
  v.pen.text(box.centre(), words, size, v.theme.on(fill), Font::mono_bold, Align::centre);
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool is_free(const Scene& v, const Box& box) {
  if (box.x < v.columns.left - v.px(20) || box.right() > v.picture.width - v.px(2)) return false;
  return std::none_of(v.occupied.begin(), v.occupied.end(), [&](const Box& o) { return overlap(o, box); });
}

namespace {

bool same_source(const CarriedValue& a, const CarriedValue& b) {
  return a.curved == b.curved && std::fabs(a.p[0].x - b.p[0].x) < 1 && a.words == b.words;
}

/// Whether the arrow runs through the box.
bool runs_through(const CarriedValue& l, const Box& box) {
  if (!l.curved) {
    const float top = std::min(l.p[0].y, l.p[3].y), bottom = std::max(l.p[0].y, l.p[3].y);
    return l.p[0].x > box.x && l.p[0].x < box.right() && top < box.bottom() && bottom > box.y;
  }
  constexpr int parts = 32;
  Point last = l.p[0];
  for (int k = 1; k <= parts; ++k) {
    const Point next = on_curve(l.p, float(k) / parts);
    if (overlap({std::min(last.x, next.x), std::min(last.y, next.y), std::fabs(next.x - last.x) + 0.1f,
                 std::fabs(next.y - last.y) + 0.1f},
                box))
      return true;
    last = next;
  }
  return false;
}

/// The values that arrows carry, each on an arrow that runs alone there: where many share a way, the values
/// stand where they have not met yet. What finds no such place is left out: its cell has it.
class Tags {
 public:
  Tags(Scene& scene, const std::vector<CarriedValue>& lines, float open_y, float close_y)
      : v(scene), lines_(lines), open_y_(open_y), close_y_(close_y) {
    size_ = v.label_size() + v.px(v.theme.projector() ? 0 : 1);
  }

  std::vector<std::pair<size_t, Box>> draw(bool followed_only) {
    // the followed thread's find room first
    for (const CarriedValue& l : lines_)
      if (l.focus) one(l);
    if (!followed_only) {
      straight();
      curved();
    }
    std::vector<std::pair<size_t, Box>> out;
    for (size_t k = 0; k < told_.size(); ++k) out.emplace_back(size_t(told_[k] - lines_.data()), taken_[k]);
    return out;
  }

 private:
  static constexpr float ways[] = {0.62f, 0.5f, 0.75f, 0.4f, 0.3f, 0.24f, 0.16f};

  Box on_way(const CarriedValue& l, float t) const {
    const Point at = on_curve(l.p, t);
    const float w = v.pen.width(l.words, size_, Font::mono_bold) + v.px(4), h = size_ * 1.2f;
    return {at.x - w / 2, at.y - h / 2, w, h};
  }
  /// Left (0) or right (1) of a straight arrow, or of a curve's part that goes down.
  Box beside(const CarriedValue& l, int side) const {
    const float w = v.pen.width(l.words, size_, Font::mono_bold) + v.px(4), h = size_ * 1.2f;
    const bool from_ring = !l.curved && std::fabs(l.p[0].x - l.p[3].x) > 1;
    float y = std::max(from_ring ? l.p[0].y : (open_y_ + l.p[3].y) / 2 - v.px(2), open_y_ + h * 0.6f);
    float middle = l.p[0].x, apart = v.px(5);
    if (l.curved) {
      // as far from a slanting line as it leans over the letters' height
      const Point at = on_curve(l.p, 0.5f);
      y = std::max(at.y, open_y_ + h * 0.6f);
      middle = at.x;
      apart += h / 2 * std::fabs(l.p[3].x - l.p[0].x) / std::max(1.0f, std::fabs(l.p[3].y - l.p[0].y));
    }
    // of a ring at its left, above it, or behind its arrow
    if (from_ring && side == 1)
      return {middle - w / 2, std::max(l.p[0].y - v.px(5) - h, open_y_ + v.px(1.5f)), w, h};
    if (from_ring && side == 2) return {l.p[3].x + v.px(7), y - h / 2, w, h};
    if (from_ring) apart = v.px(7);
    const float x = side == 0 ? middle - apart - w : middle + apart;
    return {x, y - h / 2, w, h};
  }
  /// `among`: also upon the barrier above.
  bool has_room(const Box& box, bool among = false) const {
    if (!is_free(v, box) || box.y < open_y_ + v.px(among ? -8 : 1) || box.bottom() > close_y_) return false;
    const float apart = size_ * 0.5f;
    const Box wide{box.x - apart, box.y, box.w + 2 * apart, box.h};
    return std::none_of(taken_.begin(), taken_.end(), [&](const Box& o) { return overlap(o, wide); });
  }
  /// `among`: of the followed thread's arrows only, the faint ones of others may run under it.
  bool alone(const CarriedValue& l, const Box& box, bool among = false) const {
    // the faint lines of others that say nothing may run under the followed thread's
    const Box letters{box.x, box.y + box.h * 0.2f, box.w, box.h * 0.6f};
    return std::none_of(lines_.begin(), lines_.end(), [&](const CarriedValue& o) {
      return !same_source(l, o) && !(l.focus && (among ? !o.focus : o.words.empty())) &&
             runs_through(o, among ? letters : box);
    });
  }
  bool told(const CarriedValue& l) const {
    return std::any_of(told_.begin(), told_.end(),
                       [&](const CarriedValue* o) { return o == &l || (l.curved && same_source(*o, l)); });
  }
  void put(const CarriedValue& l, const Box& box, bool over) {
    if (over)
      v.pen.rect({box.x - v.px(2), box.y + box.h * 0.1f, box.w + v.px(4), box.h * 0.8f}, v.theme.panel);
    const Colour colour = l.focus || v.followed < 0 ? v.theme.read : faint(v.theme.read, v.theme.panel, 0.8f);
    v.pen.text(box.centre(), l.words, size_, colour, Font::mono_bold, Align::centre);
    v.occupied.push_back(box);
    taken_.push_back(box);
    told_.push_back(&l);
  }
  bool is_long(const CarriedValue& l) const {
    return l.curved &&
           std::fabs(l.p[3].x - l.p[0].x) > v.pen.width(l.words, size_, Font::mono_bold) + v.px(40);
  }
  bool on_the_way(const CarriedValue& l, float t, bool among = false) {
    const Box box = on_way(l, t);
    if (!has_room(box, among) || !alone(l, box, among)) return false;
    put(l, box, true);
    return true;
  }
  void one(const CarriedValue& l) {
    if (l.words.empty() || told(l)) return;
    for (const bool among : {false, true}) {
      if (among && !l.focus) return;
      if (is_long(l) || (among && l.curved))
        for (const float t : ways)
          if (on_the_way(l, t, among)) return;
      if (is_long(l)) continue;
      for (const int side : {0, 1, 2}) {
        const bool ring = !l.curved && std::fabs(l.p[0].x - l.p[3].x) > 1;
        if (side == 2 && !ring) continue;
        const Box box = beside(l, side);
        if (!has_room(box, among) || !alone(l, box, among)) continue;
        put(l, box, among);
        return;
      }
    }
  }
  /// Side by side: all of them have room, or none is drawn.
  void straight() {
    std::vector<std::pair<const CarriedValue*, Box>> places;
    std::map<int, int> at_column;
    const size_t before = taken_.size();
    bool fit = true;
    for (const CarriedValue& l : lines_) {
      if (is_long(l) || l.words.empty() || told(l)) continue;
      const int side = l.curved ? 0 : at_column[int(l.p[0].x)]++;
      if (side > 1) continue;
      const Box box = beside(l, side);
      if (!has_room(box) || !alone(l, box)) {
        fit = false;
        break;
      }
      places.emplace_back(&l, box);
      taken_.push_back(box);
    }
    taken_.resize(before);
    if (!fit) return;
    for (const auto& [l, box] : places) put(*l, box, false);
  }
  /// Where most have room, so that they stand in a row; the others wherever they have some.
  void curved() {
    float best = ways[0];
    int most = -1;
    for (const float t : ways) {
      int count = 0;
      for (const CarriedValue& l : lines_) {
        if (!is_long(l) || l.words.empty() || told(l)) continue;
        const Box box = on_way(l, t);
        count += has_room(box) && alone(l, box);
      }
      if (count > most) most = count, best = t;
    }
    for (const CarriedValue& l : lines_)
      if (is_long(l) && !l.words.empty() && !told(l)) on_the_way(l, best);
    for (const CarriedValue& l : lines_)
      if (is_long(l)) one(l);
  }

  Scene& v;
  const std::vector<CarriedValue>& lines_;
  float open_y_, close_y_, size_ = 0;
  std::vector<Box> taken_;
  std::vector<const CarriedValue*> told_;
};

}  // namespace

std::vector<std::pair<size_t, Box>> draw_tags(Scene& v, const std::vector<CarriedValue>& lines,
                                              bool followed_only, float open_y, float close_y) {
  return Tags(v, lines, open_y, close_y).draw(followed_only);
}

}  // namespace bscope
