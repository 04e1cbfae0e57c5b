#include "app/draw/layers.hpp"

#include <algorithm>

namespace bscope {
namespace {

/// Pixels of a tile's side: a few shapes lie in each.
constexpr float tile = 48;

}  // namespace

void Layers::begin(Box area, int kinds) {
  origin_ = {area.x, area.y};
  kinds_ = kinds;
  columns_ = std::clamp(int(area.w / tile) + 1, 1, 512);
  rows_ = std::clamp(int(area.h / tile) + 1, 1, 512);
  tiles_.assign(size_t(columns_) * size_t(rows_), {});
  seen_.clear();
}

Layers::GridRange Layers::tiles(const Box& b) const {
  const auto at = [](float v, int n) { return int(std::clamp(v / tile, 0.0f, float(n - 1))); };
  const float x = b.x - origin_.x, y = b.y - origin_.y;
  return {at(x, columns_), at(x + b.w, columns_), at(y, rows_), at(y + b.h, rows_)};
}

int Layers::rank(std::span<const Box> boxes, int kind) {
  int least = 0;
  const auto each_tile = [&](const Box& b, auto&& then) {
    const GridRange r = tiles(b);
    for (int y = r.from_y; y <= r.to_y; ++y)
      for (int x = r.from_x; x <= r.to_x; ++x) then(tiles_[size_t(y) * size_t(columns_) + size_t(x)]);
  };
  for (const Box& b : boxes)
    each_tile(b, [&](const Tile& t) {
      if (t.most <= least) return;
      for (int i = t.last; i >= 0; i = seen_[size_t(i)].before)
        if (const Seen& s = seen_[size_t(i)]; s.rank > least && overlap(s.box, b)) least = s.rank;
    });
  const int rank = least + (kind - least % kinds_ + kinds_) % kinds_;
  for (const Box& b : boxes)
    each_tile(b, [&](Tile& t) {
      seen_.push_back({b, rank, t.last});
      t = {int(seen_.size()) - 1, std::max(t.most, rank)};
    });
  return rank;
}

}  // namespace bscope
