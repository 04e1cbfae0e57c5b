// Atomics: which runs are asked for, and of which input.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/session/tab_time.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Algorithm;
struct AtomicsLook;
struct LoadedState;
class RunStore;
struct Target;

/// The Atomics tab's runs, made where AtomicsState asks for others than there are. If one fails, only the
/// error changes; while they are loading, only LoadedState::awaits.
LoadedState with_queues(LoadedState, RunStore&);
/// What the left one (side 0) or the right one is made from. Throws UsageError.
Target queue_target(const LoadedState&, size_t side);
/// The same without them, until something else is asked for. `why` is said.
LoadedState without_queues(LoadedState, Message why);
/// Whether the tab shows the open run alone: that of a user's own program, which the catalog has no twin of.
bool shows_run_alone(const LoadedState&);
/// Whether warps are picked at random. Not where an order was asked for, which stays.
bool is_shuffled(const LoadedState&);
/// Whether the state needs other runs, or another model of them, than it has.
bool queues_are_due(const LoadedState&);
/// Where that tab looks, for its picture. The state must have queues.
AtomicsLook look_of(const LoadedState&);
/// The kernels that the tab shows where none are chosen: the open one, if it has atomics, beside another.
std::array<std::string, 2> queue_kernels(const LoadedState&);
/// The kernels that can be chosen there.
const std::vector<const Algorithm*>& kernels_with_queues();

/// How far the queues have come, for the transport.
std::optional<TabTime> atomics_time(const LoadedState&);
LoadedState at_atomics_time(LoadedState, int now);

}  // namespace bscope
