// Predict, then reveal, in the window.
#pragma once

#include "app/session/fields.hpp"
#include "app/shell/panel.hpp"

namespace bscope {

/// Once a frame, before anything of the run is drawn: what was typed goes into the focused box. Ends a
/// prediction whose step the cursor has left.
void take_guesses(View&);
/// The question, at the why panel's place. The prediction must be on.
void show_prediction(View&, Box);
/// A click on a cell that is asked for puts the focus there.
void focus_box(View&, const View::Touched&);

}  // namespace bscope
