// Controls that choose a run beside the open one: kernel, size, block and the kernel's own parameters.
#pragma once

#include <string>
#include <vector>

#include "app/session/choices.hpp"
#include "app/shell/panel.hpp"

namespace bscope {

/// Shows them on one line; true if the choice was changed.
bool choose_run(View&, Box, const ChooseRun&, RunChoice&);

}  // namespace bscope
