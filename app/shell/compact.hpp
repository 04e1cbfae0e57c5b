// The app where there is little room or a finger for a mouse: a phone, a tablet. One panel at a time,
// in letters that are read at arm's length and controls that a finger hits; all else is in the palette.
#pragma once

#include "app/shell/panel.hpp"

namespace bscope {

/// Whether that is all the room there is. `coarse`: fingers, which need larger controls than a mouse.
bool is_compact(Box window, bool coarse);
Theme compact_theme(const State&);
/// The whole of the window.
void show_compact(View&, Box window);

}  // namespace bscope
