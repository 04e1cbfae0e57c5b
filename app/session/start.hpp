// The state that a command line asks for: what to open, where to stand in it, how it looks.
#pragma once

#include "app/cli/options.hpp"
#include "app/session/state.hpp"

namespace bscope {

/// Opens the targets at their step and view. A .bscope file that holds a session is shown as it was saved,
/// but for what the options say otherwise. From then on `say` speaks
/// the language asked for. Throws UsageError, BadFile, NoDevice.
State start(const RenderOptions&);

}  // namespace bscope
