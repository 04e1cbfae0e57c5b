// What Schedule remembers.
#pragma once

#include <algorithm>

namespace bscope {

struct ScheduleState {
  static constexpr const char* saved_as = "schedule";
  static constexpr int most_zoom = 40, most_moment = 10'000, most_rows_zoom = 8;
  int resident = 0;            ///< which run: of so many blocks let onto a multiprocessor; 0: as many as fit
  int zoom = 0;                ///< time: 2^(zoom / 4) times as wide
  int moment = 5000;           ///< what stands in the middle, of 10,000 parts of the run
  int rows_zoom = 0;           ///< multiprocessors: 2^rows_zoom times as high
  int first = 0;               ///< the first one shown, of 1000 parts of those that could be
  int launch = 0, block = -1;  ///< chosen, by its number; -1: none
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("resident", s.resident);
    visit("zoom", s.zoom);
    visit("moment", s.moment);
    visit("rows_zoom", s.rows_zoom);
    visit("first", s.first);
    visit("launch", s.launch);
    visit("block", s.block);
  }
  template <class Run>
  void fit(const Run&) {
    launch = std::max(launch, 0);
    block = std::max(block, -1);
  }
  bool operator==(const ScheduleState&) const = default;
};

}  // namespace bscope
