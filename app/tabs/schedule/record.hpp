// What Schedule shows of a state, and its recordings.
#pragma once

#include "app/session/tab.hpp"
#include "app/tabs/schedule/picture.hpp"

namespace bscope {

ScheduleInput schedule_input(const State&, Kit&);
/// Runs the open kernel on this machine's GPU, beside the frames. Nothing happens without one.
void record_schedule(State&, Kit&);

}  // namespace bscope
