// What each tab remembers of its own beside the cursor. Plain data: a session file, undo and the settings
// keep it.
//
// Every struct lists its members in `fields(self, visit)`, which calls visit("name", self.member) for each:
// so whoever saves, loads or compares them needs no edit when one is added. A session may come from anybody:
// a struct whose members must stay in a range puts them right in `void fit(const Run&)`, called after
// loading; an enum that it holds needs `constexpr E last_of(E)`, its greatest value.
#pragma once

#include <cstdint>
#include <string>

namespace bscope {

struct WatchState {
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
  bool operator==(const WatchState&) const = default;
};

struct BanksState {
  int request = -1;  ///< number in Report::requests; -1: the worst of the step
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("request", s.request);
  }
  bool operator==(const BanksState&) const = default;
};

struct CompareState {
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
  bool operator==(const CompareState&) const = default;
};

struct TimeState {
  int log_n = 24;   ///< the ladder's length is 2^log_n
  int block = 256;  ///< threads
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("log_n", s.log_n);
    visit("block", s.block);
  }
  bool operator==(const TimeState&) const = default;
};

}  // namespace bscope
