// What the panels Banks and Memory do alike: sliders, choices, keys.
#pragma once

#include "app/parts/requests.hpp"
#include "app/session/fields.hpp"
#include "app/shell/commands.hpp"

namespace bscope {

/// How long strides of the pattern may be run in this frame: while a slider is held, little.
std::chrono::milliseconds time_for_strides();
/// What the tabs put off, with somebody to wake.
BesideFrames& beside_frames(View&);
/// Asks for another frame if strides are left.
void wake_if_unfinished(View&, const Partner&);
/// What the mouse did to the lists, bars, sliders and buttons of the tab.
void press(View&, Tab, const View::Touched&);
/// The request after or before the one looked at, of the interval under the cursor.
int next_request(const Run&, const Cursor&, Space, int now, int by);

}  // namespace bscope
