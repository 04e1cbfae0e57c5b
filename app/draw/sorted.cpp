#include "app/draw/sorted.hpp"

#include <algorithm>
#include <array>

namespace bscope {
namespace {

/// Where lists draw a shape: a text's letters, or a polygon with its smooth edge.
Box area_of(const Shape& s, Point origin) {
  if (s.type == Shape::text)  // the letters fill its middle
    return {origin.x + s.box.x, origin.y + s.box.y + s.box.h * 0.1f, s.box.w, s.box.h * 0.8f};
  if (s.points.empty()) return {};
  const auto [left, right] = std::ranges::minmax(s.points, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(s.points, {}, &Point::y);
  const float margin = s.thickness / 2 + 1;
  return {origin.x + left.x - margin, origin.y + top.y - margin, right.x - left.x + 2 * margin,
          bottom.y - top.y + 2 * margin};
}

}  // namespace

int Sorter::rank(int kind, size_t shape, size_t part) {
  ranked_.push_back({layers_.rank(boxes_, kind), uint32_t(shape), uint32_t(part)});
  return ranked_.back().rank;
}

void Sorter::rank_shape(const Shape& s, size_t i, Point origin, float alpha) {
  const size_t first = parts_.size();
  if (!parts_of(s, origin, alpha, parts_)) {
    boxes_.assign(1, area_of(s, origin));
    rank(Sorted::lists, i, first);
    return;
  }
  if (s.type != Shape::strip) {
    for (size_t p = first; p < parts_.size(); ++p) {
      boxes_.clear();
      bounds_of(parts_[p], boxes_);
      rank(int(parts_[p].kind), i, p);
    }
    return;
  }
  // its cells do not overlap: one question for all of a kind
  std::array<int, primitives> known;
  known.fill(-1);
  boxes_.assign(1, {origin.x + s.box.x, origin.y + s.box.y, s.box.w, s.box.h});
  for (size_t p = first; p < parts_.size(); ++p) {
    int& r = known[size_t(parts_[p].kind)];
    if (r < 0)
      r = rank(int(parts_[p].kind), i, p);
    else
      ranked_.push_back({r, uint32_t(i), uint32_t(p)});
  }
}

void Sorter::sort(const Picture& picture, Point origin, float alpha, Sorted& into) {
  constexpr int kinds = primitives + 1;  // the last: what lists draw
  layers_.begin({origin.x, origin.y, picture.width, picture.height}, kinds);
  parts_.clear();
  ranked_.clear();
  for (size_t i = 0; i < picture.shapes.size(); ++i) rank_shape(picture.shapes[i], i, origin, alpha);
  // by rank, and within one as they came
  int ranks = 0;
  for (const Ranked& r : ranked_) ranks = std::max(ranks, r.rank + 1);
  begin_.assign(size_t(ranks) + 1, 0);
  for (const Ranked& r : ranked_) ++begin_[size_t(r.rank) + 1];
  for (size_t r = 1; r < begin_.size(); ++r) begin_[r] += begin_[r - 1];
  order_.resize(ranked_.size());
  for (uint32_t i = 0; i < ranked_.size(); ++i) order_[begin_[size_t(ranked_[i].rank)]++] = i;

  into.origin = origin, into.alpha = alpha;
  into.runs.clear(), into.instances.clear(), into.shapes.clear();
  int rank = -1;
  for (const uint32_t k : order_) {
    const Ranked& r = ranked_[k];
    const int kind = r.rank % kinds;
    const auto size = uint32_t(kind == Sorted::lists ? into.shapes.size() : into.instances.size());
    // each strip has a texture of its own
    if (r.rank != rank || kind == int(Primitive::strip)) into.runs.push_back({kind, size, size, r.shape});
    rank = r.rank;
    if (kind == Sorted::lists)
      into.shapes.push_back(r.shape);
    else
      into.instances.push_back(parts_[r.part].instance);
    ++into.runs.back().end;
  }
}

}  // namespace bscope
