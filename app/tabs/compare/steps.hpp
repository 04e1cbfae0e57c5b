// Compare: which second run is asked for, and where both stand.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/state.hpp"

namespace bscope {

struct CompareRuns;
struct Run;
struct RunChoice;
class RunStore;
struct TabTime;

/// What Compare shows beside the open run now; nothing where another run was open then.
const CompareRuns& compare_runs(const LoadedState&);

/// The open program's run before its text was changed last; null: there is none.
std::shared_ptr<const Run> before_change(const LoadedState&);

/// What Compare shows at the right: what was chosen, else the program before it was changed, else the next of
/// its family. CompareRuns::compared_to
/// has what it shows now.
RunChoice right_of(const LoadedState&);
/// The second run of Compare and the comparison, made where CompareState asks for another than there is. If
/// it fails, only the error changes; while it is loading, only LoadedState::awaits. Position and cursor agree
/// afterwards.
LoadedState compared(LoadedState, RunStore&);
/// The same with this kernel at the right, on the open run's input.
LoadedState with_other(LoadedState, const std::string& kernel, RunStore&);
/// The same with this choice at the right.
LoadedState with_other(LoadedState, const RunChoice&, RunStore&);
/// The same with what a target means at the right: its file or its kernel.
LoadedState with_other(LoadedState, const Target&, RunStore&);

/// The open run with that length.
LoadedState with_open_length(LoadedState, long long n, Where, RunStore&);
/// Two kernels may count the same on a short input. The next power of two beyond the open run's length at
/// which what Compare shows counts differently, on the same kind of input; nothing where that is a file's, or
/// up to 512.
std::optional<long long> telling_length(const LoadedState&, RunStore&);

/// Where the two stand, for the transport.
std::optional<TabTime> compare_time(const LoadedState&);
LoadedState at_compare_time(LoadedState, int now);

}  // namespace bscope
