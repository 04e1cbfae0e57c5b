// The line above a figure that says of what it is: a figure in a paper stands by itself.
#pragma once

#include <string>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/session/state.hpp"

namespace bscope {

/// Kernel, parameters and step of what a figure shows.
struct Caption {
  std::string title;       ///< of the kernel; of both, where two are compared
  std::string parameters;  ///< "n = 16 (random, seed 1), block = 8, ..."
  std::string step;        ///< where in the run; empty where the figure shows no step
  std::string widest;      ///< as wide as `step` becomes in this run: films keep their layout
};
/// Of the state's tab. The state must have what with_needs gives it.
Caption caption_of(const State&);

/// One line of a figure `w` wide, or as many as it takes.
float caption_height(const Caption&, const Theme&, const Metrics&, float w);
/// Into the top of the picture, which has kept that height for it.
void draw_caption(Picture&, const Caption&, const Theme&, const Metrics&);

}  // namespace bscope
