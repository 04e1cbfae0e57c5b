// What lies over the tabs; at most one.
#pragma once

#include <cstdint>

#include "app/draw/picture.hpp"

namespace bscope {

class View;

enum class Popup : uint8_t { none, palette, keys, glossary, kernel, place, device, options };

struct Popups {
  Popup wants = Popup::none;  ///< to be opened in this frame
  Popup after = Popup::none;  ///< to be opened in the next: what the palette was asked for
  Box anchors[8] = {};        ///< by Popup: the header's control that it hangs from
};

/// The header's popovers.
void show_popovers(View&, Box window);
/// Asks whether a program that came from elsewhere may run; says how it is traced where nothing compiles it.
void show_consent(View&, Box window);

}  // namespace bscope
