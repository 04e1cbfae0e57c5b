// What is wrong with a run, as compilers print it: place, message, the line with a mark under it, help.
#pragma once

#include <string>
#include <vector>

#include "app/cli/console.hpp"
#include "app/run/finding_groups.hpp"

namespace bscope {

class Report;

/// "homework.cu:15:31: error: race on s: thread 2 reads ...  [1 of 642 such pairs, blocks 0 to 3]", the line
/// of source, notes and help. What follows from the group is indented under it, without source.
std::string finding_text(const FindingGroup&, Ink, int width);
/// What the run costs, five lines at most, each with the line of source that costs most: barriers,
/// wavefronts, sectors, queues. Empty for a run that touches no memory.
std::string cost_text(const Report&, Ink);

}  // namespace bscope
