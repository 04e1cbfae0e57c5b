// What lies over the tabs.
#pragma once

#include "app/draw/picture.hpp"

namespace bscope {

class View;

/// Popovers, palette, sheets, notices. Once a frame.
void show_shell(View&, Box window);

}  // namespace bscope
