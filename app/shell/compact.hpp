// The app where there is little room or a finger for a mouse: a phone, a tablet. One panel at a time,
// in letters that are read at arm's length and controls that a finger hits; all else is in the palette.
#pragma once

#include <string>

#include "app/draw/picture.hpp"

namespace bscope {

struct State;
struct Theme;
class View;

struct CompactView {
  int part = 0;  ///< the panel of Watch that is shown
  // in the frame before
  std::string lesson;  ///< its id, or "all" for the list; empty: none was open
  bool was_only_run = false;
};

/// Whether that is all the room there is. `coarse`: fingers, which need larger controls than a mouse.
bool is_compact(Box window, bool coarse);
Theme compact_theme(const State&);
/// The whole of the window.
void show_compact(View&, Box window);

}  // namespace bscope
