#include "app/tabs/watch/array/tags.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/occupied.hpp"

namespace bscope {
namespace {

bool same_source(const CarriedValue& a, const CarriedValue& b) {
  return a.curved == b.curved && std::fabs(a.path.p[0].x - b.path.p[0].x) < 1 && a.words == b.words;
}

/// Whether it comes from a ring, not from a cell above.
bool from_ring(const CarriedValue& l) { return !l.curved && std::fabs(l.path.p[0].x - l.path.p[3].x) > 1; }

/// Whether the arrow runs through the box.
bool runs_through(const CarriedValue& l, const Box& box) {
  const auto& p = l.path.p;
  if (!l.curved) {
    const float top = std::min(p[0].y, p[3].y), bottom = std::max(p[0].y, p[3].y);
    return p[0].x > box.x && p[0].x < box.right() && top < box.bottom() && bottom > box.y;
  }
  constexpr int parts = 32;
  Point last = p[0];
  for (int k = 1; k <= parts; ++k) {
    const Point next = on_curve(l.path, float(k) / parts);
    if (overlap({std::min(last.x, next.x), std::min(last.y, next.y), std::fabs(next.x - last.x) + 0.1f,
                 std::fabs(next.y - last.y) + 0.1f},
                box))
      return true;
    last = next;
  }
  return false;
}

/// Finds the places of values, one after the other.
class TagPlacer {
 public:
  TagPlacer(const Pen& pen, const Theme& t, const std::vector<CarriedValue>& values, const ArrowZone& zone,
            OccupiedBoxes& occupied)
      : pen_(pen), t_(t), values_(values), zone_(zone), occupied_(occupied), size_(tag_size(t)) {}

  std::vector<PlacedTag> placed(bool followed_only) {
    // the followed thread's find room first
    for (const CarriedValue& l : values_)
      if (l.focus) place(l);
    if (!followed_only) {
      place_straight();
      place_curved();
    }
    return std::move(placed_);
  }

 private:
  static constexpr float shares[] = {0.62f, 0.5f, 0.75f, 0.4f, 0.3f, 0.24f, 0.16f};  ///< of an arrow's way

