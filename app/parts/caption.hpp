// What captions of several tabs say.
#pragma once

#include <string>

namespace bscope {

struct Caption;
struct LoadedState;
struct Trace;

/// One name, or "A beside B".
std::string both(const std::string& left, const std::string& right);
/// Of a run, and of the one beside it: where that has another value, both are shown.
std::string parameters_of(const LoadedState&, const Trace&, const Trace* beside = nullptr);
/// The open kernel, its parameters and the step.
Caption step_caption(const LoadedState&);

}  // namespace bscope
