// What the runtime says about the order of a program's operations: it adds them to the happens-before
// relation, watches the host's memory, and makes remarks of races.
#pragma once

#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {

/// An operation of the call at hand begins in its stream. Warns where another stream's may still use the same
/// memory.
void add_operation(Runtime&, DeviceOperation);
/// Warns where a kernel that may begin early touches what its stream's work before it may still use, without
/// cudaGridDependencySynchronize(). `stream`: in Runtime::order.
void tell_of_early_use(Runtime&, const std::string& kernel, const LaunchOutcome&, int stream);
/// Warns of what the host has accessed too early since the call before, and makes all memory accessible for
/// this one.
void look_at_host_accesses(Runtime&);
/// Watches what pending operations use, until the next call.
void watch_host_accesses(Runtime&);
/// Warns of printf in kernels that nothing has waited for when the program ends.
void tell_of_lost_output(Runtime&);
/// Warns of an event whose time is asked before the host knows that it has been reached. `argument`: its
/// number among those of cudaEventElapsedTime.
void tell_of_early_event(Runtime&, int argument);

}  // namespace bscope::cuda
