// Timeline: phases, working threads and wavefronts of each step of the cursor's block.
#pragma once

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {

/// Hits: interval (index). Without `future` it ends at the present step.
Picture timeline(const RunQueries&, const Cursor&, const Theme&, const Metrics&, float width, float height,
                 bool future = true);

}  // namespace bscope
