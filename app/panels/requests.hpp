// What the panels Banks and Memory do alike: sliders, choices, keys.
#pragma once

#include "app/panels/commands.hpp"
#include "app/state/fields.hpp"
#include "app/view/requests.hpp"

namespace bscope {

/// How long strides of the pattern may be run in this frame: while a slider is held, little.
std::chrono::milliseconds time_for_strides();
/// Asks for another frame if strides are left.
void wake_if_unfinished(View&, const Partner&);
/// What the mouse did to the sliders, the bars of the strides and the buttons.
void play(const View::Touched&, PatternState&, bool& playing);
/// The request after or before the one looked at, of the interval under the cursor.
int next_request(const Run&, const Cursor&, Space, int now, int by);

}  // namespace bscope
