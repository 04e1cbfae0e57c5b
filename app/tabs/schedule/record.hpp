// What Schedule shows of a state, and its recordings.
#pragma once

#include <string>

namespace bscope {

struct LoadedState;
struct ScheduleInput;
class TabServices;

ScheduleInput schedule_input(const LoadedState&, TabServices&);
/// Shows a timeline's file, with its kernel open; if it is refused, only the error changes.
void open_timeline(LoadedState&, TabServices&, const std::string& path);
/// Runs the open kernel on this machine's GPU, in the background. Does nothing without one.
void record_schedule(LoadedState&, TabServices&);

}  // namespace bscope
