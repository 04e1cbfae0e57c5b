// Timeline: phases, working threads and wavefronts of each step of the cursor's block.
#pragma once

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/watch/model.hpp"

namespace bscope {

/// Hits: interval (index).
Picture timeline(const WatchModel&, const Cursor&, const Theme&, const Metrics&, float width, float height);

}  // namespace bscope
