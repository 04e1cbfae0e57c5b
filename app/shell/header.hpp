// The header above the tabs, and what it says of a run that goes wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/run/finding_groups.hpp"
#include "app/run/troubles.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Run;
class View;

/// What has gone wrong with the open run, as the header shows it.
struct TroublesPanel {
  std::shared_ptr<const Run> judged;  ///< the run that `troubles` is about
  Troubles troubles;
  std::vector<FindingGroup> groups;  ///< what it is made of: causes, each with its consequences
  int at = -1;                       ///< the group that was gone to last; -1: none
  std::set<size_t> unfolded;         ///< groups whose consequences are shown
  std::vector<Message> why;          ///< by an assignment: what `troubles` is based on
  bool is_open = false;              ///< the box that tells them all; keys go on working
  float height = 0;                  ///< that it has taken of the tab's area
};

/// Returns how much of `below`, the room under it, it takes for what has gone wrong with the run.
float show_header(View&, Box, Box below);
/// A run that goes wrong says so: a word and the first sentence, at most so many lines of it; a click opens
/// them all. In the header where there is room for it, else on lines of its own at the top of `below`.
/// Returns the height taken there.
float show_troubles(View&, Box header, Box below, size_t most_lines = SIZE_MAX);

}  // namespace bscope
