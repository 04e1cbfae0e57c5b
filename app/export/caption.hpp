// The line above a figure that says of what it is: a figure in a paper stands by itself.
#pragma once

#include <string>

namespace bscope {

struct Caption;
struct LoadedState;
struct Metrics;
struct Picture;
struct Theme;

/// Of the state's tab. The state must have what with_needs gives it.
Caption caption_of(const LoadedState&);

/// One line of a figure `w` wide, or as many as it takes.
float caption_height(const Caption&, const Theme&, const Metrics&, float w);
/// Into the top of the picture, which has kept that height for it.
void draw_caption(Picture&, const Caption&, const Theme&, const Metrics&);

}  // namespace bscope
