// The state that options ask for: of a command line, of a link.
#pragma once

#include <string>

namespace bscope {

struct LoadedState;
class RunStore;
struct ViewOptions;

/// The state where these say to look, on the run that is open; theme and lesson are left to the caller.
/// Throws UsageError for what the run does not have.
LoadedState at_place(LoadedState, const ViewOptions&);
/// The lesson stands beside the run that is open, which may be another than its step's. Throws UsageError.
LoadedState beside_lesson(LoadedState, const std::string& words, RunStore&);

}  // namespace bscope
