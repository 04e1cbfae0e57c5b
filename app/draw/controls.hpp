// What can be pressed and what explains it: buttons, choices, sliders, tick boxes, legends. Each is said as a
// value and is a part of a form:
//
//   row(t.gap(), {choices({{"axis:n", "N", tip, axis == "n"}, {"axis:block", tr("block"), tip, axis ==
//   "block"}}),
//                 space(0).grows(),
//                 button({"import", tr("Open"), tip})})
//
// In a printed figure, where nothing can be pressed, each draws only what it tells.
//
// Dear ImGui has such controls; pictures do not know it, for they are exported and tested without a window.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

struct LayoutNode;
struct Slider;

/// One that can be pressed, or one of several that are chosen from.
struct Button {
  std::string name = {}, label = {}, tip = {};
  bool on = false;       ///< alone: it lies on a lighter ground
  int value = 0;         ///< its hit's `a`
  HitAction does = {};   ///< when it is pressed
  std::string key = {};  ///< that does the same: said beside the label where it has room
};
/// A button as wide as its label, or as it is given. `main`: the colour of the most likely choice; the others
/// have a line round them.
LayoutNode button(Button, Colour main = 0);
/// Choices side by side in one frame, one of them on. A label that does not fit is cut. Of less than two:
/// nothing.
LayoutNode choices(std::vector<Button>);
/// A box with a tick in it if `on`, in the middle of its room.
LayoutNode tick(float size, bool on, Colour);
/// An arrow that points right, through the middle of its room.
LayoutNode arrow(Colour);
/// A cross that closes or forgets.
LayoutNode cross(float size, Button);

/// As wide as it is given.
LayoutNode slider(Slider);
/// How far something is, from 0 to 1.
LayoutNode progress(float share, Colour);

/// What marks mean: a square or a disc and a word for each, side by side.
struct Meaning {
  std::string words;
  Colour colour = 0;
  Colour hatch = 0;  ///< over the colour; 0: none
  Colour edge = 0;   ///< 0: none
  bool round = false;
  std::vector<Colour> shades = {};  ///< side by side, instead of the colour
};
LayoutNode legend(std::vector<Meaning>);

}  // namespace bscope
