// What a tab's choice of a run asks for beside the open run.
#pragma once

#include <string>

#include "app/session/run_choice.hpp"
#include "app/session/state.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

/// Sets a parameter of the request, in the place of what it had.
void put(Request&, const std::string& name, const std::string& value);
/// Block and parameters that the choice has of its own, into the request. A parameter of one kernel alone
/// means nothing to another: only what the request's kernel declares stays.
void take_parameters(Request&, const RunChoice&);

/// A choice as a target: on the open run's input, block and parameters as far as the kernel takes them.
Target target_of(const RunChoice&, const State&);

}  // namespace bscope
