// A picture to draw forms on, and what came to lie where.
#pragma once

#include <algorithm>
#include <string>

#include "app/draw/layout.hpp"
#include "app/draw/theme.hpp"

namespace bscope {

struct Sheet {
  Theme t = theme(ThemeName::dark, 900);
  Picture picture = {};
  Metrics metrics = fixed_metrics();
  Pen pen{picture, metrics};
  DrawContext paper{pen, t};

  /// Boxes by the names of their hits.
  Box at(const std::string& name) const {
    for (const HitRegion& h : picture.hits)
      if (h.name == name) return h.box;
    return {};
  }
  bool has(const std::string& name) const { return at(name).w > 0; }
  bool says(const std::string& words) const {
    return std::ranges::any_of(picture.shapes, [&](const Shape& s) { return s.words == words; });
  }
};

inline HitRegion named(const std::string& name, Box box = {}) {
  HitRegion hit;
  hit.box = box;
  hit.name = name;
  return hit;
}

}  // namespace bscope
