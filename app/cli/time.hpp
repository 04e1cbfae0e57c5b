// The verb `time`: full-size runs, measured.
#pragma once
#include "app/cli/options.hpp"
namespace bscope {

/// Prints a table to stdout, progress to stderr, and writes `out` if given. Returns the exit code; throws
/// UsageError, NoDevice.
int time_command(const TimeOptions&);

}  // namespace bscope
