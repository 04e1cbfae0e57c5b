// Timeline: phases, working threads and wavefronts of each step of the cursor's block.
#pragma once

#include "app/run/cursor.hpp"

namespace bscope {

struct Metrics;
struct Picture;
class RunQueries;
struct Theme;

/// Hits: interval (index). Without `future` it ends at the present step.
Picture timeline(const RunQueries&, const Cursor&, const Theme&, const Metrics&, float width, float height,
                 bool future = true);

}  // namespace bscope
