// Values on arrows: which of them find a place, and how they look.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/tabs/watch/array/arrow_paths.hpp"

namespace bscope {

struct OccupiedBoxes;
struct Theme;

/// What an arrow carries from a cell to a pill.
struct CarriedValue {
  ArrowPath path;
  bool curved = false;  ///< else it runs straight down, or from a ring
  bool focus = false;   ///< the followed thread's
  std::string words;    ///< empty: it says nothing
  Colour colour = 0;
};
struct PlacedTag {
  size_t value = 0;  ///< which of the carried ones
  Box box;
  bool over = false;  ///< on the arrow, over a ground of its own
};
/// Letters of a value on an arrow.
float tag_size(const Theme&);
/// Each where its arrow runs alone: where many share a way, the values stand where they have not met yet.
/// What finds no such place is left out: its cell has it. The places are occupied.
std::vector<PlacedTag> placed_tags(const Pen&, const Theme&, const std::vector<CarriedValue>&,
                                   const ArrowZone&, bool followed_only, OccupiedBoxes&);
void draw_tags(Pen&, const Theme&, const std::vector<CarriedValue>&, const std::vector<PlacedTag>&);
/// A value on its way. `width`: of the picture, in which it stays.
void draw_chip(Pen&, const Theme&, float width, Point at, const std::string& words, Colour fill);

}  // namespace bscope
