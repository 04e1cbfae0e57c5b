// The machine code of a run's launches, as text or JSON.
#pragma once

#include <functional>
#include <iosfwd>

#include "app/cli/console.hpp"
#include "engine/machine_code/launched_code.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// The machine code of the trace's launch of that number.
using CodeOfLaunch = std::function<LaunchedCode(size_t launch)>;

/// Each launch. 0; 1 where there is no code of a launch.
int sass_text(std::ostream&, const Trace&, const CodeOfLaunch&, const Ink&);
/// The same.
int sass_json(std::ostream&, const Trace&, const CodeOfLaunch&);

}  // namespace bscope
