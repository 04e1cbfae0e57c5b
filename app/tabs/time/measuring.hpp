// What the Time tab does with the session's bench: gathers what is shown, measures, saves, opens.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "engine/timing/recording.hpp"

namespace bscope {

struct LoadedState;
class TabServices;
struct TimeInput;
struct TimeState;

/// What the picture shows of the measurements. Kept until something else was measured, opened or chosen.
/// `live`: times that were measured elsewhere than at this bench; null: none.
const TimeInput& time_input(const LoadedState&, TabServices&, const std::vector<Recording>* live = nullptr);

/// Times the open kernel's family at the chosen length, or in a sweep up to it.
void measure(LoadedState&, TabServices&, bool sweep);
/// What is ticked, into the folder that the program was started in: ".json" or ".csv".
void save_times(LoadedState&, TabServices&, const char* ending);
/// Shows a file's recordings beside the others; if it holds none, only the error changes.
void open_times(LoadedState&, TabServices&, const std::string& path);

/// Out of the list, or into it.
void toggle(std::vector<std::string>& list, const std::string& key);
/// The legend's cursor, by so many of the bar table's rows.
void move_row(TimeState&, int rows, int by);

}  // namespace bscope
