// The machine code of a run's launches, as text or JSON.
#pragma once

#include <iosfwd>

#include "app/cli/console.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// Each launch. 0; 1 where a launch's code is not kept.
int sass_text(std::ostream&, const Trace&, const Ink&);
/// Each launch.
int sass_json(std::ostream&, const Trace&);

}  // namespace bscope