  float width(const CarriedValue& l) const { return pen_.width(l.words, size_, Font::mono_bold); }
  Box on_way(const CarriedValue& l, float share) const {
    const Point at = on_curve(l.path, share);
    const float w = width(l) + t_.px(4), h = size_ * 1.2f;
    return {at.x - w / 2, at.y - h / 2, w, h};
  }
  /// Left (0) or right (1) of a straight arrow, or of a curve's part that goes down.
  Box beside(const CarriedValue& l, int side) const {
    const auto& p = l.path.p;
    const float w = width(l) + t_.px(4), h = size_ * 1.2f, highest = zone_.open_y + h * 0.6f;
    const bool ring = from_ring(l);
    float y = std::max(ring ? p[0].y : (zone_.open_y + p[3].y) / 2 - t_.px(2), highest);
    float middle = p[0].x, apart = t_.px(5);
    if (l.curved) {
      // as far from a slanting line as it leans over the letters' height
      const Point at = on_curve(l.path, 0.5f);
      y = std::max(at.y, highest);
      middle = at.x;
      apart += h / 2 * std::fabs(p[3].x - p[0].x) / std::max(1.0f, std::fabs(p[3].y - p[0].y));
    }
    // of a ring at its left, above it, or behind its arrow
    if (ring && side == 1)
      return {middle - w / 2, std::max(p[0].y - t_.px(5) - h, zone_.open_y + t_.px(1.5f)), w, h};
    if (ring && side == 2) return {p[3].x + t_.px(7), y - h / 2, w, h};
    if (ring) apart = t_.px(7);
    const float x = side == 0 ? middle - apart - w : middle + apart;
    return {x, y - h / 2, w, h};
  }
  /// Between the barriers: a value upon one of their lines could be read as the barrier's number.
  bool has_room(const Box& box) const {
    if (!occupied_.is_free(box) || box.y < zone_.open_y + t_.px(1) || box.bottom() > zone_.close_y)
      return false;
    const float apart = size_ * 0.5f;
    const Box wide{box.x - apart, box.y, box.w + 2 * apart, box.h};
    return std::ranges::none_of(taken_, [&](const Box& o) { return overlap(o, wide); });
  }
  /// `among`: of the followed thread's arrows only, the faint ones of others may run under it.
  bool alone(const CarriedValue& l, const Box& box, bool among = false) const {
    // the faint lines of others that say nothing may run under the followed thread's
    const Box letters{box.x, box.y + box.h * 0.2f, box.w, box.h * 0.6f};
    return std::ranges::none_of(values_, [&](const CarriedValue& o) {
      return !same_source(l, o) && !(l.focus && (among ? !o.focus : o.words.empty())) &&
             runs_through(o, among ? letters : box);
    });
  }
  bool has_place(const CarriedValue& l) const {
    return std::ranges::any_of(placed_, [&](const PlacedTag& tag) {
      const CarriedValue& o = values_[tag.value];
      return &o == &l || (l.curved && same_source(o, l));
    });
  }
  /// Whether it is still to be placed.
  bool wants_place(const CarriedValue& l) const { return !l.words.empty() && !has_place(l); }
  void put(const CarriedValue& l, const Box& box, bool over) {
    occupied_.boxes.push_back(box);
    taken_.push_back(box);
    placed_.push_back({size_t(&l - values_.data()), box, over});
  }
  bool is_long(const CarriedValue& l) const {
    return l.curved && std::fabs(l.path.p[3].x - l.path.p[0].x) > width(l) + t_.px(40);
  }
  bool place_on_way(const CarriedValue& l, float share, bool among = false) {
    const Box box = on_way(l, share);
    if (!has_room(box) || !alone(l, box, among)) return false;
    put(l, box, true);
    return true;
  }
  bool place_beside(const CarriedValue& l, bool among) {
    for (const int side : {0, 1, 2}) {
      if (side == 2 && !from_ring(l)) continue;
      const Box box = beside(l, side);
      if (!has_room(box) || !alone(l, box, among)) continue;
      put(l, box, among);
      return true;
    }
    return false;
  }
  void place(const CarriedValue& l) {
    if (!wants_place(l)) return;
    for (const bool among : {false, true}) {
      if (among && !l.focus) return;
      if (is_long(l) || (among && l.curved))
        for (const float share : shares)
          if (place_on_way(l, share, among)) return;
      if (!is_long(l) && place_beside(l, among)) return;
    }
  }
  /// Side by side: all of them have room, or none is drawn.
  void place_straight() {
    std::vector<std::pair<const CarriedValue*, Box>> places;
    std::map<int, int> at_column;
    const size_t before = taken_.size();
    bool fit = true;
    for (const CarriedValue& l : values_) {
      if (is_long(l) || !wants_place(l)) continue;
      const int side = l.curved ? 0 : at_column[int(l.path.p[0].x)]++;
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
  void place_curved() {
    float best = shares[0];
    int most = -1;
    for (const float share : shares) {
      int count = 0;
      for (const CarriedValue& l : values_) {
        if (!is_long(l) || !wants_place(l)) continue;
        const Box box = on_way(l, share);
        count += has_room(box) && alone(l, box);
      }
      if (count > most) most = count, best = share;
    }
    for (const CarriedValue& l : values_)
      if (is_long(l) && wants_place(l)) place_on_way(l, best);
    for (const CarriedValue& l : values_)
      if (is_long(l)) place(l);
  }

  const Pen& pen_;
  const Theme& t_;
  const std::vector<CarriedValue>& values_;
  const ArrowZone& zone_;
  OccupiedBoxes& occupied_;
  float size_;
  std::vector<Box> taken_;  ///< by values
  std::vector<PlacedTag> placed_;
};

}  // namespace

float tag_size(const Theme& t) { return t.label() + t.px(1, 0); }

std::vector<PlacedTag> placed_tags(const Pen& pen, const Theme& t, const std::vector<CarriedValue>& values,
                                   const ArrowZone& zone, bool followed_only, OccupiedBoxes& occupied) {
  return TagPlacer(pen, t, values, zone, occupied).placed(followed_only);
}

void draw_tags(Pen& pen, const Theme& t, const std::vector<CarriedValue>& values,
               const std::vector<PlacedTag>& tags) {
  for (const PlacedTag& tag : tags) {
    const CarriedValue& value = values[tag.value];
    const Box& b = tag.box;
    if (tag.over) pen.rect({b.x - t.px(2), b.y + b.h * 0.1f, b.w + t.px(4), b.h * 0.8f}, t.panel);
    pen.text(b.centre(), value.words, tag_size(t), value.colour, Font::mono_bold, Align::centre);
  }
}

void draw_chip(Pen& pen, const Theme& t, float width, Point at, const std::string& words, Colour fill) {
  const float size = t.label(), w = pen.width(words, size, Font::mono_bold) + t.px(8), h = size + t.px(5);
  const Box box{std::clamp(at.x - w / 2, 0.0f, width - w), at.y - h / 2, w, h};
  pen.rect(box, fill, 0, 1, t.px(4));
  pen.text(box.centre(), words, size, t.on(fill), Font::mono_bold, Align::centre);
}

}  // namespace bscope
