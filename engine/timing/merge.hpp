// Recordings of one device put together: a sweep that ran in parts, as tasks of a job array.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/timing/recording.hpp"

namespace bscope {

/// A recording and the name it goes by in notes and errors.
using NamedRecording = std::pair<std::string, Recording>;

/// All records, by date: of the same point the later one. Device, driver and limits are the earliest's; each
/// record's shares stay those of the copy in its own run; a note names the parts. Throws UsageError if the
/// device or the driver differ, or there is none.
Recording merged(std::vector<NamedRecording>);
/// The same for several devices: one recording for each device and driver, the earliest first.
std::vector<Recording> merged_by_device(const std::vector<NamedRecording>&);

}  // namespace bscope
