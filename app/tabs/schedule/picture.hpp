// The Schedule tab: what a GPU did when. Multiprocessors down, time across, blocks as bars with their phases;
// above them how many warps were there, below them where their time went.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/tabs/schedule/schedule_state.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Control;
struct Metrics;
struct Picture;
struct ShownTimeline;
class TabServices;
struct Theme;

/// What the tab shows. Plain data: who reads and records fills it in.
struct ScheduleInput {
  std::string kernel;
  bool recordable = false;  ///< it is one of the catalog's that a GPU can record
  std::string file = {};    ///< of a user's own program, without its folder; empty: a built-in kernel
  ScheduleState look;
  const std::vector<ShownTimeline>* all = nullptr;  ///< of this kernel
  std::string gpu;                                  ///< this machine's; empty: none
  Message error;                                    ///< of the last recording
  Message awaited;                                  ///< what a page says while it fetches schedules
  bool recording = false;
  TabServices* services = nullptr;  ///< what its button records with; null: a picture alone

  /// The run that is chosen, or is next to it; null: there is none.
  const ShownTimeline* shown() const;
};

/// Sliders: resident, zoom, moment, rows, first.
const std::array<Control, 5>& schedule_controls();

/// Hits: the sliders by their names; buttons "resident:K", "record"; other "multiprocessor N", "block L:B"
/// (by number), "wait K", "ground K".
Picture schedule_view(const ScheduleInput&, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
