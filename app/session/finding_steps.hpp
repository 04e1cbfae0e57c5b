// From what is wrong with a run to where it happens.
#pragma once

#include "app/session/state.hpp"

namespace bscope {

struct FindingGroup;

/// To the finding's launch, block, step, thread and cell, as far as it has them, and its line selected: of
/// the kernel's file alone. What is not known stays as it is.
LoadedState to_finding(LoadedState, const FindingGroup&);

}  // namespace bscope
